/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists what calls of libraries do to the locks that they name.  The libraries are not recorded,
 * but a call that locks or unlocks writes the lock: threads take its cache line from one another,
 * as they do with data.  C++'s mutexes call these functions in code of the user's. */
#include "instrument/pscplugin.h"

enum { READS = 1, WRITES = 2, BOTH = READS | WRITES };

/* A lock that no argument names. */
enum { THE_CRITICAL = -1, THE_ATOMIC = -2 };

/* bytes: what glibc (2.36) and libgomp (GCC 12) read and write in front of the object that argument
 * `lock` points to.  cycles: of a call where nobody waits, a locked instruction and the code around
 * it. */
static const struct lock_function {
	const char *name;
	int lock;
	unsigned bytes, access, cycles;
} functions[] = {
	{ "pthread_mutex_lock", 0, 16, BOTH, 12 },
	{ "pthread_mutex_trylock", 0, 16, BOTH, 12 },
	{ "pthread_mutex_timedlock", 0, 16, BOTH, 12 },
	{ "pthread_mutex_clocklock", 0, 16, BOTH, 12 },
	{ "pthread_mutex_unlock", 0, 16, BOTH, 12 },
	{ "pthread_rwlock_rdlock", 0, 16, BOTH, 16 },
	{ "pthread_rwlock_tryrdlock", 0, 16, BOTH, 16 },
	{ "pthread_rwlock_timedrdlock", 0, 16, BOTH, 16 },
	{ "pthread_rwlock_clockrdlock", 0, 16, BOTH, 16 },
	{ "pthread_rwlock_wrlock", 0, 16, BOTH, 16 },
	{ "pthread_rwlock_trywrlock", 0, 16, BOTH, 16 },
	{ "pthread_rwlock_timedwrlock", 0, 16, BOTH, 16 },
	{ "pthread_rwlock_clockwrlock", 0, 16, BOTH, 16 },
	{ "pthread_rwlock_unlock", 0, 16, BOTH, 16 },
	{ "pthread_spin_lock", 0, 4, BOTH, 10 },
	{ "pthread_spin_trylock", 0, 4, BOTH, 10 },
	{ "pthread_spin_unlock", 0, 4, WRITES, 3 },
	{ "pthread_cond_signal", 0, 16, BOTH, 12 },
	{ "pthread_cond_broadcast", 0, 16, BOTH, 12 },
	{ "pthread_cond_wait", 0, 16, BOTH, 100 },
	{ "pthread_cond_wait", 1, 16, BOTH, 0 },
	{ "pthread_cond_timedwait", 0, 16, BOTH, 100 },
	{ "pthread_cond_timedwait", 1, 16, BOTH, 0 },
	{ "pthread_cond_clockwait", 0, 16, BOTH, 100 },
	{ "pthread_cond_clockwait", 1, 16, BOTH, 0 },
	{ "pthread_barrier_wait", 0, 16, BOTH, 30 },
	{ "sem_wait", 0, 8, BOTH, 10 },
	{ "sem_trywait", 0, 8, BOTH, 10 },
	{ "sem_timedwait", 0, 8, BOTH, 10 },
	{ "sem_clockwait", 0, 8, BOTH, 10 },
	{ "sem_post", 0, 8, BOTH, 10 },
	{ "mtx_lock", 0, 16, BOTH, 12 },
	{ "mtx_trylock", 0, 16, BOTH, 12 },
	{ "mtx_timedlock", 0, 16, BOTH, 12 },
	{ "mtx_unlock", 0, 16, BOTH, 12 },
	{ "cnd_signal", 0, 16, BOTH, 12 },
	{ "cnd_broadcast", 0, 16, BOTH, 12 },
	{ "cnd_wait", 0, 16, BOTH, 100 },
	{ "cnd_wait", 1, 16, BOTH, 0 },
	{ "omp_set_lock", 0, 4, BOTH, 10 },
	{ "omp_test_lock", 0, 4, BOTH, 10 },
	{ "omp_unset_lock", 0, 4, BOTH, 10 },
	{ "omp_set_nest_lock", 0, 16, BOTH, 12 },
	{ "omp_test_nest_lock", 0, 16, BOTH, 12 },
	{ "omp_unset_nest_lock", 0, 16, BOTH, 12 },
	{ "GOMP_critical_name_start", 0, 4, BOTH, 10 },
	{ "GOMP_critical_name_end", 0, 4, BOTH, 10 },
	{ "GOMP_critical_start", THE_CRITICAL, 4, BOTH, 10 },
	{ "GOMP_critical_end", THE_CRITICAL, 4, BOTH, 10 },
	{ "GOMP_atomic_start", THE_ATOMIC, 4, BOTH, 10 },
	{ "GOMP_atomic_end", THE_ATOMIC, 4, BOTH, 10 },
};

