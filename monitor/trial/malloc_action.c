/* SPDX-License-Identifier: BSD-3-Clause */
/* The action malloc: glibc's malloc keeps released memory instead of giving it back to the kernel,
 * as the program would have it with M_MMAP_MAX 0 and a great M_TRIM_THRESHOLD.
 *
 * mallopt() sets both, but nothing puts them back: no call tells the threshold of mmap, which
 * glibc raises as blocks are released, and any call of mallopt() ends that for good.  So the
 * first trial finds the words where malloc keeps its settings, by what a call changes; from then
 * on a switch stores three words, and putting back restores what stood in them.  That takes no
 * lock, so it is possible in a child of fork() and inside of a signal handler. */
#include "config.h"
#include "monitor/trial/action.h"
#include "monitor/host/mem.h"
#include "monitor/trial/loaded_symbols.h"
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The numbers of glibc's mallopt(): its header would declare malloc here, too. */
enum { TRIM_THRESHOLD = -1, MMAP_MAX = -4 };
enum { USUAL_MMAP_MAX = 65536 };
#define KEEP_TRIM ((size_t)2000000000)  /* mallopt() takes an int */
/* A segment of this size is not searched. */
#define DATA_MOST ((size_t)1 << 20)

/* In struct malloc_par of glibc: int n_mmaps, n_mmaps_max, max_n_mmaps, no_dyn_threshold. */
struct words {
	int *mmap_max, *no_dynamic;
	size_t *trim;
};
struct values {
	int mmap_max, no_dynamic;
	size_t trim;
};
static struct words at;                 /* trim NULL: not found yet */
static struct values before;            /* in state A, when B began last */
static bool b;
static bool untouched = true;            /* when A came back, what B had set was still there */
static const struct values with = { 0, 1, KEEP_TRIM };

typedef int mallopt_function(int, int);

/* --- whose malloc ----------------------------------------------------------------------------- */

enum { MALLOC, FREE, MALLOPT, GLIBC, NAMES };
static const char *const names[NAMES] = { "malloc", "free", "mallopt", "gnu_get_libc_version" };

static enum mon_trial_refusal refuse(enum mon_trial_refusal why, const char *library,
	struct mon_trial *out)
{
	const char *name = strrchr(library, '/');
	size_t n;

	name = name ? name + 1 : library;
	n = strnlen(name, sizeof out->library - 1);
	memcpy(out->library, name, n);
	out->library[n] = '\0';
	return why;
}

static enum mon_trial_refusal library_find(struct loaded_symbol s[NAMES], struct mon_trial *out)
{
	loaded_symbols_find(names, s, NAMES);
	if (!s[MALLOC].address)
		return MON_TRIAL_STATIC;
	if (!s[GLIBC].address)
		return refuse(MON_TRIAL_OTHER_LIBRARY, s[MALLOC].library, out);
	for (int i = FREE; i < NAMES; i++)
		if (s[i].address && s[i].object != s[MALLOC].object)
			return refuse(MON_TRIAL_OTHER_MALLOC, i == FREE &&
				s[MALLOC].object == s[GLIBC].object ? s[FREE].library :
				s[MALLOC].library, out);
	return s[FREE].address && s[MALLOPT].address ? MON_TRIAL_DONE :
		refuse(MON_TRIAL_OTHER_LIBRARY, s[MALLOC].library, out);
}

/* --- where its settings are ------------------------------------------------------------------- */

/* Is the int here the most mappings?  Their number is before it, the most there were and the switch
 * of the dynamic threshold are behind it. */
static bool looks_like(const int *p, int most)
{
	return p[0] == most && p[-1] >= 0 && p[1] >= p[-1] && (p[2] == 0 || p[2] == 1);
}

/* The only place with that value; NULL: there is none, or there are several. */
static int *mmap_max_find(const struct loaded_symbol *s, int value)
{
	int *first = (int *)s->data, *found = NULL;

	for (size_t i = 1; i + 2 < s->data_bytes / sizeof *first; i++) {
		if (!looks_like(first + i, value))
			continue;
		if (found)
			return NULL;
		found = first + i;
	}
	return found;
}

static size_t *trim_find(const struct loaded_symbol *s, size_t value)
{
	size_t *first = (size_t *)s->data, *found = NULL;

	for (size_t i = 0; i < s->data_bytes / sizeof *first; i++) {
		if (first[i] != value)
			continue;
		if (found)
			return NULL;
		found = first + i;
	}
	return found;
}

static void *copied_at(void *copy, const struct loaded_symbol *s, const void *word)
{
	return (char *)copy + ((uintptr_t)word - s->data);
}

static const int probe_most[] = { USUAL_MMAP_MAX + 12345, USUAL_MMAP_MAX + 20264 };
static const int probe_trim[] = { 1234567891, 1234672620 };

/* Puts back what words_find() has set and not found.  most: where the usual value stood before. */
static void probes_undo(const struct loaded_symbol *s, mallopt_function *set, void *copy, int *most)
{
	size_t *first = (size_t *)s->data;
	const int *no_dynamic = copied_at(copy, s, most + 2);

	for (size_t i = 0; i < s->data_bytes / sizeof *first; i++)
		if (first[i] == (size_t)probe_trim[0] || first[i] == (size_t)probe_trim[1])
			memcpy(&first[i], copied_at(copy, s, &first[i]), sizeof *first);
	set(MMAP_MAX, USUAL_MMAP_MAX);
	if (most[0] == USUAL_MMAP_MAX && most[2] == 1)
		most[2] = *no_dynamic;
}

