/* SPDX-License-Identifier: BSD-3-Clause */
/* What the passes of the plugin share.  GCC's headers want an order of their own, so every
 * source of the plugin includes this file first and only. */
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

/* --- what one compile unit holds ----------------------------------------------------------
 * Strings and numbers only: trees live in GCC's collected heap and are rooted in runtime.cc. */
enum { ACCESS_READ = 1, ACCESS_WRITE = 2 };

struct psc_array {
	std::string name;
	std::string scope;   /* COMMON block, module */
	const char *klass;   /* SIR's class */
	const char *type;    /* SIR's type */
	long nelts;          /* 0 unknown */
	int line;            /* of the declaration, 0 unknown */
	int access;          /* ACCESS_* */
	bool scalar;         /* declared as one element or a pointer to it */
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
	bool marker;         /* has enter and exit */
	bool phase;          /* has phase boundaries */
	bool sealed;         /* nothing may be inserted inside (simd) */
	const char *refuse;  /* why a region is no phase */
	bool unrecorded;     /* a phase loop whose own accesses are not recorded once it runs */
	std::vector<psc_array> arrays;
};

struct psc_dummy_entry {
	std::string name;
	int region;
	int line;
	uint64_t size;       /* bytes, 0 unknown; or PSC_SIZE_TOLD */
};

/* What one routine calls a piece of a COMMON block. */
struct psc_member_entry {
	std::string name;
	HOST_WIDE_INT at;    /* in the block */
	unsigned HOST_WIDE_INT bytes;
	unsigned elem, line;
	int region;          /* the routine's; -1: none */
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
	std::map<unsigned, int> subroutines;     /* DECL_UID of a function: its region */
	std::map<unsigned, bool> trivial;        /* DECL_UID of a function: see calls.cc */
	std::map<unsigned, bool> light;          /* the same */
	std::set<unsigned> recursive;            /* the same: it calls itself, maybe through others */
	std::map<unsigned, bool> allocates;      /* the same: see allocations.cc */
	bool verbose;
	bool plain;          /* tests: one group for each access, no loops */
};
extern struct psc_plugin psc;

int psc_region_add(int type, int parent, const std::string &file, int line);

/* --- source_place.cc: lines as the programmer sees them ------------------------------------------- */
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
/* Line of the pragma right above `line`, else `line` (C++ puts a construct on its loop). */
int psc_pragma_line(const std::string &file, int line);
/* Last line of the region of that type that starts at `line`; its statements end at `last`. */
int psc_block_end(const std::string &file, int type, int line, int last);

/* --- names.cc: what a declaration or an access is called ----------------------------------- */
typedef std::map<tree, gimple *> psc_defs;   /* variables with exactly one definition */
std::string psc_function_name(tree fndecl);
const char *psc_element_type(tree type);
tree psc_element(tree type);
long psc_element_count(tree type);
bool psc_is_descriptor(tree type);
bool psc_is_common(tree var);
std::string psc_common_name(tree var);
std::string psc_module_name(tree decl);
/* Fills `out` for an array or aggregate access; false: a scalar, or not known. */
bool psc_describe_access(tree ref, const psc_defs &defs, struct psc_array *out);
bool psc_describe_pointer(tree pointer, const psc_defs &defs, struct psc_array *out);
bool psc_describe_decl(tree decl, struct psc_array *out);

/* --- calls.cc: which calls and functions deserve markers ------------------------------------- */
bool psc_function_excluded(tree fndecl); /* by --exclude; it has no_instrument_function from then on */
bool psc_function_wanted(tree fndecl);
bool psc_function_simd(tree fndecl);     /* called in a simd loop, with vectors */
bool psc_function_trivial(tree fndecl);
bool psc_function_light(tree fndecl);    /* has no markers; trivial ones are light */
/* A library function that a waiting loop calls, which neither records nor calls back: no marker,
 * so that the wait is one record. */
bool psc_function_waits(tree fndecl);
bool psc_function_internal(tree fndecl); /* the compiler's own */
enum psc_call { CALL_NONE, CALL_PLAIN, CALL_MARKED, CALL_BARRIER };
enum psc_call psc_call_class(gcall *call);
/* Before omplower: is what comes behind the call the return of its value? */
bool psc_call_is_last(gimple_stmt_iterator call);

