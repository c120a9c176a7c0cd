/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds loops, the nesting of all regions, the arrays that each region accesses, and decides which
 * regions keep markers (pass psc_loops, before ompexp).  The function has a control-flow graph,
 * OpenMP bodies are still part of the function that contains them, and GCC knows the natural
 * loops. */
#include "instrument/pscplugin.h"

struct loop_info {
	class loop *loop;
	int region;      /* -1: no loop of the source */
	int around;      /* innermost construct, call or subroutine at its header */
	bool abnormal;   /* an entry or exit edge on which no call can be inserted */
};

struct flow {
	function *fun;
	int sub;
	int first;                        /* this function's regions are those from here on */
	std::vector<int> at_entry;        /* by block: region at its begin; -1: unreachable */
	std::map<int, basic_block> where; /* by region: block of its enter marker */
	std::vector<loop_info> loops;     /* by loop number */
	psc_defs defs;
};

/* --- the region of each block, from the markers --------------------------------------------- */
static int marker_region(gimple *stmt)
{
	return tree_to_uhwi(gimple_call_arg(stmt, 1));
}

static bool is_enter(gimple *stmt)
{
	return psc_runtime_is(stmt, FN_ENTER) || psc_runtime_is(stmt, FN_TEAM_ENTER);
}

/* The region behind `stmt` if `now` is the region before it. */
static int step(gimple *stmt, int now)
{
	int region;

	if (is_enter(stmt) || psc_runtime_is(stmt, FN_LANDED))
		return marker_region(stmt);
	if (!psc_runtime_is(stmt, FN_EXIT))
		return now;
	region = marker_region(stmt);
	return psc.regions[region].parent >= 0 ? psc.regions[region].parent : region;
}

static void follow_markers(struct flow *f)
{
	std::vector<basic_block> todo;
	edge e;
	edge_iterator ei;

	f->at_entry.assign(last_basic_block_for_fn(f->fun), -1);
	f->at_entry[ENTRY_BLOCK] = f->sub;
	todo.push_back(ENTRY_BLOCK_PTR_FOR_FN(f->fun));
	while (!todo.empty()) {
		basic_block bb = todo.back();
		int now = f->at_entry[bb->index];

		todo.pop_back();
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			now = step(gsi_stmt(i), now);
			if (is_enter(gsi_stmt(i)))
				f->where[now] = bb;
		}
		FOR_EACH_EDGE(e, ei, bb->succs)
			if (f->at_entry[e->dest->index] < 0) {
				f->at_entry[e->dest->index] = now;
				todo.push_back(e->dest);
			}
	}
}

/* --- loops ---------------------------------------------------------------------------------- */
static bool inside(const class loop *loop, basic_block bb)
{
	return bb->loop_father == loop || flow_loop_nested_p(loop, bb->loop_father);
}

static bool is_back_edge(const class loop *loop, edge e)
{
	return e->dest == loop->header && inside(loop, e->src);
}

/* A worksharing construct, too, is a loop in the graph until GCC expands it: its latch is a
 * directive. */
static bool is_omp_loop(const class loop *loop)
{
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, loop->header->preds) {
		gimple *last = is_back_edge(loop, e) ? last_stmt(e->src) : NULL;

		if (last && gimple_code(last) == GIMPLE_OMP_CONTINUE)
			return true;
	}
	return false;
}

struct lines {
	std::string file;
	int test;        /* smallest line of exit tests and latches */
	int body;        /* smallest line of the header */
	int last;        /* largest line of any statement */
};

static void note_line(struct lines *l, gimple *stmt, int floor, int *smallest)
{
	location_t where = gimple_location(stmt);
	expanded_location at;

	if (is_gimple_debug(stmt) || LOCATION_LOCUS(where) == UNKNOWN_LOCATION)
		return;
	at = expand_location(where);
	if (!at.file || at.line <= floor || l->file != at.file)
		return;
	if (smallest && (*smallest == 0 || at.line < *smallest))
		*smallest = at.line;
	l->last = MAX(l->last, MAX(at.line, expand_location(get_finish(where)).line));
}

