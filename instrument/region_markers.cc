/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds subroutines, constructs and calls, and puts the markers around them (pass psc_regions,
 * before
 * omplower: the function is a tree of statements that includes OpenMP constructs).  Loops do not
 * exist yet: pass psc_loops finds them and decides which markers stay. */
#include "instrument/pscplugin.h"

struct walk {
	int parent;      /* the innermost region around */
	bool construct;  /* inside an OpenMP construct: not in serial context */
	bool sealed;     /* inside a simd loop: insert nothing */
	bool bare;       /* in a light function: its regions have no markers */
	bool combined;   /* directly in a parallel region that is one directive with its loop */
	gimple *group;   /* the innermost taskgroup around, or NULL: its end has no place of its
			  * own */
	bool *cancels;   /* set to true if the construct around may be cancelled; or NULL */
};

static void walk_seq(gimple_seq *seq, struct walk w);

int psc_region_add(int type, int parent, const std::string &file, int line)
{
	struct psc_region r;

	r.type = type;
	r.parent = parent;
	r.file = file;
	r.line = r.end = line;
	r.program = r.marker = r.phase = r.sealed = r.unrecorded = false;
	r.refuse = NULL;
	psc.regions.push_back(r);
	return psc.regions.size() - 1;
}

static int add_region(int type, gimple *stmt, struct walk w)
{
	struct psc_place place = psc_place_of(gimple_location(stmt));
	int index;

	if (!place.line) {
		place.file = psc.regions[w.parent].file;
		place.line = place.end = psc.regions[w.parent].line;
	}
	index = psc_region_add(type, w.parent, place.file, place.line);
	psc.regions[index].end = place.end;
	psc.regions[index].sealed = w.sealed;
	return index;
}

static gcall *located(gcall *call, location_t where)
{
	gimple_set_location(call, where);
	return call;
}

/* Enter before and exit after the statement; leaves the iterator on the exit. */
static void surround(gimple_stmt_iterator *gsi, int region)
{
	location_t where = gimple_location(gsi_stmt(*gsi));

	gsi_insert_before(gsi, located(psc_runtime_call(FN_ENTER, region), where), GSI_SAME_STMT);
	gsi_insert_after(gsi, located(psc_runtime_call(FN_EXIT, region), where), GSI_NEW_STMT);
}

/* first; try { body } finally { last }: an exception executes the exit hook, too. */
static gimple_seq with_finally(gimple_seq first, gimple_seq body, gimple_seq last)
{
	gimple_seq seq = first;

	gimple_seq_add_stmt(&seq, gimple_build_try(body, last, GIMPLE_TRY_FINALLY));
	return seq;
}

/* --- constructs ----------------------------------------------------------------------------- */
/* Has GCC split a combined construct (distribute parallel do, taskloop) into this one and a loop
 * directly inside?  No statement may come between the two. */
static bool has_combined_loop(gimple_seq seq)
{
	for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (gomp_for *loop = dyn_cast<gomp_for *>(stmt))
			return gimple_omp_for_combined_into_p(loop);
		if (gbind *bind = dyn_cast<gbind *>(stmt))
			if (has_combined_loop(gimple_bind_body(bind)))
				return true;
		if (gtry *t = dyn_cast<gtry *>(stmt))
			if (has_combined_loop(gimple_try_eval(t)))
				return true;
	}
	return false;
}

static gbind *sole_bind(gimple_seq body)
{
	gimple *first = gimple_seq_first_stmt(body);

	return first && first == gimple_seq_last_stmt(body) ? dyn_cast<gbind *>(first) : NULL;
}

static tree token_variable(void)
{
	tree token = create_tmp_var_raw(uint64_type_node);

	DECL_NAME(token) = get_identifier(PSC_TOKEN);
	DECL_CONTEXT(token) = current_function_decl;
	DECL_SEEN_IN_BIND_EXPR_P(token) = 1;
	TREE_ADDRESSABLE(token) = 0;
	return token;
}

/* In the body of a parallel or task construct every thread enters the region with the token. */
static void enter_team(gbind *body, int region, tree token)
{
	gimple_seq first = NULL, last = NULL;
	gcall *enter = gimple_build_call(psc_runtime_function(FN_TEAM_ENTER), 3,
		build_fold_addr_expr(psc_runtime_unit()), build_int_cst(uint32_type_node, region),
		token);

	gimple_seq_add_stmt(&first, enter);
	gimple_seq_add_stmt(&last, psc_runtime_call(FN_EXIT, region));
	gimple_bind_set_body(body, with_finally(first, gimple_bind_body(body), last));
}

