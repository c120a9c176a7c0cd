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
		/* A canvas in a frame of its own; height and paint are asked once a process is shown. */
		picture(label, { height, paint, tell }) {
			const frame = make("div", { className: "frame" });
			this.into.append(frame);
			return D.picture(frame, label, { height: w => this.m ? height(w) : 1, paint: (g, w, h) => {
				g.clearRect(0, 0, w, h);
				if (this.m)
					paint(g, w, h);
			}, tell: (x, y) => this.m && tell ? tell(x, y) : [] });
		}
		async process(i) {
			this.m = await this.all[i].get();
			this.at = i;
			this.begin();
			this.tools.replaceChildren(...this.controls(), ...this.processes());
			this.tools.hidden = !this.tools.children.length;
			this.change();
		}
		processes() {
			return this.all.length < 2 ? [] : [D.choose("Process", this.all.map((q, i) => [i, "process " + q.process]),
				this.at, i => this.process(i))];
		}
		begin() {}
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
		/* Room left and right of lanes, if the page is wide enough for names beside them. */
		room(width, left, right, narrow = 18) {
			const small = width < D.NARROW;
			return { small, left: small ? narrow : left, right: small ? 0 : right,
				width: width - (small ? narrow : left + right), up: small ? 20 : 0 };
		}
	}

	/* A view that is drawn if the browser can read the timelines and `some` holds for one of them. */
	View.register = (id, make_view) => psc.view({ id, async draw(report, into) {
		const all = psc.time.load(report);
		if (!all.length)
			return false;
		const view = make_view(report, all, into);
		await view.process(0);
		return !view.empty;
	} });
	return View;
})();