static void note_block(struct lines *l, const class loop *loop, basic_block bb, bool latch,
	int floor)
{
	for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);
		bool test = gimple_code(stmt) == GIMPLE_COND &&
			(!flow_bb_inside_loop_p(loop, EDGE_SUCC(bb, 0)->dest) ||
			 !flow_bb_inside_loop_p(loop,
			 EDGE_SUCC(bb, EDGE_COUNT(bb->succs) - 1)->dest));

		if (gimple_code(stmt) == GIMPLE_LABEL)
			continue;
		note_line(l, stmt, floor, NULL);
		if (latch || test)
			note_line(l, stmt, floor, &l->test);
		if (bb == loop->header)
			note_line(l, stmt, floor, &l->body);
	}
}

/* Notes the lines of the loop's statements behind the line `floor`. */
static void note_loop(struct lines *l, class loop *loop, int floor)
{
	basic_block *body = get_loop_body(loop);
	edge e;
	edge_iterator ei;

	for (unsigned i = 0; i < loop->num_nodes; i++) {
		bool latch = false;

		FOR_EACH_EDGE(e, ei, body[i]->succs)
			latch |= is_back_edge(loop, e);
		/* A latch that also contains the body does not show the loop's first line. */
		note_block(l, loop, body[i], latch && single_succ_p(body[i]), floor);
	}
	free(body);
}

static struct lines loop_lines(const struct flow *f, class loop *loop, int around)
{
	/* gfortran's temporaries for arguments have the line of the SUBROUTINE statement. */
	struct lines l = { psc.regions[around].file, 0, 0, 0 };
	int floor = psc.regions[f->sub].line;

	note_loop(&l, loop, floor);
	if (!l.test && !l.body && !psc_is_fortran())    /* the whole function is on one line */
		note_loop(&l, loop, floor - 1);
	return l;
}

static bool has_abnormal_edge(class loop *loop)
{
	auto_vec<edge> exits = get_loop_exit_edges(loop);
	edge e;
	edge_iterator ei;
	unsigned i;
	bool abnormal = false;

	FOR_EACH_EDGE(e, ei, loop->header->preds)
		abnormal |= (e->flags & EDGE_ABNORMAL) != 0;
	FOR_EACH_VEC_ELT(exits, i, e)
		abnormal |= (e->flags & EDGE_ABNORMAL) != 0;
	return abnormal;
}

static int enclosing_loop(const struct flow *f, class loop *loop, int around)
{
	for (; loop && loop_depth(loop) > 0; loop = loop_outer(loop))
		if (f->loops[loop->num].region >= 0)
			return f->loops[loop->num].around == around ? f->loops[loop->num].region :
				-1;
	return -1;
}

static void add_loop(struct flow *f, class loop *loop)
{
	struct loop_info *info = &f->loops[loop->num];
	int around = f->at_entry[loop->header->index], parent;
	struct lines l;

	info->loop = loop;
	info->region = -1;
	if (around < 0 || is_omp_loop(loop))
		return;
	info->around = around;
	l = loop_lines(f, loop, around);
	if (!l.test && !l.body)     /* made by the compiler */
		return;
	parent = enclosing_loop(f, loop_outer(loop), around);
	int line = psc_loop_line(l.file, l.test, l.body);
	info->region = psc_region_add(REGION_LOOP, parent >= 0 ? parent : around, l.file, line);
	psc.regions[info->region].end = l.last;
	info->abnormal = has_abnormal_edge(loop);
}

/* Makes loops the parents of the constructs and calls inside them. */
static void reparent(struct flow *f)
{
	for (auto &entry : f->where) {
		struct psc_region *r = &psc.regions[entry.first];
		int loop = r->parent < 0 || r->type == REGION_LOOP ? -1
			: enclosing_loop(f, entry.second->loop_father, r->parent);

		if (loop >= 0)
			r->parent = loop;
	}
}