/* token = __psc_fork(); construct firstprivate(token) { __psc_team_enter(token); ... } */
static void fork_around(gimple_stmt_iterator *gsi, int region, bool phase)
{
	gimple *stmt = gsi_stmt(*gsi);
	location_t where = gimple_location(stmt);
	tree token = token_variable();
	tree clause = build_omp_clause(where, OMP_CLAUSE_FIRSTPRIVATE);
	gcall *fork = psc_runtime_call(FN_FORK, region);
	gbind *bind = gimple_build_bind(token, NULL, NULL);
	gimple_seq seq = NULL;

	OMP_CLAUSE_DECL(clause) = token;
	OMP_CLAUSE_CHAIN(clause) = gimple_omp_taskreg_clauses(stmt);
	gimple_omp_taskreg_set_clauses(stmt, clause);
	gimple_call_set_lhs(fork, token);
	gsi_replace(gsi, bind, false);    /* first: a statement may be in one sequence only */
	if (phase)
		gimple_seq_add_stmt(&seq, located(psc_runtime_call(FN_PHASE_BEGIN, region), where));
	gimple_seq_add_stmt(&seq, located(fork, where));
	gimple_seq_add_stmt(&seq, stmt);
	if (phase)
		gimple_seq_add_stmt(&seq, located(psc_runtime_call(FN_PHASE_END, region), where));
	gimple_bind_set_body(bind, seq);
}

static void walk_team(gimple_stmt_iterator *gsi, int type, struct walk w)
{
	gimple *stmt = gsi_stmt(*gsi);
	int region = add_region(type, stmt, w);
	bool parallel = type == REGION_PARALLEL;
	bool serial = parallel && !w.construct;
	gbind *body = sole_bind(gimple_omp_body(stmt));
	bool split = has_combined_loop(gimple_omp_body(stmt)) ||
		(!parallel && gimple_omp_task_taskloop_p(stmt));

	w.parent = region;
	w.construct = true;
	w.combined = parallel && gimple_omp_parallel_combined_p(stmt);
	walk_seq(gimple_omp_body_ptr(stmt), w);
	if (w.sealed || split || !body)
		return;
	psc.regions[region].marker = true;
	psc.regions[region].phase = serial;
	if (parallel)
		gimple_omp_parallel_set_combined_p(as_a<gomp_parallel *>(stmt), false);
	fork_around(gsi, region, serial);
	/* The token is the first variable of the bind that fork_around() made. */
	enter_team(body, region, gimple_bind_vars(as_a<gbind *>(gsi_stmt(*gsi))));
}

/* --- the wait at the end of a worksharing construct ----------------------------------------- */
/* Is there a barrier at the end of the construct that does nothing but wait?  GCC combines it with
 * the final work of task and scan reductions and lastprivate(conditional); with cancellation, too,
 * for which the callers look themselves. */
static bool has_plain_wait(tree clauses)
{
	for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN(c))
		switch (OMP_CLAUSE_CODE(c)) {
		case OMP_CLAUSE_NOWAIT:
		case OMP_CLAUSE__REDUCTEMP_:
		case OMP_CLAUSE__SCANTEMP_:
		case OMP_CLAUSE__CONDTEMP_:
			return false;
		case OMP_CLAUSE_REDUCTION:
			if (OMP_CLAUSE_REDUCTION_TASK(c) || OMP_CLAUSE_REDUCTION_INSCAN(c))
				return false;
			break;
		case OMP_CLAUSE_LASTPRIVATE:
			if (OMP_CLAUSE_LASTPRIVATE_CONDITIONAL(c))
				return false;
			break;
		default:
			break;
		}
	return true;
}

/* construct; __psc_exit  ->  construct nowait; __psc_exit; __psc_wait; barrier A thread's time in
 * the region is then that of its work, without its wait for other threads.  The iterator is on the
 * exit. */
