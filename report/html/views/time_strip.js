// SPDX-License-Identifier: BSD-3-Clause
// The regions above the lanes of a view, in grey: hues have another meaning there. One band where
// all names fit into it, else a row for each of the regions with most accesses, with its name.
psc.time.strip = (function () {
	"use strict";
	const D = psc.time.draw;
	const BAND = 20, ROW = 12, GROUND = 14, MOST = 8, LEAST = 0.01, GAP = 4;
	const FAINT = 0.08;             /* of a column's accesses: less is not drawn */

	/* The groups of regions that lead columns, in the order of time, with the part of the width they lead. */
	function leaders(m, best, x, width) {
		const by = new Map();
		D.stretches(best, 0, m.columns, (group, from, to) => {
			if (group < 0)
				return;
			const g = by.get(group) || { group, part: 0, widest: 0 }, w = x(to) - x(from);
			g.part += w / width;
			g.widest = Math.max(g.widest, w);
			by.set(group, g);
		});
		return [...by.values()].filter(g => g.part >= LEAST);
	}

	/* `x`: the place of a column's begin; `left`: room for names left of it, 0: none. */
	class Strip {
		constructor(m, x, left) {
			const thread = m.t.strip_thread ?? -1, width = x(m.columns) - x(0) || 1;
			Object.assign(this, { m, x, left, thread, best: D.leading(m, thread) });
			this.groups = leaders(m, this.best, x, width);
			this.named = this.groups.every(g => D.fits(ruler, m.groups[g.group].label, g.widest));
			const shown = [...this.groups].sort((a, b) => b.part - a.part)
				.slice(0, this.groups.length > MOST ? MOST - 1 : MOST);
			this.rows = this.groups.filter(g => shown.includes(g))
				.map(g => ({ label: m.groups[g.group].label, of: [g.group] }));
			if (this.groups.length > MOST)
				this.rows.push({ label: "others", of: [...m.groups.keys()]
					.filter(i => !shown.some(g => g.group === i)) });
			this.row = left ? ROW : GROUND;
			this.height = (this.named ? BAND : this.rows.length * this.row) + GAP;
		}
		/* `beside`: once more, so far to the right of the first one, without names at the left. */
		paint(g, y, beside = 0) {
			g.save();
			g.translate(beside, 0);
			if (this.named)
				this.paint_band(g, y, !beside);
			else
				this.rows.forEach((row, i) => this.paint_row(g, row, y + i * this.row, !beside));
			g.restore();
		}
		paint_band(g, y, first) {
			const { m, x } = this;
			if (this.left && first)
				D.text(g, "region", this.left - 10, y + BAND / 2, { bold: true, align: "right" });
			D.stretches(this.best, 0, m.columns, (group, i, j) => {
				if (group < 0)
					return;
				const a = D.whole(x(i)), b = D.whole(x(j)), label = m.groups[group].label;
				g.fillStyle = D.css(group % 2 ? "r1" : "r0");
				g.fillRect(a, y, b - a, BAND);
				g.fillStyle = D.css("bg");
				g.fillRect(b - 1, y, b - a > GROUND ? 1 : 0, BAND);
				if (D.fits(g, label, b - a))
					D.text(g, label, (a + b) / 2, y + BAND / 2 + 0.5,
						{ size: 11, bold: true, align: "center" });
			});
		}
		/* The darker, the more of the column's accesses are the region's. */
		paint_row(g, row, y, first) {
			const { m, x } = this, h = this.row - 2, all = m.of_thread(this.thread, ["reads", "writes"]);
			const of = row.of.map(i => m.of_group(m.groups[i], this.thread));
			const share = c => all[c] > 0 ? of.reduce((sum, v) => sum + v[c], 0) / all[c] : 0;
			g.fillStyle = D.css("band");
			g.fillRect(x(0), y, x(m.columns) - x(0), h);
			g.fillStyle = D.css("dim");
			for (let c = 0; c < m.columns; c++) {
				const part = share(c), a = D.whole(x(c));
				g.globalAlpha = 0.15 + 0.7 * part;
				if (part > FAINT)
					g.fillRect(a, y, D.whole(x(c + 1)) - a, h);
			}
			g.globalAlpha = 1;
			if (this.left && first)
				D.text(g, D.clip(g, row.label, this.left - 14, { size: 11 }), this.left - 10,
					y + h / 2 + 0.5, { size: 11, align: "right" });
			else if (!this.left)
				D.name_upon(g, row.label, y + h / 2, h, { from: 0, to: m.columns, x, is: c => share(c) > FAINT });
		}
	}
	const ruler = document.createElement("canvas").getContext("2d");

	return (m, x, left) => new Strip(m, x, left);
})();