/* The name without what the front ends put before it; "": a function of the program. */
static const char *library_name(tree fndecl)
{
	static const char *const before[] = { "__builtin_", "__gthrw_" };
	cgraph_node *node = fndecl ? cgraph_node::get(fndecl) : NULL;
	const char *name = fndecl && DECL_NAME(fndecl) ? IDENTIFIER_POINTER(DECL_NAME(fndecl)) : "";

	if ((node && node->definition && !node->weakref) ||
	    (fndecl && TREE_CODE(TREE_TYPE(fndecl)) == METHOD_TYPE))
		return "";
	for (const char *part : before)
		if (startswith(name, part))
			name += strlen(part);
	return name;
}

/* The first row of the function, NULL: none. */
static const struct lock_function *find(const char *name)
{
	static std::map<std::string, const struct lock_function *> known;

	if (!startswith(name, "pthread_") && !startswith(name, "omp_") &&
	    !startswith(name, "GOMP_") && !startswith(name, "sem_") && !startswith(name, "mtx_") &&
	    !startswith(name, "cnd_"))
		return NULL;
	if (known.empty())
		for (auto &f : functions)
			known.emplace(f.name, &f);
	auto found = known.find(name);
	return found == known.end() ? NULL : found->second;
}

bool psc_is_lock_call(tree fndecl)
{
	return find(library_name(fndecl)) != NULL;
}

unsigned psc_lock_cycles(tree fndecl)
{
	const struct lock_function *f = find(library_name(fndecl));

	return f ? f->cycles : 0;
}

/* The lock's address; NULL_TREE: the call is no call of the library's function. */
static tree address_of(gcall *call, const struct lock_function &f)
{
	if (f.lock == THE_CRITICAL)
		return build_fold_addr_expr(psc_runtime_critical_lock());
	if (f.lock == THE_ATOMIC)
		return build_fold_addr_expr(psc_runtime_atomic_lock());
	if ((unsigned)f.lock >= gimple_call_num_args(call) ||
	    !POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(call, f.lock))))
		return NULL_TREE;
	return gimple_call_arg(call, f.lock);
}

/* Bytes of the lock, of which a nested one in Fortran is less than what C has. */
static unsigned bytes_of(tree address, unsigned most)
{
	tree type = TREE_TYPE(TREE_TYPE(address)), size = TYPE_SIZE_UNIT(type);

	if (VOID_TYPE_P(type) || !size || !tree_fits_uhwi_p(size) || tree_to_uhwi(size) == 0)
		return most;
	return std::min<unsigned HOST_WIDE_INT>(most, tree_to_uhwi(size));
}

void psc_lock_accesses(psc_accesses *list, gcall *call)
{
	const char *name = library_name(gimple_call_fndecl(call));
	const struct lock_function *f = find(name), *end = functions + ARRAY_SIZE(functions);

	for (; f && f < end && strcmp(f->name, name) == 0; f++) {
		tree address = address_of(call, *f);

		for (unsigned kind = PSC_LOAD; address && kind <= PSC_STORE; kind++) {
			struct psc_access access = { call, NULL_TREE, address, NULL_TREE,
				bytes_of(address, f->bytes), kind };

			access.lock = true;
			if (f->access & (kind == PSC_LOAD ? READS : WRITES))
				list->push_back(access);
		}
	}
}
