/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares what the plugin's passes share, and includes GCC's headers in the order that they need:
 * every source of the plugin includes this file first.  docs/instrumenter.md defines the terms. */
#ifndef PSC_INSTRUMENT_PSCPLUGIN_H
#define PSC_INSTRUMENT_PSCPLUGIN_H

#define INCLUDE_STRING
#define INCLUDE_VECTOR
#define INCLUDE_MAP
#define INCLUDE_SET
#define INCLUDE_ALGORITHM
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "context.h"
#include "function.h"
#include "basic-block.h"
#include "cfghooks.h"
#include "cfgloop.h"
#include "cfganal.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "gimple-expr.h"
#include "cgraph.h"
#include "ssa.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-into-ssa.h"
#include "tree-inline.h"
#include "tree-iterator.h"
#include "tree-ssa-address.h"
#include "stringpool.h"
#include "attribs.h"
#include "langhooks.h"
#include "diagnostic-core.h"
#include "diagnostic.h"
#include "fold-const.h"
#include "stor-layout.h"
#include "varasm.h"
#include "output.h"
#include "builtins.h"
#include "calls.h"
#include "options.h"
#include "opts.h"
#include "toplev.h"
#include "input.h"
#include "internal-fn.h"
#include "target.h"
#include "tree-affine.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-niter.h"
#include "tree-scalar-evolution.h"
#include "omp-general.h"

#include "instrument/compat.h"
#define PSC_ABI_NO_TLS
#include "base/abi.h"
#include "base/region.h"
#include "base/utf8.h"

/* --- the compile unit --------------------------------------------------------------------------
 * Strings and numbers only: trees live in GCC's garbage-collected heap, and only the roots in
 * runtime_symbols.cc keep them alive. */
/* INDEXED: psc_indexed_by_load() */
enum { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_INDEXED = 4 };

struct psc_array {
	std::string name;
	std::string scope;   /* COMMON block, module */
	const char *klass;   /* the SIR attribute "class" */
	const char *type;    /* the SIR attribute "type" */
	long nelts;          /* 0 unknown */
	int line;            /* of the declaration, 0 unknown */
	int access;          /* ACCESS_* */
	bool scalar;         /* declared as one element or a pointer to it */
};

/* A member of a record type; one of a nested struct is called "pos.x". */
struct psc_record_member {
	std::string name;
	unsigned at, size;   /* bits */
};

/* The members that a region uses of the elements of an array of structs. */
struct psc_record {
	std::string type;    /* its name */
	std::string array;   /* as psc_array has it; "" unknown */
	unsigned size;       /* bytes */
	unsigned members;    /* of the type */
	std::vector<psc_record_member> used;
};

/* Copies that the statements of a region make. */
struct psc_copy {
	std::string of;      /* "argument": by value; "section": of an array, into a temporary;
			      * "object"; "block": memcpy, assignment */
	std::string callee;  /* that an argument or a section is for; "" unknown */
	int line;            /* 0 unknown */
};

struct psc_region {
	int type;            /* enum region_type */
	int parent;          /* index, -1 for a subroutine */
	std::string file;
	int line;
	int end;
	std::string name;
	std::string symbol;  /* subroutines: assembler name where it differs */
	bool program;        /* the Fortran main program */
	bool marker;         /* has enter and exit hooks */
	bool phase;          /* has phase boundaries */
	bool sealed;         /* no hook may be inserted inside (simd) */
	const char *refuse;  /* why the region cannot be a phase; NULL: it can */
	std::set<std::string> math;     /* functions of the mathematical library that it calls
					 * itself */
	bool unrecorded;     /* a phase loop whose own accesses are not recorded in a running
			      * activation */
	std::vector<psc_array> arrays;
	std::vector<psc_record> records;
	std::vector<psc_copy> copies;
};

struct psc_dummy_entry {
	std::string name;
	int region;
	int line;
	uint64_t size;       /* bytes, 0 unknown; or PSC_SIZE_TOLD */
};