static void move_wait_outside(gimple_stmt_iterator *gsi, tree *clauses, int around,
	location_t where)
{
	tree nowait = build_omp_clause(where, OMP_CLAUSE_NOWAIT);
	gcall *barrier = gimple_build_call(builtin_decl_explicit(BUILT_IN_GOMP_BARRIER), 0);

	OMP_CLAUSE_CHAIN(nowait) = *clauses;
	*clauses = nowait;
	gsi_insert_after(gsi, located(psc_runtime_call(FN_WAIT, around), where), GSI_NEW_STMT);
	gsi_insert_after(gsi, located(barrier, where), GSI_NEW_STMT);
}

/* Inserts __psc_barrier() behind the statement of the iterator. */
static void insert_barrier_hook(gimple_stmt_iterator *gsi, int region)
{
	gsi_insert_after(gsi, located(psc_runtime_call(FN_BARRIER, region),
		gimple_location(gsi_stmt(*gsi))), GSI_NEW_STMT);
}

static void walk_for(gimple_stmt_iterator *gsi, struct walk w)
{
	gomp_for *stmt = as_a<gomp_for *>(gsi_stmt(*gsi));
	int kind = gimple_omp_for_kind(stmt);
	bool combined = gimple_omp_for_combined_into_p(stmt), cancels = false;
	int region = -1, around = w.parent;
	bool waits = !omp_find_clause(gimple_omp_for_clauses(stmt), OMP_CLAUSE_NOWAIT);

	w.construct = true;
	if (kind == GF_OMP_FOR_KIND_SIMD)
		w.sealed = true;
	if (!combined && kind == GF_OMP_FOR_KIND_FOR)
		region = add_region(REGION_WORKSHARE_DO, stmt, w);
	else if (!combined && kind == GF_OMP_FOR_KIND_TASKLOOP)
		region = add_region(REGION_TASK, stmt, w);
	else if (!combined && kind == GF_OMP_FOR_KIND_SIMD)
		region = add_region(REGION_LOOP, stmt, w);
	if (region >= 0) {
		/* gfortran gives the loop of a combined directive a location somewhere in its
		 * body. */
		psc.regions[region].line = w.combined ? psc.regions[w.parent].line :
			psc_pragma_line(psc.regions[region].file, psc.regions[region].line);
		w.parent = region;
		w.combined = false;
		psc.regions[region].marker = kind == GF_OMP_FOR_KIND_FOR && !w.sealed;
		if (kind == GF_OMP_FOR_KIND_SIMD)
			psc.regions[region].refuse = "parallel";
	}
	w.cancels = &cancels;
	walk_seq(gimple_omp_body_ptr(stmt), w);
	if (region < 0 || !psc.regions[region].marker)
		return;
	surround(gsi, region);
	if (!cancels && has_plain_wait(gimple_omp_for_clauses(stmt)))
		move_wait_outside(gsi, gimple_omp_for_clauses_ptr(stmt), around,
			gimple_location(stmt));
	if (waits)
		insert_barrier_hook(gsi, around);
}

static bool ends_in_wait(gimple *stmt)
{
	switch (gimple_code(stmt)) {
	case GIMPLE_OMP_SECTIONS:
		return !omp_find_clause(gimple_omp_sections_clauses(stmt), OMP_CLAUSE_NOWAIT);
	case GIMPLE_OMP_SINGLE:
		return !omp_find_clause(gimple_omp_single_clauses(stmt), OMP_CLAUSE_NOWAIT);
	default:
		return false;
	}
}

static void walk_construct(gimple_stmt_iterator *gsi, int type, struct walk w)
{
	gimple *stmt = gsi_stmt(*gsi);
	int region = add_region(type, stmt, w);
	bool cancels = false, waits = ends_in_wait(stmt);
	int around = w.parent;

	w.parent = region;
	w.construct = true;
	if (type == REGION_WORKSHARE_SECTIONS)
		w.cancels = &cancels;
	psc.regions[region].marker = !w.sealed;
	walk_seq(gimple_omp_body_ptr(stmt), w);
	if (w.sealed)
		return;
	surround(gsi, region);
	if (type == REGION_WORKSHARE_SECTIONS && !cancels &&
	    has_plain_wait(gimple_omp_sections_clauses(stmt)))
		move_wait_outside(gsi, gimple_omp_sections_clauses_ptr(stmt), around,
			gimple_location(stmt));
	if (waits)
		insert_barrier_hook(gsi, around);
}

