/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes down for each small block which place allocated it: the calls on the stack.  Programs
 * allocate millions of them a second, so the stack is not searched: the distance from a return
 * address to the next one is nearly always the same, and is kept. */
#include "burst/block_sites.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "burst/callers.h"
#include "burst/sys.h"

enum { PAGE = 4096, STEPS = 1 << 12, SLOTS = 2 * BURST_SITES, PROBES = 32, CHAINS = 1 << 13 };

struct burst_small *burst_small;

/* An entry belongs to a return address, and is that address << 16 | the number of 8-byte words from
 * the stack pointer behind it up to the next one, which is counted; 0: there is no next one. */
static _Atomic uint64_t steps[STEPS];
/* Sites by a mixture of their three return addresses: its high bits | the number of the site; 0:
 * none.  What is here has been found to be right. */
static _Atomic uint64_t chains[CHAINS];
/* `code_change` for which all of these hold. */
static _Atomic uint32_t known_change;
/* Numbers of sites by a hash of their callers; 0: free. */
static _Atomic uint16_t numbers[SLOTS];

static _Atomic uint64_t *step_of(uint64_t pc) { return &steps[(pc ^ pc >> 12) % STEPS]; }

void burst_small_start(int file)
{
	struct rlimit limit;
	long at;

	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
		return;
	at = sys_call(SYS_mmap, 0, sizeof *burst_small, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_NORESERVE, file, (long)BURST_SMALL_AT);
	if (at < 0 && at > -4096)
		return;
	SYS_3(SYS_madvise, at, sizeof *burst_small, MADV_DONTFORK);
	SYS_3(SYS_madvise, at, sizeof *burst_small, MADV_DONTDUMP);
	burst_small = (struct burst_small *)at;
}

/* --- callers ---------------------------------------------------------------------------- */

static uint32_t code_change(void)
{
	return atomic_load_explicit(&burst_header()->code_change, memory_order_acquire);
}

static bool code_is_same(void)
{
	return code_change() == atomic_load_explicit(&known_change, memory_order_relaxed);
}

/* Calls of a library that was loaded may have been overlooked.  false: the table of code is not to
 * be had now. */
static bool code_is_known(void)
{
	const uint32_t change = code_change();

	if (code_is_same())
		return true;
	if (change % 2 != 0)
		return false;
	for (int k = 0; k < STEPS; k++)
		atomic_store_explicit(&steps[k], 0, memory_order_relaxed);
	for (int k = 0; k < CHAINS; k++)
		atomic_store_explicit(&chains[k], 0, memory_order_relaxed);
	atomic_store_explicit(&known_change, change, memory_order_relaxed);
	return true;
}

/* The kernel is asked once for each page that the thread's frames cross into. */
static __attribute__((noinline)) bool is_there_elsewhere(uint64_t at)
{
	static _Thread_local uint64_t crossed __attribute__((tls_model("initial-exec")));

	if (at / PAGE == crossed)
		return true;
	if (burst_stopped() || !sys_readable(at))
		return false;
	crossed = at / PAGE;
	return true;
}

/* Whether the word at `at` can be read, above a stack pointer.  The frame may be smaller than when
 * the distance was found, and the stack end before the word. */
static inline bool is_there(uint64_t sp, uint64_t at)
{
	return (sp ^ at) / PAGE == 0 || is_there_elsewhere(at);
}

/* The word at the distance of the last time; 0: it is no return address now. */
static uint64_t kept(uint64_t pc, uint64_t sp, uint64_t at)
{
	if (!is_there(sp, at) || !burst_is_caller(*(const uint64_t *)at, pc))
		return 0;
	return *(const uint64_t *)at;
}

/* The return address above the one before `*sp`, which becomes the stack pointer behind it.  What
 * an earlier call has left there may look like one, but not always: then the distance grows. */
static uint64_t above(uint64_t pc, uint64_t *sp)
{
	_Atomic uint64_t *step = step_of(pc);
	uint64_t is = atomic_load_explicit(step, memory_order_relaxed), from = *sp, at, word;

	if (is >> 16 == pc) {
		if ((is & 0xffff) == 0)
			return 0;
		at = *sp + 8 * (is & 0xffff) - 8;
		word = kept(pc, *sp, at);
		if (word != 0) {
			*sp = at + 8;
			return word;
		}
		from = at + 8;
	}
	at = burst_caller_above(from, burst_mine == NULL ? 0 : burst_mine->thread->stack_high,
		pc);
	if (code_is_same())
		atomic_store_explicit(step, pc << 16 | (at == 0 ? 0 : (at - *sp) / 8 + 1),
			memory_order_relaxed);
	if (at == 0)
		return 0;
	*sp = at + 8;
	return *(const uint64_t *)at;
}

/* --- sites ------------------------------------------------------------------------------ */