/* A member of a COMMON block, as one routine declares it. */
struct psc_member_entry {
	std::string name;
	HOST_WIDE_INT at;    /* byte offset in the block */
	unsigned HOST_WIDE_INT bytes;
	unsigned elem, line;
	int region;          /* of the declaring routine; -1: none */
};

struct psc_phase_request {
	std::string file;
	int line;
};

struct psc_plugin {
	std::vector<psc_region> regions;
	std::vector<psc_dummy_entry> dummies;
	std::map<std::string, std::vector<psc_member_entry>> commons;    /* by the block's symbol */
	std::vector<psc_phase_request> phases;   /* --phase=FILE:LINE */
	std::vector<std::string> excluded;       /* --exclude=FILE|FUNCTION */
	/* Keyed by DECL_UID of a function. */
	std::map<unsigned, int> subroutines;     /* its region */
	std::map<unsigned, bool> trivial;        /* marker_selection.cc */
	std::map<unsigned, bool> light;          /* marker_selection.cc */
	std::set<unsigned> recursive;            /* calls itself, maybe through others of the
						  * unit */
	std::map<unsigned, bool> allocates;      /* allocations.cc */
	std::set<std::pair<std::string, int>> sections;      /* file, line: where sections of arrays
							      * are copied (copies.cc) */
	bool attach;         /* the program may be analysed from within a loop on: small functions
			      * keep their loops' hooks */
	bool plain;          /* tests: one group for each access, no loop records */
};
extern struct psc_plugin psc;

int psc_region_add(int type, int parent, const std::string &file, int line);

/* --- source_place.cc: the lines where statements begin and end in the source ---------------- */
struct psc_place {
	std::string file;
	int line;            /* 0: unknown */
	int end;
};
bool psc_is_fortran(void);
bool psc_is_cxx(void);
struct psc_place psc_place_of(location_t where);
/* First line of the loop whose test is at `test` and whose body begins at `body`. */
int psc_loop_line(const std::string &file, int test, int body);
/* Line of the pragma directly above `line`, else `line`: g++ locates a construct at its loop. */
int psc_pragma_line(const std::string &file, int line);
/* Last line of the region of that type that starts at `line`; `last` is its last statement's. */
int psc_block_end(const std::string &file, int type, int line, int last);

/* --- source_names.cc: source names of functions, declarations and accesses ------------------ */
typedef std::map<tree, gimple *> psc_defs;   /* variables with exactly one definition */
std::string psc_function_name(tree fndecl);
const char *psc_element_type(tree type);
tree psc_element(tree type);
long psc_element_count(tree type);
bool psc_is_descriptor(tree type);
bool psc_is_common(tree var);
std::string psc_common_name(tree var);
std::string psc_module_name(tree decl);
/* Fill `out`.  psc_describe_access() and _pointer() return false for a scalar or an unknown array,
 * psc_describe_decl() for a declaration without a name. */
bool psc_describe_access(tree ref, const psc_defs &defs, struct psc_array *out);
bool psc_describe_pointer(tree pointer, const psc_defs &defs, struct psc_array *out);
bool psc_describe_decl(tree decl, struct psc_array *out);

/* --- index_loads.cc: addresses that are computed from elements of arrays ---------------------- */
bool psc_indexed_by_load(tree ref, const psc_defs &defs);    /* as in a[idx[i]] */

/* --- copies.cc: what statements copy ---------------------------------------------------------- */
/* Notes the copies of the statement with its region, and the lines of those
 * of sections.  Before SSA. */
void psc_copies_note(gimple *stmt, int region, const psc_defs &defs);
/* Does the loop nothing but copy the section of an array? */
bool psc_copies_section(class loop *loop);
/* Is it a call of memcpy(), memmove(), mempcpy() or bcopy()?  The third
 * argument is the number of bytes. */
bool psc_copies_bytes(gimple *stmt);
unsigned psc_copies_to(gimple *stmt);   /* which of the first two arguments of such a call is the
					 * destination */
