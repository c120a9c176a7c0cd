/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes copies of the process, waits for them, and collects their times (process_copies.h). */
#include "config.h"
#include "monitor/collect/process_copies.h"
#include "monitor/address/object_pages.h"
#include "monitor/address/shared_tables.h"
#include "monitor/collect/runtime_collector.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "base/clock.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	MAPS_BYTES = 8 << 20,
	MAKING_S = 20,                  /* wall time to make a copy */
	SLOWER = 10, RECORDED = 60,     /* limits of an execution, in clean ones, + EXTRA_S */
	EXTRA_S = 1,
	PAIRS_LEAST = 3, ALL_S = 20     /* pairs that are made also when so much time has passed */
};
static const uint64_t SECOND = 1000000000;

static struct {
	pthread_mutex_t lock;           /* held meanwhile: blocks signals */
	struct object_pages pages;
	struct verify_job job;
	struct mon_verified out;
	uint64_t clean_ns;
	uint64_t pending;               /* signals that were pending before */
	uint64_t ns[MON_PAIRS][2][VERIFY_RUNS];         /* [1]: aliased */
	uint32_t runs;                  /* executions that every copy completed */
} verify = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void stop(enum mon_refusal why, uint32_t detail, bool aliased)
{
	verify.out.refusal = why;
	verify.out.detail = detail;
	verify.out.aliased = aliased;
}

static bool prepare(const struct mon_request *r, struct pscm_thread *t)
{
	struct verify_job *j = &verify.job;
	bool found;

	*j = (struct verify_job){ .thread = t, .page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
		.memory = verify_memory_free() / 4 * 3, .maps_bytes = MAPS_BYTES };
	j->maps = pscm_map(MAPS_BYTES);
	j->entries = pscm_map(VERIFY_ENTRIES * sizeof *j->entries);
	j->page = mmap(NULL, sizeof *j->page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		-1, 0);
	if (j->page == MAP_FAILED)
		j->page = NULL;
	found = object_pages_find(r->object, j->page_bytes, &verify.pages);
	if (!found || !j->maps || !j->entries || !j->page || !j->memory) {
		stop(MON_VERIFY_NO_MEMORY, 0, false);
		return false;
	}
	j->range = verify.pages.range;
	j->nranges = verify.pages.n;
	verify.out.pages = verify.pages.pages;
	verify.out.page = j->page_bytes;
	if (verify.out.pages * j->page_bytes < verify.pages.bytes / 2 || !verify.out.pages) {
		stop(MON_VERIFY_NO_PAGES, 0, false);
		return false;
	}
	return true;
}

static void tidy(void)
{
	struct verify_job *j = &verify.job;

	object_pages_free(&verify.pages);
	pscm_unmap(j->maps, MAPS_BYTES);
	pscm_unmap(j->entries, VERIFY_ENTRIES * sizeof *j->entries);
	if (j->page)
		munmap(j->page, sizeof *j->page);
}

/* --- copies --------------------------------------------------------------------------------- */

static uint64_t run_limit(void)
{
	return (verify.job.recorded ? RECORDED : SLOWER) * verify.clean_ns + EXTRA_S * SECOND;
}

#define BIT(signal) (UINT64_C(1) << ((signal) - 1))

static uint64_t signals_pending(void)
{
	uint64_t set = 0;

	syscall(SYS_rt_sigpending, &set, sizeof set);
	return set;
}

/* A signal came that may end the program: it must not wait for copies. */
static bool urgent(void)
{
	return signals_pending() & ~verify.pending &
		(BIT(SIGINT) | BIT(SIGTERM) | BIT(SIGHUP) | BIT(SIGQUIT));
}

/* Waits for the copy.  True: it ended by itself, or by a signal; false: it was late,
 * or the program is wanted.  Another thread of the program may have taken its
 * status with __WALL: then that is 0. */