/* One section.  Only the thread that executes it passes its body, so the markers are inside. */
static void walk_section(gimple *stmt, struct walk w)
{
	int region = add_region(REGION_SECTION, stmt, w);
	gimple_seq body, seq = NULL;

	w.parent = region;
	w.construct = true;
	walk_seq(gimple_omp_body_ptr(stmt), w);
	if (w.sealed)
		return;
	psc.regions[region].marker = true;
	body = gimple_omp_body(stmt);
	gimple_seq_add_stmt(&seq, psc_runtime_call(FN_ENTER, region));
	gimple_seq_add_seq(&seq, body);
	gimple_seq_add_stmt(&seq, psc_runtime_call(FN_EXIT, region));
	gimple_omp_set_body(stmt, seq);
}

/* --- calls ---------------------------------------------------------------------------------- */
static std::string callee_name(gcall *call)
{
	tree fn = gimple_call_fn(call);

	if (gimple_call_fndecl(call))
		return psc_function_name(gimple_call_fndecl(call));
	if (TREE_CODE(fn) == SSA_NAME)
		fn = SSA_NAME_VAR(fn);
	return fn && DECL_P(fn) && DECL_NAME(fn) && !DECL_ARTIFICIAL(fn) ?
		std::string("*") + IDENTIFIER_POINTER(DECL_NAME(fn)) : "*";
}

/* --- where control lands -------------------------------------------------------------------- */
static gcall *landed(int region, tree token)
{
	return gimple_build_call(psc_runtime_function(FN_LANDED), 3,
		build_fold_addr_expr(psc_runtime_unit()),
		build_int_cst(uint32_type_node, region), token);
}

/* { token = __psc_landing(); setjmp(…); __psc_landed(token); }  The bind makes the token private to
 * the body of a construct, which becomes a function.  Leaves the iterator on the bind. */
static void land_behind(gimple_stmt_iterator *gsi, int region)
{
	gimple *stmt = gsi_stmt(*gsi);
	location_t where = gimple_location(stmt);
	gcall *landing = gimple_build_call(psc_runtime_function(FN_LANDING), 0);
	tree token = token_variable();
	gbind *bind = gimple_build_bind(token, NULL, NULL);
	gimple_seq seq = NULL;

	gimple_call_set_lhs(landing, token);
	gsi_replace(gsi, bind, false);    /* first: a statement may be in one sequence only */
	gimple_seq_add_stmt(&seq, located(landing, where));
	gimple_seq_add_stmt(&seq, stmt);
	gimple_seq_add_stmt(&seq, located(landed(region, token), where));
	gimple_bind_set_body(bind, seq);
}

static void walk_catch(gcatch *stmt, struct walk w)
{
	gimple_stmt_iterator gsi;

	walk_seq(gimple_catch_handler_ptr(stmt), w);
	if (w.sealed || w.bare)
		return;
	gsi = gsi_start(*gimple_catch_handler_ptr(stmt));
	gsi_insert_before(&gsi, located(landed(w.parent, build_zero_cst(uint64_type_node)),
		gimple_location(stmt)), GSI_SAME_STMT);
}

/* __psc_wait; enter; statement; exit; then __psc_barrier if all threads of the team wait for each
 * other, else __psc_waited: a wait for tasks.  Leaves the iterator on the last. */
static void surround_wait(gimple_stmt_iterator *gsi, int region, int around, bool barrier)
{
	location_t where = gimple_location(gsi_stmt(*gsi));

	gsi_insert_before(gsi, located(psc_runtime_call(FN_WAIT, around), where), GSI_SAME_STMT);
	surround(gsi, region);
	gsi_insert_after(gsi, located(psc_runtime_call(barrier ? FN_BARRIER : FN_WAITED, around),
		where), GSI_NEW_STMT);
}

static void walk_taskwait(gimple_stmt_iterator *gsi, struct walk w)
{
	gimple *stmt = gsi_stmt(*gsi);
	bool ends_group = is_gimple_call(stmt) &&
		fndecl_built_in_p(gimple_call_fndecl(stmt), BUILT_IN_GOMP_TASKGROUP_END);
	int region = add_region(REGION_TASKWAIT, ends_group && w.group ? w.group : stmt, w);

	psc.regions[region].marker = !w.sealed && !w.bare;
	if (psc.regions[region].marker)
		surround_wait(gsi, region, w.parent, false);
}

