// SPDX-License-Identifier: BSD-3-Clause
// A structure by column and address: what is known of each place, and the picture of it.
psc.time.map = (function () {
	"use strict";
	/* Accesses that tell enough of a place; columns beside it that are looked at; accesses that the whole column stands for. */
	const ENOUGH = 600, BESIDE = 16, COLUMN = 64;
	const USUAL = 0.98;             /* of all places have no more accesses than this one */
	const PALEST = 0.34;
	/* Colours by mean distance: 0 the nearest level, 1 memory. */
	const STOPS = [0, 0.02, 0.1, 0.25, 0.5, 0.75, 1];
	const LIGHT = [[196, 212, 226], [164, 194, 217], [96, 165, 190], [74, 170, 140], [236, 190, 64], [232, 120, 50],
		[176, 22, 48]];
	const DARK = [[74, 92, 112], [84, 118, 150], [86, 160, 190], [74, 180, 148], [240, 200, 80], [240, 135, 65],
		[235, 60, 80]];

	/* --- colours ----------------------------------------------------------------------------------- */

	function ramp(hues, x) {
		let i = 1;
		while (i < STOPS.length - 1 && STOPS[i] < x)
			i++;
		const part = (x - STOPS[i - 1]) / (STOPS[i] - STOPS[i - 1]);
		return hues[i - 1].map((c, k) => Math.round(c + part * (hues[i][k] - c)));
	}
	const dark = () => getComputedStyle(document.documentElement).colorScheme === "dark";

	/* What a mode shows of reads, writes and misses of the nearest and of the last level, from 0 to 1, and the colour
	 * of that.  Level: of an access that misses the nearest level, how far the others lie; the root, for a stream of
	 * doubles misses at one of eight. */
	const MODES = {
		level: {
			value: (reads, writes, first, last) =>
				Math.sqrt((0.25 * (first - last) + last) / (Math.max(reads + writes, first) || 1)),
			colour: (x, is_dark) => ramp(is_dark ? DARK : LIGHT, x),
		},
		kind: {
			value: (reads, writes) => writes / (reads + writes || 1),
			colour: (x, is_dark) => is_dark ? [92 + x * 140, 158 - x * 60, 222 - x * 70].map(Math.round)
				: [59 + x * 135, 118 - x * 54, 184 - x * 62].map(Math.round),
		},
	};
	/* [red, green, blue] of reads, writes and misses; pictures have many places, so colours are made once. */
	const SHADES = 512, made = new Map();
	function colours(mode) {
		const is_dark = dark(), id = mode + is_dark, { value, colour } = MODES[mode];
		if (!made.has(id))
			made.set(id, Array.from({ length: SHADES + 1 }, (_, i) => colour(i / SHADES, is_dark)));
		const shades = made.get(id);
		return (reads, writes, first, last) =>
			shades[Math.round(SHADES * Math.max(0, Math.min(1, value(reads, writes, first, last))))];
	}

	/* --- counts ------------------------------------------------------------------------------------ */

	const NAMES = ["reads", "writes", "first_misses", "last_misses"];

	/* Of structure s in h pixels, [pixel * columns + column] of each of NAMES, of `all` accesses, and how many the
	 * usual place has; thread -1: all. */
	function places(m, s, thread, h) {
		const id = `map ${s.number} ${h} ${thread}`;
		if (!m.cache.has(id))
			m.cache.set(id, count(m, s, thread, h));
		return m.cache.get(id);
	}
	function count(m, s, thread, h) {
		const columns = m.columns, p = { h, columns }, [begins, ends] = pixels(m, s, h);
		for (const name of NAMES) {
			const out = p[name] = new Float32Array(h * columns);
			for (const map of m.maps(s, thread))
				m.each(map, name, m.rows, (c, row, n) => {
					const a = begins[row], b = ends[row], part = n / (b - a);
					for (let y = a; y < b; y++)
						out[y * columns + c] += part;
				});
		}
		const rates = m.miss_rates(s, thread);
		if (m.misses_by_address(s))
			smooth(p, psc.time.draw.leading(m, thread), rates, written(m, s, thread));
		else
			["first_misses", "last_misses"].forEach((name, k) => {
				p[name].forEach((_, i) => { p[name][i] = (p.reads[i] + p.writes[i]) * rates[k][i % columns]; });
			});
		p.all = p.reads.map((n, i) => n + p.writes[i]);
		const some = p.all.filter(n => n > 0).sort();
		p.usual = some.length ? some[Math.floor(some.length * USUAL)] : 1;
		return p;
	}
	/* The pixels of h that each row of a structure has, one at least: [begins, ends]. */
	function pixels(m, s, h) {
		const [r0, r1] = m.touched(s), per = h / Math.max(1, r1 - r0);
		const begins = new Int32Array(m.rows).map((_, row) => Math.max(0, Math.min(h - 1, Math.round((row - r0) * per))));
		return [begins, begins.map((a, row) => Math.min(h, Math.max(a + 1, Math.round((row - r0 + 1) * per))))];
	}
	/* By column: the part of a structure's accesses that writes. */
	function written(m, s, thread) {
		const all = m.of_structure(s, thread, ["reads", "writes"]);
		return m.of_structure(s, thread, ["writes"]).map((w, c) => all[c] > 0 ? w / all[c] : 0);
	}
	/* Misses by address are a sample: where a place has few accesses, the columns beside it in the same region tell how
	 * many of them miss, too, and what is known of the whole column.  Where misses alone were drawn, accesses are as many,
	 * and read and write as those of the column do. */
	function smooth(p, region, rates, written) {
		const { columns, reads, writes } = p, first = p.first_misses.slice(), last = p.last_misses.slice();
		const all = first.map((n, i) => Math.max(reads[i] + writes[i], n));
		for (let at = 0; at < all.length; at++) {
			const n = all[at], c = at % columns;
			if (!(n > 0))
				continue;
			let sum = n, first_sum = first[at], last_sum = last[at];
			for (let r = 1; r <= BESIDE && sum < ENOUGH; r++)
				for (let i = -r; i <= r; i += 2 * r)
					if (region[c + i] === region[c]) {
						sum += all[at + i];
						first_sum += first[at + i];
						last_sum += last[at + i];
					}
			if (!(reads[at] + writes[at] > 0)) {
				reads[at] = n * (1 - written[c]);
				writes[at] = n * written[c];
			}
			p.first_misses[at] = n * (first_sum + COLUMN * rates[0][c]) / (sum + COLUMN);
			p.last_misses[at] = n * (last_sum + COLUMN * rates[1][c]) / (sum + COLUMN);
		}
	}
	/* The pixel of a column with most accesses. */
	function fullest({ h, columns, all }, c) {
		let best = 0;
		for (let y = 1; y < h; y++)
			if (all[y * columns + c] > all[best * columns + c])
				best = y;
		return best;
	}

	/* --- the picture ------------------------------------------------------------------------------- */

	/* Runs of columns, [from, to, begin, end] in pixels of the picture, one beside the other: a canvas. */
	function picture(p, runs, mode) {
		const width = Math.max(1, runs.length ? runs.at(-1)[3] : 0), height = p.h;
		const canvas = psc.make("canvas", { width, height }), g = canvas.getContext("2d");
		const img = g.createImageData(width, height), d = img.data, colour = colours(mode), usual = Math.log1p(p.usual);
		for (const [from, to, begin, end] of runs)
			for (let y = 0; y < height; y++) {
				let reads = 0, writes = 0, first = 0, last = 0;
				for (let at = y * p.columns + from; at < y * p.columns + to; at++) {
					reads += p.reads[at];
					writes += p.writes[at];
					first += p.first_misses[at];
					last += p.last_misses[at];
				}
				const n = Math.max(reads + writes, first);
				if (!(n > 0))
					continue;
				const full = PALEST + (1 - PALEST) * Math.log1p(n / (to - from)) / usual;
				const shade = colour(reads, writes, first, last);
				for (let at = (y * width + begin) * 4; at < (y * width + end) * 4; at += 4) {
					d[at] = shade[0];
					d[at + 1] = shade[1];
					d[at + 2] = shade[2];
					d[at + 3] = 255 * Math.min(1, full);
				}
			}
		thicken(img);
		g.putImageData(img, 0, 0);
		return canvas;
	}
	/* A line of one pixel is hard to see: it gets a second, paler one below. */
	function thicken({ data, width }) {
		for (let to = data.length - 4, from = to - 4 * width; from >= 0; to -= 4, from -= 4)
			if (!data[to + 3] && data[from + 3]) {
				data.copyWithin(to, from, from + 4);
				data[to + 3] *= 0.8;
			}
	}

	return { places, fullest, picture, colours, ramp: x => ramp(dark() ? DARK : LIGHT, x) };
})();