bool psc_sets_bytes(gimple *stmt);      /* Is it a call of memset()? */

/* --- record_types.cc: the members of structs that an access uses ------------------------------ */
/* Fills `out` but for `array`.  False: `ref` names no part of an element of an array of structs. */
bool psc_describe_record(tree ref, struct psc_record *out);
/* As psc_describe_record, for a copy of bytes through a pointer: it uses all
 * members of what is there. */
bool psc_describe_records_at(tree pointer, const psc_defs &defs, struct psc_record *out);
/* Adds r, or its members to those of the same type and array. */
void psc_record_add(std::vector<psc_record> *records, const struct psc_record &r);

/* --- user_regions.cc: regions that the program marks with
 * psc_phase_begin() and psc_phase_end() -- */
int psc_user_function(tree fndecl);      /* is it one of the two?  Else 0. */
/* Before the walk through a function: notes the names that it ends. */
void psc_user_regions_note(gimple_seq body);
/* If the statement is such a call, puts hooks in its place and sets *parent to the region behind
 * it.
 * serial: outside of constructs; silent: without hooks. */
bool psc_user_region(gimple_stmt_iterator *gsi, int *parent, bool serial, bool silent);
/* The region, or what is around it if it has been ended. */
int psc_user_region_around(int region);

/* --- marker_selection.cc: which functions and calls get markers ----------------------------- */
/* Matches a pattern of --exclude; sets the attribute no_instrument_function. */
bool psc_function_excluded(tree fndecl);
bool psc_function_wanted(tree fndecl);
bool psc_function_simd(tree fndecl);     /* has vector versions that a simd loop calls */
bool psc_function_trivial(tree fndecl);
bool psc_function_light(tree fndecl);    /* has no markers; every trivial function is light */
/* A library function that a spin loop calls and that neither records nor calls back.  Such a call
 * has no marker, so that the loop stays innermost and one loop record describes the wait. */
bool psc_function_waits(tree fndecl);
bool psc_function_internal(tree fndecl); /* part of the compiler's run-time libraries, or ours */
enum psc_call { CALL_NONE, CALL_PLAIN, CALL_MARKED, CALL_BARRIER, CALL_TASKWAIT };
/* Does gfortran's library copy a section of an array, or back to it, for a call? */
bool psc_packs_section(gimple *stmt);
enum psc_call psc_call_class(gcall *call);
/* Before omplower: does nothing but the return of its value follow the call? */
bool psc_call_is_tail(gimple_stmt_iterator call);

/* --- node_types.cc: types whose memory consists of linked nodes ------------------------------- */
/* Of a container, or of a struct that points to its own type; also through
 * pointers, references and arrays. */
enum psc_nodes psc_nodes_of(tree type);

/* --- destinations.cc: the variable that a value is finally stored in ------------------------ */
struct psc_values {                     /* of one function, before omplower */
	psc_defs defs;                      /* NULL: several definitions */
	std::vector<std::pair<tree, tree>> copies;    /* destination, source */
	std::multimap<tree, tree> stored;   /* temporary: where its value is copied to */
	std::multimap<tree, tree> offset;   /* temporary: where its value plus a constant is copied
					     * to */
	std::set<tree> returned;            /* variables whose value the function returns */
};
struct psc_destination {
	std::string name;                   /* "" unknown */
	std::string scope;                  /* function, module or class */
	tree descriptor;                    /* static, of gfortran; or NULL_TREE */
	unsigned elem;                      /* bytes of one element; 0 unknown */
	bool handed_on;                     /* the function passes the value on to its caller */
	bool global;
	std::string record;                 /* the element's type, if it is a struct of the
					     * program */
	enum psc_nodes nodes;               /* that the block is, by the variable's type */
	unsigned made;                      /* PSC_SITE_AUTOMATIC, PSC_SITE_TEMPORARY, or 0 */
};
void psc_values_find(struct psc_values *v, gimple_seq body, tree fndecl);
/* Bytes of an element behind a pointer of that type; 0 unknown, or no pointer. */
unsigned psc_element_size(tree type);
struct psc_destination psc_destination_of(const struct psc_values &v, tree t);
bool psc_is_template(tree type);        /* an instance of a class template */
/* Makes it a structure of its own, named by the type, for single records of that type. */
void psc_destination_record(struct psc_destination *d);