static void walk_call(gimple_stmt_iterator *gsi, struct walk w)
{
	gcall *call = as_a<gcall *>(gsi_stmt(*gsi));
	enum psc_call kind = psc_call_class(call);
	tree fn = gimple_call_fndecl(call);
	int region;

	if (gimple_call_flags(call) & ECF_RETURNS_TWICE && !w.sealed && !w.bare) {
		land_behind(gsi, w.parent);
		return;
	}

	if (w.cancels && fn && (fndecl_built_in_p(fn, BUILT_IN_GOMP_CANCEL) ||
			fndecl_built_in_p(fn, BUILT_IN_GOMP_CANCELLATION_POINT)))
		*w.cancels = true;
	if (kind == CALL_TASKWAIT) {
		walk_taskwait(gsi, w);
		return;
	}
	if (kind == CALL_NONE || in_system_header_at(gimple_location(call)) ||
	    (kind == CALL_PLAIN && w.bare && DECL_COMDAT(current_function_decl)))
		return;
	region = add_region(kind == CALL_BARRIER ? REGION_BARRIER : REGION_CALL, call, w);
	if (kind != CALL_BARRIER)
		psc.regions[region].name = callee_name(call);
	psc.regions[region].marker = kind != CALL_PLAIN && !w.sealed && !w.bare;
	if (w.sealed || w.bare)
		return;
	/* pass psc_loops reads the nesting from all markers, then drops some */
	if (kind == CALL_BARRIER)
		surround_wait(gsi, region, w.parent, true);
	else
		surround(gsi, region);
}

/* --- the walk ------------------------------------------------------------------------------- */
static void walk_omp(gimple_stmt_iterator *gsi, struct walk w)
{
	gimple *stmt = gsi_stmt(*gsi);

	switch (gimple_code(stmt)) {
	case GIMPLE_OMP_PARALLEL:
		walk_team(gsi, REGION_PARALLEL, w);
		break;
	case GIMPLE_OMP_TASK:
		if (gimple_omp_task_taskwait_p(stmt))    /* taskwait depend */
			walk_taskwait(gsi, w);
		else
			walk_team(gsi, REGION_TASK, w);
		break;
	case GIMPLE_OMP_FOR:
		walk_for(gsi, w);
		break;
	case GIMPLE_OMP_SECTIONS:
		walk_construct(gsi, REGION_WORKSHARE_SECTIONS, w);
		break;
	case GIMPLE_OMP_SECTION:
		walk_section(stmt, w);
		break;
	case GIMPLE_OMP_SINGLE:
		walk_construct(gsi, REGION_SINGLE, w);
		break;
	case GIMPLE_OMP_MASTER:
#if GCCPLUGIN_VERSION >= 12000
	case GIMPLE_OMP_MASKED:
#endif
		walk_construct(gsi, REGION_MASTER, w);
		break;
	case GIMPLE_OMP_CRITICAL:
		walk_construct(gsi, REGION_CRITICAL, w);
		break;
	case GIMPLE_OMP_ORDERED:
		if (gimple_omp_body(stmt))   /* else a doacross dependence */
			walk_construct(gsi, REGION_ORDERED, w);
		break;
	case GIMPLE_OMP_TASKGROUP:
		w.group = stmt;
		w.construct = true;
		walk_seq(gimple_omp_body_ptr(stmt), w);
		break;
	case GIMPLE_OMP_TEAMS:
#if GCCPLUGIN_VERSION >= 12000
	case GIMPLE_OMP_SCOPE:
#endif
		w.construct = true;
		walk_seq(gimple_omp_body_ptr(stmt), w);
		break;
	default:     /* no hooks in target and accelerator code, scan, atomic */
		break;
	}
}

static void walk_stmt(gimple_stmt_iterator *gsi, struct walk w)
{
	gimple *stmt = gsi_stmt(*gsi);

	switch (gimple_code(stmt)) {
	case GIMPLE_CALL:
		walk_call(gsi, w);
		break;
	case GIMPLE_BIND:
		walk_seq(gimple_bind_body_ptr(as_a<gbind *>(stmt)), w);
		break;
	case GIMPLE_TRY:
		walk_seq(gimple_try_eval_ptr(stmt), w);
		walk_seq(gimple_try_cleanup_ptr(stmt), w);
		break;
	case GIMPLE_CATCH:
		walk_catch(as_a<gcatch *>(stmt), w);
		break;
	case GIMPLE_EH_FILTER:
		walk_seq(gimple_eh_filter_failure_ptr(stmt), w);
		break;
	case GIMPLE_EH_ELSE:
		walk_seq(gimple_eh_else_n_body_ptr(as_a<geh_else *>(stmt)), w);
		walk_seq(gimple_eh_else_e_body_ptr(as_a<geh_else *>(stmt)), w);
		break;
	default:
		if (is_gimple_omp(stmt))
			walk_omp(gsi, w);
	}
}

