// SPDX-License-Identifier: BSD-3-Clause
// Gantt: which structure each thread uses when, at as many columns as one likes, with what that loses.
(function () {
	"use strict";
	const { make } = psc;
	const D = psc.time.draw;
	const LEFT = 148, RIGHT = 118, LANE = 38, STEP = 42, COLOURS = 8, LEAST = 0.004, LOSS = 74;
	const IDLE = 0.02;              /* of a column of accesses: a thread with fewer waits */

	/* Structures that are always used together count as the one that leads them. */
	function leaders(m) {
		const groups = m.t.groups || [];
		return m.structures.map((s, i) => (groups[i] || i + 1) - 1);
	}

	class Gantt extends psc.time.View {
		constructor(report, all, into) {
			super(report, all, into);
			this.level = 2;
			this.lost = make("p", { className: "small", role: "status" });
			this.slider = make("input", { type: "range", min: 0, max: 9, value: 7, ariaLabel: "Number of columns" });
			this.slider.addEventListener("input", () => {
				this.level = 9 - this.slider.value;
				this.change();
			});
			this.draw = this.picture("Threads over time", { height: w => this.height(w),
				paint: g => this.paint(g), tell: (x, y) => this.tell(x, y) });
			into.append(this.lost);
			this.bars = this.picture("What is pale at fewer columns", { height: () => LOSS, paint: (g, w) => this.losses(g, w) });
		}
		begin() {
			const m = this.m;
			this.lead = leaders(m);
			this.mips = [];
			this.most = m.threads > 16 ? 16 : m.threads;
		}
		controls() {
			return [...this.axes(), make("label", { className: "small" }, "few columns ", this.slider, " many")];
		}
		/* At level l a column is 2^l of the axis: by thread and column the structures,
		 * most used first; the first of the column before stays where it has nearly as
		 * many. */
		mip(level) {
			if (this.mips[level])
				return this.mips[level];
			const m = this.m, n = m.structures.length, columns = Math.ceil(m.columns / (1 << level));
			let kept = 0, all = 0;
			const of = Array.from({ length: m.threads }, (_, t) => {
				const v = Array.from({ length: columns }, () => new Float64Array(n));
				m.structures.forEach((s, i) => m.of_structure(s, t, ["reads", "writes"]).forEach((x, c) => {
					v[c >> level][this.lead[i]] += x;
				}));
				let before = -1;
				return v.map(by => {
					const order = Array.from(by.keys()).filter(o => by[o] > 0).sort((a, b) => by[b] - by[a]);
					const sum = by.reduce((a, b) => a + b, 0);
					if (by[before] > D.STAYS * by[order[0]])        /* no flicker */
						order.unshift(...order.splice(order.indexOf(before), 1));
					before = order.length ? order[0] : -1;
					kept += order.length ? by[order[0]] : 0;
					all += sum;
					return { order, by, sum };
				});
			});
			return this.mips[level] = { of, columns, loss: all > 0 ? 1 - kept / all : 0 };
		}
		together(o) {
			const names = this.m.structures.filter((s, i) => this.lead[i] === o && s.accesses > LEAST * this.m.accesses)
				.map(s => s.name);
			return names.slice(0, 4).join(" + ") + (names.length > 4 ? ` + ${names.length - 4} more` : "") ||
				this.m.structures[o].name;
		}
		/* A colour each for those that are used most; the others are grey. */
		colours() {
			const m = this.m, sum = new Float64Array(m.structures.length);
			m.structures.forEach((s, i) => { sum[this.lead[i]] += s.accesses; });
			const order = Array.from(sum.keys()).filter(o => sum[o] > LEAST * m.accesses).sort((a, b) => sum[b] - sum[a]);
			this.colour = new Map(order.slice(0, COLOURS).map((o, i) => [o, D.STRUCTURES[i]]));
			return order;
		}
		change() {
			const m = this.m, order = this.colours(), mip = this.mip(this.level), rest = order.length - COLOURS;
			this.words(m.t.words.gantt);
			this.key.replaceChildren(D.legend([...order.slice(0, COLOURS).map(o => [this.colour.get(o), this.together(o)]),
				...(rest > 0 ? [[D.variable("tc"), `${rest} others`]] : []),
				[null, `full: used most in its column; pale: the others; height: ${
					m.t.pages ? "pages seen" : "accesses, of those of the busiest thread"}`],
				...(m.threads > 1 && !m.t.pages ? [[D.WAIT, "no accesses: it waits, or runs what is not recorded"]] : [])]));
			this.lost.textContent = `${mip.columns} ${mip.columns === 1 ? "column" : "columns"} of ` +
				`${m.t.pages ? D.seconds(m.columns * m.unit / mip.columns * 1e-6) :
					D.count(Math.round(m.columns * m.unit / mip.columns)) + " accesses a thread"}: the full colours stand for ` +
				`${D.percent(1 - mip.loss)} of all ${this.counted()}, the pale ones for ${D.percent(mip.loss)}` +
				(this.most < m.threads ? `. The first ${this.most} of ${m.threads} threads` : "");
			this.draw();
			this.bars();
		}
		height(width) {
			const p = this.place = this.room(width, LEFT, RIGHT);
			this.strip = psc.time.strip(this.m, c => this.place_of(c, p.left, p.width), p.small ? 0 : p.left);
			this.top = this.strip.height;
			return this.top + this.most * STEP + D.axis_height(p.small);
		}
		paint(g) {
			const m = this.m, p = this.place, mip = this.mip(this.level);
			const bottom = this.top + this.most * STEP, unit = m.t.pages ? this.full(mip) : m.columns * m.unit / mip.columns;
			this.strip.paint(g, 0);
			for (let t = 0; t < this.most; t++)
				this.paint_thread(g, t, mip, unit, this.top + t * STEP);
			this.ticks(g, p, bottom);
		}
		/* Pages that fill a lane: few columns have more. */
		full(mip) {
			const sums = mip.of.flatMap(of => of.map(c => c.sum)).filter(n => n > 0).sort((a, b) => a - b);
			return sums[Math.floor(0.95 * (sums.length - 1))] || 1;
		}
		/* A lane is full where the thread works all of the column. */
		paint_thread(g, t, mip, unit, y) {
			const p = this.place, x = c => D.whole(this.place_of(Math.min(this.m.columns, c << this.level), p.left, p.width));
			D.text(g, p.small ? String(t) : "thread " + t, p.left - (p.small ? 7 : 10), y + LANE / 2,
				{ bold: true, align: "right" });
			g.fillStyle = D.css("band");
			g.fillRect(p.left, y, p.width, LANE);
			mip.of[t].forEach(({ order, by, sum }, c) => {
				let at = y + LANE;
				if (sum < IDLE * unit && !this.m.t.pages) {
					D.wait(g, x(c), y, x(c + 1) - x(c), LANE);
					return;
				}
				order.forEach((o, k) => {
					const h = LANE * by[o] / Math.max(sum, unit * 0.98);
					g.globalAlpha = k ? 0.3 : 1;
					g.fillStyle = this.colour.get(o) || D.css("tc");
					g.fillRect(x(c), at - h, x(c + 1) - x(c), h);
					at -= h;
				});
			});
			g.globalAlpha = 1;
			if (!p.small)
				D.text(g, this.idle(t), p.left + p.width + 10, y + LANE / 2, { dim: true, size: 11 });
		}
		idle(t) {
			const m = this.m, n = m.of_thread(t, ["reads", "writes"]), at = m.borders(this.by_time);
			if (m.t.pages)
				return "";
			const idle = n.reduce((sum, v, c) => sum + (v < IDLE * m.unit ? at[c + 1] - at[c] : 0), 0) / at.at(-1);
			return idle > 0.01 ? "no accesses " + D.percent(idle) : "";
		}
		losses(g, width) {
			const step = Math.min(46, (width - 56) / 10);
			D.text(g, "pale, %", 0, 30, { dim: true, size: 11 });
			D.text(g, "columns", 0, 64, { dim: true, size: 11 });
			for (let l = 0; l < 10; l++) {
				const loss = this.mip(l).loss, h = Math.max(1, 42 * loss), x = 52 + (9 - l) * step;
				g.globalAlpha = l === this.level ? 1 : 0.45;
				g.fillStyle = D.css("hot");
				g.fillRect(x + 6, 54 - h, step - 12, h);
				g.globalAlpha = 1;
				D.text(g, D.percent(loss).replace("\u00a0%", ""), x + step / 2, 48 - h, { size: 9, dim: true, align: "center" });
				D.text(g, String(this.mip(l).columns), x + step / 2, 65, { size: 11, align: "center", bold: l === this.level });
			}
		}
		tell(x, y) {
			const p = this.place, mip = this.mip(this.level), t = Math.floor((y - this.top) / STEP);
			const c = this.column_at(x, p.left, p.width) >> this.level, cell = t < this.most && mip.of[t] && mip.of[t][c];
			const regions = (at, thread) => D.regions_at(this.m, at << this.level, (at + 1) << this.level,
				thread);
			if (x < p.left || x > p.left + p.width)
				return [];
			if (!cell)
				return y < this.top ? [regions(c, this.strip.thread)] : [];
			return cell.sum > 0 ? [`thread ${t}: ${D.count(Math.round(cell.sum))} ${this.counted()}`, ...cell.order.slice(0, 5).map(o =>
				`${this.together(o)} ${D.percent(cell.by[o] / cell.sum)}`), "in " + regions(c, t)] : [`thread ${t}: no access`];
		}
	}
	psc.time.View.register("gantt", (report, all, into) => new Gantt(report, all, into));
})();