/* --- which loops get hooks ------------------------------------------------------------------ */
static bool is_construct(int type)
{
	return type != REGION_SUB && type != REGION_LOOP && type != REGION_CALL &&
		type != REGION_USER;
}

static bool asked_for(const struct psc_region *r)
{
	for (auto &p : psc.phases) {
		size_t n = p.file.size(), m = r->file.size();

		if (p.line == r->line && m >= n && r->file.compare(m - n, n, p.file) == 0 &&
		    (m == n || r->file[m - n - 1] == '/'))
			return true;
	}
	return false;
}

struct contents {
	bool call;       /* a call with markers, or a construct, at any depth */
	bool loop;
};

static std::vector<contents> survey_contents(int first)
{
	std::vector<contents> all(psc.regions.size(), contents{ false, false });

	for (int i = first; i < (int)psc.regions.size(); i++) {
		const struct psc_region *r = &psc.regions[i];
		bool call = (r->type == REGION_CALL && r->marker) || is_construct(r->type) ||
			r->type == REGION_USER;
		int guard = 0;

		for (int p = r->parent; p >= first && guard < 1000; p = psc.regions[p].parent,
		     guard++) {
			all[p].call |= call;
			all[p].loop |= r->type == REGION_LOOP;
		}
	}
	return all;
}

static void context_of(int region, bool *parallel, bool *sealed)
{
	*parallel = *sealed = false;
	for (int p = psc.regions[region].parent; p >= 0; p = psc.regions[p].parent) {
		*parallel |= is_construct(psc.regions[p].type);
		/* pass psc_regions has sealed the simd loop itself */
		*sealed |= psc.regions[p].sealed;
	}
}

static void choose_hooks(struct flow *f)
{
	std::vector<contents> all = survey_contents(f->first);

	for (auto &info : f->loops) {
		struct psc_region *r;
		bool parallel, sealed, nested, asked;

		if (info.region < 0)
			continue;
		r = &psc.regions[info.region];
		context_of(info.region, &parallel, &sealed);
		/* A worksharing construct is the outermost loop of its nest. */
		nested = r->parent >= 0 && (psc.regions[r->parent].type == REGION_LOOP ||
			psc.regions[r->parent].type == REGION_WORKSHARE_DO);
		/* The loops of a phase that the program marks have to be recorded. */
		asked = asked_for(r) ||
			(r->parent >= 0 && psc.regions[r->parent].type == REGION_USER);
		r->marker = !sealed && !info.abnormal && psc.regions[f->sub].marker &&
			(!nested || all[info.region].call || asked);
		if (parallel || sealed)
			r->refuse = "parallel";
		else if (info.abnormal)
			r->refuse = "abnormal";
		/* In a nest without calls only the outermost loop can be a phase: a call on the
		 * back edges of inner loops would stop interchange and vectorisation. */
		else if (!asked && !all[info.region].call && (nested || !all[info.region].loop))
			r->refuse = "innermost";
		r->phase = r->marker && !r->refuse;
	}
}

/* --- putting the hooks on the edges --------------------------------------------------------- */
/* Does the header contain a marked call on a line before its test?  Then leaving from the header
 * ends an execution that did something, as in "do; call step; if (done) exit; ...". */
static bool works_before_test(basic_block header)
{
	gimple *last = last_stmt(header);
	int test = last && gimple_code(last) == GIMPLE_COND ? gimple_lineno(last) : 0;

	for (gimple_stmt_iterator i = gsi_start_bb(header); test && !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (psc_runtime_is(stmt, FN_ENTER) && gimple_lineno(stmt) > 0 &&
		    gimple_lineno(stmt) < test)
			return true;
	}
	return false;
}

/* Does the header lead straight back to itself?  Such a loop is tested at its bottom. */
static bool is_single_block(class loop *loop)
{
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, loop->header->succs) {
		basic_block to = e->dest;
		int guard = 0;

		while (to != loop->header && single_succ_p(to) && empty_block_p(to) &&
		       guard++ < 100)
			to = single_succ(to);
		if (to == loop->header)
			return true;
	}
	return false;
}

