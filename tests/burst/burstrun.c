/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a program with the recorder and says what was recorded:
 *     burstrun [OPTION...] LIBRARY PROGRAM [ARGUMENT...]
 *     -p NS      period of processor time
 *     -e MS      a burst is asked for this often
 *     -w WORDS   of a burst
 *     -f FLAGS   of struct burst_header
 *     -b BYTES   smallest heap block
 *     -d         print the accesses of each burst
 *     -q         print nothing
 *     -c         print the program's processor time alone, in ms, user and system
 *     -n         without the library
 *     -v BYTES   of addresses that the program may have
 *     -g         the reader says at once that it reads no more
 *     -m NUMBER  the version of the memory
 * Its exit code is that of the program, as a shell has it. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/burst/reader.h"

struct totals {
	uint64_t bursts, words, accesses, instructions, samples, samples_in_bursts, events, bad;
	uint64_t ends[BURST_ENDS];
};

static bool dump, quiet, times, alone;

static const char *const end_names[BURST_ENDS] = {
	"idle", "recording", "full", "call", "signal", "code", "no-file", "cache", "lost", "exit"
};

static void take_words(const struct reader *r, uint32_t slot, struct totals *t)
{
	struct reader_place p;
	struct reader_access a;
	uint64_t burst = reader_thread(r, slot)->burst;

	reader_place_begin(&p, r, slot);
	t->words += (uint64_t)(p.end - p.word);
	while (reader_next(&p, &a)) {
		t->accesses++;
		if (dump)
			printf("%" PRIu64 " %u %" PRIx64 " %" PRIx64 " %u %s%s %u\n", burst, slot,
				a.ip, a.address, a.size, a.does & BURST_LOAD ? "r" : "",
				a.does & BURST_STORE ? "w" : "", a.kind);
	}
	t->bad += p.bad;
	t->instructions += p.instructions;
}

static void take_samples(struct burst_thread *b, struct totals *t)
{
	uint64_t head = atomic_load(&b->sample_head);

	for (uint64_t k = b->sample_tail; k < head; k++) {
		const struct burst_sample *s = &b->samples[k % BURST_SAMPLES];

		t->samples++;
		t->samples_in_bursts += s->burst != 0;
		if (dump)
			printf("sample %u ip %" PRIx64 " burst %" PRIu64 " callers %" PRIx64
			       " %" PRIx64 " %" PRIx64 "\n",
				b->tid, s->ip, s->burst, s->callers[0], s->callers[1],
				s->callers[2]);
	}
	atomic_store(&b->sample_tail, head);
}

static void take_events(const struct reader *r, struct totals *t)
{
	struct burst_header *h = r->head;
	uint64_t k;

	for (k = h->heap_tail; k < atomic_load(&h->heap_head); k++) {
		const struct burst_heap_event *e = &h->heap[k % BURST_HEAP_EVENTS];

		if (atomic_load(&e->ready) != k + 1)
			break;
		t->events++;
		if (dump)
			printf("event %u %" PRIx64 " %" PRIu64 " callers %" PRIx64 " %" PRIx64 "\n",
				e->kind, e->address, e->size, e->callers[0], e->callers[1]);
	}
	atomic_store(&h->heap_tail, k);
}

/* Returns the number of threads that are in a burst. */
static uint32_t take(const struct reader *r, struct totals *t, bool last)
{
	uint32_t recording = 0, n = atomic_load(&r->head->slots);

	for (uint32_t k = 0; k < n; k++) {
		struct burst_thread *b = reader_thread(r, k);
		uint32_t status = atomic_load(&b->status);

		take_samples(b, t);
		recording += status == BURST_RECORDING;
		if (status == BURST_IDLE && atomic_load(&b->life) == BURST_ENDED)
			atomic_store(&b->life, BURST_FREE_SLOT);
		if (status < BURST_END_FULL && !(last && status == BURST_RECORDING))
			continue;
		t->ends[status]++;
		t->bursts++;
		take_words(r, k, t);
		atomic_store(&b->status, BURST_IDLE);
		if (atomic_load(&b->life) == BURST_ENDED)
			atomic_store(&b->life, BURST_FREE_SLOT);
	}
	take_events(r, t);
	return recording;
}