/* --- allocations.cc ------------------------------------------------------------------------- */
bool psc_may_allocate(tree fndecl);

/* --- local_arrays.cc ------------------------------------------------------------------------ */
void psc_local_arrays(gimple_seq body, unsigned region);    /* of the current function */

/* --- runtime_symbols.cc: declarations of libpscmon's symbols for the emitted code ----------- */
enum psc_function {
	/* Up to FN_PHASE_END: the arguments begin with a unit and a region. */
	FN_ENTER, FN_EXIT, FN_FORK, FN_TEAM_ENTER, FN_WAIT, FN_BARRIER, FN_WAITED, FN_BIND_ALL,
	FN_PHASE_BEGIN, FN_PHASE_CALL, FN_PHASE_NEXT, FN_PHASE_END,
	FN_BIND, FN_BIND_DESCRIPTOR, FN_LANDING, FN_LANDED, FN_FLUSH, FN_SIGNAL_BEGIN,
	FN_SIGNAL_END, FN_START, FN_UNREGISTER,
	FN_MARK_ENTER, FN_MARK_EXIT, FN_MARK_STEP, FN_MARK_FORK, FN_FORK_BEGIN, FN_MARK_TEAM,
	FN_MARK_WAIT, FN_MARK_BARRIER, FN_MARK_WAITED,
	FN_MARK_BEGIN, FN_MARK_CALL,
	FN_MARK_NEXT, FN_MARK_END, FN_MARK_VOID, FN_SUB_BEGIN, FN_SUB_END, FN_LOOP_BEGIN,
	FN_LOOP_END, FN_LOOP_VOID, FN_MARK_CLOSE, FN_SUB_CLOSE, FN_MARK_BIND, FN_ENTER_BIND,
	FN_SUB_BIND,
	/* From here on: the hooks read and write no memory of the program. */
	FN_ALLOCATED,
	FN_RELEASED, FN_SCOPE_BEGIN, FN_SCOPE_END, FN_DEEP,
	/* No function of libpscmon: a placeholder that becomes a load (version_tests.cc). */
	FN_MARKED,
	FN_COUNT
};
void psc_runtime_init(const char *plugin_name);
tree psc_runtime_function(enum psc_function which);
tree psc_runtime_recording(void);
tree psc_runtime_live(void);
tree psc_runtime_heap(void);
tree psc_runtime_critical_lock(void);
tree psc_runtime_atomic_lock(void);
tree psc_runtime_lock_used(bool atomic); /* one of them; NULL_TREE: the unit does not use it */
tree psc_runtime_cur(void);
tree psc_runtime_end(void);
tree psc_runtime_unit(void);            /* the unit's struct psc_unit, made at first use */
tree psc_runtime_scalars(void);         /* the table of scalars, to be defined later */
tree psc_runtime_scalars_wanted(void);  /* the same; NULL_TREE: nothing refers to it */
tree psc_runtime_unit_finish(unsigned nregions);   /* once all regions are known */
gcall *psc_runtime_call(enum psc_function which, int region);  /* FN_PHASE_END: not from the
							        * header */
gcall *psc_phase_end_call(int region, bool from_header);
/* By declaration, before link-time optimisation only. */
bool psc_runtime_is(gimple *stmt, enum psc_function which);
/* By name, also in code read from objects.  FN_COUNT: a call of none of them, or no call. */
enum psc_function psc_runtime_which(gimple *stmt);
enum psc_function psc_runtime_named(tree fndecl);    /* NULL_TREE gives FN_COUNT */
tree psc_runtime_record(const char *name, const char *const *fields, const tree *types, int n);

