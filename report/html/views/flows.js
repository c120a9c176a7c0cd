// SPDX-License-Identifier: BSD-3-Clause
// Flows: when each thread reads and writes a structure; when a thread reads and writes each structure.
(function () {
	"use strict";
	const { make } = psc;
	const D = psc.time.draw;
	const LEFT = 148, RIGHT = 190, LANE = 46, BINS = 256, SHOWN = 8, MANY = 12, INTERVALS = 16;
	const LEAST = 0.02;             /* of a lane's accesses, for an interval */
	const SLIVER = 0.005;           /* of an interval's: of a column that two regions share */

	const sum = a => a.reduce((p, q) => p + q, 0);

	class Flows extends psc.time.View {
		constructor(report, all, into) {
			super(report, all, into);
			this.draw = this.picture("Reads and writes over time", { height: w => this.height(w),
				paint: (g, w) => this.paint(g, w), tell: (x, y) => this.tell(x, y) });
			this.advice = make("p");
			this.table = make("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: "Intervals" });
			into.append(this.advice, this.table);
		}
		begin() {
			const m = this.m;
			this.structures = m.ranked().filter(s => s.accesses > 0.002 * m.accesses).slice(0, MANY);
			this.chosen = this.structures.length ? "s" + this.structures[0].number : "t0";
			this.empty = !this.structures.length;
			this.bins = Math.min(BINS, m.columns);
		}
		controls() {
			const m = this.m;
			return [...this.axes(), this.choice("Flow of", "chosen", [...this.structures.map(s => ["s" + s.number, s.name]),
				...Array.from({ length: m.threads }, (_, t) => ["t" + t, "thread " + t])])];
		}
		/* The lanes: threads of a structure, or structures of a thread. */
		lanes() {
			const m = this.m, n = Number(this.chosen.slice(1));
			if (this.chosen[0] === "t")
				return this.structures.filter(s => this.used(s, n) > 0).slice(0, SHOWN).map(s => ({ s, t: n,
					name: s.name, sub: s.bytes > 0 ? D.bytes(s.bytes) : "" }));
			const s = m.structures[n - 1];
			return Array.from({ length: m.threads }, (_, t) => t).filter(t => this.used(s, t) > 0 || m.threads <= SHOWN)
				.sort((a, b) => this.used(s, b) - this.used(s, a)).slice(0, 2 * SHOWN).sort((a, b) => a - b)
				.map(t => ({ s, t, name: "thread " + t, sub: m.nodes > 1 && m.node[t] >= 0 ? "node " + m.node[t] : "" }));
		}
		used(s, t) {
			return s.by[t].reads + s.by[t].writes;
		}
		change() {
			const m = this.m, n = Number(this.chosen.slice(1)), of = this.chosen[0] === "t" ? m.t.thread_words[n] :
				m.t.structure_words[n - 1];
			this.words(this.chosen[0] === "t" ? of : { claim: of.pattern });
			this.advice.textContent = [of.allocation, of.advice].filter(w => w).join(" ");
			this.shown = this.lanes();
			this.of = this.shown.map(l => ["reads", "writes", m.deepest].map(name =>
				this.binned(m.of_structure(l.s, l.t, [name]))));
			this.far = this.shown.map(l => m.near_and_far(l.s, l.t).map(v => this.binned(v)));
			this.placed = m.nodes > 1 && m.node.some(n => n >= 0);
			this.most = Math.max(1, ...this.of.flatMap(v => [...v[0], ...v[1]]));
			this.key.replaceChildren(D.legend([...(this.placed ? [[D.variable("near"), "own node"],
				[D.variable("far"), "other node"], [null, "up: reads, down: writes (root of their number)"]] :
				[[D.variable("near"), "up: reads, down: writes (root of their number)"]]),
				...(this.events().some(e => e.made) ? [[null, "\u25cb allocated"]] : []),
				...(this.events().some(e => e.touched) ? [[null, "\u25cf first touch"]] : [])]));
			this.fill();
			this.draw();
		}
		binned(v) {
			const out = new Float64Array(this.bins);
			v.forEach((x, c) => { out[Math.floor(c * this.bins / this.m.columns)] += x; });
			return out;
		}
		height(width) {
			const p = this.place = this.room(width, LEFT, RIGHT, 0);
			this.step = LANE + (p.small ? 16 : 0);
			this.strip = psc.time.strip(this.m, c => this.place_of(c, p.left, p.width), p.left);
			this.top = this.strip.height;
			return this.top + this.shown.length * this.step + 2 + D.axis_height(p.small);
		}
		paint(g) {
			const p = this.place, bottom = this.top + this.shown.length * this.step + 2;
			this.strip.paint(g, 0);
			this.shown.forEach((l, i) => this.paint_lane(g, l, i, this.top + i * this.step + (p.small ? 16 : 0)));
			this.paint_events(g);
			this.ticks(g, p, bottom);
		}
		paint_lane(g, l, i, y) {
			const m = this.m;
			const v = this.of[i], [near, far] = this.far[i];
			const p = this.place, mid = y + LANE / 2 - 2, half = LANE / 2 - 3, by = l.s.by[l.t];
			const x = b => D.whole(this.place_of(b * m.columns / this.bins, p.left, p.width)), right = p.left + p.width + 12;
			const notes = [`${D.count(Math.round(by.reads))} reads, ${D.count(Math.round(by.writes))} writes`,
				`${D.count(Math.round(by.last))} from memory` +
				(this.placed && m.node[l.t] >= 0 ? `, ${D.percent(sum(far) / (sum(near) + sum(far) || 1))} far` : "")];
			if (p.small) {
				const w = D.text(g, D.clip(g, l.name, p.width / 3, { bold: true }), 0, y - 8, { bold: true });
				D.text(g, D.clip(g, notes.join(", "), p.width - w - 8, { size: 11 }), w + 8, y - 8, { dim: true, size: 11 });
			} else {
				D.text(g, D.clip(g, l.name, LEFT - 14, { bold: true }), p.left - 10, l.sub ? mid - 6 : mid,
					{ bold: true, align: "right" });
				D.text(g, l.sub, p.left - 10, mid + 8, { dim: true, size: 11, align: "right" });
				D.text(g, notes[0], right, mid - 6);
				D.text(g, notes[1], right, mid + 8, { dim: true, size: 11 });
			}
			g.fillStyle = D.css("band");
			g.fillRect(p.left, y, p.width, LANE - 4);
			g.fillStyle = D.css("line");
			g.fillRect(p.left, mid, p.width, 1);
			for (let b = 0; b < this.bins; b++)
				[v[0][b], v[1][b]].forEach((n, down) => {
					const h = n > 0 ? Math.max(1.5, half * Math.sqrt(n / this.most)) : 0;
					const away = h * D.part(far[b] / (near[b] + far[b] || 1)), wide = x(b + 1) - x(b);
					g.fillStyle = D.css("near");
					g.fillRect(x(b), down ? mid + 1 : mid - h + away, wide, h - away);
					g.fillStyle = D.css("far");
					g.fillRect(x(b), down ? mid + 1 + h - away : mid - h, wide, away);
				});
		}
		/* Of the flow of one structure: who allocated it, and the threads that touched
		 * rows of it first. */
		events() {
			const s = this.chosen[0] === "s" && this.m.structures[Number(this.chosen.slice(1)) - 1];
			if (!s)
				return [];
			const first = new Set(Array.from(this.m.series(s, "toucher").value, v => v - 1));
			return this.shown.flatMap((l, i) => {
				const made = s.allocated_at && s.allocated_by === l.t, words = made ? ["allocated " + s.allocated_at] : [];
				if (first.has(l.t))
					words.push("first touch" + (s.touched === "begin" ? "" : " in the executions counted"));
				return words.length ? [{ i, made, touched: first.has(l.t), words: words.join(", ") }] : [];
			});
		}
		paint_events(g) {
			const p = this.place;
			for (const e of this.events()) {
				const y = this.top + e.i * this.step + (p.small ? 16 : 0) + 7;
				let x = p.left + 6;
				for (const [is, full] of [[e.made, false], [e.touched, true]])
					if (is) {
						g.beginPath();
						g.arc(x, y, 3.2, 0, 7);
						g.fillStyle = g.strokeStyle = D.css("fg");
						g.lineWidth = 1.4;
						if (full)
							g.fill();
						else
							g.stroke();
						x += 10;
					}
				if (!p.small)
					this.paint_words(g, e.words, x, y);
			}
			g.lineWidth = 1;
		}
		/* Words upon a lane, which may be full: on a ground of their own. */
		paint_words(g, words, x, y) {
			const shown = D.clip(g, words, Infinity, { size: 11 });         /* sets the font */
			g.globalAlpha = 0.85;
			g.fillStyle = D.css("band");
			g.fillRect(x - 2, y - 6, g.measureText(shown).width + 4, 12);
			g.globalAlpha = 1;
			D.text(g, shown, x, y, { size: 11 });
		}
		/* What a thread does with a structure from one stretch of the strip to the next. */
		intervals() {
			const m = this.m, names = ["reads", "writes", m.deepest, ...(this.placed ? ["served"] : [])], out = [];
			for (const l of this.shown) {
				const all = this.used(l.s, l.t), runs = m.t.strip.map(() => ({ v: names.map(() => 0), from: Infinity, to: 0 }));
				for (const c of m.t.cells.filter(q => q.structure === l.s.number && q.thread === l.t))
					names.forEach((name, k) => m.each(c, name, name === "served" ? m.nodes : 1, (at, node, n) => {
						const run = runs[m.run_of(c, at)];
						if (!run || (name === "served" && node === m.node[l.t]))
							return;
						run.v[k] += n;
						run.from = Math.min(run.from, at);
						run.to = Math.max(run.to, at + 1);
					}));
				runs.forEach(({ v, from, to }, i) => {
					if (v[0] + v[1] > LEAST * all)
						out.push({ l, label: m.t.strip[i].label, v, from, to });
				});
			}
			return out.sort((a, b) => a.from - b.from);
		}
		fill() {
			const m = this.m, thread = this.chosen[0] === "t", axis = m.borders(this.by_time);
			const at = c => axis[c] ? (this.by_time ? D.seconds : D.positions)(axis[c]) : "0";
			const heads = ["from", "to", thread ? "structure" : "thread", "region", "reads", "writes", "from memory",
				...(this.placed ? ["from other nodes"] : [])];
			const all = this.intervals(), rest = all.length - INTERVALS;
			const count = n => make("td", { className: "n" }, n > 0 ? D.count(Math.round(n)) : "\u2013");
			this.table.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((h, i) =>
				make("th", { className: i < 2 || i > 3 ? "n" : "" }, h)))),
			make("tbody", {}, ...all.slice(0, INTERVALS).map(q => make("tr", {},
				make("td", { className: "n" }, at(q.from)), make("td", { className: "n" }, at(q.to)),
				make("td", {}, thread ? q.l.name : String(q.l.t)), make("td", {}, q.label),
				...q.v.map((n, k) => count(k < 2 && n < SLIVER * (q.v[0] + q.v[1]) ? 0 : n)))))),
			make("p", { className: "small", hidden: rest <= 0 }, `and ${D.more(rest, "interval")}`));
		}
		tell(x, y) {
			const m = this.m, p = this.place, c = this.column_at(x, p.left, p.width);
			const i = Math.floor((y - this.top) / this.step), b = Math.floor(c * this.bins / m.columns);
			const l = this.shown[i];
			if (x < p.left || x > p.left + p.width)
				return [];
			if (!l)
				return y < this.top ? [D.regions_at(m, c, c + 1, this.strip.thread)] : [];
			const v = this.of[i];
			return [`${l.s.name}, thread ${l.t}`, `from ${this.by_time ? "" : "access "}${(this.by_time ? D.seconds : D.positions)(m.borders(this.by_time)[Math.floor(b * m.columns / this.bins)])}`,
				v[0][b] + v[1][b] > 0 ? `${D.count(Math.round(v[0][b]))} reads, ${D.count(Math.round(v[1][b]))} writes, ` +
					`${D.count(Math.round(v[2][b]))} from memory` : "no access",
				...(v[0][b] + v[1][b] > 0 ? ["in " + D.regions_at(m, c, c + 1, l.t)] : [])];
		}
	}
	psc.time.View.register("flows", (report, all, into) => new Flows(report, all, into));
})();
