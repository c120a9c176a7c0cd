// SPDX-License-Identifier: BSD-3-Clause
// Portals: variables by threads or ranks, and threads or ranks by variables, as counts that can be sorted.
(function () {
	"use strict";
	const { make } = psc;
	const D = psc.time.draw;
	const ROWS = 12, COLUMNS = 8, NARROW = 4;
	const MISSES = "misses";                /* of the nearest level, which stands before it */
	const COUNTS = [["accesses", b => b.reads + b.writes], ["reads", b => b.reads], ["writes", b => b.writes],
		[MISSES, b => b.first], ["from memory", b => b.last],
		["taken by threads", b => b.coherent]];
	const sum = list => list.reduce((a, b) => a + b, 0);
	const NAME = -2, ALL = -1;

	/* A table of counts with bars: `rows` and `columns` have names, value(i, j) the sums of
	 * a cell. */
	class Portal {
		constructor(into, { title, corner, rows, columns, value, level }) {
			Object.assign(this, { corner, rows, columns, value, by: ALL, up: false, count: 0, open: false });
			this.box = make("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: title });
			const counts = COUNTS.map(([name], i) => [i, name === MISSES ? `${level} ${name}` : name])
				.filter(([i]) => rows.some((r, k) => columns.some((c, j) => COUNTS[i][1](value(k, j)) > 0)));
			into.append(make("h3", {}, title), D.pick("Count", counts, 0, v => {
				this.count = v;
				this.fill();
			}), this.box);
			this.fill();
		}
		sorted() {
			const f = COUNTS[this.count][1];
			const data = this.rows.map((name, i) => ({ name, v: this.columns.map((_, j) => f(this.value(i, j))) }));
			for (const d of data)
				d.sum = sum(d.v);
			const key = d => this.by === ALL ? d.sum : d.v[this.by], turn = this.up ? 1 : -1;
			data.sort((a, b) => this.by === NAME ? -turn * a.name.localeCompare(b.name, "en", { numeric: true }) :
				turn * (key(a) - key(b)));
			return data;
		}
		head(words, k) {
			const button = make("button", { type: "button" }, words);
			button.addEventListener("click", () => {
				this.up = this.by === k && !this.up;
				this.by = k;
				this.fill();
			});
			const th = make("th", { className: k === NAME ? "" : "n" }, button);
			if (this.by === k)
				th.ariaSort = this.up ? "ascending" : "descending";
			return th;
		}
		/* The columns with most, and the others together. */
		cut(data) {
			const sums = this.columns.map((_, j) => sum(data.map(d => d.v[j])));
			const order = Array.from(sums.keys()).sort((a, b) => sums[b] - sums[a]);
			const keep = new Set(order.slice(0, this.open ? order.length : COLUMNS));
			const all = Array.from(sums.keys());
			return { shown: all.filter(j => keep.has(j)), rest: all.filter(j => !keep.has(j)) };
		}
		fill() {
			const data = this.sorted(), all = sum(data.map(d => d.sum)), { shown, rest } = this.cut(data);
			const most = this.open ? data.length : ROWS, top = new Set([...data].sort((a, b) => b.sum - a.sum).slice(0, most));
			const body = make("tbody"), kept = data.filter(d => top.has(d)), others = data.filter(d => !top.has(d));
			const cells = d => [...shown.map(j => d.v[j]), ...(rest.length ? [sum(rest.map(j => d.v[j]))] : [])];
			const scale = kept.reduce((most, d) => shown.reduce((x, j) => Math.max(x, d.v[j]), most), 1);
			const line = (name, d, cls) => body.append(make("tr", { className: cls },
				make("th", { scope: "row" }, name), ...cells(d).map(x => cell(x, cls ? 0 : x / scale)),
				cell(d.sum, 0), make("td", { className: "n" }, all > 0 ? D.percent(d.sum / all) : "-")));
			for (const d of kept)
				line(d.name, d, "");
			const total = list => ({ v: this.columns.map((_, j) => sum(list.map(d => d.v[j]))),
				sum: sum(list.map(d => d.sum)) });
			if (others.length)
				line(this.opener(`others (${others.length})`), total(others), "rest");
			line("all", total(data), "sum");
			const heads = [this.head(this.corner, NAME), ...shown.map(j => this.head(this.columns[j], j)),
				...(rest.length ? [make("th", { className: "n" }, this.opener(`others (${rest.length})`))] : []),
				this.head("all", ALL), make("th", { className: "n" }, "share")];
			this.box.replaceChildren(make("table", { className: shown.length < NARROW ? "portal few" : "portal" },
				make("thead", {}, make("tr", {}, ...heads)), body));
		}
		opener(words) {
			const b = make("button", { type: "button" }, words);
			b.addEventListener("click", () => {
				this.open = true;
				this.fill();
			});
			return b;
		}
	}
	function cell(x, share) {
		const td = make("td", { className: share > 0 ? "n b" : "n" }, x > 0 ? D.count(Math.round(x)) : "\u2013");
		if (share > 0)
			td.style.setProperty("--v", 100 * share + "%");
		return td;
	}

	const range = (n, f) => Array.from({ length: n }, (_, i) => f(i));
	const zero = { reads: 0, writes: 0, first: 0, last: 0, coherent: 0 };
	/* Structures of several processes: the same name and declaration is the same one. */
	function merge(timelines) {
		const rows = new Map();
		timelines.forEach((m, p) => m.structures.filter(s => s.accesses > 0).forEach(s => {
			const key = [s.name, s.scope || "", s.declared || "", s.joined].join(" ");
			if (!rows.has(key))
				rows.set(key, { name: s.name, of: timelines.map(() => zero) });
			rows.get(key).of[p] = s.by.reduce((a, b) =>
				Object.fromEntries(Object.keys(zero).map(k => [k, a[k] + b[k]])), rows.get(key).of[p]);
		}));
		const all = r => sum(r.of.map(b => b.reads + b.writes));
		return [...rows.values()].sort((a, b) => all(b) - all(a));
	}

	class Portals extends psc.time.View {
		constructor(report, all, into) {
			super(report, all, into);
			this.tables = make("div");
			into.append(this.tables);
			this.ranks = all.length > 1;
		}
		controls() {
			return this.all.length > 1 ? [this.choice("Columns", "ranks", [[true, "ranks"], [false, "threads"]])] : [];
		}
		processes() {
			return this.ranks ? [] : super.processes();
		}
		async change() {
			const list = this.ranks ? await Promise.all(this.all.map(a => a.get())) : [];
			const m = this.m, level = psc.level_name(m.levels[0]);
			const rows = this.ranks ? merge(list) : m.structures.filter(s => s.accesses > 0)
				.sort((a, b) => b.accesses - a.accesses).map(s => ({ name: s.name, of: s.by }));
			const parts = this.ranks ? list.map(q => "rank " + q.t.process) : range(m.threads, t => "thread " + t);
			const names = rows.map(r => r.name), unit = this.ranks ? "rank" : "thread";
			const said = document.querySelector("#ranks-claim");
			this.words(this.ranks ? { claim: said ? said.textContent : null } : m.t.words.variables);
			this.tools.replaceChildren(...this.controls(), ...this.processes());
			this.tables.replaceChildren();
			new Portal(this.tables, { title: `Variables by ${unit}`, corner: "variable", level,
				rows: names, columns: parts, value: (i, j) => rows[i].of[j] });
			if (parts.length > 1)
				new Portal(this.tables, { title: `${unit === "rank" ? "Ranks" : "Threads"} by variable`, corner: unit,
					rows: parts, columns: names, level, value: (i, j) => rows[j].of[i] });
		}
	}
	psc.time.View.register("portals", (report, all, into) => new Portals(report, all, into));
})();