static void walk_seq(gimple_seq *seq, struct walk w)
{
	for (gimple_stmt_iterator i = gsi_start(*seq); !gsi_end_p(i); gsi_next(&i)) {
		if (!psc_user_region(&i, &w.parent, !w.construct, w.sealed || w.bare))
			walk_stmt(&i, w);
		w.parent = psc_user_region_around(w.parent);
	}
}

/* --- dummy arguments ------------------------------------------------------------------------ */
/* Parameters that a statement indexes or dereferences. */
static tree note_deref(tree *tp, int *, void *data)
{
	struct walk_stmt_info *wi = static_cast<struct walk_stmt_info *>(data);
	std::set<tree> *seen = static_cast<std::set<tree> *>(wi->info);

	if ((TREE_CODE(*tp) == MEM_REF || INDIRECT_REF_P(*tp)) &&
	    TREE_CODE(TREE_OPERAND(*tp, 0)) == PARM_DECL)
		seen->insert(TREE_OPERAND(*tp, 0));
	return NULL_TREE;
}

static tree note_offset(gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
	std::set<tree> *seen = static_cast<std::set<tree> *>(wi->info);
	gimple *stmt = gsi_stmt(*gsi);

	*handled = false;
	if (is_gimple_assign(stmt) && gimple_assign_rhs_code(stmt) == POINTER_PLUS_EXPR &&
	    TREE_CODE(gimple_assign_rhs1(stmt)) == PARM_DECL)
		seen->insert(gimple_assign_rhs1(stmt));
	return NULL_TREE;
}

/* Finds the statement that computes `var`, also in binds and try blocks: the prologue of a Fortran
 * procedure computes the sizes of its arrays. */
static bool find_def(gimple_seq *seq, tree var, gimple_stmt_iterator *at)
{
	for (gimple_stmt_iterator i = gsi_start(*seq); !gsi_end_p(i); gsi_next(&i)) {
		gimple *stmt = gsi_stmt(i);

		if (gimple_has_lhs(stmt) && gimple_get_lhs(stmt) == var) {
			*at = i;
			return true;
		}
		if (gbind *bind = dyn_cast<gbind *>(stmt)) {
			if (find_def(gimple_bind_body_ptr(bind), var, at))
				return true;
		} else if (gimple_code(stmt) == GIMPLE_TRY) {
			if (find_def(gimple_try_eval_ptr(stmt), var, at))
				return true;
		}
	}
	return false;
}

static tree add_dummy(tree parm, int region, uint64_t size)
{
	struct psc_dummy_entry d = {
		IDENTIFIER_POINTER(DECL_NAME(parm)), region, psc.regions[region].line, size };

	psc.dummies.push_back(d);
	return build_int_cst(uint32_type_node, psc.dummies.size() - 1);
}

/* The bind hooks of a subroutine. */
struct binds {
	gimple_seq *body;           /* its statements */
	gimple_seq first;           /* hooks in front of them */
	auto_vec<tree> sized;       /* dummies whose addresses one __psc_bind_all() passes */
};

/* A dummy whose size the statement at the iterator computes: inserts its hook behind the
 * statement. */
static void bind_behind(tree parm, int region, gimple_stmt_iterator *at, tree size)
{
	tree bytes = create_tmp_var(uint64_type_node);
	gimple_seq seq = NULL;

	gimple_seq_add_stmt(&seq, gimple_build_assign(bytes, NOP_EXPR, size));
	gimple_seq_add_stmt(&seq, gimple_build_call(psc_runtime_function(FN_BIND), 4,
		build_fold_addr_expr(psc_runtime_unit()), add_dummy(parm, region, PSC_SIZE_TOLD),
		parm, bytes));
	gsi_insert_seq_after(at, seq, GSI_SAME_STMT);
}