/* Sets values that stand nowhere else and change nothing of what malloc does meanwhile, and looks
 * where they are; twice, so that chance is excluded. */
static bool words_find(const struct loaded_symbol *s, mallopt_function *set, void *copy,
	struct values *old)
{
	struct words w[2];

	memcpy(copy, (const void *)s->data, s->data_bytes);
	for (int i = 0; i < 2; i++) {
		set(MMAP_MAX, probe_most[i]);
		set(TRIM_THRESHOLD, probe_trim[i]);
		w[i].mmap_max = mmap_max_find(s, probe_most[i]);
		w[i].trim = trim_find(s, (size_t)probe_trim[i]);
	}
	if (!w[0].mmap_max || !w[0].trim || w[0].mmap_max != w[1].mmap_max ||
	    w[0].trim != w[1].trim)
		return false;
	w[0].no_dynamic = w[0].mmap_max + 2;
	if (*w[0].no_dynamic != 1)
		return false;
	old->mmap_max = *(int *)copied_at(copy, s, w[0].mmap_max);
	old->no_dynamic = *(int *)copied_at(copy, s, w[0].no_dynamic);
	old->trim = *(size_t *)copied_at(copy, s, w[0].trim);
	at = w[0];
	return true;
}

static void store(const struct values *v)
{
	/* First the word that keeps free() from adapting the others. */
	__atomic_store_n(at.no_dynamic, v->no_dynamic, __ATOMIC_SEQ_CST);
	__atomic_store_n(at.mmap_max, v->mmap_max, __ATOMIC_RELAXED);
	__atomic_store_n(at.trim, v->trim, __ATOMIC_RELAXED);
}

static struct values load(void)
{
	return (struct values){ __atomic_load_n(at.mmap_max, __ATOMIC_RELAXED),
		__atomic_load_n(at.no_dynamic, __ATOMIC_RELAXED),
		__atomic_load_n(at.trim, __ATOMIC_RELAXED) };
}

static bool same(const struct values *v, const struct values *w)
{
	return v->mmap_max == w->mmap_max && v->no_dynamic == w->no_dynamic && v->trim == w->trim;
}

/* mallopt() is called only where a word with the usual value is there already: elsewhere nothing is
 * changed. */
static bool settings_find(const struct loaded_symbol s[NAMES])
{
	mallopt_function *set = (mallopt_function *)s[MALLOPT].address;
	int *most = s->data_bytes > DATA_MOST ? NULL : mmap_max_find(s, USUAL_MMAP_MAX);
	struct values old;
	void *copy;
	bool found;

	if (!most)
		return false;
	copy = pscm_map(s->data_bytes);
	if (!copy)
		return false;
	found = words_find(s, set, copy, &old);
	if (found)
		store(&old);
	else
		probes_undo(s, set, copy, most);
	pscm_unmap(copy, s->data_bytes);
	return found;
}

/* --- the action ------------------------------------------------------------------------------- */

static enum mon_trial_refusal can(const struct mon_request *r, struct mon_trial *out)
{
	struct loaded_symbol s[NAMES];
	enum mon_trial_refusal why;

	(void)r;
	b = false;              /* what an earlier trial has kept is how the program is */
	untouched = true;
	if (at.trim)
		return MON_TRIAL_DONE;
	why = library_find(s, out);
	if (why)
		return why;
	return settings_find(s) ? MON_TRIAL_DONE : refuse(MON_TRIAL_HIDDEN, s[MALLOC].library, out);
}

static bool to_b(uint64_t until)
{
	(void)until;
	if (b)
		return true;
	before = load();
	b = true;               /* before the words: a child of fork() puts them back */
	store(&with);
	return true;
}

static void put_back(void)
{
	const struct values now = load();

	if (!b)
		return;
	untouched = same(&now, &with);
	/* What the program has set meanwhile stays, and only that. */
	if (now.mmap_max == with.mmap_max)
		__atomic_store_n(at.mmap_max, before.mmap_max, __ATOMIC_RELAXED);
	if (now.trim == with.trim)
		__atomic_store_n(at.trim, before.trim, __ATOMIC_RELAXED);
	if (untouched)
		__atomic_store_n(at.no_dynamic, before.no_dynamic, __ATOMIC_RELAXED);
	b = false;
}

static bool to_a(uint64_t until)
{
	(void)until;
	put_back();
	return true;
}

static bool verify(struct mon_trial *out)
{
	(void)out;
	return !b && untouched;
}

/* The end of the heap; blocks that are mapped are not in it. */
static uint64_t memory(void)
{
	return (uint64_t)syscall(SYS_brk, 0);
}

const struct trial_action trial_malloc = {
	.action = MON_ACTION_MALLOC, .can = can, .to_b = to_b, .to_a = to_a, .put_back = put_back,
	.forked = put_back, .verify = verify, .memory = memory
};
