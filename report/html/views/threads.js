// SPDX-License-Identifier: BSD-3-Clause
// Threads and ranks: a bar for every thread of a region that can be chosen, in an order that can be chosen.
psc.view({
	id: "threads",
	fold: "As a table, where threads that are alike are one line",
	draw(report, into) {
		"use strict";
		const { make, seconds, amount } = psc;
		const known = v => v > 0 ? v : 0;
		const parts = [["tc", "computing"], ["tm", "memory"], ["tw", "waiting"]];
		// As in the table: on the model of another machine a thread takes its modelled time, and waits are not known.
		const modelled = t => typeof t.modelled_time === "number";
		const running = t => known(modelled(t) ? t.modelled_time : t.time);
		const memory = t => Math.min(known(t.est_stall), running(t));
		const amounts = t => [running(t) - memory(t), memory(t),
			modelled(t) ? 0 : known(t.barrier_wait) + known(t.mpi_wait) + known(t.other_wait)];
		const length = t => amounts(t).reduce((sum, v) => sum + v, 0);
		const orders = [["process and thread", (a, b) => a.process - b.process || a.thread - b.thread],
			["time, longest first", (a, b) => length(b) - length(a)],
			...parts.map((p, i) => [p[1] + ", most first", (a, b) => amounts(b)[i] - amounts(a)[i]]),
			["misses, most first", (a, b) => known(b.last_misses) - known(a.last_misses)]];
		const regions = new Map();
		for (const t of report.threads)
			regions.set(t.region, [...(regions.get(t.region) || []), t]);
		if (!regions.size)
			return false;

		const levels = psc.levels(report);
		const nearest = levels.length ? psc.level_name(levels[0]) : "nearest";
		const several = report.nprocs > 1;
		const name = t => (several ? t.process + "." : "") + t.thread;
		const figures = t => [...parts.map((p, i) => p[1] + " " + seconds(amounts(t)[i])),
			nearest + " misses " + amount(t.first_misses),
			"misses of the last level " + amount(t.last_misses)].join(", ");
		const pick = (label, options) => make("select", { ariaLabel: label },
			...options.map((text, i) => make("option", { value: i }, text)));
		const keys = [...regions.keys()];
		const region = pick("Region", keys.map((key, i) => i ? key.split(" > ").pop() : "the whole phase"));
		const order = pick("Order", orders.map(o => o[0]));
		const said = make("p", { className: "small", role: "status" });
		const bars = make("div", { className: "bars" });

		function bar(t, longest) {
			const line = make("button", { type: "button", className: "thread" },
				make("span", { className: "n" }, name(t)));
			const track = make("span", { className: "track" });
			amounts(t).forEach((v, i) => {
				const part = make("span", { className: parts[i][0] });
				part.style.width = 100 * v / longest + "%";
				track.append(part);
			});
			line.append(track);
			line.ariaLabel = line.title = (several ? "process " + t.process + ", " : "") + "thread " + t.thread +
				": " + figures(t);
			const tell = () => { said.textContent = line.title; };
			line.addEventListener("mouseenter", tell);
			line.addEventListener("focus", tell);
			return line;
		}
		function show() {
			const rows = [...regions.get(keys[region.value])].sort(orders[order.value][1]);
			const longest = Math.max(...rows.map(length)) || 1;
			bars.replaceChildren(...rows.map(t => bar(t, longest)));
			said.textContent = rows.length + (rows.length === 1 ? " thread" : " threads") + ", longest " +
				seconds(longest) + " an execution";
		}
		region.addEventListener("change", show);
		order.addEventListener("change", show);
		into.append(make("p", { className: "pick" }, make("label", {}, "region ", region), " ",
			make("label", {}, "order ", order)), bars, said,
			make("p", { className: "small" }, ...parts.flatMap(p =>
				[make("span", { className: "key " + p[0] }), " " + p[1] + " "])));
		show();
		return true;
	}
});
