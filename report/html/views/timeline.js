// SPDX-License-Identifier: BSD-3-Clause
// Timeline: regions, source lines, structures by address, misses and speed over one execution of the phase.
(function () {
	"use strict";
	const { make } = psc;
	const D = psc.time.draw, M = psc.time.map, Painter = psc.time.TimelinePainter;
	const SHOWN = 10, TOLD = 6, TOLD_LINES = 4, SEVERAL = 3;                  /* columns: a shorter drag is a click */

	class View extends Painter {
		constructor(report, all, into) {
			super();
			Object.assign(this, { report, all, into, by_time: false, mode: "level", thread: -1, more: false });
			this.words = D.headline(into);
			this.tools = make("div", { className: "over" });
			this.key = make("div");
			this.frame = make("div", { className: "frame timeline" });
			this.said = make("p", { className: "small said", role: "status" });
			this.walks = make("ul", { className: "small" });
			into.append(this.tools, this.key, this.frame, this.said, this.walks);
			this.draw = D.picture(this.frame, "Accesses over time", { height: w => this.m ? this.layout(w) : 1,
				paint: (g, w, h) => this.m && this.paint(g, w, h), tell: (x, y) => this.tell(x, y) });
			this.events();
		}
		async process(i) {
			this.m = await this.all[i].get();
			this.cut = this.all[i].cut;
			this.thread = -1;
			this.zoom(0, this.m.columns);
			this.by_time = this.m.begins_by_time();
			this.edge = [this.m.borders(false), this.m.borders(true)];
			this.controls(i);
			this.change();
		}
		controls(process) {
			const m = this.m, set = (name, then) => v => {
				this[name] = v;
				then && then();
				this.change();
			};
			this.tools.replaceChildren(
				...(this.edge[1] ? [D.pick("Axis", [[false, "by accesses"], [true, "by time"]], this.by_time,
					set("by_time"))] : []),
				D.pick("Colour", [["level", "served by"], ["kind", "reads / writes"]], this.mode, set("mode")),
				...(m.threads > 1 ? [D.choose("Thread", [[-1, "all threads"],
					...Array.from({ length: m.threads }, (_, i) => [i, "thread " + i])], -1, set("thread"))] : []),
				...(this.all.length > 1 ? [D.processes(this.all, process, i => this.process(i))] : []));
			this.out = make("button", { type: "button", hidden: true }, "whole execution");
			this.out.addEventListener("click", () => {
				this.zoom(0, this.m.columns);
				this.draw();
			});
			this.tools.append(this.out);
		}
		change() {
			const all = this.m.ranked(), least = s => s.first > 0.004 * this.m.first ||
				s.accesses > 0.01 * this.m.accesses;
			this.hidden = this.more ? [] : all.filter((s, i) => i >= SHOWN || !least(s));
			this.shown = all.filter(s => !this.hidden.includes(s));
			this.legends();
			this.words(this.m.t.words.timeline);
			this.draw();
			this.rest();
		}
		legends() {
			const m = this.m, share = g => this.by_time ? m.time_share(g) : g.accesses / m.accesses;
			const keys = m.groups.slice(0, 8).map((g, i) => [D.REGIONS[i], g]).filter(k => share(k[1]) > 0.002)
				.map(([hue, g]) => [hue, `${g.label} ${D.percent(share(g))}`]);
			const bar = Array.from({ length: 21 }, (_, i) => `rgb(${M.ramp(i / 20)}) ${i * 5}%`);
			const scale = this.mode === "kind" ? ["0", "0.5", "1"].map((w, i) => {
				return [`rgb(${M.colours("kind")(1 - Number(w), Number(w))})`, ["reads", "both", "writes"][i]];
			}) : [[null, "served by: nearest level"], [`linear-gradient(90deg,${bar})`, "memory (middle: the levels between)", true]];
			const whole = m.rows && this.mode !== "kind" && !m.structures.some(s => m.misses_by_address(s));
			this.key.replaceChildren(D.legend([...scale, [null, (this.m.rows ? "the fuller, the more accesses" :
				"height: root of the accesses") + (whole ? "; colour: of the structure's accesses in the column" : "")]]),
				D.legend([...keys, [null, this.by_time ? "of the time (estimate)" : "of the accesses"]]),
				...(this.thread < 0 ? [] : [D.legend([[null,
					`The picture is of thread ${this.thread}; shares and words are of all threads.`]])]));
		}

		/* --- what is pointed at ----------------------------------------------------------------- */

		lane_at(y) {
			return this.lanes.find(l => y >= l.y - (this.narrow ? Painter.HEAD : 0) && y < l.y + l.h);
		}
		tell(x, y) {
			if (x < this.left || x >= this.left + this.w)
				return [];
			const c = this.column(x), lane = this.lane_at(y);
			return this.facts(c, lane, lane ? Math.max(0, Math.floor(y - lane.y)) : 0);
		}
		facts(c, lane, row) {
			const m = this.m, at = this.edge[0][c];
			const lines = [D.count(Math.round(at)) + " accesses in" + (this.edge[1] ?
				`, ${D.seconds(this.edge[1][c])} of clean time` : "")];
			lines.push(D.regions_at(m, c, c + 1, this.thread));
			if (!lane) {
				lines.push(this.rates().map((r, i) => `${psc.level_name(m.levels[i])} misses ` +
					D.percent(r(c))).join(", "));
				return lines.filter(Boolean);
			}
			const v = m.rows && m.maps(lane.s).length ? this.row_facts(lines, c, lane, row) :
				["reads", "writes", m.levels[0], m.deepest].map(q => m.of_structure(lane.s, this.thread, [q])[c]);
			if (!m.rows)
				lines.push(lane.s.name);
			const all = v[0] + v[1];
			lines.push(all > 0 ? `${D.count(Math.round(v[0]))} reads, ${D.count(Math.round(v[1]))} writes; ` +
				`${D.percent(v[2] / all)} miss, ${D.percent(v[3] / all)} from memory` : "no access");
			return [...lines, ...this.missing_lines(c, lane.s)].filter(Boolean);
		}
		/* Of the rows of addresses that lie under a pixel. */
		row_facts(lines, c, lane, pixel) {
			const m = this.m, s = lane.s, [r0, r1] = m.touched(s), per = (r1 - r0) / lane.h, sum = [0, 0, 0, 0];
			const from = r0 + Math.floor(per < 1 ? (pixel + 0.5) * per : pixel * per);
			const to = per < 1 ? from + 1 : r0 + Math.ceil((pixel + 1) * per - 1e-6);
			["reads", "writes", "first_misses", "last_misses"].forEach((name, k) => {
				for (const map of m.maps(s, this.thread))
					m.each(map, name, m.rows, (column, row, n) => {
						if (column === c && row >= from && row < to)
							sum[k] += n;
					});
			});
			if (!m.misses_by_address(s))
				m.miss_rates(s, this.thread).forEach((rate, k) => { sum[2 + k] = (sum[0] + sum[1]) * rate[c]; });
			lines.push(m.row_words(s, from, to - from));
			return sum;
		}
		/* The source lines by which a structure misses in a column. */
		missing_lines(c, s) {
			const by = new Map();
			for (const l of this.m.t.lines)
				if (l.structure === s.number && (this.thread < 0 || l.thread === this.thread))
					this.m.each(l, "first_misses", 1, (k, rest, v) => {
						if (k === c)
							by.set(l.file + ":" + l.line, (by.get(l.file + ":" + l.line) || 0) + v);
					});
			return [...by].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([key, v]) => `${key}: ${D.count(v)} misses`);
		}
		events() {
			const canvas = this.draw.canvas;
			let down = null;
			canvas.tabIndex = 0;
			canvas.ariaLabel = "Accesses over time; arrow keys move through columns and structures, plus and minus zoom";
			canvas.addEventListener("mousedown", e => { down = this.column(e.offsetX); });
			canvas.addEventListener("mouseup", e => {
				const up = this.column(e.offsetX), a = Math.min(down ?? up, up), b = Math.max(down ?? up, up) + 1;
				down = null;
				if (b - a > SEVERAL)
					this.zoom(a, b);
				else
					this.point(up, this.lane_at(e.offsetY));
				this.draw();
			});
			canvas.addEventListener("dblclick", () => {
				this.zoom(0, this.m.columns);
				this.draw();
			});
			canvas.addEventListener("keydown", e => this.key_down(e));
		}
		key_down(e) {
			const at = this.now || { c: this.from, lane: 0 }, n = this.lanes.length, span = this.to - this.from;
			const go = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
			if (e.ctrlKey || e.altKey || e.metaKey || !(go || ["+", "-", "0"].includes(e.key)))
				return;
			e.preventDefault();
			if (go) {
				const c = Math.max(this.from, Math.min(this.to - 1, at.c + go[0] * Math.max(1, span >> 6)));
				this.point(c, this.lanes[Math.max(0, Math.min(n - 1, at.lane + go[1]))]);
			} else {
				const width = e.key === "0" ? this.m.columns : Math.max(8, Math.min(this.m.columns,
					e.key === "+" ? span >> 1 : span * 2));
				const from = Math.max(0, Math.min(this.m.columns - width, at.c - (width >> 1)));
				this.zoom(from, from + width);
			}
			this.draw();
		}
		/* What a click or the keys choose is told below the picture, with links. */
		point(c, lane) {
			this.now = { c, lane: Math.max(0, this.lanes.indexOf(lane)) };
			const facts = this.facts(c, lane, lane ? this.fullest(c, lane) : 0);
			this.said.replaceChildren(facts.join("; ") + " ");
			if (lane)
				this.words(this.m.t.structure_words[lane.s.number - 1]);
			if (lane)
				for (const [href, words] of D.links(this.report, this.m, lane.s))
					this.said.append(make("a", { href }, words), " ");
		}
		/* The pixel of a column with most accesses. */
		fullest(c, lane) {
			if (!this.m.rows || !this.m.maps(lane.s).length)
				return 0;
			return M.fullest(M.places(this.m, lane.s, this.thread, lane.h), c);
		}
		/* What the lines that miss most do with structures. */
		line_claims() {
			const says = new Map(this.m.t.line_words.map(w => [w.file + ":" + w.line, w.says]));
			return this.lines().filter(l => says.has(l.key)).sort((a, b) => b.misses - a.misses).slice(0, TOLD_LINES)
				.map(l => `${l.key} ${says.get(l.key)}`);
		}
		/* Structures that are not shown, as a button; what is missing from the picture. */
		rest() {
			const m = this.m, told = this.shown.slice(0, TOLD).map(s => m.t.structure_words[s.number - 1].claim);
			this.walks.replaceChildren(...told.concat(this.line_claims()).filter(Boolean).map(words => make("li", {}, words)));
			this.said.replaceChildren();
			if (this.hidden.length) {
				const share = this.hidden.reduce((sum, s) => sum + s.accesses, 0) / m.accesses;
				const b = make("button", { type: "button" }, D.more(this.hidden.length, "structure"));
				b.addEventListener("click", () => {
					this.more = true;
					this.change();
				});
				this.said.append(b, ` with ${D.percent(share)} of the accesses. `);
			}
			if (m.t.dependences)
				this.said.append(m.t.dependences + " ");
			if (m.t.missing)
				this.said.append(m.t.missing + " ");
			if (this.edge[1] && m.t.untimed)
				this.said.append(m.t.untimed + " ");
			if (this.cut)
				this.said.append("The addresses of this process did not fit into the page. ");
			const without = document.querySelector("#without-timelines");
			if (without)
				this.said.append(without.textContent);
		}
	}

	psc.view({
		id: "timeline",
		async draw(report, into) {
			const all = psc.time.load(report);
			if (!all.length)
				return false;
			await new View(report, all, into).process(psc.time.order(all)[0]);
			return true;
		}
	});
})();