/* --- targets.cc: the variable that a value ends up in ---------------------------------------- */
struct psc_values {                     /* of one function, before omplower */
	psc_defs defs;                      /* NULL: several definitions */
	std::vector<std::pair<tree, tree>> copies;
	std::multimap<tree, tree> stored;   /* temporary: where its value goes */
	std::set<tree> returned;            /* variables whose value the caller gets */
};
struct psc_target {
	std::string name;                   /* "" unknown */
	std::string scope;                  /* function, module or class */
	tree descriptor;                    /* static, of gfortran; or NULL_TREE */
	unsigned elem;                      /* 0 unknown */
	bool handed_on;                     /* what is there is the caller's, in the end */
	bool global;
};
void psc_values_find(struct psc_values *v, gimple_seq body, tree fndecl);
struct psc_target psc_target_of(const struct psc_values &v, tree t);

/* --- allocations.cc ------------------------------------------------------------------------------ */
bool psc_may_allocate(tree fndecl);

/* --- runtime.cc: declarations of libpscmon's functions, in the code that we emit -------------- */
enum psc_function {
	/* The first are told a unit and a region. */
	FN_ENTER, FN_EXIT, FN_FORK, FN_TEAM_ENTER, FN_WAIT, FN_BARRIER, FN_BIND_ALL, FN_PHASE_BEGIN,
	FN_PHASE_CALL, FN_PHASE_NEXT, FN_PHASE_END,
	FN_BIND, FN_BIND_DESCRIPTOR, FN_LANDING, FN_LANDED, FN_FLUSH, FN_SIGNAL_BEGIN,
	FN_SIGNAL_END, FN_START, FN_UNREGISTER,
	FN_MARK_ENTER, FN_MARK_EXIT, FN_MARK_STEP, FN_MARK_FORK, FN_FORK_BEGIN, FN_MARK_TEAM, FN_MARK_WAIT,
	FN_MARK_BARRIER,
	FN_MARK_BEGIN, FN_MARK_CALL,
	FN_MARK_NEXT, FN_MARK_END, FN_MARK_VOID, FN_SUB_BEGIN, FN_SUB_END, FN_LOOP_BEGIN,
	FN_LOOP_END, FN_LOOP_VOID, FN_MARK_CLOSE, FN_SUB_CLOSE, FN_MARK_BIND, FN_ENTER_BIND, FN_SUB_BIND,
	FN_ALLOCATED,
	FN_RELEASED, FN_SCOPE_BEGIN, FN_SCOPE_END, FN_DEEP,
	FN_ANALYSED,             /* a load, once the optimisers are done: see marked.cc */
	FN_COUNT
};
void psc_runtime_init(const char *plugin_name);
tree psc_runtime_function(enum psc_function which);
tree psc_runtime_recording(void);
tree psc_runtime_live(void);
tree psc_runtime_heap(void);
tree psc_runtime_cur(void);
tree psc_runtime_end(void);
tree psc_runtime_unit(void);            /* the unit's struct psc_unit, made at first use */
tree psc_runtime_unit_finish(unsigned nregions);   /* all regions are known now */
gcall *psc_runtime_call(enum psc_function which, int region);
bool psc_runtime_is(gimple *stmt, enum psc_function which);
enum psc_function psc_runtime_which(gimple *stmt);   /* FN_COUNT: none of them */
enum psc_function psc_runtime_named(tree fndecl);    /* the same; NULL_TREE: none */
tree psc_runtime_record(const char *name, const char *const *fields, const tree *types, int n);

/* --- marks.cc ----------------------------------------------------------------------------------- */
bool psc_marks_shorten(function *fun);  /* true: there were hooks */
bool psc_mark_gives_room(gimple *stmt); /* a hook behind which there is room for records */

/* --- sir_text.cc, unit.cc ------------------------------------------------------------------------- */
uint64_t psc_hash(uint64_t hash, const std::string &text);
#define PSC_HASH_START 0xcbf29ce484222325ull
std::string psc_sir_text(uint64_t *hash);
void psc_unit_emit(void);
std::string psc_scope_of(tree decl);
struct psc_site_entry {
	std::string name, scope, file;      /* "" none */
	tree descriptor;
	unsigned region;
	int line;
	unsigned elem, flags;
};
tree psc_site_make(const struct psc_site_entry &site);  /* the address of its struct psc_site */