/* --- hook_merging.cc: calls by struct psc_mark, several hooks in one ------------------------ */
bool psc_hooks_merge(function *fun);    /* true: the function has hooks */
/* A hook behind which PSC_SLACK_WORDS words fit into the thread's record buffer. */
bool psc_hook_checks_buffer(gimple *stmt);

/* --- sir_text.cc, unit_data.cc -------------------------------------------------------------- */
uint64_t psc_hash(uint64_t hash, const std::string &text);
#define PSC_HASH_START 0xcbf29ce484222325ull
std::string psc_sir_text(uint64_t *hash);
void psc_unit_emit(void);
void psc_scalars_emit(void);            /* behind all code */
std::string psc_scope_of(tree decl);
struct psc_site_entry {
	std::string name, scope, file;      /* "" none */
	tree descriptor;
	unsigned region;
	int line;
	unsigned elem, flags;
};
tree psc_site_make(const struct psc_site_entry &site);  /* the address of its struct psc_site */

/* --- function_versions.cc ------------------------------------------------------------------- */
#define PSC_CLONE_ATTRIBUTE "psc_inst"       /* recording versions */
#define PSC_VERSION_ATTRIBUTE "psc_version"  /* recording versions and marker versions */
#define PSC_TESTED_ATTRIBUTE "psc_tested"    /* functions that begin with __psc_marked() */
typedef std::map<tree, tree> psc_clones;     /* a function's declaration: its recording version's */
void psc_versions_make(void);
/* Makes the copy of a function local; alone: it must not be inlined. */
void psc_version_local(cgraph_node *clone, tree attributes, bool alone);
/* A copy that runs natively: GCC may change its parameters where it may change the function's. */
cgraph_node *psc_version_native(cgraph_node *node, const char *suffix);
/* Adds the branch `return version(args);` to `test`, which ends in a condition.
 * signals: adds __psc_signal_begin() and _end() where the function may be a signal handler. */
void psc_call_version(basic_block test, tree fndecl, tree version, bool signals);
/* The function whose version a call may be redirected to: aliases resolved; NULL for a call
 * through a pointer. */
tree psc_called(gimple *call);
/* Redirects the blocks' calls of functions to their recording versions. */
void psc_redirect_calls(const std::vector<basic_block> &blocks, const psc_clones &clones);
/* all calls of the function */
void psc_redirect_all(cgraph_node *node, const psc_clones &clones);
/* The same to copies without a dispatch, but for calls that may be recorded only through it. */
void psc_redirect_native(cgraph_node *node, const psc_clones &names);

/* --- unclonable.cc: functions that must not be duplicated ----------------------------------- */
bool psc_asm_defines_symbol(gimple *stmt);
std::set<tree> psc_unclonable_functions(void);

/* --- marker_callees.cc: the unit's marker versions, and what they call --------------------- */
struct psc_marker_versions {
	/* the functions that can have versions */
	std::vector<cgraph_node *> all;
	/* of a local function with one call; else NULL */
	std::map<cgraph_node *, cgraph_node *> only_caller;
	/* Of a function that GCC may inline because it has few calls; else empty. */
	std::map<cgraph_node *, std::vector<cgraph_node *>> few_callers;
	/* of the functions that have one */
	std::map<cgraph_node *, cgraph_node *> versions;
	/* that run natively, and call each other */
	std::map<cgraph_node *, cgraph_node *> copies;
	/* Of functions without a version: what marker versions call, and these copies. */
	std::map<cgraph_node *, cgraph_node *> marked_copies;
};
/* Before any version is made: versions are callers, too. */
psc_marker_versions psc_marker_versions_survey(const std::vector<cgraph_node *> &all);
void psc_marker_versions_make(psc_marker_versions *m);
/* Adds the versions and copies of functions that have clones. */
void psc_marker_versions_add(const psc_marker_versions &m, psc_clones *clones);
/* Redirects the calls of marker versions and of clones. */
void psc_marker_versions_redirect(const psc_marker_versions &m,
	const std::vector<cgraph_node *> &clones);

