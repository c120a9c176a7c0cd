// SPDX-License-Identifier: BSD-3-Clause
// Memory channels, a part of the view of memory modules: for each structure a band in which each row is a channel and
// each column a part of the axis; right of it, the channel's lines in all.
(function () {
	"use strict";
	const D = psc.time.draw;
	const LEFT = 148, RIGHT = 110, SHOWN = 4, BINS = 256, LEAST = 48, HEAD = 24, GAP = 12, AXIS = 24, EVEN = 1.05, SAME = 1e-9;

	const sum = a => a.reduce((p, q) => p + q, 0);

	/* Lines by channel and bin, of one structure (0: of all). */
	function lines(m, modules, structure, bins) {
		const out = Array.from({ length: modules }, () => new Float64Array(bins));
		for (const c of m.t.cells)
			if (!structure || c.structure === structure)
				m.each(c, "channels", modules, (k, module, v) => {
					out[module][Math.floor(k * bins / m.columns)] += v;
				});
		return out;
	}
	function band_of(m, modules, s, bins) {
		const of = lines(m, modules, s ? s.number : 0, bins), by = of.map(sum);
		return { name: s ? s.name : "all structures", of, by, all: sum(by), most: Math.max(1e-9, ...of.flatMap(a => Array.from(a))),
			largest: Math.max(1e-9, ...by) };
	}

	class Channels {
		constructor(view) {
			this.view = view;
			this.draw = view.picture("Lines from memory by channel", { height: w => this.layout(w),
				paint: g => this.paint(g), tell: (x, y) => this.tell(x, y) });
		}
		begin(m) {
			const n = m.t.channels * Math.max(1, m.nodes), bins = Math.min(BINS, m.columns);
			this.m = m;
			this.modules = n;
			this.bins = bins;
			const each = n ? m.structures.map(s => band_of(m, n, s, bins)).filter(b => b.all > 0).sort((a, b) => b.all - a.all) : [];
			const uneven = b => b.largest * n / b.all;
			/* Those with most lines, and of the others the most uneven one. */
			this.shown = each.slice(0, SHOWN);
			const odd = each.slice(SHOWN).filter(b => b.all > 0.02 * sum(each.map(e => e.all))).sort((a, b) => uneven(b) - uneven(a))[0];
			if (odd)
				this.shown.push(odd);
			if (each.length > 1)
				this.shown.unshift(band_of(m, n, null, bins));
			this.known = each.length > 0;
		}
		layout(width) {
			this.place = this.view.room(width, LEFT, RIGHT, 0);
			this.row = Math.max(2, Math.ceil(LEAST / Math.max(1, this.modules)));
			this.block = HEAD + this.row * this.modules + GAP;
			return this.known ? this.shown.length * this.block + AXIS : 1;
		}
		paint(g) {
			const p = this.place;
			if (!this.known)
				return;
			this.shown.forEach((b, i) => this.paint_band(g, b, i * this.block));
			D.axis(g, p.left, p.width, this.shown.length * this.block, 0, this.m.columns * this.m.unit, D.positions);
		}
		paint_band(g, b, y0) {
			const p = this.place, x = k => D.whole(p.left + k * p.width / this.bins), y = y0 + HEAD;
			const times = b.largest * this.modules / b.all, most = b.by.findIndex(v => v > b.largest * (1 - SAME));
			D.text(g, D.clip(g, b.name, p.width / 2, { bold: true }), p.left, y0 + 8, { bold: true });
			D.text(g, `${D.count(Math.round(b.all))} lines, ` + (times < EVEN ? "even" : `${this.name(most)} has ${times.toFixed(1)} × the mean`),
				p.left + p.width, y0 + 8, { dim: true, size: 11, align: "right" });
			g.fillStyle = D.css("band");
			g.fillRect(p.left, y, p.width, this.row * this.modules);
			g.fillStyle = D.css("far");
			b.of.forEach((of, n) => of.forEach((v, k) => {
				if (v > 0) {
					g.globalAlpha = 0.12 + 0.88 * v / b.most;
					g.fillRect(x(k), y + n * this.row, x(k + 1) - x(k), this.row);
				}
			}));
			g.globalAlpha = 1;
			if (p.small)
				return;
			D.text(g, this.name(0), p.left - 12, y + 5, { dim: true, size: 11, align: "right" });
			D.text(g, this.name(this.modules - 1), p.left - 12, y + this.row * this.modules - 5, { dim: true, size: 11, align: "right" });
			g.fillStyle = D.css("near");
			b.by.forEach((v, n) => g.fillRect(p.left + p.width + 10, y + n * this.row, (RIGHT - 14) * v / b.largest, this.row));
		}
		name(module) {
			const channels = this.m.t.channels, channel = "channel " + module % channels;
			return this.m.nodes > 1 ? `node ${Math.floor(module / channels)}, ${channel}` : channel;
		}
		tell(x, y) {
			const p = this.place, b = this.shown[Math.floor(y / this.block)];
			const n = Math.floor((y % this.block - HEAD) / this.row), k = Math.floor((x - p.left) / p.width * this.bins);
			if (!this.known || !b || n < 0 || n >= this.modules || x < p.left)
				return [];
			return k < this.bins ? [`${b.name}: ${D.count(Math.round(b.of[n][k]))} lines from ${this.name(n)}`] :
				[`${b.name}: ${D.count(Math.round(b.by[n]))} lines from ${this.name(n)} in all`];
		}
	}
	psc.time.channels = view => new Channels(view);
})();