/* Does the exit end an execution that has done nothing?  The last one of a loop tested at its
 * top. */
static bool leaves_void(class loop *loop, edge exit)
{
	return exit->src == loop->header && !is_single_block(loop) &&
		!works_before_test(loop->header);
}

static void put(edge e, gcall *call)
{
	if (!(e->flags & (EDGE_ABNORMAL | EDGE_EH)))
		gsi_insert_on_edge(e, call);
}

static void hook_exits(const struct loop_info *info)
{
	const struct psc_region *r = &psc.regions[info->region];
	auto_vec<edge> exits = get_loop_exit_edges(info->loop);
	unsigned i;
	edge e;

	FOR_EACH_VEC_ELT(exits, i, e) {
		if (r->phase)
			put(e, psc_phase_end_call(info->region, leaves_void(info->loop, e)));
		put(e, psc_runtime_call(FN_EXIT, info->region));
	}
}

static void hook_header(const struct loop_info *info, bool back)
{
	const struct psc_region *r = &psc.regions[info->region];
	edge e;
	edge_iterator ei;

	FOR_EACH_EDGE(e, ei, info->loop->header->preds) {
		if (is_back_edge(info->loop, e) != back)
			continue;
		if (!back)
			put(e, psc_runtime_call(FN_ENTER, info->region));
		if (r->phase)
			put(e, psc_runtime_call(back ? FN_PHASE_NEXT : FN_PHASE_BEGIN,
				info->region));
	}
}

/* Order of the hooks where one edge leaves a loop, is the back edge of a second and enters a
 * third. */
static void hook_loops(struct flow *f)
{
	auto hooked = [&](class loop *loop) {
		const struct loop_info *info = &f->loops[loop->num];

		return info->region >= 0 && psc.regions[info->region].marker ? info : NULL;
	};

	for (auto loop : loops_list(f->fun, LI_FROM_INNERMOST))
		if (const struct loop_info *info = hooked(loop))
			hook_exits(info);
	for (auto loop : loops_list(f->fun, 0))
		if (const struct loop_info *info = hooked(loop))
			hook_header(info, true);
	for (auto loop : loops_list(f->fun, 0))
		if (const struct loop_info *info = hooked(loop))
			hook_header(info, false);
	gsi_commit_edge_inserts();
}

/* The innermost region with a marker around a landing place: loops are known now. */
static int landing_region(const struct flow *f, basic_block bb, int region)
{
	for (class loop *l = bb->loop_father; l && loop_depth(l) > 0; l = loop_outer(l)) {
		const struct loop_info *info = &f->loops[l->num];

		if (info->region >= 0 && info->around == region && psc.regions[info->region].marker)
			return info->region;
	}
	while (!psc.regions[region].marker && psc.regions[region].parent >= 0)
		region = psc.regions[region].parent;
	return region;
}

static void settle_landings(const struct flow *f)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, f->fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
			if (psc_runtime_is(gsi_stmt(i), FN_LANDED))
				gimple_call_set_arg(gsi_stmt(i), 1, build_int_cst(uint32_type_node,
					landing_region(f, bb, marker_region(gsi_stmt(i)))));
}

/* Removes the markers that were needed for the nesting only. */
static void drop_markers(const struct flow *f)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, f->fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i);) {
			gimple *stmt = gsi_stmt(i);

			if ((psc_runtime_is(stmt, FN_ENTER) || psc_runtime_is(stmt, FN_EXIT)) &&
			    !psc.regions[marker_region(stmt)].marker)
				gsi_remove(&i, true);
			else
				gsi_next(&i);
		}
}

/* --- arrays --------------------------------------------------------------------------------- */
struct access_walk {
	struct flow *f;
	int region;
};