/* --- marker_version.cc: a separate version of a function with its markers ------------------- */
/* The marker version; the node's own body loses its markers.  NULL: it keeps them. */
cgraph_node *psc_marker_version_make(cgraph_node *node);
/* A copy of a local function for its only caller, which has a marker version. */
cgraph_node *psc_marker_version_of_callee(cgraph_node *node);
bool psc_is_marker(gimple *stmt);       /* enter, exit, landed, bind, subroutine boundary */
void psc_marker_remove(gimple *stmt);
/* Last: marks the calls of versions at the function's entry as tail calls. */
void psc_version_jumps(function *fun);

/* --- native_calls.cc: which functions may have lost hooks by inlining ------------------------ */
void psc_native_calls_survey(void);     /* of the call graph, before functions are duplicated */
/* The function's native version loses the hooks: boundaries of loops and of what was inlined into
 * it.
 * region: its own; -1: none. */
void psc_native_calls_lost(cgraph_node *node, int region, const std::vector<gimple *> &hooks);
std::string psc_native_calls_text(void);        /* the list for struct psc_tables */

/* --- version_tests.cc: the tests that call marker versions ---------------------------------- */
/* Before isel: replaces __psc_marked() by loads of psc_mark.marked. */
void psc_marked_loads(function *fun);

/* --- tail_calls.cc -------------------------------------------------------------------------- */
/* A tail call that may begin a chain of unknown length, which needs no stack natively. */
bool psc_tail_call_may_recur(gimple *stmt);
/* Duplicates all such calls of the function: one with markers, one as a jump behind the exits.
 * natively: the function also runs while nothing is measured. */
void psc_tail_calls_duplicate(cgraph_node *node, int region, bool natively);

/* --- hook_guards.cc ------------------------------------------------------------------------- */
/* The byte of psc_unit.phase that holds the region's bit. */
tree psc_phase_byte(tree unit, unsigned region);
tree psc_unit_field(tree unit, tree type, unsigned at);   /* at byte `at` of the struct psc_unit */

/* --- loop_versions.cc: a recording version of each loop that can be the phase --------------- */
/* cfun's blocks that are in no loop that can be the phase. */
std::vector<basic_block> psc_blocks_outside_phase_loops(void);
/* Works on cfun.  undispatched: recording versions that only direct calls reach; clones: those that
 * recording loop bodies call.  True: changed, the call graph's edges must be rebuilt. */
bool psc_loop_versions_make(const psc_clones &undispatched, const psc_clones &clones);
/* Has the block accesses of its own, or a call of a function without a dispatch? */
bool psc_block_records(basic_block bb, const psc_clones &undispatched);
/* A loop that can be the phase cannot be copied: callees must have a dispatch of their own. */
bool psc_loop_versions_refused(function *fun);
bool psc_has_fences(function *fun);
/* Removes the fences; sets records[i] for each block i that is between "on" and "off". */
void psc_recorded_blocks(std::vector<bool> *records);

/* The name of the variables for __psc_fork()'s result, and of the captured fields that pass it on.
 * The blank keeps it apart from all names of the program. */
#define PSC_TOKEN "psc token"

/* --- statement_accesses.cc: the memory accesses of a statement ------------------------------ */
struct psc_access {
	gimple *stmt;
	tree ref;        /* the accessed object; NULL_TREE: see pointer */
	tree pointer;
	tree length;     /* ranges: bytes; NULL_TREE otherwise */
	unsigned size;
	unsigned kind;   /* enum psc_access_kind */
	tree when = NULL_TREE;   /* masked lane: condition under which the access is made */
	bool copy = false;       /* load range: the next access is the store range that it is copied
				  * to */
	bool lock = false;       /* by a library: the lock that a call names (lock_calls.cc) */
};

typedef std::vector<psc_access> psc_accesses;
void psc_accesses_of(psc_accesses *list, gimple *stmt);
/* The part of `ref` that has an address, and the access's byte offset and size from there. */
tree psc_access_part(tree ref, unsigned HOST_WIDE_INT *offset, unsigned HOST_WIDE_INT *size);
/* May the callee record?  Then it advances psc_cur and uses up buffer space. */
bool psc_may_record(gimple *stmt);
/* Does the call pass an address to a library, which may read there, and what it was passed before?
 * False where its accesses are known. */
