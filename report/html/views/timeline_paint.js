// SPDX-License-Identifier: BSD-3-Clause
// Paints the timeline: regions, source lines, structures by address, misses and speed.
psc.time.TimelinePainter = (function () {
	"use strict";
	const D = psc.time.draw, M = psc.time.map;
	const STRIP = 20, CODE = 64, CODE_LINE = 11, CODE_MOST = 136, GAP = 3, MISS = 66, SPEED = 46, HEAD = 17, FLAT = 30;
	const LINES = 40;
	const CURVES = ["#60a5be", "#d9a31f", "#b01630", "#7a3b8f"];

	/* Of a process `m`: columns [from, to), the structures `shown`, the thread (-1: all), the mode of colour, the borders
	 * of columns `edge` by position and by time. */
	class Painter {
		/* --- layout ---------------------------------------------------------------------------- */

		/* Heights: the more of it is used, the higher. */
		tall(s) {
			const m = this.m;
			return !m.rows || !m.maps(s).length ? FLAT :
				Math.round(Math.max(20, Math.min(96, 9 * (Math.log2(m.size(s) || 1) - 11))));
		}
		layout(width) {
			const narrow = width < D.NARROW, head = narrow ? HEAD : 0;
			let y = 4;
			const take = (h, gap) => {
				const box = { y: y + head, h };
				y += head + h + gap;
				return box;
			};
			this.narrow = narrow;
			this.left = narrow ? 0 : 148;
			this.right = narrow ? 0 : 134;
			this.w = width - this.left - this.right;
			this.strip = take(STRIP, 4);
			this.code = this.m.t.lines.length ? take(Math.max(CODE, Math.min(CODE_MOST,
				CODE_LINE * this.lines().length + 4)), 8) : null;
			this.lanes = this.shown.map(s => Object.assign(take(this.tall(s), GAP), { s }));
			y += 8;
			this.miss = take(MISS, 12);
			this.speed = this.edge[1] ? take(SPEED, 2) : null;
			this.bottom = y;
			return y + D.axis_height(narrow);
		}
		zoom(from, to) {
			this.from = from;
			this.to = to;
			if (this.out)
				this.out.hidden = from === 0 && to === this.m.columns;
		}
		scale() {
			return this.edge[+this.by_time];
		}
		x(value) {
			const e = this.scale(), a = e[this.from], b = e[this.to];
			return this.left + (value - a) / (b - a || 1) * this.w;
		}
		at(column) {
			return this.x(this.scale()[column]);
		}
		column(x) {
			let low = this.from, high = this.to - 1;
			while (low < high) {
				const mid = (low + high + 1) >> 1;
				if (this.at(mid) <= x)
					low = mid;
				else
					high = mid - 1;
			}
			return low;
		}

		/* --- painting -------------------------------------------------------------------------- */

		paint(g, width, height) {
			g.clearRect(0, 0, width, height);
			this.runs = this.make_runs();
			this.paint_strip(g);
			if (this.code)
				this.paint_code(g);
			for (const lane of this.lanes)
				this.paint_lane(g, lane);
			this.paint_cursor(g);
			this.paint_misses(g);
			if (this.speed)
				this.paint_speed(g);
			const e = this.scale();
			D.axis(g, this.left, this.w, this.bottom, e[this.from], e[this.to], this.by_time ? D.seconds : D.positions,
				this.by_time ? "time (estimate)" : "accesses", this.narrow);
		}
		/* What the keys or a click chose. */
		paint_cursor(g) {
			const now = this.now, lane = now && this.lanes[now.lane];
			if (!lane || now.c < this.from || now.c >= this.to)
				return;
			g.fillStyle = D.css("fg");
			g.globalAlpha = 0.5;
			g.fillRect(Math.round(this.at(now.c)), lane.y, 1, lane.h);
			g.globalAlpha = 1;
		}
		/* Names left of a box, or above it: what, below it or behind it, and at the right. */
		label(g, box, name, sub, right) {
			if (this.narrow) {
				const w = D.text(g, D.clip(g, name, this.w * 0.5, { bold: true }), 0, box.y - 8, { bold: true });
				const more = [sub, ...right].filter(Boolean).join("; ");
				D.text(g, D.clip(g, more, this.w - w - 8, { size: 11 }), w + 8, box.y - 8, { dim: true, size: 11 });
				return;
			}
			const flat = box.h < 26, mid = box.y + box.h / 2;
			const shown = D.clip(g, name, this.left - 14, { bold: true });
			const put = (s, y, o) => D.text(g, s, this.left - 10, y, { align: "right", ...o });
			put(shown, sub && !flat ? mid - 6 : mid, { bold: true });
			if (sub && !flat)
				put(D.clip(g, sub, this.left - 14, { size: 11 }), mid + 8, { dim: true, size: 11 });
			right.filter(Boolean).slice(0, flat ? 1 : 2).forEach((s, i, list) => D.text(g,
				D.clip(g, s, this.right - 10, { size: 11 }), this.left + this.w + 8,
				list.length > 1 ? mid - 6 + 14 * i : mid, { dim: true, size: 11 }));
		}
		paint_strip(g) {
			const m = this.m, s = this.strip, best = D.leading(m, this.thread);
			this.label(g, s, "region", "", []);
			const counts = m.groups.map(group => m.of_group(group, this.thread));
			for (const [from, to, a, b] of this.runs) {
				let y = s.y;
				const parts = counts.map(v => v.subarray(from, to).reduce((p, q) => p + q, 0));
				const sum = parts.reduce((p, q) => p + q, 0);
				parts.forEach((v, i) => {
					if (!v)
						return;
					g.fillStyle = i < 8 ? D.REGIONS[i] : D.css("tc");
					g.fillRect(a, y, b - a, s.h * v / sum);
					y += s.h * v / sum;
				});
			}
			D.stretches(best, this.from, this.to, (group, i, j) => {
				const a = this.at(i), b = this.at(j);
				if (group >= 0 && D.fits(g, m.groups[group].label, b - a))
					D.text(g, m.groups[group].label, (a + b) / 2, s.y + s.h / 2 + 0.5,
						{ size: 11, bold: true, align: "center", fill: "#10161d" });
			});
		}
		/* Source lines that miss, in the order of regions; those that miss most have their names. */
		lines() {
			const m = this.m, by = new Map();
			m.t.lines.forEach(l => {
				const key = l.file + ":" + l.line;
				if (!by.has(key))
					by.set(key, { key, group: m.regions[l.region - 1].group, rows: [], misses: 0, line: l.line });
				by.get(key).rows.push(l);
				by.get(key).misses += m.total(l, "first_misses");
			});
			return [...by.values()].sort((a, b) => b.misses - a.misses).slice(0, LINES)
				.sort((a, b) => a.group.order - b.group.order || a.line - b.line);
		}
		line_columns(l) {
			const out = new Float64Array(this.m.columns);
			for (const row of l.rows)
				if (this.thread < 0 || row.thread === this.thread)
					this.m.each(row, "first_misses", 1, (c, rest, v) => { out[c] += v; });
			return out;
		}
		paint_code(g) {
			const s = this.code, lines = this.lines(), n = Math.max(1, lines.length);
			const columns = lines.map(l => this.line_columns(l));
			const most = Math.max(1e-9, ...columns.map(c => c.reduce((a, b) => Math.max(a, b), 0)));
			const y = i => s.y + 2 + (i + 0.5) / n * (s.h - 4), h = Math.max(1.6, Math.min(5, (s.h - 4) / n * 0.8));
			const begins = Float64Array.from(this.scale(), x => D.whole(this.x(x)));
			this.label(g, s, "source lines", "that miss", []);
			g.fillStyle = D.css("band");
			g.fillRect(this.left, s.y, this.w, s.h);
			lines.forEach((l, i) => {
				g.fillStyle = l.group.order < 8 ? D.REGIONS[l.group.order] : D.css("tc");
				for (let c = this.from; c < this.to; c++) {
					if (!columns[i][c])
						continue;
					g.globalAlpha = 0.2 + 0.8 * Math.sqrt(columns[i][c] / most);
					g.fillRect(begins[c], y(i) - h / 2, Math.max(1, begins[c + 1] - begins[c]), h);
				}
			});
			g.globalAlpha = 1;
			this.named_lines(g, lines, y, columns);
		}
		/* Those that miss most have their names, at their own height, if these do not overlap: beside the
		 * lane, or upon it. */
		named_lines(g, lines, y, columns) {
			const taken = [];
			for (const i of [...lines.keys()].sort((a, b) => lines[b].misses - lines[a].misses)) {
				if (taken.some(at => Math.abs(at - y(i)) < CODE_LINE - 0.5))
					continue;
				taken.push(y(i));
				if (this.narrow)
					D.name_upon(g, lines[i].key, y(i), CODE_LINE - 1, { from: this.from, to: this.to,
						x: c => this.at(c), is: c => columns[i][c] > 0, size: 10 });
				else
					D.text(g, D.clip(g, lines[i].key, this.right - 10, { size: 10 }), this.left + this.w + 8, y(i),
					{ size: 10, dim: true });
			}
		}
		paint_lane(g, lane) {
			const m = this.m, s = lane.s, size = m.size(s);
			const part = s.bytes > 0 && size < 0.98 * s.bytes ? `${D.bytes(size)} of ${D.bytes(s.bytes)}` :
				s.bytes > 0 ? D.bytes(s.bytes) : "";
			this.label(g, lane, s.name, part, [
				s.first > 0 ? `${D.percent(s.first / m.first)} of misses` : "no misses",
				s.first > 0 ? `miss rate ${D.percent(s.first / s.accesses)}` : ""]);
			g.fillStyle = D.css("band");
			g.fillRect(this.left, lane.y, this.w, lane.h);
			if (m.rows && m.maps(s).length)
				this.paint_map(g, lane);
			else
				this.paint_flat(g, lane);
		}
		paint_map(g, lane) {
			const scale = Math.max(1, devicePixelRatio || 1), pixel = x => Math.round((x - this.left) * scale);
			const runs = this.runs.map(([from, to, a, b]) => [from, to, pixel(a), pixel(b)]);
			g.imageSmoothingEnabled = false;
			g.drawImage(M.picture(M.places(this.m, lane.s, this.thread, lane.h), runs, this.mode), this.left, lane.y,
				this.w, lane.h);
		}
		/* [from, to) of columns that share pixels of the device, and these: translucent columns must neither
		 * overlap nor leave gaps, and none is lost where there are more columns than pixels. */
		make_runs() {
			const out = [];
			for (let c = this.from, from = c; c < this.to; c++) {
				const a = D.whole(this.at(from)), b = c + 1 === this.to ? this.left + this.w : D.whole(this.at(c + 1));
				if (b <= a)
					continue;
				out.push([from, c + 1, a, b]);
				from = c + 1;
			}
			return out;
		}
		/* Without addresses: accesses by column, in the colour of what they cost. */
		paint_flat(g, lane) {
			const m = this.m, s = lane.s, v = ["reads", "writes", m.levels[0], m.deepest]
				.map(name => m.of_structure(s, this.thread, [name]));
			const all = m.of_thread(this.thread, ["reads", "writes"]), most = all.reduce((a, b) => Math.max(a, b), 1);
			const colour = M.colours(this.mode);
			for (const [from, to, a, b] of this.runs) {
				const sum = v.map(q => q.subarray(from, to).reduce((p, r) => p + r, 0)), n = sum[0] + sum[1];
				const h = Math.max(1, lane.h * Math.min(1, Math.sqrt(n / (to - from) / most)));
				if (!n)
					continue;
				g.fillStyle = `rgb(${colour(...sum)})`;
				g.fillRect(a, lane.y + lane.h - h, b - a, h);
			}
		}

		/* --- curves ---------------------------------------------------------------------------- */

		curve(g, box, most, value, fill, stroke) {
			g.beginPath();
			for (let c = this.from; c < this.to; c++) {
				const y = box.y + box.h - Math.min(1, value(c) / most) * box.h;
				g.lineTo(this.at(c), y);
				g.lineTo(this.at(c + 1), y);
			}
			g.strokeStyle = stroke;
			g.lineWidth = 1.2;
			g.stroke();
			g.lineTo(this.left + this.w, box.y + box.h);
			g.lineTo(this.left, box.y + box.h);
			g.closePath();
			g.fillStyle = fill;
			g.fill();
			g.lineWidth = 1;
		}
		grid(g, box, most, words) {
			g.fillStyle = D.css("line");
			for (const f of [0, 0.5, 1])
				g.fillRect(this.left, Math.round(box.y + box.h * (1 - f)), this.w, 1);
			const o = { dim: true, size: 11, align: this.narrow ? "right" : "left" };
			const x = this.narrow ? this.w : this.left + this.w + 8;
			D.text(g, words(most), x, this.narrow ? box.y - 8 : box.y + 4, o);
			if (!this.narrow)
				D.text(g, "0", x, box.y + box.h - 3, o);
		}
		rates() {
			const m = this.m, n = m.of_thread(this.thread, ["reads", "writes"]);
			return m.levels.map(name => {
				const v = m.of_thread(this.thread, [name]);
				return c => n[c] ? v[c] / n[c] : 0;
			});
		}
		paint_misses(g) {
			const m = this.m, box = this.miss, rates = this.rates();
			let most = 0.001;
			for (let c = 0; c < m.columns; c++)
				most = Math.max(most, rates[0](c));
			most = D.nice(most);
			this.label(g, this.narrow ? box : { y: box.y, h: 24 }, "misses per access", "", []);
			this.grid(g, box, most, v => Number((100 * v).toPrecision(3)) + "\u00a0%");
			const ink = i => CURVES[i === rates.length - 1 ? 2 : i];
			rates.forEach((rate, i) => this.curve(g, box, most, rate, ink(i) + ["55", "77", "99"][Math.min(i, 2)], ink(i)));
			if (this.narrow) {              /* the keys stand upon the curves */
				g.fillStyle = D.css("bg");
				g.globalAlpha = 0.8;
				g.fillRect(0, box.y + 2, m.levels.length * 70 + 50, 14);
				g.globalAlpha = 1;
			}
			m.levels.forEach((level, i) => {
				const words = "level " + level[1] + (i === m.levels.length - 1 ? " (memory)" : "");
				const y = box.y + 28 + 14 * i, x = this.narrow ? 8 + i * 70 : this.left - 20;
				g.fillStyle = ink(i);
				g.fillRect(x, this.narrow ? box.y + 4 : y - 4, 9, 9);
				D.text(g, words, this.narrow ? x + 13 : x - 6, this.narrow ? box.y + 9 : y + 1,
					{ size: 11, dim: true, align: this.narrow ? "left" : "right" });
			});
		}
		paint_speed(g) {
			const m = this.m, s = m.seconds(), n = m.of_thread(this.thread, ["reads", "writes"]);
			const rate = c => s[c] ? n[c] / s[c] / 1e9 : 0;
			let most = 0.001;
			for (let c = 0; c < m.columns; c++)
				most = Math.max(most, rate(c));
			most = D.nice(most);
			this.label(g, this.speed, "accesses per ns", "by region, clean run", []);
			this.grid(g, this.speed, most, v => String(Number(v.toPrecision(3))));
			this.curve(g, this.speed, most, rate, "#4e9a6e44", "#3f8a5f");
		}
	}

	return Object.assign(Painter, { HEAD });
})();