static void add_access(int region, const struct psc_array &a)
{
	for (auto &old : psc.regions[region].arrays)
		if (old.name == a.name && old.scope == a.scope && !strcmp(old.klass, a.klass)) {
			old.access |= a.access;
			return;
		}
	psc.regions[region].arrays.push_back(a);
}

static void note_access(struct access_walk *w, tree ref, bool pointer, int access)
{
	struct psc_array a = { "", "", "unknown", "", 0, 0, access, false };
	bool known = pointer ? psc_describe_pointer(ref, w->f->defs, &a)
		: psc_describe_access(ref, w->f->defs, &a);

	struct psc_record r = { "", "", 0, 0, {} };

	known = known && !a.name.empty() && *a.type;
	if (known && !pointer && psc_indexed_by_load(ref, w->f->defs))
		a.access |= ACCESS_INDEXED;
	if (known)
		add_access(w->region, a);
	if (pointer ? !psc_describe_records_at(ref, w->f->defs, &r) : !psc_describe_record(ref, &r))
		return;
	r.array = known ? a.name : "";
	psc_record_add(&psc.regions[w->region].records, r);
}

static bool note_load(gimple *, tree, tree ref, void *data)
{
	note_access(static_cast<struct access_walk *>(data), ref, false, ACCESS_READ);
	return false;
}

static bool note_store(gimple *stmt, tree, tree ref, void *data)
{
	if (!gimple_clobber_p(stmt))
		note_access(static_cast<struct access_walk *>(data), ref, false, ACCESS_WRITE);
	return false;
}

/* The address of a member is taken: whoever gets it may use all of the member. */
static bool note_address(gimple *, tree, tree address, void *data)
{
	struct access_walk *w = static_cast<struct access_walk *>(data);
	tree ref = TREE_CODE(address) == ADDR_EXPR ? TREE_OPERAND(address, 0) : NULL_TREE;
	struct psc_record r = { "", "", 0, 0, {} };
	struct psc_array a = { "", "", "unknown", "", 0, 0, ACCESS_READ, false };

	if (!ref || TREE_CODE(ref) != COMPONENT_REF || !psc_describe_record(ref, &r))
		return false;
	r.array = psc_describe_access(ref, w->f->defs, &a) ? a.name : "";
	psc_record_add(&psc.regions[w->region].records, r);
	return false;
}

static void note_memory_builtin(struct access_walk *w, gimple *stmt)
{
	if (psc_copies_bytes(stmt)) {
		unsigned to = psc_copies_to(stmt);

		note_access(w, gimple_call_arg(stmt, 1 - to), true, ACCESS_READ);
		note_access(w, gimple_call_arg(stmt, to), true, ACCESS_WRITE);
	} else if (psc_sets_bytes(stmt)) {
		note_access(w, gimple_call_arg(stmt, 0), true, ACCESS_WRITE);
	}
}

static void note_math(struct access_walk *w, gimple *stmt)
{
	tree fndecl = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;
	const char *name = fndecl ? psc_math_function(fndecl) : NULL;

	if (name)
		psc.regions[w->region].math.insert(name);
}

/* "a = .omp_data_o.a": GCC's copy of a shared variable's value back behind a construct. */
static bool is_copy_back(gimple *stmt)
{
	tree rhs = gimple_assign_single_p(stmt) ? gimple_assign_rhs1(stmt) : NULL_TREE;
	tree base = rhs && TREE_CODE(rhs) == COMPONENT_REF ? TREE_OPERAND(rhs, 0) : NULL_TREE;

	return base && VAR_P(base) && DECL_NAME(base) &&
		startswith(IDENTIFIER_POINTER(DECL_NAME(base)), ".omp_data_o");
}

static void find_defs(struct flow *f)
{
	std::set<tree> twice;
	basic_block bb;

	FOR_EACH_BB_FN(bb, f->fun)
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			tree lhs = gimple_has_lhs(gsi_stmt(i)) ? gimple_get_lhs(gsi_stmt(i)) :
				NULL_TREE;

			if (!lhs || !VAR_P(lhs) || is_copy_back(gsi_stmt(i)))
				continue;
			if (!f->defs.insert({ lhs, gsi_stmt(i) }).second)
				twice.insert(lhs);
		}
	for (tree var : twice)
		f->defs.erase(var);
}