static void watch(struct reader *r, struct totals *t, long every, int *status)
{
	struct timespec ms = { 0, 1000000 };
	uint64_t asked = 0;

	for (long k = 0; waitpid(r->pid, status, WNOHANG) == 0; k++) {
		if (atomic_load(&r->head->state) == BURST_READY &&
			(r->head->ranges == 0 || k % 20 == 0))
			reader_ranges(r);
		take(r, t, false);
		if (every > 0 && k % every == 0) {
			atomic_store(&r->head->closed, asked);
			atomic_store(&r->head->wanted, ++asked);
		}
		nanosleep(&ms, NULL);
	}
	take(r, t, true);
}

/* Each granule that belongs to a small block, and its site. */
static void print_granules(const struct reader *r)
{
	const struct burst_small *small = (const void *)(r->memory + BURST_SMALL_AT);

	for (uint64_t k = 0; k < BURST_GRANULES; k++) {
		const uint64_t site = small->granule[k] % BURST_SITES;
		const uint64_t high = small->granule[k] / BURST_SITES;

		if (site != 0 && site != BURST_LARGE)
			printf("granule %" PRIx64 " %" PRIu64 "\n",
				(high * BURST_GRANULES + k) * BURST_GRANULE, site);
	}
}

static void print(const struct reader *r, const struct totals *t)
{
	uint64_t refused_ip = 0, refused_status = 0, lost = 0, blocks = 0;

	for (uint32_t k = 0; k < r->head->slots; k++) {
		const struct burst_thread *b = reader_thread(r, k);

		refused_ip += b->refused_ip;
		refused_status += b->refused_status;
		lost += b->samples_lost;
		blocks += b->blocks;
	}
	fprintf(stderr,
		"state %u refusal %u slots %u blocks %" PRIu64 " bursts %" PRIu64 " words %" PRIu64
		" accesses %" PRIu64 " instructions %" PRIu64 " bad %" PRIu64 "\n",
		r->head->state, r->head->refusal, r->head->slots, blocks, t->bursts, t->words,
		t->accesses, t->instructions, t->bad);
	fprintf(stderr,
		"samples %" PRIu64 " in bursts %" PRIu64 " lost %" PRIu64 " events %" PRIu64
		" lost %" PRIu64 " threads lost %" PRIu64 " refused: code %" PRIu64
		" unread %" PRIu64 "\nends:",
		t->samples, t->samples_in_bursts, lost, t->events, r->head->heap_lost,
		r->head->threads_lost, refused_ip, refused_status);
	for (int k = 0; k < BURST_ENDS; k++)
		if (t->ends[k] != 0)
			fprintf(stderr, " %s %" PRIu64, end_names[k], t->ends[k]);
	fprintf(stderr, "\n");
}

static double milliseconds(struct timeval t)
{
	return 1e3 * (double)t.tv_sec + (double)t.tv_usec / 1e3;
}

/* Of the program, which is the only child. */
static void print_times(void)
{
	struct rusage use;

	getrusage(RUSAGE_CHILDREN, &use);
	fprintf(stderr, "%.1f %.1f\n", milliseconds(use.ru_utime), milliseconds(use.ru_stime));
}

int main(int argc, char **argv)
{
	struct burst_header setup = { .period = 10000000, .words = 100000, .heap_bytes = 4096,
		.version = BURST_VERSION };
	struct reader r;
	struct totals t = { 0 };
	rlim_t addresses = 0;
	long every = 100;
	int option, status;

	while ((option = getopt(argc, argv, "+p:e:w:f:b:dqcnv:gm:")) != -1)
		switch (option) {
		case 'p': setup.period = strtoull(optarg, NULL, 0); break;
		case 'e': every = atol(optarg); break;
		case 'w': setup.words = strtoull(optarg, NULL, 0); break;
		case 'f': setup.flags = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'b': setup.heap_bytes = strtoull(optarg, NULL, 0); break;
		case 'd': dump = true; break;
		case 'q': quiet = true; break;
		case 'c': times = true; break;
		case 'n': alone = true; break;
		case 'g': setup.done = 1; break;
		case 'm': setup.version = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'v': addresses = strtoull(optarg, NULL, 0); break;
		default: return 125;
		}
	if (argc - optind < 2 || reader_open(&r, &setup) != 0 ||
		reader_start(&r, alone ? "" : argv[optind], addresses, argv + optind + 1) != 0)
		return 125;
	watch(&r, &t, every, &status);
	if (dump)
		print_granules(&r);
	if (times)
		print_times();
	else if (!quiet)
		print(&r, &t);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