bool psc_library_reads(gimple *stmt);
/* A function of the C library on memory, strings or the heap: another unit of the program may
 * define its own, which may record. */
bool psc_may_be_own(gimple *stmt);

/* --- lock_calls.cc: calls of functions that lock and unlock ---------------------------------- */
bool psc_is_lock_call(tree fndecl);      /* NULL_TREE: false */
/* Adds what the library does to the locks that the call names. */
void psc_lock_accesses(psc_accesses *list, gcall *call);
/* Cycles of such a call where no other thread wants the lock. */
unsigned psc_lock_cycles(tree fndecl);

/* --- vector_accesses.cc: gathers, scatters, masked and other vector builtins ---------------- */
bool psc_vector_internal(psc_accesses *list, gcall *call);     /* false: no such function */
void psc_vector_builtin(psc_accesses *list, gcall *call, const char *name);

/* --- access_groups.cc: accesses at constant distances, and the descriptors of records ------- */
/* An address as an affine combination: a sum of products and a constant. */
struct psc_affine {
	bool known = false;
	HOST_WIDE_INT offset = 0;
	std::vector<std::pair<tree, HOST_WIDE_INT>> terms;
};
bool psc_affine_same(const psc_affine &a, const psc_affine &b);   /* up to the constant */
bool psc_affine_stable(tree value);     /* the same at every point: no variable in memory */
void psc_affine_of(struct psc_affine *affine, aff_tree *sum);
void psc_affine_forget(void);           /* at the end of a function */

struct psc_member {
	psc_access access;
	HOST_WIDE_INT at;                    /* constant of its address */
};

/* See base/abi.h.  The group's word is the address whose constant is `low`. */
struct psc_group {
	std::vector<psc_member> members;     /* in program order */
	psc_affine affine;                   /* loops: in the first iteration */
	psc_affine step_affine;              /* loops */
	HOST_WIDE_INT low = 0, high = 0;
	unsigned flags = 0;                  /* PSC_GROUP_TAIL, _SPIN, _COPY, _LOCK,
					      * PSC_GROUP_DEPENDENCE() */
	tree base = NULL_TREE;               /* loops: address of the first member, first
					      * iteration */
	tree step = NULL_TREE;               /* loops: in bytes */
	bool range_word() const;             /* the record holds the range's length */
	bool step_word() const;              /* the record holds the step */
	unsigned words() const { return 1 + range_word() + step_word(); }
};

struct psc_groups {
	std::vector<psc_group> list;
	unsigned words = 0;                  /* of the record, without its header */
	unsigned naccess = 0;
	bool loop = false;
	struct psc_work work = { 0, 0, 0, 0, 0, 0 };
	void add(const psc_group &one);      /* to a group at a constant distance, or as a new
					      * one */
	void add(const psc_access &access);
};

void psc_put_number(std::string *out, unsigned HOST_WIDE_INT n);   /* see base/abi.h */
void psc_put_difference(std::string *out, HOST_WIDE_INT by);
tree psc_access_address(const psc_access *access);   /* of the first byte; not gimplified */
/* Address of the packed descriptor, plus tag.  psc_descriptors_finish() emits the variable that
 * holds all descriptors of the function. */
tree psc_descriptor(const struct psc_groups &groups, unsigned tag);
void psc_descriptors_finish(void);

/* --- access_lines.cc ------------------------------------------------------------------------ */
unsigned psc_source_line(gimple *stmt);  /* as a group has it (base/abi.h) */
/* Maps calls of the function to what PSC_REC_CALL says before them; an empty map: nothing is
 * written.
 * recorded: by block. */
std::map<gimple *, unsigned> psc_call_lines(const std::vector<bool> &recorded);