static void bind(tree parm, int region, struct binds *b, tree size)
{
	gimple_stmt_iterator at;

	if (size && !TREE_CONSTANT(size) && DECL_P(size) && find_def(b->body, size, &at)) {
		bind_behind(parm, region, &at, size);
		return;
	}
	add_dummy(parm, region, size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0);
	b->sized.safe_push(parm);
}

static void bind_parameter(tree parm, int region, struct binds *b, const std::set<tree> &seen)
{
	tree type = TREE_TYPE(parm), pointee;

	if (!DECL_NAME(parm) || !POINTER_TYPE_P(type) || TREE_ADDRESSABLE(parm) ||
	    (DECL_ARTIFICIAL(parm) && !psc_is_descriptor(TREE_TYPE(type))))
		return;
	pointee = TREE_TYPE(type);
	if (psc_is_descriptor(pointee)) {
		gimple_seq_add_stmt(&b->first, gimple_build_call(
			psc_runtime_function(FN_BIND_DESCRIPTOR), 3,
			build_fold_addr_expr(psc_runtime_unit()),
			add_dummy(parm, region, PSC_SIZE_TOLD), parm));
	} else if (TREE_CODE(pointee) == ARRAY_TYPE && !TYPE_STRING_FLAG(pointee)) {
		bind(parm, region, b, TYPE_SIZE_UNIT(pointee));
	} else if (psc_is_fortran() || TREE_CODE(pointee) == FUNCTION_TYPE) {
		return;
	} else if (TREE_CODE(type) == REFERENCE_TYPE) {
		if (AGGREGATE_TYPE_P(pointee) && COMPLETE_TYPE_P(pointee))
			bind(parm, region, b, TYPE_SIZE_UNIT(pointee));
	} else if (seen.count(parm)) {
		bind(parm, region, b, NULL_TREE);
	}
}

static void bind_parameters(tree fndecl, int region, gimple_seq *body, gimple_seq *first)
{
	struct binds b = { body, NULL, {} };
	std::set<tree> seen;
	struct walk_stmt_info wi;

	memset(&wi, 0, sizeof wi);
	wi.info = &seen;
	if (!psc_is_fortran())
		walk_gimple_seq(*body, note_offset, note_deref, &wi);
	for (tree parm = DECL_ARGUMENTS(fndecl); parm; parm = DECL_CHAIN(parm))
		bind_parameter(parm, region, &b, seen);
	if (!b.sized.is_empty()) {
		b.sized.safe_insert(0, build_int_cst(uint32_type_node, region));
		b.sized.safe_insert(0, build_fold_addr_expr(psc_runtime_unit()));
		gimple_seq_add_stmt(first, gimple_build_call_vec(psc_runtime_function(FN_BIND_ALL),
			b.sized));
	}
	gimple_seq_add_seq(first, b.first);
}

/* --- the subroutine ------------------------------------------------------------------------- */
static int add_subroutine(tree fndecl)
{
	struct psc_place place = psc_place_of(DECL_SOURCE_LOCATION(fndecl));
	int region = psc_region_add(REGION_SUB, -1, place.file, place.line);
	struct psc_region *r = &psc.regions[region];
	struct psc_place end = psc_place_of(cfun->function_end_locus);
	const char *symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(fndecl));

	r->name = psc_function_name(fndecl);
	if (r->name != symbol && !(psc_is_cxx() && DECL_COMDAT(fndecl) &&
	    psc_function_light(fndecl)))
		r->symbol = symbol[0] == '*' ? symbol + 1 : symbol;
	r->program = psc_is_fortran() && strcmp(symbol, "MAIN__") == 0;
	if (r->program && r->name == "MAIN__")
		r->name = "main";
	r->end = end.file == place.file ? MAX(end.end, place.line) : place.line;
	psc.subroutines[DECL_UID(fndecl)] = region;
	return region;
}

