// SPDX-License-Identifier: BSD-3-Clause
// Cartography: who touches which addresses of a structure, and who touched them first.
(function () {
	"use strict";
	const { make } = psc;
	const D = psc.time.draw;
	const SHOWN = 8, LEFT = 148, RIGHT = 225, HEAD = 11, FOOT = 11, VERDICT = 13, LINES = 2, AXIS = 22, LEAST = 0.005, STRIP = 8;
	const NONE = 0, HANDED = 2, WRITTEN = 4;       /* of 0 to 4, as in NAMES */
	const COLOURS = ["band", "priv", "hand", "ro", "rw"];
	const KINDS = COLOURS.length;
	const NAMES = ["no access seen", "private", "handed over", "shared, read only", "shared, written"];

	/* By thread and row: reads, writes, misses of the last level. */
	function uses(m, s) {
		const rows = m.rows, of = Array.from({ length: m.threads }, () => ({ reads: new Float64Array(rows),
			writes: new Float64Array(rows), last: new Float64Array(rows) }));
		for (const map of m.maps(s)) {
			const u = of[map.thread];
			for (const [to, name] of [["reads", "reads"], ["writes", "writes"], ["last", "last_misses"]])
				m.each(map, name, rows, (c, r, n) => { u[to][r] += n; });
		}
		return of;
	}
	/* By row: [kind, share] of its lines, the kind alone where lines are not known. */
	function kinds(m, facts, classes) {
		const parts = Array.from(classes, () => []), s = m.series(facts, "parts");
		s.at.forEach((at, i) => parts[Math.floor(at / KINDS)].push([at % KINDS, s.value[i] / 100]));
		return parts.map((row, r) => row.length || classes[r] === NONE ? row : [[classes[r], 1]]);
	}
	function describe(m, s) {
		const id = "uses " + s.number;
		if (!m.cache.has(id)) {
			const of = uses(m, s), facts = m.t.structure_rows[s.number - 1];
			const first = m.by_row(facts, "first").map(t => t - 1), classes = m.by_row(facts, "sharing");
			const most = Math.max(1, ...of.map(u => u.reads.reduce((a, n, r) => Math.max(a, n + u.writes[r]), 0)));
			m.cache.set(id, { of, first, most, classes, kinds: kinds(m, facts, classes), range: m.touched(s) });
		}
		return m.cache.get(id);
	}

	class Cartography extends psc.time.View {
		constructor(report, all, into) {
			super(report, all, into);
			this.draw = this.picture("Addresses by thread", { height: w => this.layout(w),
				paint: (g, w) => this.paint(g, w), tell: (x, y) => this.tell(x, y) });
			this.said = make("p", { className: "small" });
			into.append(this.said);
		}
		begin() {
			const m = this.m;
			const all = m.ranked().filter(s => m.rows && m.maps(s).length && s.accesses > LEAST * m.accesses);
			this.empty = !all.length || m.threads < 2;
			this.shown = this.more ? all : all.slice(0, SHOWN);
			this.rest = all.length - this.shown.length;
		}
		change() {
			const m = this.m;
			const words = this.shown.some(s => m.series(s, "toucher").at.length && s.touched === "begin") ?
				"since the program began, where that is known" : "in the executions counted";
			this.words(m.t.words.cartography);
			const unknown = this.shown.some(s => describe(m, s).classes.some((k, r) => k !== NONE && describe(m, s).first[r] < 0));
			this.key.replaceChildren(D.legend([...D.thread_keys(m.threads, "first touched by thread "),
				...(unknown ? [[D.variable("unk"), "not known which thread is first"]] : []),
				[null, `fuller: more ${this.counted()} (logarithm); first touch: ${words}`]]),
			D.legend([[null, "strip above the lanes, by cache line:"], ...[1, 2, 3, 4, 0].map(k =>
				[D.variable(COLOURS[k]), NAMES[k]])]));
			this.said.replaceChildren();
			if (this.rest) {
				const b = make("button", { type: "button" }, D.more(this.rest, "structure"));
				b.addEventListener("click", () => {
					this.more = true;
					this.begin();
					this.change();
				});
				this.said.append(b);
			}
			this.draw();
		}
		layout(width) {
			const m = this.m;
			this.place = this.room(width, LEFT, RIGHT);
			this.lane = m.threads > 16 ? 4 : m.threads > 4 ? 8 : m.threads > 2 ? 11 : 15;
			this.place.up += this.place.small ? LINES * VERDICT : 0;
			this.block = this.place.up + HEAD + m.threads * (this.lane + 1) + FOOT;
			return this.shown.length * this.block + AXIS;
		}
		paint(g) {
			const p = this.place, y = this.shown.length * this.block + 6;
			this.shown.forEach((s, i) => this.paint_structure(g, s, i * this.block + 2));
			D.text(g, "first byte used", p.left, y, { dim: true, size: 11 });
			D.text(g, "last byte used", p.left + p.width, y, { dim: true, size: 11, align: "right" });
		}
		x(d, r) {
			const [from, to] = d.range;
			return this.place.left + Math.round((r - from) * this.place.width / Math.max(1, to - from));
		}
		names(g, s, y) {
			const m = this.m, p = this.place, size = m.size(s);
			const verdict = m.t.structure_words[s.number - 1].sharing || "";
			const ink = D.css(this.trouble(s) ? "hot" : "fg");
			const part = size < 0.98 * s.bytes ? `${D.percent(size / s.bytes)} of ${D.bytes(s.bytes)}` : D.bytes(s.bytes);
			if (p.small) {
				const n = D.text(g, D.clip(g, s.name, p.width / 2, { bold: true }), 0, y + 9, { bold: true });
				D.text(g, part, n + 8, y + 9, { dim: true, size: 11 });
				D.wrap(g, verdict, p.left + p.width, LINES, { size: 11 }).forEach((line, i) =>
					D.text(g, line, 0, y + 9 + VERDICT * (i + 1), { size: 11, fill: ink }));
				return;
			}
			const mid = y + (this.block - FOOT) / 2, right = p.left + p.width + 12;
			D.text(g, D.clip(g, s.name, LEFT - 30, { bold: true }), p.left - 26, mid - 6, { bold: true, align: "right" });
			D.text(g, part, p.left - 26, mid + 8, { dim: true, size: 11, align: "right" });
			const lines = D.wrap(g, verdict, RIGHT - 14, this.block > 60 ? 4 : 3, { size: 11 });
			lines.forEach((line, i) => D.text(g, line, right, mid + 14 * (i - (lines.length - 1) / 2),
				{ size: 11, fill: ink }));
		}
		/* Much of it is handed over or written by several. */
		trouble(s) {
			const used = describe(this.m, s).kinds.filter(row => row.length);
			const share = k => used.flat().reduce((sum, [q, n]) => sum + (q === k ? n : 0), 0) / Math.max(1, used.length);
			return share(HANDED) > 0.3 || share(WRITTEN) > 0.3;
		}
		paint_structure(g, s, y0) {
			const m = this.m, p = this.place, d = describe(m, s), [from, to] = d.range;
			let y = y0 + p.up;
			this.names(g, s, y0);
			for (let r = from; r < to; r++)
				this.paint_kinds(g, d.kinds[r], this.x(d, r), this.x(d, r + 1), y);
			y += HEAD;
			for (let t = 0; t < m.threads; t++, y += this.lane + 1) {
				g.fillStyle = D.css("band");
				g.fillRect(p.left, y, p.width, this.lane);
				if (this.lane > 7 || t % 4 === 0)
					D.text(g, String(t), p.left - 7, y + this.lane / 2 + 0.5, { size: 10, align: "right", bold: true,
						fill: D.thread_ink(t, m.threads) });
				for (let r = from; r < to; r++) {
					const n = d.of[t].reads[r] + d.of[t].writes[r];
					if (!(n > 0))
						continue;
					g.globalAlpha = 0.3 + 0.7 * Math.log1p(n) / Math.log1p(d.most);
					g.fillStyle = d.first[r] < 0 ? D.css("unk") : D.thread_colour(d.first[r], m.threads);
					g.fillRect(this.x(d, r), y, this.x(d, r + 1) - this.x(d, r), this.lane);
				}
				g.globalAlpha = 1;
			}
		}
		kinds_said(d, r) {
			const row = d.kinds[r];
			return row.length > 1 ? row.map(([k, share]) => `${D.percent(share)} ${NAMES[k]}`).join("; ") : NAMES[d.classes[r]];
		}
		/* The kinds of a row's lines, the most private one on top. */
		paint_kinds(g, row, from, to, y) {
			row.forEach(([kind, share]) => {
				g.fillStyle = D.css(COLOURS[kind]);
				g.fillRect(from, y, to - from, share * STRIP);
				y += share * STRIP;
			});
		}
		tell(x, y) {
			const m = this.m, p = this.place, s = this.shown[Math.floor(y / this.block)];
			if (!s || x < p.left || x >= p.left + p.width)
				return [];
			const d = describe(m, s), [from, to] = d.range;
			const r = from + Math.floor((x - p.left) / p.width * (to - from));
			const lines = [m.row_words(s, r, 1),
				this.kinds_said(d, r) + (d.first[r] >= 0 && d.classes[r] ? `, first touched by thread ${d.first[r]}` : "")];
			const used = d.of.map((u, t) => [t, u]).filter(([, u]) => u.reads[r] + u.writes[r] > 0);
			for (const [t, u] of used.slice(0, 8))
				lines.push(`thread ${t}: ${D.count(Math.round(u.reads[r]))} reads, ${D.count(Math.round(u.writes[r]))} ` +
					"writes" + (m.misses_by_address(s) ? `, ${D.count(Math.round(u.last[r]))} from memory` : ""));
			return used.length > 8 ? [...lines, `and ${used.length - 8} more threads`] : lines;
		}
	}
	psc.time.View.register("cartography", (report, all, into) => new Cartography(report, all, into));
})();