/* --- dependence.cc: what the addresses of accesses depend on -------------------------------- */
/* Between begin and end the function's loops and dominators are known and no record is emitted. */
void psc_dependence_begin(void);
void psc_dependence_end(void);
unsigned psc_dependence_of(const psc_access &access);    /* enum psc_dependence */
/* Does a chain of loads go round the loop, or one around it?  Of the addresses asked for so far. */
bool psc_in_chain(class loop *loop);
/* Does a branch on the value that is loaded choose the address that the load has next? */
bool psc_chooses_address(tree loaded, class loop *loop);
bool psc_same_recurrence(tree a, tree b);                /* SSA names */
std::vector<tree> psc_value_operands(tree name);         /* SSA names; nothing through most calls */

/* --- operation_costs.cc: what a statement costs ---------------------------------------------- */
struct psc_operation {
	double statements = 0;       /* that become instructions */
	double loads = 0, stores = 0, floats = 0;    /* operations of these units */
	double divider = 0;          /* cycles that a divider is busy */
	double called = 0;           /* cycles inside a library function */
	unsigned latency = 0;        /* cycles */
	bool unknown = false;        /* a call whose cost is not known */
};
#define PSC_CALLED_STATEMENTS 3 /* statements that stand for a cycle inside a library function */
struct psc_operation psc_operation_of(gimple *stmt);
bool psc_is_library_function(tree fndecl);
/* The name, if it is a function of the mathematical library that takes
 * tens of cycles; else NULL. */
const char *psc_math_function(tree fndecl);

/* --- core_cost.cc: struct psc_work of segments and loops -------------------------------------- */
/* Segments of one block are told in their order.  The groups must stay where they are. */
void psc_core_cost_segment(basic_block bb, struct psc_groups *segment);
void psc_core_cost_loop(class loop *loop, struct psc_groups *record);
/* Fills in the work of all of them.  recorded: by block. */
void psc_core_cost_find(const std::vector<bool> &recorded);

/* --- buffer_checks.cc: where the code asks whether records still fit into the buffer -------- */
struct psc_buffer_use {          /* of one basic block */
	unsigned words = 0;          /* written before its calls */
	bool calls = false;          /* it calls functions that may record */
	bool last_checks = false;    /* the last of them returns with PSC_SLACK_WORDS words free */
	bool entered = false;        /* from native code, whose hooks are not always called */
	unsigned words_at_end = 0;   /* written behind its calls */
	bool check = false, check_at_end = false;    /* the plan: ask before these words? */
};
typedef std::vector<psc_buffer_use> psc_buffer_uses;    /* by index of the block */
void psc_buffer_checks_plan(psc_buffer_uses *uses);
/* if (psc_cur >= psc_end) __psc_flush(); at the block's beginning.  Returns psc_cur behind it. */
tree psc_buffer_check_insert(basic_block bb);

/* --- loop_records.cc: innermost loops with affine accesses ---------------------------------- */
/* Before any record is emitted.  records: by block; loops with other blocks are skipped. */
void psc_loop_records_find(const std::vector<bool> &records);
void psc_loop_records_add_costs(void);       /* psc_core_cost_loop() for each */
bool psc_in_loop_record(basic_block bb);     /* its loop's record describes its accesses */
void psc_loop_records_buffer_use(psc_buffer_uses *uses);
void psc_loop_records_emit(const psc_buffer_uses &uses);

/* --- the passes ----------------------------------------------------------------------------- */
opt_pass *psc_pass_regions(gcc::context *ctx);
opt_pass *psc_pass_memory(gcc::context *ctx);
opt_pass *psc_pass_loops(gcc::context *ctx);
opt_pass *psc_pass_gcov_lines(gcc::context *ctx);
opt_pass *psc_pass_versions(gcc::context *ctx);
opt_pass *psc_pass_inline_costs(gcc::context *ctx);
opt_pass *psc_pass_tests(gcc::context *ctx);
opt_pass *psc_pass_access(gcc::context *ctx);
opt_pass *psc_pass_guard(gcc::context *ctx);

#endif
