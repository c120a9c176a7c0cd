// SPDX-License-Identifier: BSD-3-Clause
// Memory modules: which node of the machine model's memory serves the lines of which structure, when.
(function () {
	"use strict";
	const D = psc.time.draw;
	const LEFT = 148, ROW = 40, GAP = 22, TITLE = 20, ABOVE = 18, AXIS = 24, SHOWN = 6, BINS = 128, SIDE = 2;

	const sum = a => a.reduce((p, q) => p + q, 0);

	class Modules extends psc.time.View {
		constructor(report, all, into) {
			super(report, all, into);
			this.draw = this.picture("Lines from memory by node", { height: w => this.layout(w),
				paint: (g, w) => this.paint(g, w), tell: (x, y) => this.tell(x, y) });
			this.channels = psc.time.channels(this);
		}
		/* Lines by structure, node and bin of the axis. */
		begin() {
			const m = this.m;
			this.bins = Math.min(BINS, m.columns);
			const empty = () => m.structures.map(() => Array.from({ length: m.nodes }, () => new Float64Array(this.bins)));
			this.lines = empty();
			this.known = empty();           /* of these, to threads whose node is known */
			this.far = empty();             /* of those, to threads of other nodes */
			for (const c of m.t.cells)
				m.each(c, "served", Math.max(1, m.nodes), (k, node, v) => {
					const b = Math.floor(k * this.bins / m.columns), own = m.node[c.thread];
					this.lines[c.structure - 1][node][b] += v;
					this.known[c.structure - 1][node][b] += own >= 0 ? v : 0;
					this.far[c.structure - 1][node][b] += own >= 0 && own !== node ? v : 0;
				});
			this.placed = m.node.some(n => n >= 0);
			this.of = this.lines.map(nodes => nodes.map(sum));
			this.all_lines = sum(this.of.map(sum));
			this.shown = m.structures.filter(s => sum(this.of[s.number - 1]) > 0)
				.sort((a, b) => sum(this.of[b.number - 1]) - sum(this.of[a.number - 1])).slice(0, SHOWN);
			this.most = this.lines.flat().reduce((most, a) => a.reduce((x, y) => Math.max(x, y), most), 1);
			this.channels.begin(m);
			this.nodes = m.nodes > 1 ? [...Array(m.nodes).keys()].filter(node => this.served(node) > 0) : [];
			this.empty = !this.nodes.length && !this.channels.known;
		}
		served(node) {
			return this.of.reduce((sum, of) => sum + of[node], 0);
		}
		change() {
			this.words(this.m.t.words.modules);
			this.key.replaceChildren(D.legend(this.keys()));
			this.draw();
			this.channels.draw();
		}
		keys() {
			const height = [null, "height: root of their number, one scale for all" +
				(this.nodes.length < this.m.nodes ? "; nodes that serve nothing are left out" : "")];
			if (!this.nodes.length)
				return [[D.variable("far"), "the fuller, the more lines from a channel"], [D.variable("near"), "its lines in all"]];
			return this.placed ? [[D.variable("near"), "to a thread of the same node"], [D.variable("far"), "to a thread of another node"],
				height] : [[D.variable("near"), "lines that the node serves"], height];
		}
		/* Two nodes stand beside each other; more of them, or a narrow page, one below the other. */
		layout(width) {
			const n = this.nodes.length, p = this.place = this.room(width, LEFT, 0, 0);
			this.beside = n === SIDE && !p.small;
			p.one = this.beside ? Math.floor((p.width - GAP) / 2) : p.width;
			this.strip = psc.time.strip(this.m, c => p.left + c * p.one / this.m.columns, p.left);
			this.head = TITLE + this.strip.height + ABOVE;
			this.block = this.head + this.shown.length * (ROW + 21) + AXIS;
			return this.beside ? this.block : Math.max(1, n * this.block);
		}
		origin(i) {
			const p = this.place;
			return this.beside ? [p.left + i * (p.one + GAP), 0] : [p.left, i * this.block];
		}
		paint(g) {
			this.nodes.forEach((node, i) => this.paint_node(g, node, ...this.origin(i)));
		}
		paint_node(g, node, x0, y0) {
			const m = this.m, p = this.place, n = this.served(node);
			const bottom = y0 + this.head + this.shown.length * (ROW + 21) - 14;
			const w = D.text(g, "node " + node, x0, y0 + 8, { bold: true, size: 13 });
			const far = sum(this.far.map(of => sum(of[node]))), known = sum(this.known.map(of => sum(of[node])));
			const more = known > 0 && !this.place.small ?
				`, ${D.percent(far / known)} of ${known < n ? "those of placed threads" : "these"} to other nodes' threads` : "";
			D.text(g, `serves ${D.percent(n / this.all_lines)} of all lines${more}`, x0 + w + 8, y0 + 8, { dim: true, size: 11 });
			this.strip.paint(g, y0 + TITLE, x0 - p.left);
			this.shown.forEach((s, i) => this.paint_row(g, s, node, x0, y0 + this.head + i * (ROW + 21)));
			D.axis(g, x0, p.one, bottom, 0, m.columns * m.unit, D.positions);
		}
		paint_row(g, s, node, x0, y) {
			const p = this.place, lines = this.lines[s.number - 1][node], n = this.of[s.number - 1][node];
			const x = b => D.whole(x0 + b * p.one / this.bins), name = s.name;
			if (p.left && x0 === p.left) {
				D.text(g, D.clip(g, name, LEFT - 16, { bold: true }), p.left - 12, y + ROW / 2 - 6, { bold: true, align: "right" });
				if (s.bytes > 0)
					D.text(g, D.bytes(s.bytes), p.left - 12, y + ROW / 2 + 8, { dim: true, size: 11, align: "right" });
			} else if (!p.left) {
				D.text(g, D.clip(g, name, p.one / 2, { bold: true }), x0, y - 8, { bold: true });
			}
			g.fillStyle = D.css("band");
			g.fillRect(x0, y, p.one, ROW);
			const away = this.far[s.number - 1][node], far = sum(away);
			lines.forEach((v, b) => {
				const h = v > 0 ? Math.max(1.5, ROW * Math.sqrt(v / this.most)) : 0, part = v > 0 ? h * D.part(away[b] / v) : 0;
				g.fillStyle = D.css("near");
				g.fillRect(x(b), y + ROW - h + part, x(b + 1) - x(b), h - part);
				g.fillStyle = D.css("far");
				g.fillRect(x(b), y + ROW - h, x(b + 1) - x(b), part);
			});
			const known = sum(this.known[s.number - 1][node]), words = known > 0 ? `, ${D.percent(far / known)} far` : "";
			D.text(g, n > 0 ? D.count(Math.round(n)) + " lines" + words : "nothing", x0 + p.one, y - 8,
				{ size: 11, dim: true, align: "right" });
		}
		tell(x, y) {
			const p = this.place;
			for (const [place, node] of this.nodes.entries()) {
				const [x0, y0] = this.origin(place), i = Math.floor((y - y0 - this.head + 18) / (ROW + 21));
				const s = this.shown[i], b = Math.floor((x - x0) / p.one * this.bins);
				if (s && b >= 0 && b < this.bins && y >= y0 && y < y0 + this.block)
					return [`${s.name}: ${D.count(Math.round(this.lines[s.number - 1][node][b]))} lines from node ${node}`];
			}
			return [];
		}
	}
	psc.time.View.register("modules", (report, all, into) => new Modules(report, all, into));
})();
