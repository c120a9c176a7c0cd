// SPDX-License-Identifier: BSD-3-Clause
// What the views over time draw with: canvases that follow scheme and width, text, legends, the strip of
// regions, the axis, buttons and the tip.
psc.time.draw = (function () {
	"use strict";
	const { make, amount, seconds } = psc;
	const NARROW = 640, STAYS = 0.9;
	const THREADS = ["#4e79a7", "#e39b3c", "#59a14f", "#b07aa1", "#4fb3bf", "#c2565b", "#9c755f", "#8a8f2e"];
	const STRUCTURES = ["#2a9d8f", "#e76f51", "#d9ae3c", "#6d6fc9", "#c2407a", "#7a9e3f", "#577590", "#a8744f"];
	const REGIONS = ["#4e79a7", "#e39b3c", "#59a14f", "#b07aa1", "#76b7b2", "#d4a6c8", "#9c755f", "#8cb369"];

	/* The pixel of the device at which a place begins: columns neither overlap nor leave seams. */
	function whole(x) {
		const scale = Math.max(1, devicePixelRatio || 1);
		return Math.round(x * scale) / scale;
	}
	const more = (n, things) => `${n} more ${things}${n === 1 ? "" : "s"}`;

	/* --- words ------------------------------------------------------------------------------------- */

	const percent = x => x > 0 && x < 0.005 ? "< 1\u00a0%" : x < 1 && x > 0.995 ? "> 99\u00a0%" :
		Math.round(100 * x) + "\u00a0%";
	function bytes(n) {
		const units = ["B", "KiB", "MiB", "GiB", "TiB"];
		let i = 0;
		for (; n >= 1024 && i < 4; i++)
			n /= 1024;
		return Number(n.toPrecision(3)) + " " + units[i];
	}
	const count = n => amount(n >= 1000 || n % 1 === 0 ? n : n >= 10 ? Math.round(n) : Number(n.toPrecision(2)));
	/* A ratio of rounded counts, without fringes. */
	const part = x => x < 0.03 ? 0 : x > 0.97 ? 1 : x;
	const place = s => s.declared || s.scope || "";

	/* --- colours and text -------------------------------------------------------------------------- */

	let style = null;
	const variable = name => `var(--${name})`;
	const css = name => style.getPropertyValue("--" + name).trim();
	function text(g, s, x, y, o = {}) {
		g.font = `${o.bold ? "600 " : ""}${o.size || 12}px system-ui,sans-serif`;
		g.textAlign = o.align || "left";
		g.textBaseline = "middle";
		g.fillStyle = o.fill || css(o.dim ? "dim" : "fg");
		g.fillText(s, x, y);
		return g.measureText(s).width;
	}
	function fits(g, s, width, size = 11) {
		g.font = `600 ${size}px system-ui,sans-serif`;
		return g.measureText(s).width + 8 < width;
	}
	/* As much of a text as has room. */
	function clip(g, s, width, o = {}) {
		g.font = `${o.bold ? "600 " : ""}${o.size || 12}px system-ui,sans-serif`;
		if (g.measureText(s).width <= width)
			return s;
		let n = s.length;
		while (n > 1 && g.measureText(s.slice(0, n) + "\u2026").width > width)
			n--;
		return s.slice(0, n) + "\u2026";
	}

	/* A text in at most `most` lines. */
	function wrap(g, s, width, most, o = {}) {
		g.font = `${o.size || 12}px system-ui,sans-serif`;
		const lines = [], words = s.split(" ");
		while (words.length && lines.length < most - 1) {
			let line = words.shift();
			while (words.length && g.measureText(line + " " + words[0]).width <= width)
				line += " " + words.shift();
			lines.push(line);
		}
		return words.length ? [...lines, clip(g, words.join(" "), width, o)] : lines;
	}

	/* --- the tip ----------------------------------------------------------------------------------- */

	const tip = make("div", { className: "tip" });
	tip.ariaHidden = "true";
	function show_tip(lines, x, y) {
		tip.classList.toggle("shown", lines.length > 0);
		if (!lines.length)
			return;
		if (!tip.parentNode)
			document.body.append(tip);
		tip.replaceChildren(make("b", {}, lines[0]), ...lines.slice(1).map(l => make("div", {}, l)));
		tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
		tip.style.top = (y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 16) + "px";
	}

	/* --- a picture --------------------------------------------------------------------------------- */

	const painters = new Set();
	const repaint = () => painters.forEach(p => p());
	new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);

	/* A canvas: height(width) and paint(g, width, height); tell(x, y) gives the lines of the tip. */
	function picture(into, label, { height, paint, tell }) {
		const canvas = make("canvas", { role: "img", ariaLabel: label });
		into.append(canvas);
		function draw() {
			const width = into.clientWidth;
			if (!width)
				return;
			style = getComputedStyle(document.documentElement);
			const h = Math.ceil(height(width)), scale = Math.max(1, devicePixelRatio || 1);
			canvas.style.height = h + "px";
			canvas.width = Math.round(width * scale);
			canvas.height = Math.round(h * scale);
			const g = canvas.getContext("2d");
			g.setTransform(scale, 0, 0, scale, 0, 0);
			paint(g, width, h);
		}
		let before = 0;
		new ResizeObserver(() => {
			if (into.clientWidth !== before) {
				before = into.clientWidth;
				draw();
			}
		}).observe(into);
		canvas.addEventListener("mousemove", e => show_tip(tell ? tell(e.offsetX, e.offsetY) : [],
			e.clientX, e.clientY));
		canvas.addEventListener("mouseleave", () => show_tip([], 0, 0));
		painters.add(draw);
		draw.canvas = canvas;
		return draw;
	}

	/* --- what stands around pictures --------------------------------------------------------------- */

	/* [colour or null, words]: a square of the colour and the words. */
	function legend(keys) {
		return make("div", { className: "keys" }, ...keys.map(([paint, words, wide]) => {
			if (!paint)
				return make("span", {}, words);
			const square = make("i", { className: wide ? "ramp" : "" });
			square.style.background = paint;
			return make("span", {}, square, words);
		}));
	}
	/* Buttons of which one is pressed. */
	function pick(label, options, now, set) {
		const box = make("span", { className: "picks", role: "group", ariaLabel: label });
		options.forEach(([value, words]) => {
			const b = make("button", { type: "button", ariaPressed: String(value === now) }, words);
			b.addEventListener("click", () => {
				for (const other of box.children)
					other.ariaPressed = String(other === b);
				set(value);
			});
			box.append(b);
		});
		return box;
	}
	/* As a list to choose from where there are many. */
	function choose(label, options, now, set) {
		if (options.length <= 5)
			return pick(label, options, now, set);
		const list = make("select", { ariaLabel: label }, ...options.map(([value, words], i) =>
			make("option", { value: i, selected: value === now }, words)));
		list.addEventListener("change", () => set(options[list.value][0]));
		return list;
	}
	const processes = (all, now, set) => choose("Process", all.map((q, i) => [i, "process " + q.process]), now, set);
	/* The claim of a view and the sentence that reads it aloud; both change with what is chosen. */
	function headline(into) {
		const claim = make("p", { className: "claim" }), read = make("p", { className: "read" });
		into.append(claim, read);
		return words => {
			claim.textContent = words && words.claim || "";
			read.textContent = words && words.read || "";
			claim.hidden = !claim.textContent;
			read.hidden = !read.textContent;
		};
	}

	/* Threads by hue: one each, or one for a group of neighbours where there are more than eight. */
	const of_thread = (t, threads) => Math.floor(t / Math.ceil(threads / THREADS.length));
	const thread_colour = (t, threads) => THREADS[of_thread(t, threads)];
	function thread_keys(threads, words) {
		const size = Math.ceil(threads / THREADS.length), n = Math.ceil(threads / size);
		return Array.from({ length: n }, (_, i) => [THREADS[i], (i ? "" : words) +
			(size === 1 ? i : `${i * size}\u2013${Math.min(threads, (i + 1) * size) - 1}`)]);
	}
	const thread_ink = (t, threads) => threads > 1 ? thread_colour(t, threads) : css("fg");

	/* --- regions and axis -------------------------------------------------------------------------- */

	/* The group of regions with most accesses in each column, -1: none.  The one before stays where it has nearly as
	 * many, as where two threads are in different regions: no flicker. */
	function leading(m, thread) {
		const id = "leading " + thread;
		if (!m.cache.has(id)) {
			const by = m.groups.map(group => m.of_group(group, thread)), best = new Int16Array(m.columns).fill(-1);
			for (let c = 0, before = -1; c < m.columns; c++) {
				by.forEach((v, i) => {
					if (v[c] > (best[c] < 0 ? 0 : by[best[c]][c]))
						best[c] = i;
				});
				if (best[c] >= 0 && before >= 0 && by[before][c] > STAYS * by[best[c]][c])
					best[c] = before;
				before = best[c];
			}
			m.cache.set(id, best);
		}
		return m.cache.get(id);
	}
	/* Stretches of columns with one group: f(group or null, from, to). */
	function stretches(best, from, to, f) {
		for (let i = from, j; i < to; i = j) {
			for (j = i; j < to && best[j] === best[i]; j++)
				;
			f(best[i], i, j);
		}
	}
	/* Of columns [from, to), the regions with most accesses: "jacld 60 %, blts 38 %". */
	function regions_at(m, from, to, thread) {
		const sum = v => v.subarray(from, to).reduce((p, q) => p + q, 0);
		const n = sum(m.of_thread(thread, ["reads", "writes"]));
		return m.groups.map(q => [q.label, sum(m.of_group(q, thread))]).filter(q => q[1] > 0)
			.sort((a, b) => b[1] - a[1]).slice(0, 3).map(([label, v]) => `${label} ${percent(v / n)}`).join(", ");
	}
	/* The place and the width of the widest run of columns of which `is` is not true. */
	function widest_gap(from, to, x, is) {
		let at = x(from), width = 0;
		for (let c = from, begin = from; c <= to; c++) {
			if (c < to && !is(c))
				continue;
			if (x(c) - x(begin) > width) {
				width = x(c) - x(begin);
				at = x(begin);
			}
			begin = c + 1;
		}
		return { at, width };
	}
	/* The name of a lane, on columns [from, to) where it is empty; where these lack room, upon it. */
	function name_upon(g, label, y, h, { from, to, x, is, size = 11 }) {
		let { at, width } = widest_gap(from, to, x, is);
		if (!fits(g, label, width, size)) {
			at = x(from);
			g.fillStyle = css("bg");
			g.globalAlpha = 0.85;
			g.fillRect(at, y - h / 2, g.measureText(label).width + 8, h);
			g.globalAlpha = 1;
		}
		text(g, label, at + 4, y + 0.5, { size });
	}
	/* Thin slanted lines: a thread that waits. */
	const WAIT = "repeating-linear-gradient(135deg,var(--dim) 0 1px,transparent 1px 5px)";
	function wait(g, x, y, w, h) {
		if (w <= 0)
			return;
		g.save();
		g.beginPath();
		g.rect(x, y, w, h);
		g.clip();
		g.strokeStyle = css("dim");
		g.globalAlpha = 0.25;
		g.lineWidth = 1;
		g.beginPath();
		for (let at = Math.floor((x - h) / 6) * 6; at < x + w; at += 6) {
			g.moveTo(at, y + h);
			g.lineTo(at + h, y);
		}
		g.stroke();
		g.restore();
	}
	function nice(x) {
		const e = 10 ** Math.floor(Math.log10(x));
		return [1, 2, 2.5, 5, 10].find(k => k * e >= x * 0.9999) * e;
	}
	/* Ticks from `low` to `high` below a picture; its name, if it has one, left of them or below. */
	const axis_height = small => small ? 38 : 24;
	function axis(g, x0, width, y, low, high, words, name = "", small = false) {
		const step = nice((high - low) / Math.max(2, Math.floor(width / 80)));
		g.fillStyle = css("line");
		g.fillRect(x0, y, width, 1);
		let free = -99;
		text(g, name, small ? x0 + width / 2 : x0 - 10, y + (small ? 27 : 12),
			{ size: 11, dim: true, align: small ? "center" : "right" });
		for (let v = Math.ceil(low / step - 1e-6) * step; v <= high * 1.0001; v += step) {
			const x = x0 + (v - low) / (high - low) * width, label = v ? words(v) : "0";
			g.fillStyle = css("dim");
			g.fillRect(Math.min(x0 + width - 1, Math.round(x)), y, 1, 4);
			const half = g.measureText(label).width / 2 + 2;
			const at = Math.max(x0 + half - 1, Math.min(x0 + width - half + 1, x));
			if (at - half > free) {
				text(g, label, at, y + 12, { size: 11, dim: true, align: "center" });
				free = at + half + 6;
			}
		}
	}
	const positions = v => {
		const [n, unit] = [[1e9, " G"], [1e6, " M"], [1e3, " k"]].find(u => v >= u[0]) || [1, ""];
		return Number((v / n).toPrecision(3)) + unit;
	};

	/* --- links ------------------------------------------------------------------------------------- */

	/* Links from a structure to its card (its table links to it) and to its problems. */
	function links(report, m, s) {
		const out = [];
		const card = document.querySelector(`[data-process="${m.t.process}"] a[data-structure="${s.number}"]`);
		if (card)
			out.push([card.getAttribute("href"), s.name]);
		for (const p of report.problems)
			if (p.structures.some(q => q.name === s.name) && document.querySelector("#p" + p.number))
				out.push(["#p" + p.number, "problem " + p.number]);
		return out.slice(0, 6);
	}

	return { NARROW, STAYS, whole, THREADS, STRUCTURES, REGIONS, percent, bytes, count, part, more, seconds, place, css, text, fits, clip, wrap,
		picture, legend, pick, choose, processes, headline, leading, stretches, regions_at, nice, axis, axis_height, name_upon, wait, WAIT, positions,
		show_tip, links, variable, thread_colour, thread_keys, thread_ink };
})();