static bool copy_await(long pid, int *status)
{
	const struct verify_page *page = verify.job.page;
	const struct timespec pause = { 0, 200000 };
	uint64_t until = clock_ns() + MAKING_S * SECOND;
	uint32_t stage = VERIFY_MAKING, runs = 0;

	*status = 0;
	for (;;) {
		long n = syscall(SYS_wait4, pid, status, WNOHANG | __WCLONE, NULL);

		if (n == pid || (n < 0 && errno != EINTR))
			return true;
		if (atomic_load(&page->stage) != stage || atomic_load(&page->runs) != runs) {
			stage = atomic_load(&page->stage);
			runs = atomic_load(&page->runs);
			until = clock_ns() + run_limit();
		}
		if (clock_ns() > until || urgent())
			break;
		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	syscall(SYS_kill, pid, SIGKILL);
	while (syscall(SYS_wait4, pid, status, __WCLONE, NULL) < 0 && errno == EINTR)
		;
	return false;
}

/* Did the copy complete an execution? */
static bool copy_judge(bool in_time, int status)
{
	const struct verify_page *page = verify.job.page;
	uint32_t why = atomic_load(&page->refusal), runs = atomic_load(&page->runs);
	bool aliased = verify.job.aliased;

	if (urgent()) {
		stop(MON_VERIFY_INTERRUPTED, 0, aliased);
		return false;
	}
	if (runs) {
		if (runs < verify.runs)
			verify.runs = runs;
		return true;
	}
	if (!in_time)
		stop(MON_VERIFY_LATE, atomic_load(&page->stage) == VERIFY_MAKING ? MAKING_S * 1000 :
			(uint32_t)(run_limit() / 1000000), aliased);
	else if (WIFSIGNALED(status))
		stop(MON_VERIFY_SIGNAL, (uint32_t)WTERMSIG(status), aliased);
	else if (why == MON_VERIFY_VOID && aliased)
		stop(MON_VERIFY_OTHER_PATH, 0, true);   /* the clean copy's execution was none */
	else if (why > MON_VERIFY_DONE && why < MON_VERIFY_REFUSALS)
		stop((enum mon_refusal)why, page->detail, aliased);
	else
		stop(MON_VERIFY_SIGNAL, 0, aliased);
	return false;
}

enum copied { COPY_DONE, COPY_FAILED, IN_THE_COPY };

/* Makes one copy and waits for it. */
static enum copied copy(bool aliased, bool recorded)
{
	struct verify_job *j = &verify.job;
	int status;
	long pid;
	int error;
	bool in_time;

	*j->page = (struct verify_page){ .stage = VERIFY_MAKING };
	j->aliased = aliased;
	j->recorded = recorded;
	j->seconds = VERIFY_RUNS * run_limit() / SECOND + MAKING_S;
	/* No other thread may hold it: in the copy nobody would release it. */
	pscm_lock(&pscm_tables_lock);
	pid = syscall(SYS_clone, 0, 0, 0, 0, 0);
	error = errno;
	pscm_unlock(&pscm_tables_lock);
	if (!pid) {
		verify_copy_make(j);
		return IN_THE_COPY;
	}
	if (pid < 0) {
		stop(MON_VERIFY_NO_COPY, (uint32_t)error, aliased);
		return COPY_FAILED;
	}
	in_time = copy_await(pid, &status);
	return copy_judge(in_time, status) ? COPY_DONE : COPY_FAILED;
}

/* Do both copies make the same accesses, in all executions that they complete? */
static enum copied paths_compare(void)
{
	const struct pscm_digest *d = verify.job.page->digest;
	struct pscm_digest clean[VERIFY_RUNS];
	enum copied c = copy(false, true);

	if (c != COPY_DONE)
		return c;
	memcpy(clean, d, sizeof clean);
	c = copy(true, true);
	if (c == COPY_DONE && !d->words) {
		stop(MON_VERIFY_NOT_RECORDED, 0, false);
		return COPY_FAILED;
	}
	for (uint32_t i = 0; c == COPY_DONE && i < verify.runs; i++)
		if (d[i].words != clean[i].words || d[i].hash != clean[i].hash) {
			stop(MON_VERIFY_OTHER_PATH, 0, true);
			c = COPY_FAILED;
		}
	return c;
}

/* Which copy of a pair comes first alternates: what disturbs one disturbs the other. */
static enum copied pair_time(uint32_t pair)
{
	for (uint32_t i = 0; i < 2; i++) {
		bool aliased = (pair + i) & 1;
		enum copied c = copy(aliased, false);

		if (c != COPY_DONE)
			return c;
		memcpy(verify.ns[pair][aliased], verify.job.page->cpu_ns,
			sizeof verify.ns[pair][aliased]);
	}
	return COPY_DONE;
}

static enum copied pairs_time(void)
{
	uint64_t begin = clock_ns();
	enum copied c;

	for (uint32_t i = 0; i < MON_PAIRS; i++) {
		if (i >= PAIRS_LEAST && clock_ns() - begin > ALL_S * SECOND)
			break;
		c = pair_time(i);
		if (c != COPY_DONE)
			return c;
		verify.out.pairs = i + 1;
	}
	for (uint32_t i = 0; i < verify.out.pairs; i++) {
		verify.out.clean_ns[i] = verify.ns[i][0][verify.runs - 1];
		verify.out.aliased_ns[i] = verify.ns[i][1][verify.runs - 1];
	}
	verify.out.cold = verify.runs == 1;
	return COPY_DONE;
}

bool pscm_verify(struct mon_request *r, struct pscm_thread *t)
{
	enum copied c = COPY_FAILED;

	pscm_lock(&verify.lock);
	memset(&verify.out, 0, sizeof verify.out);
	verify.clean_ns = r->clean_ns;
	verify.pending = signals_pending();
	verify.runs = VERIFY_RUNS;
	if (prepare(r, t))
		c = paths_compare();
	if (c == COPY_DONE)
		c = pairs_time();
	if (c == IN_THE_COPY)
		return true;
	tidy();
	r->verified = verify.out;
	pscm_unlock(&verify.lock);
	return false;
}

/* --- the collector ---------------------------------------------------------------------------- */

static bool wants(const struct mon_request *r)
{
	return r->kind == MON_VERIFY;
}

static enum collector_run run(struct mon_request *r, struct pscm_thread *t)
{
	if (pscm_verify(r, t))
		return COLLECTOR_COPY;
	return r->verified.refusal == MON_VERIFY_VOID ? COLLECTOR_VOID : COLLECTOR_DONE;
}

const struct pscm_collector collect_copies = { .wants = wants, .run = run };
