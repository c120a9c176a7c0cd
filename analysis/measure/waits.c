/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves the time of calls that wait from processor time to waits. */
#include "analysis/measure/waits.h"
#include "analysis/measure/thread_times.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int by_name(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

enum waits waits_of(const char *callee)
{
	/* in order */
	static const char *const blocks[] = {
		"accept", "clock_nanosleep", "close", "connect", "epoll_wait", "fclose",
			"fdatasync",
		"fflush", "fgetc", "fgets", "fopen", "fprintf", "fputc", "fputs", "fread", "fscanf",
		"fsync", "fwrite", "getc", "getline", "msync", "nanosleep", "open", "poll", "ppoll",
		"pread", "preadv", "printf", "pselect", "pthread_barrier_wait",
		"pthread_cond_timedwait",
		"pthread_cond_wait", "pthread_join", "pthread_mutex_lock", "putc", "puts", "pwrite",
		"pwritev", "read", "readv", "recv", "recvfrom", "recvmsg", "scanf", "select",
		"sem_wait", "send", "sendmsg", "sendto", "sleep", "sync", "vfprintf",
		"wait", "waitpid", "write", "writev",
	};

	if (strncasecmp(callee, "mpi_", 4) == 0)
		return WAITS_ALL;
	return bsearch(callee, blocks, sizeof blocks / sizeof *blocks, sizeof *blocks, by_name) ?
		WAITS_BLOCKED : WAITS_NOT;
}

/* Says how a context that is a call waits.  WAITS_NOT if it has contexts below: callees that are
 * instrumented work. */
static enum waits context_waits(const struct measurements *p, uint32_t context)
{
	const struct measured_context *c = &p->contexts[context];
	const struct sir_region *r = c->region == SIR_NONE ? NULL : &p->sir->regions[c->region];

	return r && r->type == REGION_CALL && c->child == NO_CONTEXT ? waits_of(r->name) :
		WAITS_NOT;
}

static uint64_t at_most(uint64_t n, uint64_t max)
{
	return n < max ? n : max;
}

/* Moves the waits of a call, in its context and all around it. */
static void move(const struct measurements *p, struct mon_time_row *rows, uint32_t n,
	const struct mon_time_row *call, enum waits waits)
{
	uint64_t cpu = waits == WAITS_ALL ? call->cpu_ns : 0, known = call->cpu_ns - cpu +
		call->wait_ns;
	uint64_t wait = call->wall_ns > known ? call->wall_ns - known : 0;
	struct mon_time_row key = *call;

	for (; key.context != NO_CONTEXT; key.context = p->contexts[key.context].parent) {
		struct mon_time_row *at = bsearch(&key, rows, n, sizeof *rows, time_row_order);

		if (!at)
			continue;
		at->cpu_ns -= at_most(cpu, at->cpu_ns);
		at->wait_ns += wait;
	}
}

struct mon_time_row *waits_rows(const struct measurements *p, const struct mon_result *r,
	uint32_t *nrows)
{
	struct mon_time_row *rows = malloc((r->ntimes + 1) * sizeof *rows);
	uint32_t n = 0;

	if (!rows)
		return NULL;
	for (uint32_t i = 0; i < r->ntimes; i++)
		if (r->times[i].context < p->ncontexts && r->times[i].execution < r->executions)
			rows[n++] = r->times[i];
	qsort(rows, n, sizeof *rows, time_row_order);
	for (uint32_t i = 0; i < n; i++) {
		enum waits waits = context_waits(p, rows[i].context);
		struct mon_time_row call = rows[i];

		if (waits)
			move(p, rows, n, &call, waits);
	}
	*nrows = n;
	return rows;
}