static bool is_site(uint32_t number, const struct burst_site *s)
{
	const uint64_t *has = burst_small->site[number].callers, *is = s->callers;

	_Static_assert(BURST_SITE_CALLERS == 3, "all are compared");
	return has[0] == is[0] && has[1] == is[1] && has[2] == is[2];
}

static uint32_t new_site(const struct burst_site *s)
{
	uint32_t number = atomic_load_explicit(&burst_small->sites, memory_order_relaxed);

	do {
		if (number + 1 >= BURST_LARGE)
			return 0;
	} while (!atomic_compare_exchange_weak(&burst_small->sites, &number, number + 1));
	burst_small->site[number + 1] = *s;
	atomic_thread_fence(memory_order_release);
	return number + 1;
}

/* Two threads may give one place two numbers: the reader does not mind. */
static uint32_t number_of(const struct burst_site *s, uint64_t hash)
{
	for (uint32_t k = 0; k < PROBES; k++) {
		_Atomic uint16_t *slot = &numbers[(hash + k) % SLOTS];
		uint32_t number = atomic_load_explicit(slot, memory_order_acquire);

		if (number == 0) {
			number = new_site(s);
			atomic_store_explicit(slot, (uint16_t)number, memory_order_release);
			return number;
		}
		if (is_site(number, s))
			return number;
	}
	return 0;
}

/* Its products do not wait for each other. */
static uint64_t mixture(const struct burst_site *s)
{
	uint64_t sum = s->callers[0] * UINT64_C(0x9e3779b97f4a7c15) +
		s->callers[1] * UINT64_C(0xc2b2ae3d27d4eb4f) +
		s->callers[2] * UINT64_C(0x165667b19e3779f9);

	_Static_assert(BURST_SITE_CALLERS == 3, "all are added");
	return sum ^ sum >> 32;
}

/* Nearly always: the words at the distances of the last time.  The site that they have had; 0: it
 * is to be searched. */
static uint32_t site_again(uint64_t pc, uint64_t sp)
{
	struct burst_site s = { { pc } };
	uint64_t is, at, hash;

	for (int k = 1; k < BURST_SITE_CALLERS; k++) {
		is = atomic_load_explicit(step_of(pc), memory_order_relaxed);
		at = sp + 8 * (is & 0xffff) - 8;
		if (is >> 16 == pc && (is & 0xffff) == 0)
			break;
		if (is >> 16 != pc || !is_there(sp, at))
			return 0;
		s.callers[k] = pc = *(const uint64_t *)at;
		sp = at + 8;
	}
	hash = mixture(&s);
	is = atomic_load_explicit(&chains[hash % CHAINS], memory_order_relaxed);
	return (is ^ hash) / BURST_SITES == 0 ? is % BURST_SITES : 0;
}

static uint32_t site_of(uint64_t pc, uint64_t sp)
{
	struct burst_site s = { { pc } };
	uint64_t hash;
	uint32_t number;

	for (int k = 1; k < BURST_SITE_CALLERS && pc != 0; k++)
		s.callers[k] = pc = above(pc, &sp);
	hash = mixture(&s);
	number = code_is_same() ? number_of(&s, hash / CHAINS) : 0;
	if (number != 0)
		atomic_store_explicit(&chains[hash % CHAINS],
			hash / BURST_SITES * BURST_SITES | number, memory_order_relaxed);
	return number;
}

/* Writes the entries of a block.  The processor cannot predict sizes: some entries of a short block
 * are written twice, which saves a branch. */
static void mark(uint64_t at, size_t size, uint32_t site)
{
	const uint64_t n = (size + BURST_GRANULE - 1) / BURST_GRANULE;
	const uint64_t pair = burst_granule(at, site) * UINT64_C(0x100000001);
	uint32_t *first = &burst_small->granule[burst_granule_at(at)];

	if (n < 2 || n > 8 || burst_granule_at(at) + n > BURST_GRANULES) {
		for (const uint64_t end = at + size; at < end; at += BURST_GRANULE)
			burst_small->granule[burst_granule_at(at)] = burst_granule(at, site);
		return;
	}
	memcpy(first, &pair, sizeof pair);
	memcpy(first + n - 2, &pair, sizeof pair);
	if (n > 4) {
		memcpy(first + 2, &pair, sizeof pair);
		memcpy(first + n - 4, &pair, sizeof pair);
	}
}

void burst_small_block(const void *block, size_t size, const void *caller, const void *frame)
{
	uint32_t site;

	if (burst_small == NULL)
		return;
	site = code_is_known() ? site_again((uint64_t)caller, (uint64_t)frame) : 0;
	if (site == 0)
		site = code_is_same() && !burst_stopped()
			? site_of((uint64_t)caller, (uint64_t)frame)
			: 0;
	mark((uint64_t)block, size, site);
}