static void note_arrays(struct flow *f)
{
	basic_block bb;

	find_defs(f);
	FOR_EACH_BB_FN(bb, f->fun) {
		int now = f->at_entry[bb->index];

		if (now < 0)
			continue;
		for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
			int loop = enclosing_loop(f, bb->loop_father, now = step(gsi_stmt(i), now));
			struct access_walk w = { f, loop >= 0 ? loop : now };

			walk_stmt_load_store_addr_ops(gsi_stmt(i), &w, note_load, note_store,
				note_address);
			note_memory_builtin(&w, gsi_stmt(i));
			note_math(&w, gsi_stmt(i));
			psc_copies_note(gsi_stmt(i), w.region, f->defs);
		}
	}
}

/* --- lines of ends -------------------------------------------------------------------------- */
static void close_region(int region)
{
	struct psc_region *r = &psc.regions[region];

	if (r->type == REGION_LOOP || (is_construct(r->type) && r->type != REGION_BARRIER &&
	    r->type != REGION_TASKWAIT))
		r->end = psc_block_end(r->file, r->type, r->line, r->end);
}

static void note_ends(struct flow *f)
{
	basic_block bb;

	FOR_EACH_BB_FN(bb, f->fun) {
		int now = f->at_entry[bb->index];

		for (gimple_stmt_iterator i = gsi_start_bb(bb); now >= 0 && !gsi_end_p(i);
		     gsi_next(&i)) {
			struct psc_region *r = &psc.regions[now];
			struct lines l = { r->file, 0, 0, r->end };

			note_line(&l, gsi_stmt(i), r->line, NULL);
			if (r->type != REGION_SUB && r->type != REGION_CALL)
				r->end = l.last;
			now = step(gsi_stmt(i), now);
		}
	}
}

/* Inner regions first: the END DO of an outer loop comes behind theirs. */
static void close_regions(struct flow *f)
{
	std::vector<std::pair<int, int>> order;   /* -depth, region */

	for (int i = f->first; i < (int)psc.regions.size(); i++) {
		int depth = 0;

		for (int p = psc.regions[i].parent; p >= 0; p = psc.regions[p].parent)
			depth++;
		order.push_back({ -depth, i });
	}
	std::sort(order.begin(), order.end());
	for (auto &entry : order) {
		struct psc_region *r = &psc.regions[entry.second];

		close_region(entry.second);
		if (r->parent >= 0 && psc.regions[r->parent].type != REGION_SUB &&
		    psc.regions[r->parent].file == r->file)
			psc.regions[r->parent].end = MAX(psc.regions[r->parent].end, r->end);
	}
}

namespace {
const pass_data loops_data = {
	GIMPLE_PASS, "psc_loops", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0
};

class loops_pass : public gimple_opt_pass {
public:
	loops_pass(gcc::context *ctx) : gimple_opt_pass(loops_data, ctx) {}
	unsigned int execute(function *fun) final override
	{
		auto sub = psc.subroutines.find(DECL_UID(fun->decl));
		struct flow f;

		if (sub == psc.subroutines.end() || !loops_for_fn(fun))
			return 0;
		f.fun = fun;
		f.sub = f.first = sub->second;
		follow_markers(&f);
		f.loops.assign(number_of_loops(fun), loop_info{ NULL, -1, -1, false });
		for (auto loop : loops_list(fun, 0))
			add_loop(&f, loop);
		/* Before drop_markers(): needs the markers of all regions. */
		note_arrays(&f);
		note_ends(&f);
		reparent(&f);
		close_regions(&f);
		choose_hooks(&f);
		settle_landings(&f);
		drop_markers(&f);
		hook_loops(&f);
		return 0;
	}
};
}

opt_pass *psc_pass_loops(gcc::context *ctx)
{
	return new loops_pass(ctx);
}