/* --- versions.cc ------------------------------------------------------------------------------ */
#define PSC_CLONE_ATTRIBUTE "psc_inst"
#define PSC_VERSION_ATTRIBUTE "psc_version"  /* clones, and versions with the markers */
typedef std::map<tree, tree> psc_clones;     /* a function's declaration: its clone's */
void psc_versions_make(void);
/* Makes the copy of a function local; alone: not to be inlined. */
void psc_version_local(cgraph_node *clone, tree attributes, bool alone);
/* Behind `test`, which ends in a condition: where it is true, `return version(args);`. */
void psc_call_version(basic_block test, tree fndecl, tree version, bool signals);
/* Whose version a call is to be led to: behind an alias the function itself; NULL through a pointer. */
tree psc_called(gimple *call);
/* In code that records, calls to those functions go to their clones. */
void psc_redirect_calls(const std::vector<basic_block> &blocks, const psc_clones &clones);

/* --- once.cc: functions that may exist only once ------------------------------------------------ */
bool psc_once_defines(gimple *stmt);    /* assembler text that defines a symbol */
std::set<tree> psc_once_functions(void);

/* --- marked.cc: the version that has the markers ------------------------------------------------ */
cgraph_node *psc_marked_make(cgraph_node *node);
cgraph_node *psc_marked_follow(cgraph_node *node);
bool psc_marker(gimple *stmt);          /* a marker, or what tells of dummies */
void psc_marker_drop(gimple *stmt);
/* Before isel: the question whether the process is analysed becomes a load. */
void psc_analysed_loads(function *fun);
/* Last of all: the calls of versions at a function's entry become jumps. */
void psc_version_jumps(function *fun);

/* --- last.cc: calls in last place ------------------------------------------------------------------ */
/* One to what is not known to end: natively a chain of them needs no stack. */
bool psc_last_may_come_back(gimple *stmt);
/* All of the function's stand twice.  natively: it also runs while nothing is measured. */
void psc_last_split(cgraph_node *node, int region, bool natively);

/* --- guard.cc ------------------------------------------------------------------------------------ */
/* The byte of unit->phase that has the region's bit. */
tree psc_phase_byte(tree unit, unsigned region);
tree psc_unit_field(tree unit, tree type, unsigned at);   /* `at` bytes into the struct psc_unit */

/* --- switch.cc: loops that can be the phase, twice in one function ----------------------------- */
/* Works on cfun.  undispatched: clones that nothing but a direct call reaches; clones: what second bodies call. */
bool psc_switch_make(const psc_clones &undispatched, const psc_clones &clones);
/* Accesses of the block's own, or a call to a function that has no dispatch. */
bool psc_switch_accesses(basic_block bb, const psc_clones &undispatched);
/* A loop of the function's can be the phase and cannot be copied: what it calls must ask by itself. */
bool psc_switch_refuses(function *fun);
bool psc_switch_has_marks(function *fun);
void psc_switch_blocks(std::vector<bool> *records);

/* The name of variables for __psc_fork()'s result, and of the fields that hand it over: with a character
 * that no language has in names, so that no variable of the program's is called so. */
#define PSC_TOKEN "psc token"

/* --- touches.cc: what a statement reads and writes ------------------------------------------- */
struct psc_touch {
	gimple *stmt;
	tree ref;        /* the accessed object, or NULL_TREE: pointer */
	tree pointer;
	tree length;     /* ranges; NULL_TREE otherwise */
	unsigned size;
	unsigned kind;   /* enum psc_access_kind */
	tree when = NULL_TREE;   /* a lane under a mask: takes place if this is true */
	bool copy = false;       /* a load range: the next touch is the store range it is copied to */
};

typedef std::vector<psc_touch> psc_touches;
void psc_touches_of(psc_touches *list, gimple *stmt);
/* The part of `ref` whose address can be taken, and how many bytes behind it the access begins. */
tree psc_touch_part(tree ref, unsigned HOST_WIDE_INT *offset, unsigned HOST_WIDE_INT *size);
/* May the callee record too?  Then it moves psc_cur, and leaves less room. */
bool psc_may_record(gimple *stmt);
/* Is it a function of the C library's on memory or of its heap?  The program may have its own in another unit,
 * which may record. */
