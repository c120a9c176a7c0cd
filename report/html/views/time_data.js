// SPDX-License-Identifier: BSD-3-Clause
// Memory over time: decodes the report's timelines (report/model/timeline_series.h) for the views that draw them.
psc.time = (function () {
	"use strict";
	const UNNAMED = "other memory", JOINED = "small ones";
	const ZERO = "0".charCodeAt(0);
	const SLIVER = 0.1;             /* of a column */
	const MOST = 0.6, PART = 0.02;  /* of all accesses */

	/* "GAP VALUE GAP VALUE ..": counts by a number. Of large pages most of the time goes here, so digits are read
	 * one by one. */
	function series(text) {
		const s = text || "", most = s.length + 4 >> 2;         /* a pair has four characters at least */
		const at = new Int32Array(most), value = new Float64Array(most);
		let n = 0;
		for (let i = 0, number = 0, sum = 0, gap = true; i <= s.length; i++) {
			const digit = s.charCodeAt(i) - ZERO;
			if (digit >= 0) {
				number = 10 * number + digit;
				continue;
			}
			if (gap)
				sum += number;
			else {
				at[n] = sum;
				value[n++] = number;
			}
			gap = !gap;
			number = 0;
		}
		return { at: at.subarray(0, n), value: value.subarray(0, n) };
	}

	/* --- one axis for all threads ------------------------------------------------------------------ */

	/* Where the columns of each thread lie on the axis, of "GAP LENGTH GAP LENGTH ..": [begins, ends]. */
	function columns(text) {
		const v = text ? text.split(" ") : [], from = new Float64Array(v.length >> 1), to = new Float64Array(v.length >> 1);
		for (let i = 0, end = 0; i < from.length; i++) {
			from[i] = end + Number(v[2 * i]);
			end = to[i] = from[i] + Number(v[2 * i + 1]);
		}
		return [from, to];
	}

	/* --- regions ----------------------------------------------------------------------------------- */

	/* "jacld" of "ssor.f:ssor/loop 2/call jacld 1 > jacld.f:jacld/loop 1". */
	function function_of(key) {
		const last = key.split(" > ").pop();
		return last.replace(/^[^:]*:/, "").split("/")[0];
	}
	const region_label = r => function_of(r.name) + (r.line ? ":" + r.line : "");
	/* Regions by function; the regions of a function that has most of all stand alone, if it has
	 * several. */
	function group_regions(m) {
		const share = new Map(), all = m.regions.reduce((sum, r) => sum + r.accesses, 0);
		const parts = f => m.regions.filter(r => r.function === f && r.accesses > PART * all).length;
		for (const r of m.regions)
			share.set(r.function, (share.get(r.function) || 0) + r.accesses);
		const groups = new Map();
		m.regions.forEach(r => {
			const alone = share.get(r.function) > MOST * all && parts(r.function) > 1;
			const label = alone ? r.label : r.function;
			if (!groups.has(label))
				groups.set(label, { label, accesses: 0, regions: [], file: r.file, line: r.line });
			const g = groups.get(label);
			g.accesses += r.accesses;
			g.regions.push(r);
			r.group = g;
		});
		m.groups = [...groups.values()].filter(g => g.accesses > 0)
			.sort((a, b) => b.accesses - a.accesses);
		m.groups.forEach((g, i) => { g.order = i; });
	}

	/* --- a timeline -------------------------------------------------------------------------------- */

	class Timeline {
		constructor(t, levels) {
			Object.assign(this, { t, rows: t.rows, threads: t.threads, nodes: t.nodes, width: t.width });
			this.levels = levels.length ? levels : this.present();
			this.deepest = this.levels.at(-1);
			this.node = new Int16Array(t.threads).fill(t.nodes === 1 ? 0 : -1);
			this.cache = new Map();
			this.decoded = new Map();
			const nodes = this.series(t, "thread_nodes");
			nodes.at.forEach((thread, i) => { this.node[thread] = nodes.value[i] - 1; });
			this.align();
			this.structures = t.structures.map((s, i) => ({ ...s, number: i + 1, name: s.name || (s.joined ? JOINED : s.cause || UNNAMED) }));
			this.regions = t.regions.map((r, i) => ({ ...r, number: i + 1, function: function_of(r.name),
				label: region_label(r) }));
			this.sum_up();
		}
		/* Those that miss, where the report does not say what levels there are. */
		present() {
			const there = psc.LEVELS.filter(l => this.t.cells.some(c => c[l]));
			return there.length ? there : psc.LEVELS.slice(0, 1);
		}
		/* The series of a row, decoded once. */
		series(row, name) {
			const key = row[name];
			if (!this.decoded.has(key))
				this.decoded.set(key, series(key));
			return this.decoded.get(key);
		}
		/* The report has aligned the threads: here the axis only gets columns as wide as the threads' own. */
		align() {
			const { length, threads } = this.t.axis;
			this.ordered = this.t.ordered;
			this.end = Math.max(this.t.width, length);
			this.columns = Math.max(1, Math.min(this.t.columns, Math.ceil(this.end / this.t.width)));
			this.unit = this.end / this.columns;
			this.place = threads.map(text => this.spans(...columns(text)));
		}
		/* Where the columns of a thread lie on the axis, without slivers in the columns beside them: [begins, ends]. */
		spans(from, to) {
			const near = x => Math.abs(x - Math.round(x)) < SLIVER ? Math.round(x) : x;
			const begins = from.map(x => Math.min(this.columns - 1, near(x / this.unit)));
			const ends = to.map(x => Math.min(this.columns, near(x / this.unit)));
			begins.forEach((a, i) => {
				if (ends[i] <= a) {
					begins[i] = Math.floor(a);
					ends[i] = Math.floor(a) + 1;
				}
			});
			return begins.length ? [begins, ends] : [new Float64Array(1), new Float64Array(1).fill(1)];
		}
		/* f(column of the axis, rest, count an execution) for each count of a series by column * per + rest. */
		each(row, name, per, f) {
			const { at, value } = this.series(row, name), n = this.t.executions, [begins, ends] = this.place[row.thread];
			for (let i = 0; i < at.length; i++) {
				const column = at[i] / per | 0, c = Math.min(column, begins.length - 1);
				const a = begins[c], b = ends[c], rest = at[i] - column * per, v = value[i] / n;
				for (let k = a | 0; k < b; k++)
					f(k, rest, v * (Math.min(b, k + 1) - Math.max(a, k)) / (b - a));
			}
		}
		/* The stretch of the strip to which a column of a cell belongs: by time, or of a thread whose order is not known,
		 * by region; -1. */
		run_of(cell, column) {
			const t = this.t, by_region = t.region_runs[cell.region - 1];
			if (t.strip_thread !== null && cell.thread !== t.strip_thread && by_region)
				return by_region - 1;
			const end = t.strip.length ? t.strip.at(-1).to : 1, at = (column + 0.5) * end / this.columns;
			return t.strip.findIndex(r => at >= r.from && at < r.to);
		}
		/* Of a series, the sum an execution. */
		total(row, name) {
			const s = this.series(row, name);
			let sum = 0;
			for (let i = 0; i < s.value.length; i++)
				sum += s.value[i];
			return sum / this.t.executions;
		}
		/* Sums by column over the cells that a test takes; `key` names the test. */
		by_column(key, names, test) {
			const id = key + " " + names;
			if (!this.cache.has(id)) {
				const out = new Float64Array(this.columns);
				for (const c of this.t.cells)
					if (test(c))
						for (const name of names)
							this.each(c, name, 1, (k, rest, v) => { out[k] += v; });
				this.cache.set(id, out);
			}
			return this.cache.get(id);
		}
		of_structure(s, thread, names) {
			return this.by_column(s.number + "/" + thread, names, c => c.structure === s.number &&
				(thread < 0 || c.thread === thread));
		}
		of_thread(thread, names) {
			return this.by_column("t" + thread, names, c => thread < 0 || c.thread === thread);
		}
		/* Lines from memory: [of the thread's own node, of others], by column; of a thread whose node is not known
		 * all are the first. */
		near_and_far(s, thread) {
			const id = `far ${s.number}/${thread}`, own = this.node[thread];
			if (!this.cache.has(id)) {
				const out = [new Float64Array(this.columns), new Float64Array(this.columns)];
				for (const c of this.t.cells)
					if (c.structure === s.number && c.thread === thread)
						this.each(c, "served", Math.max(1, this.nodes), (k, node, v) => {
							out[own >= 0 && node !== own ? 1 : 0][k] += v;
						});
				this.cache.set(id, out);
			}
			return this.cache.get(id);
		}
		of_group(g, thread) {
			const numbers = new Set(g.regions.map(r => r.number));
			return this.by_column("g" + g.order + "/" + thread, ["reads", "writes"], c =>
				numbers.has(c.region) && (thread < 0 || c.thread === thread));
		}
		sum_up() {
			const zero = () => Array.from({ length: this.threads }, () => ({ reads: 0, writes: 0, moved: 0,
				first: 0, last: 0, coherent: 0, served: new Float64Array(Math.max(1, this.nodes)) }));
			for (const s of this.structures)
				s.by = zero();
			for (const r of this.regions)
				r.accesses = 0;
			for (const c of this.t.cells) {
				const by = this.structures[c.structure - 1].by[c.thread];
				const names = { reads: "reads", writes: "writes", moved: "bytes", first: this.levels[0],
					last: this.deepest, coherent: "coherent" };
				for (const [to, name] of Object.entries(names))
					by[to] += this.total(c, name);
				this.regions[c.region - 1].accesses += this.total(c, "reads") + this.total(c, "writes");
				const served = this.series(c, "served");
				served.at.forEach((at, i) => {
					by.served[at % this.nodes] += served.value[i] / this.t.executions;
				});
			}
			for (const s of this.structures)
				for (const what of ["reads", "writes", "moved", "first", "last", "coherent"])
					s[what] = s.by.reduce((sum, b) => sum + b[what], 0);
			for (const s of this.structures)
				s.accesses = s.reads + s.writes;
			for (const what of ["accesses", "first", "last", "coherent"])
				this[what] = this.structures.reduce((sum, s) => sum + s[what], 0);
			group_regions(this);
		}
		/* Structures in the order in which they matter, as the report has it. */
		ranked() {
			return this.t.order.map(number => this.structures[number - 1]).filter(s => s.accesses > 0);
		}
		/* Clean seconds by column: each region's time, spread over its accesses.  null: not known. */
		seconds() {
			if (this.clean === undefined) {
				const known = this.regions.filter(r => this.time_of(r) > 0);
				this.clean = known.length ? new Float64Array(this.columns) : null;
				for (const r of known) {
					const n = this.by_column("r" + r.number, ["reads", "writes"], c => c.region === r.number);
					for (let k = 0; k < this.columns; k++)
						this.clean[k] += this.time_of(r) * n[k] / r.accesses;
				}
			}
			return this.clean;
		}
		/* Its clean time, as far as accesses show it. */
		time_of(r) {
			return r.accesses > 0 ? this.t.axis.times[r.number - 1] : 0;
		}
		/* The share of the clean time of all regions that a group of them has. */
		time_share(group) {
			const time = list => list.reduce((sum, r) => sum + this.time_of(r), 0);
			return time(group.regions) / (time(this.regions) || 1);
		}
		/* Where columns begin on an axis of accesses, or of clean time; null: this is not known. */
		borders(by_time) {
			const s = by_time ? this.seconds() : null;
			if (by_time && !s)
				return null;
			const id = "borders " + by_time;
			if (!this.cache.has(id)) {
				const out = new Float64Array(this.columns + 1);
				for (let c = 0; c < this.columns; c++)
					out[c + 1] = s ? out[c] + s[c] : (c + 1) * this.unit;
				this.cache.set(id, out);
			}
			return this.cache.get(id);
		}
		/* Time is the axis to begin with where accesses hide it. */
		begins_by_time() {
			return !this.t.pages && this.t.axis.by_time && this.borders(true) !== null;
		}
		/* Rows of a structure that are touched: [from, to). */
		touched(s) {
			if (s.pieces > 0)
				return [0, s.pieces];
			if (s.used_from >= 0 && s.bytes > 0)
				return [Math.floor(s.used_from * this.rows / s.bytes),
					Math.min(this.rows, Math.floor(s.used_to * this.rows / s.bytes) + 1)];
			const rows = this.maps(s).flatMap(m => ["reads", "writes", "first_misses"].flatMap(n =>
				Array.from(this.series(m, n).at, at => at % this.rows)));
			return rows.length ? [rows.reduce((a, b) => Math.min(a, b)), rows.reduce((a, b) => Math.max(a, b)) + 1]
				: [0, this.rows];
		}
		/* What the report says of each row, 0: nothing. */
		by_row(row, name) {
			const out = new Int16Array(this.rows), s = this.series(row, name);
			s.at.forEach((r, i) => { out[r] = s.value[i]; });
			return out;
		}
		/* By column: misses for each access of a structure, of the nearest and of the last level. */
		miss_rates(s, thread) {
			const all = this.of_structure(s, thread, ["reads", "writes"]);
			return [this.levels[0], this.deepest].map(name =>
				this.of_structure(s, thread, [name]).map((v, c) => all[c] > 0 ? v / all[c] : 0));
		}
		/* Are its misses known by address?  Else those of a column are as if spread like its accesses. */
		misses_by_address(s) {
			return this.maps(s).some(m => m.first_misses);
		}
		/* The bytes of a row; "b + 12 KiB (a row of 4 KiB)", or the row's number where it is several blocks. */
		row_bytes(s) {
			return s.pieces > 0 ? s.piece_bytes : s.bytes / this.rows;
		}
		row_words(s, row, rows) {
			const D = psc.time.draw, bytes = D.bytes(rows * this.row_bytes(s));
			return s.pieces > 0 ? `${s.name}, piece ${row + 1} of ${s.pieces} of its memory (${bytes})` :
				`${s.name} + ${D.bytes(Math.floor(row * this.row_bytes(s)))} (a row of ${bytes})`;
		}
		maps(s, thread = -1) {
			return this.t.maps.filter(m => m.structure === s.number && (thread < 0 || m.thread === thread));
		}
		size(s) {
			return s.used_from >= 0 ? s.used_to - s.used_from + 1 : s.bytes;
		}
	}

	/* --- loading ----------------------------------------------------------------------------------- */

	async function unpack(packed) {
		const bytes = atob(packed.textContent.trim()), raw = new Uint8Array(bytes.length);
		for (let i = 0; i < raw.length; i++)
			raw[i] = bytes.charCodeAt(i);
		const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
		return new Response(stream).json();
	}
	let list = null;
	/* The processes that have a timeline: { process, cut, get() }, of which get() promises it, decoded once.
	 * `cut`: its addresses did not fit into the page; `first`: the one to begin with.  Empty: none, or the browser cannot
	 * read them. */
	function load(report) {
		if (list || typeof DecompressionStream === "undefined")
			return list || [];
		list = Array.from(document.querySelectorAll("script.timelines"), e => {
			let got = null;
			const decode = async () => new Timeline(await unpack(e), psc.levels(report));
			return { process: Number(e.dataset.process), cut: Boolean(e.dataset.cut), first: Boolean(e.dataset.first),
				get: () => got = got || decode() };
		});
		return list;
	}
	/* Indices of the list, in the order in which a view tries them. */
	const order = all => [...all.keys()].sort((a, b) => all[b].first - all[a].first || a - b);
	return { load, order };
})();
