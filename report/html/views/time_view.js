// SPDX-License-Identifier: BSD-3-Clause
// What the views over time have in common: the process that is shown, buttons, the claim, and how names
// and verdicts stand beside lanes.
psc.time.View = (function () {
	"use strict";
	const { make } = psc;
	const D = psc.time.draw;

	class View {
		constructor(report, all, into) {
			Object.assign(this, { report, all, into });
			this.words = D.headline(into);
			this.tools = make("div", { className: "over" });
			this.key = make("div");
			into.append(this.tools, this.key);
		}
		/* A canvas in a frame of its own; height and paint are asked once a process is
		 * shown. */
		picture(label, { height, paint, tell }) {
			const frame = make("div", { className: "frame" });
			this.into.append(frame);
			return D.picture(frame, label, { height: w => this.m ? height(w) : 1, paint: (g, w, h) => {
				g.clearRect(0, 0, w, h);
				if (this.m)
					paint(g, w, h);
			}, tell: (x, y) => this.m && tell ? tell(x, y) : [] });
		}
		/* A process that has nothing for the view keeps its buttons, without a picture. */
		async process(i) {
			const m = await this.all[i].get();
			this.m = m;
			this.at = i;
			this.by_time = m.begins_by_time();
			this.begin();
			this.tools.replaceChildren(...(this.empty ? [] : this.controls()), ...this.processes());
			this.tools.hidden = !this.tools.children.length;
			for (const e of this.into.children)
				e.classList.toggle("off", Boolean(this.empty) && e !== this.tools);
			if (!this.empty)
				this.change();
		}
		processes() {
			return this.all.length < 2 ? [] : [D.processes(this.all, this.at, i => this.process(i)),
				...(this.empty ? [make("span", { className: "small" },
					`process ${this.all[this.at].process} has nothing to show here`)] : [])];
		}
		begin() {}
		/* The choice of the axis, where the time of regions is known. */
		axes() {
			return this.m.borders(true) && !this.m.t.pages ? [this.choice("Axis", "by_time", [[false, "by accesses"], [true, "by time"]])] : [];
		}
		/* The place of a column's begin on the axis; it may be a fraction. */
		place_of(column, left, width) {
			const e = this.m.borders(this.by_time), c = Math.floor(column);
			return left + (e[c] + (c < this.m.columns ? (column - c) * (e[c + 1] - e[c]) : 0)) / (e.at(-1) || 1) * width;
		}
		column_at(x, left, width) {
			let low = 0, high = this.m.columns - 1;
			while (low < high) {
				const mid = (low + high + 1) >> 1;
				if (this.place_of(mid, left, width) <= x)
					low = mid;
				else
					high = mid - 1;
			}
			return low;
		}
		ticks(g, { left, width, small }, y) {
			D.axis(g, left, width, y, 0, this.m.borders(this.by_time).at(-1), this.by_time ? D.seconds :
				this.m.t.pages ? us => D.seconds(us * 1e-6) : D.positions, this.axis_name(), small);
		}
		axis_name() {
			return this.by_time ? "time (estimate)" : this.m.t.pages ? "time" : "accesses";
		}
		/* What is counted. */
		counted() {
			return this.m.t.pages ? "pages seen" : "accesses";
		}
		controls() {
			return [];
		}
		/* A button or list whose choice is a member of this. */
		choice(label, name, options) {
			return D.choose(label, options, this[name], v => {
				this[name] = v;
				this.change();
			});
		}
		/* Room left and right of lanes, if the page is wide enough for names beside
		 * them. */
		room(width, left, right, narrow = 18) {
			const small = width < D.NARROW;
			return { small, left: small ? narrow : left, right: small ? 0 : right,
				width: width - (small ? narrow : left + right), up: small ? 20 : 0 };
		}
	}

	/* A view that is drawn if the browser can read the timelines and one of them has
	 * something for it. */
	View.register = (id, make_view) => psc.view({ id, async draw(report, into) {
		const all = psc.time.load(report);
		if (!all.length)
			return false;
		const view = make_view(report, all, into);
		for (const i of psc.time.order(all)) {
			await view.process(i);
			if (!view.empty)
				return true;
		}
		return false;
	} });
	return View;
})();