bool psc_may_be_own(gimple *stmt);

/* --- lanes.cc: accesses lane by lane ----------------------------------------------------------- */
bool psc_lanes_internal(psc_touches *list, gcall *call);     /* false: no such function */
void psc_lanes_target(psc_touches *list, gcall *call, const char *name);

/* --- groups.cc: accesses at constant distances, and the descriptors of records --------------- */
/* An address as a sum of products and a constant. */
struct psc_form {
	bool known = false;
	HOST_WIDE_INT offset = 0;
	std::vector<std::pair<tree, HOST_WIDE_INT>> terms;
};
bool psc_form_same(const psc_form &a, const psc_form &b);   /* but for the constant */
bool psc_form_stable(tree value);      /* the same wherever it is asked; no variable in memory */
void psc_form_of(struct psc_form *form, aff_tree *sum);
void psc_forms_forget(void);            /* at the end of a function */

struct psc_member {
	psc_touch touch;
	HOST_WIDE_INT at;                    /* in the group's form */
};

/* See base/abi.h.  The word is the address of what begins at `low` in the form. */
struct psc_group {
	std::vector<psc_member> members;     /* in the order of the code */
	psc_form form;
	psc_form step_form;                  /* loops: of the step */
	HOST_WIDE_INT low = 0, high = 0;
	unsigned flags = 0;                  /* PSC_GROUP_TAIL, _SPIN, _COPY */
	tree base = NULL_TREE;               /* loops: address of the first member at first */
	tree step = NULL_TREE;               /* loops: in bytes */
	bool range_word() const;             /* a range whose length is a word of the record */
	bool step_word() const;              /* a step that is a word of the record */
	unsigned words() const { return 1 + range_word() + step_word(); }
};

struct psc_groups {
	std::vector<psc_group> list;
	unsigned words = 0;                  /* of the record */
	unsigned naccess = 0;
	bool loop = false;
	void add(const psc_group &one);      /* joins a group of its form, or stands alone */
	void add(const psc_touch &touch);
};

void psc_put_number(std::string *out, unsigned HOST_WIDE_INT n);   /* see base/abi.h */
void psc_put_difference(std::string *out, HOST_WIDE_INT by);
tree psc_touch_address(const psc_touch *touch);   /* of its first byte; not yet gimple */
/* The packed descriptor: its address plus tag.  psc_descriptors_finish() makes the
 * function's variable that holds all of them. */
tree psc_descriptor(const struct psc_groups &groups, unsigned tag);
void psc_descriptors_finish(void);

/* --- room.cc: is there room for records? ------------------------------------------------------ */
struct psc_room {
	unsigned words = 0;          /* that the block writes, before it calls */
	bool calls = false;          /* what may record too */
	bool fresh = false;          /* the last of these leaves the whole room */
	unsigned later = 0;          /* that it writes at its end */
	bool check = false, check_later = false;    /* the plan: ask before these? */
};
typedef std::vector<psc_room> psc_rooms;    /* by index of the block */
void psc_rooms_plan(psc_rooms *rooms);
/* if (psc_cur >= psc_end) __psc_flush(); at the block's beginning.  Returns psc_cur as the rest of
 * the block finds it. */
tree psc_room_check(basic_block bb);

/* --- streams.cc: loops whose accesses are regular --------------------------------------------- */
void psc_streams_begin(void);           /* before anything else: makes blocks */
/* Before anything is written; `records` by block: the others are no affair of ours. */
void psc_streams_find(const std::vector<bool> &records);
bool psc_stream_block(basic_block bb);  /* its accesses are told by its loop's record */
void psc_streams_room(psc_rooms *rooms);
void psc_streams_emit(const psc_rooms &rooms);

/* --- the passes -------------------------------------------------------------------------------- */
opt_pass *psc_pass_regions(gcc::context *ctx);
opt_pass *psc_pass_memory(gcc::context *ctx);
opt_pass *psc_pass_loops(gcc::context *ctx);
opt_pass *psc_pass_lines(gcc::context *ctx);
opt_pass *psc_pass_versions(gcc::context *ctx);
opt_pass *psc_pass_weights(gcc::context *ctx);
opt_pass *psc_pass_access(gcc::context *ctx);
opt_pass *psc_pass_guard(gcc::context *ctx);

#endif
