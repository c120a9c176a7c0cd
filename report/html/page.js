// SPDX-License-Identifier: BSD-3-Clause
// The page's script, before those of the views: what they share, and what all of the page has.
const psc = (function () {
	"use strict";
	const $ = (q, from) => (from || document).querySelector(q);
	const all = (q, from) => Array.from((from || document).querySelectorAll(q));
	const make = (tag, props, ...children) => {
		const e = Object.assign(document.createElement(tag), props);
		e.append(...children);
		return e;
	};

	/* What is folded in, or filtered out, is not shown. */
	const shows = e => e.checkVisibility ? e.checkVisibility() : e.getClientRects().length > 0;

	/* Opens what the target of a link is folded in. */
	function open_target() {
		let id = "";
		try {
			id = decodeURIComponent(location.hash.slice(1));
		} catch (e) {
			return;
		}
		const target = id && document.getElementById(id);
		if (!target)
			return;
		for (let e = target.parentElement; e; e = e.parentElement)
			if (e.tagName === "DETAILS")
				e.open = true;
		target.classList.remove("shut");
		target.scrollIntoView({ block: "center" });
	}

	/* Shows what belongs to a finding, or hides it: the style shows that of a link's target. */
	function turn_row(row) {
		const shown = shows($(".more", row));
		row.classList.toggle("open", !shown);
		row.classList.toggle("shut", shown);
		$(".at > a", row).setAttribute("aria-expanded", !shown);
	}

	/* Sorts the rows of a table by a column: by data-v where a cell has it, else by its text. */
	function value(row, column) {
		const cell = row.cells[column];
		if (!cell)
			return "";
		if (cell.dataset.v !== undefined)
			return Number(cell.dataset.v);
		const text = cell.textContent.trim();
		return cell.classList.contains("n") ? NaN : text.toLowerCase();
	}
	function compare(a, b) {
		if (typeof a === "number" && typeof b === "number") {
			if (isNaN(a) || isNaN(b))
				return isNaN(a) - isNaN(b);
			return b - a;
		}
		return String(a).localeCompare(String(b));
	}
	function sort_by(table, th) {
		const body = table.tBodies[0];
		const column = th.cellIndex;
		const turn = th.ariaSort === th.dataset.first;
		const rows = Array.from(body.rows).map((row, i) => ({ row, i, v: value(row, column) }));
		const first = rows.some(r => typeof r.v === "number") ? "descending" : "ascending";
		rows.sort((a, b) => {
			const missing = isNaN(a.v) && typeof a.v === "number" || isNaN(b.v) && typeof b.v === "number";
			const c = compare(a.v, b.v);
			return (turn && !missing ? -c : c) || a.i - b.i;
		});
		for (const other of all("th[aria-sort]", table))
			other.removeAttribute("aria-sort");
		th.dataset.first = first;
		th.ariaSort = turn ? (first === "ascending" ? "descending" : "ascending") : first;
		body.append(...rows.map(r => r.row));
	}
	for (const table of all("table.sort"))
		for (const th of all("thead th", table)) {
			const button = make("button", { type: "button" }, ...th.childNodes);
			button.addEventListener("click", () => sort_by(table, th));
			th.append(button);
		}

	/* Shows only what contains all words of the filter. */
	const kinds = ".card, .structure, #all tbody tr.f, #regions tbody tr";
	let items = null;
	const count = make("span", { className: "small", role: "status" });
	function filter(text) {
		const words = text.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;
		items = items || all(kinds).map(e => ({ e, text: e.textContent.toLowerCase() }));
		for (const item of items) {
			const is = words.every(w => item.text.includes(w));
			item.e.classList.toggle("out", !is);
			shown += is;
		}
		count.textContent = words.length ? shown + " of " + items.length : "";
		if (words.length)
			for (const d of all("main > details, main section details"))
				if ($(".card:not(.out), .structure:not(.out), tr:not(.out) > td", d))
					d.open = true;
	}
	const input = make("input", { type: "search", placeholder: "filter: name, file, kind", ariaLabel: "Filter" });
	let timer = 0;
	input.addEventListener("input", () => {
		clearTimeout(timer);
		timer = setTimeout(() => filter(input.value), 80);
	});

	/* Light or dark, against the system's choice; kept for this page only. */
	const dark = () => (document.documentElement.dataset.theme ||
		(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
	const theme = make("button", { type: "button", title: "Light or dark (d)" }, "dark / light");
	const turn = () => { document.documentElement.dataset.theme = dark() ? "light" : "dark"; };
	theme.addEventListener("click", turn);

	const keys = [["/", "filter"], ["j k", "next, previous"], ["o", "open or close it"], ["d", "dark or light"],
		["Esc", "clear the filter"], ["?", "this list"]];
	const help = make("dialog", { ariaLabel: "Keys" }, make("h2", {}, "Keys"), make("dl", {},
		...keys.flatMap(k => [make("dt", {}, make("kbd", {}, k[0])), make("dd", {}, k[1])])),
		make("form", { method: "dialog" }, make("button", {}, "close")));
	const ask = make("button", { type: "button", title: "Keys (?)" }, "keys");
	const show_help = () => help.open || help.showModal();
	ask.addEventListener("click", show_help);
	$("nav").after(make("div", { className: "tools", role: "search" }, input, count, theme, ask));
	document.body.append(help);

	/* j and k go through problems, findings and structures that are visible. */
	let now = null;
	function step(by) {
		const list = all(kinds).filter(e => shows(e));
		const at = list.indexOf(now);
		const next = list[at < 0 ? (by > 0 ? 0 : list.length - 1) : at + by];
		if (!next)
			return;
		if (now)
			now.classList.remove("now");
		now = next;
		now.classList.add("now");
		now.tabIndex = -1;
		now.focus({ preventScroll: true });
		now.scrollIntoView({ block: "center" });
	}
	function toggle() {
		const d = now && $("details", now);
		if (d)
			d.open = !d.open;
		else if (now && now.matches("tr.f"))
			turn_row(now);
	}
	document.addEventListener("keydown", e => {
		if (e.ctrlKey || e.altKey || e.metaKey || help.open)
			return;
		if (e.target === input) {
			if (e.key === "Escape") {
				input.value = "";
				filter("");
				input.blur();
			}
			return;
		}
		if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && e.target.type !== "radio")
			return;
		const act = { "/": () => input.focus(), j: () => step(1), k: () => step(-1), o: toggle, d: turn,
			"?": show_help, Escape: () => { input.value = ""; filter(""); } }[e.key];
		if (!act)
			return;
		e.preventDefault();
		act();
	});

	/* Paper cannot be unfolded: problems are printed whole, and tables instead of views. */
	addEventListener("beforeprint", () => {
		for (const d of all("#more, details.table"))
			d.open = true;
	});
	addEventListener("hashchange", open_target);
	/* A link to where the page already is changes nothing, so that no event tells of it. */
	document.addEventListener("click", e => {
		const a = e.target.closest && e.target.closest("a[href^='#']");
		if (a && a.matches(".at > a")) {
			e.preventDefault();
			turn_row(a.closest("tr"));
			return;
		}
		if (a && a.getAttribute("href") === location.hash)
			open_target();
	});
	open_target();

	/* The report, as psc_report --json writes it; read when the first view asks for it. */
	let read = null;
	const report = () => read = read || JSON.parse($("#report").textContent);

	/* Draws a view when it comes near: draw(report, section), into its section, where its table stands already.
	 * `fold`: the words that the table is folded in behind then.  It returns whether it drew, or promises to. */
	async function draw(v, section) {
		const table = make("details", { className: "table" }, make("summary", {}, v.fold || "As a table"));
		const picture = make("div", { className: "view" });
		const heading = $("h2", section);
		if (!await v.draw(report(), picture))
			return;
		while (heading.nextSibling)
			table.append(heading.nextSibling);
		section.append(picture, table);
		open_target();
	}
	function view(v) {
		const section = $("section[data-view=" + v.id + "]");
		if (!section)
			return;
		const near = new IntersectionObserver(seen => {
			if (!seen.some(s => s.isIntersecting))
				return;
			near.disconnect();
			draw(v, section);
		}, { rootMargin: "400px" });
		near.observe(section);
	}

	/* Figures as the tables write them. */
	function seconds(s) {
		if (s === null)
			return "-";
		const units = [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]];
		const [name, unit] = units.find(u => Math.abs(s) >= u[1]) || units[3];
		return Number((s / unit).toPrecision(3)) + " " + name;
	}
	function amount(n) {
		if (n === null)
			return "-";
		const units = ["", " k", " M", " G", " T"];
		let i = 0;
		for (; Math.abs(n) >= 999.5 && i < 4; i++)
			n /= 1000;
		return (i || n % 1 ? n.toPrecision(3) : String(n)) + units[i];
	}
	/* The cache levels of the machine, as their costs are named; none where nothing was counted. */
	const LEVELS = ["l1_misses", "l2_misses", "l3_misses", "l4_misses"];
	function levels(report) {
		const phase = report.costs.find(c => !c.structure);
		return LEVELS.filter(l => phase && typeof phase[l] === "number");
	}
	const level_name = level => level.slice(0, 2).toUpperCase();

	return { view, make, seconds, amount, LEVELS, levels, level_name };
})();