static void declare_arrays(tree fndecl, int region)
{
	unsigned i;
	tree var;

	for (tree parm = DECL_ARGUMENTS(fndecl); parm; parm = DECL_CHAIN(parm)) {
		struct psc_array a = { "", "", "dummy", "", 0, 0, 0, false };
		tree type = TREE_TYPE(parm);

		if (POINTER_TYPE_P(type) && (psc_is_fortran() || !DECL_ARTIFICIAL(parm)) &&
		    (TREE_CODE(TREE_TYPE(type)) == ARRAY_TYPE ||
		    psc_is_descriptor(TREE_TYPE(type))) && !TYPE_STRING_FLAG(TREE_TYPE(type)) &&
		    psc_describe_decl(parm, &a))
			psc.regions[region].arrays.push_back(a);
	}
	FOR_EACH_LOCAL_DECL(cfun, i, var) {
		struct psc_array a = { "", "", "local", "", 0, 0, 0, false };

		if (VAR_P(var) && !DECL_ARTIFICIAL(var) &&
		    TREE_CODE(TREE_TYPE(var)) == ARRAY_TYPE && psc_describe_decl(var, &a))
			psc.regions[region].arrays.push_back(a);
	}
}

/* gfortran makes one variable of a COMMON block, whatever names the routines give its members: a
 * routine's name is a variable with a DECL_VALUE_EXPR, which is a component of the block. */
static void note_common(tree var, int region)
{
	tree value, field, block, bytes, element;

	if (!VAR_P(var) || !DECL_NAME(var) || !DECL_HAS_VALUE_EXPR_P(var))
		return;
	value = DECL_VALUE_EXPR(var);
	if (TREE_CODE(value) != COMPONENT_REF)
		return;
	block = TREE_OPERAND(value, 0);
	field = TREE_OPERAND(value, 1);
	bytes = TYPE_SIZE_UNIT(TREE_TYPE(field));
	element = TYPE_SIZE_UNIT(psc_element(TREE_TYPE(field)));
	if (!VAR_P(block) || !psc_is_common(block) || !bytes || !tree_fits_uhwi_p(bytes) ||
	    !tree_fits_uhwi_p(element) || !tree_fits_shwi_p(DECL_FIELD_OFFSET(field)))
		return;
	psc.commons[IDENTIFIER_POINTER(DECL_NAME(block))].push_back({
		IDENTIFIER_POINTER(DECL_NAME(var)), int_byte_position(field),
		tree_to_uhwi(bytes), (unsigned)tree_to_uhwi(element), DECL_SOURCE_LINE(var),
		region });
}

static void note_commons(gbind *outer, int region)
{
	if (psc_is_fortran())
		for (tree var = gimple_bind_vars(outer); var; var = DECL_CHAIN(var))
			note_common(var, region);
}

static void mark_subroutine(tree fndecl, gbind *outer, int region)
{
	gimple_seq first = NULL, binds = NULL, last = NULL, body = gimple_bind_body(outer);

	psc.regions[region].marker = psc.regions[region].phase = true;
	bind_parameters(fndecl, region, &body, &binds);
	gimple_seq_add_stmt(&first, psc_runtime_call(FN_PHASE_BEGIN, region));
	gimple_seq_add_stmt(&first, psc_runtime_call(FN_ENTER, region));
	gimple_seq_add_seq(&first, binds);
	gimple_seq_add_stmt(&last, psc_runtime_call(FN_EXIT, region));
	gimple_seq_add_stmt(&last, psc_runtime_call(FN_PHASE_END, region));
	gimple_bind_set_body(outer, with_finally(first, body, last));
}

namespace {
const pass_data regions_data = {
	GIMPLE_PASS, "psc_regions", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0
};

class regions_pass : public gimple_opt_pass {
public:
	regions_pass(gcc::context *ctx) : gimple_opt_pass(regions_data, ctx) {}
	unsigned int execute(function *fun) final override
	{
		tree fndecl = fun->decl;
		gimple_seq body = gimple_body(fndecl);
		gbind *outer = body ? dyn_cast<gbind *>(gimple_seq_first_stmt(body)) : NULL;
		bool light = psc_function_light(fndecl);
		int region;

		if (!outer || !psc_function_wanted(fndecl) || !DECL_SOURCE_LINE(fndecl))
			return 0;
		region = add_subroutine(fndecl);
		declare_arrays(fndecl, region);
		note_commons(outer, region);
		psc_user_regions_note(body);
		struct walk w = { region, false, psc_function_simd(fndecl), light, false, NULL,
			NULL };
		walk_seq(gimple_bind_body_ptr(outer), w);
		if (light)
			psc.regions[region].refuse = "light";
		else
			mark_subroutine(fndecl, outer, region);
		return 0;
	}
};
}

opt_pass *psc_pass_regions(gcc::context *ctx)
{
	return new regions_pass(ctx);
}
