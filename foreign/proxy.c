/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads bursts, samples and heap events while the program runs, within a budget of processor time,
 * and answers the agent when the program has ended. */
#include "config.h"
#include "foreign/proxy.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "foreign/answers.h"
#include "foreign/clock_samples.h"
#include "foreign/program_state.h"
#include "foreign/to_agent.h"
#include "samples/event_source.h"

#define BUDGET 0.05                     /* of a processor, for all that this process does */
#define CREDIT_NS UINT64_C(500000000)   /* at the program's begin: short programs need some bursts,
					 * too */
#define BETWEEN_NS UINT64_C(20000000)   /* bursts are not closer */
#define PROGRAM_NS UINT64_C(20000000)   /* what /proc says of the program is read so often */
#define TAKEN_NS UINT64_C(20000000000)  /* the agent takes results within this time, or they are
					 * lost */
enum { TICK_MS = 2, TICK_MOST_MS = 50, TICK_MOST_NS = 50000000 };

struct proxy {
	const struct proxy_job *job;
	struct to_agent agent;
	struct shm_tables tables;
	struct images images;
	struct code_contexts places;
	struct memory_objects objects;
	struct play_bursts play;
	struct page_sampler pages;
	struct thread_times *times;     /* by thread, MON_THREADS; owned */
	struct program_state program;
	struct mon_bursts recorded;
	struct hardware_samples hardware;       /* with job->samples */
	struct mon_hardware said;
	struct clock_samples clock;     /* with job->times_only */
	uint64_t user_then, user_at;    /* processor time of the program when the period was
					 * steered, and when that was */
	uint64_t began, burst_at, program_at, ended;
	int pidfd;                      /* -1: not to be had */
};

static bool program_runs(const struct proxy *p)
{
	struct pollfd f = { p->pidfd, POLLIN, 0 };

	return p->pidfd >= 0 ? poll(&f, 1, 0) == 0 : getppid() &&
		syscall(SYS_kill, p->job->program, 0) == 0;
}

/* Processor time of this process. */
static uint64_t own_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- what the recorder wrote ------------------------------------------------------------------ */

static struct burst_thread_play *thread_of(struct proxy *p, uint32_t slot)
{
	const struct burst_thread *s = recorder_slot(p->job->recorder, slot);

	/* A slot is taken before its thread has written its number there. */
	if (atomic_load_explicit(&s->life, memory_order_acquire) == BURST_FREE_SLOT || !s->tid)
		return NULL;
	return play_bursts_thread(&p->play, &p->places, slot, s->tid);
}

static void take_samples(struct proxy *p)
{
	struct burst_sample s;

	for (uint32_t i = 0; i < recorder_slots(p->job->recorder); i++) {
		struct burst_thread_play *t = thread_of(p, i);

		if (t)
			memory_objects_stack(&p->objects, recorder_slot(p->job->recorder,
				i)->stack_high);
		while (t && recorder_sample(p->job->recorder, i, &s)) {
			const uint32_t context = sample_times_add(&p->times[t->number], &p->places,
				&s);

			if (s.burst && s.burst != t->begun)
				t->begins_in = context;
			t->begun = s.burst ? s.burst : t->begun;
		}
	}
}

/* --- samples by the kernel's clock ------------------------------------------------------------ */

static struct burst_thread_play *thread_by_tid(struct proxy *p, uint32_t tid)
{
	for (uint32_t i = p->play.nthreads; i-- > 0; )
		if (p->play.thread[i].tid == tid)
			return &p->play.thread[i];
	if (p->play.nthreads == BURST_THREADS)
		return NULL;
	return play_bursts_thread(&p->play, &p->places, p->play.nthreads, tid);
}

/* Each sample stands for the time between two. */
static void take_time(void *to, const struct memory_sample *s)
{
	struct proxy *p = to;
	struct burst_thread_play *t = thread_by_tid(p, s->tid);

	if (t)
		sample_times_add(&p->times[t->number], &p->places,
			&(struct burst_sample){ .ip = s->ip, .time = s->time,
				.cpu = p->times[t->number].cpu + p->job->period });
	else
		p->recorded.samples_lost++;
}

/* For all threads that there are. */
static int open_clock(struct proxy *p, struct err *err)
{
	char name[64];
	struct dirent *d;
	DIR *tasks;
	int rc = 0;

	snprintf(name, sizeof name, "/proc/%ld/task", (long)p->job->program);
	tasks = opendir(name);
	if (!tasks)
		return err_sys(err, "%s", name);
	while (rc == 0 && (d = readdir(tasks)))
		if (d->d_name[0] != '.')
			rc = clock_samples_open(&p->clock, (pid_t)atol(d->d_name), p->job->period,
				err);
	closedir(tasks);
	return rc;
}

static void take_times(struct proxy *p)
{
	const struct sample_taker to = { take_time, p };

	if (p->job->times_only)
		clock_samples_take(&p->clock, &to);
}

/* --- the processor's samples ------------------------------------------------------------------ */

static bool thread_of_tid(void *in, uint32_t tid, struct hardware_thread *out)
{
	const struct proxy *p = in;

	for (uint32_t i = p->play.nthreads; i-- > 0; )
		if (p->play.thread[i].tid == tid) {
			*out = (struct hardware_thread){ i, p->times[i].context };
			return true;
		}
	return false;
}

/* CPUs that the program has kept busy since the last call. */
static double cpus_busy(struct proxy *p, uint64_t now)
{
	const uint64_t user = p->program.kernel.user_ns > p->user_then ? p->program.kernel.user_ns -
		p->user_then : 0;
	const double busy = now > p->user_at ? (double)user / (double)(now - p->user_at) : 0;

	p->user_then = p->program.kernel.user_ns;
	p->user_at = now;
	return busy;
}

static void take_hardware(struct proxy *p)
{
	const struct hardware_threads threads = { thread_of_tid, p };
	const uint64_t now = clock_ns();

	if (p->said.opened)
		hardware_samples_read(&p->hardware, &threads, now, cpus_busy(p, now));
}

/* Sources of tests sample the accesses of bursts. */
static void give_access(void *watcher, const struct burst_thread_play *t,
	const struct burst_access *a, uint64_t address)
{
	const struct proxy *p = watcher;
	struct source_access s = { .ip = a->ip, .address = address, .time = clock_ns(),
		.pid = (uint32_t)p->job->program, .tid = t->tid, .cpu = t->number,
		.size = a->size };

	if (a->does & BURST_LOAD)
		sample_source.access(&s);
	s.store = true;
	if (a->does & BURST_STORE)
		sample_source.access(&s);
}

static void begin_hardware(struct proxy *p)
{
	struct err err = { "" };

	p->said.asked = 1;
	if (hardware_samples_begin(&p->hardware, p->job->program, &p->agent.shm->machine,
	    &p->places, &p->objects, &err)) {
		snprintf(p->said.why, sizeof p->said.why, "%.*s", (int)sizeof p->said.why - 1,
			err.text);
		return;
	}
	p->said = p->hardware.said;
	p->said.asked = 1;
	if (p->agent.shm->machine.nodes.count > 1)
		p->agent.shm->placement = MON_PLACE_FAULTS;
	if (sample_source.access) {
		p->play.watch = give_access;
		p->play.watcher = p;
	}
}

/* --- all -------------------------------------------------------------------------------------- */

static void take_heap_events(struct proxy *p, bool last)
{
	struct burst_heap_event e;

	while (recorder_heap_event(p->job->recorder, last, &e)) {
		if (e.time)
			page_sampler_take_until(&p->pages, e.time);
		memory_objects_event(&p->objects, &e);
	}
}

static void take_burst(struct proxy *p, bool last)
{
	struct recorder *r = p->job->recorder;

	if (!recorder_burst_done(r, last))
		return;
	for (uint32_t i = 0; i < recorder_slots(r); i++) {
		struct burst_thread_play *t = thread_of(p, i);

		if (t && recorder_has_words(r, recorder_slot(r, i)))
			play_bursts_add(t, recorder_slot(r, i));
	}
	memory_objects_small_changed(&p->objects);
	play_bursts_run(&p->play, r->burst);
	recorder_burst_taken(r);
	p->burst_at = clock_ns();
}

/* The program's threads wait until they are read. */
static void take_whole(struct proxy *p, bool last)
{
	struct recorder *r = p->job->recorder;
	bool any = false;

	for (uint32_t i = 0; i < recorder_slots(r); i++) {
		struct burst_thread_play *t = thread_of(p, i);

		if (t && recorder_waits(recorder_slot(r, i), last)) {
			play_bursts_add(t, recorder_slot(r, i));
			t->uncounted = 0;
			any = true;
		}
	}
	if (any) {
		memory_objects_small_changed(&p->objects);
		play_bursts_run(&p->play, ++r->burst);
		recorder_burst_taken(r);
	}
}

/* Mappings are read before what refers to them, so that all addresses are known. */
static void take_all(struct proxy *p, bool last)
{
	const uint32_t generation = p->images.generation;

	if (!last && images_read(&p->images) == 0 && p->images.generation != generation) {
		recorder_code(p->job->recorder, &p->images);
		places_forget(&p->places);
		for (uint32_t i = 0; i < p->play.nthreads; i++)
			block_code_forget(&p->play.thread[i].code);
	}
	page_sampler_mark(&p->pages);
	take_heap_events(p, last);
	page_sampler_take(&p->pages, last);
	take_samples(p);
	take_times(p);
	if (recorder_is_whole(p->job->recorder))
		take_whole(p, last);
	else
		take_burst(p, last);
	take_hardware(p);
	recorder_reclaim(p->job->recorder);
}

/* Is there processor time left for another burst? */
static bool may_ask(const struct proxy *p)
{
	const uint64_t now = clock_ns();

	return !p->job->times_only && !recorder_is_whole(p->job->recorder) &&
		!p->job->recorder->open &&
		now - p->burst_at >= BETWEEN_NS && (double)own_cpu() < CREDIT_NS + BUDGET *
		(double)(now - p->began);
}

/* --- the program's run ------------------------------------------------------------------------ */

static bool is_over(struct proxy *p)
{
	return to_agent_over(&p->agent) || atomic_load(&p->agent.shm->conclude) ||
		(p->job->stop && *p->job->stop);
}

/* Does it run its own code?  With a recorder in it, once that has begun. */
static bool has_begun(const struct proxy *p)
{
	return p->job->times_only ? program_state_is(p->job->program, p->job->executable) :
		recorder_state(p->job->recorder) != BURST_NEW;
}

static void wait_for_program(struct proxy *p)
{
	struct timespec tick = { 0, 200000 };

	while (!has_begun(p) && program_runs(p) && !is_over(p)) {
		nanosleep(&tick, NULL);
		tick.tv_nsec = tick.tv_nsec < TICK_MOST_NS ? 2 * tick.tv_nsec : TICK_MOST_NS;
	}
	p->began = p->program_at = clock_ns();
	program_state_begin(&p->program, p->job->program);
}

static void look_at_program(struct proxy *p)
{
	if (clock_ns() - p->program_at < PROGRAM_NS)
		return;
	program_state_read(&p->program);
	p->program_at = clock_ns();
}

static void describe(struct proxy *p)
{
	const uint64_t lost = p->recorded.samples_lost;

	recorder_describe(p->job->recorder, &p->recorded);
	if (p->job->times_only) {
		p->recorded.refusal = p->job->attached ? MON_BURSTS_ATTACHED : MON_BURSTS_STATIC;
		p->recorded.samples = p->clock.ledger.samples;
		p->recorded.samples_lost = lost + p->clock.ledger.lost_ring;
	}
	p->recorded.words = p->play.words_each;
	p->recorded.cpu_ns = own_cpu();
	p->recorded.children_ns = p->program.children_ns;
	if (p->program.executed && p->recorded.refusal == MON_BURSTS_DONE)
		p->recorded.refusal = MON_BURSTS_EXEC;
}

static void watch(struct proxy *p)
{
	while (program_runs(p) && !is_over(p) && !p->program.executed) {
		struct pollfd f = { p->pidfd, POLLIN, 0 };
		const uint64_t cpu = own_cpu();
		uint64_t ms;

		take_all(p, false);
		if (may_ask(p))
			recorder_ask(p->job->recorder);
		look_at_program(p);
		/* What this takes is bounded, too: a program may have thousands of mappings. */
		ms = (uint64_t)((double)(own_cpu() - cpu) / BUDGET / 1e6);
		if (recorder_is_whole(p->job->recorder))
			ms = 0;
		else
			ms = ms > TICK_MS ? ms < TICK_MOST_MS ? ms : TICK_MOST_MS : TICK_MS;
		poll(&f, p->pidfd >= 0, (int)ms);
	}
	p->ended = clock_ns();
	program_state_read(&p->program);
	describe(p);
	take_all(p, true);
	recorder_done(p->job->recorder);
	for (uint32_t i = 0; i < p->play.nthreads; i++)
		p->recorded.unknown += p->play.thread[i].code.unknown;
	play_bursts_settle(&p->play);
	memory_objects_small_sizes(&p->objects, p->job->recorder->fd);
	if (p->said.opened)
		p->said = p->hardware.said;
	p->said.asked = p->job->samples;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Faults at armed pages are ours, not the program's. */
static struct mon_pages describe_pages(struct proxy *p)
{
	struct mon_pages pages;

	page_sampler_describe(&p->pages, &pages);
	pages.untracked = p->program.private_bytes;
	p->program.kernel.minor = less(p->program.kernel.minor, pages.faults - pages.first);
	p->program.kernel.sys_ns = less(p->program.kernel.sys_ns, pages.spent_ns);
	return pages;
}

/* Answers, until the agent has taken everything and wants nothing more. */
static void report(struct proxy *p)
{
	const struct mon_pages pages = describe_pages(p);
	const struct measured_run run = { p->agent.shm, &p->play, p->times, p->ended - p->began,
		p->program.kernel, p->recorded, pages, pages.sampled ? &p->pages.history : NULL,
		p->said.opened ? &p->hardware : NULL, p->said,
		recorder_is_whole(p->job->recorder) };
	const struct timespec tick = { 0, 2000000 };
	const uint64_t until = clock_ns() + TAKEN_NS;

	atomic_store(&p->agent.shm->threads, p->play.nthreads);
	atomic_store(&p->agent.shm->phase_finished, 1);
	while (!to_agent_over(&p->agent) && clock_ns() < until) {
		if (answers_write(&run))
			to_agent_event(&p->agent);
		nanosleep(&tick, NULL);
	}
}

/* --- begin and end ---------------------------------------------------------------------------- */

static void tell_program(const struct proxy_job *job, char what)
{
	(void)!write(job->told, &what, 1);
	close(job->told);
}

static int begin(struct proxy *p, struct err *err)
{
	const struct proxy_job *job = p->job;

	if (to_agent_open(&p->agent, job->monitor, (uint32_t)job->program, err))
		return -1;
	if (!to_agent_welcomed(&p->agent, (uint32_t)job->program, job->executable))
		return err_set(err, "the node agent does not analyse this process");
	p->pidfd = (int)syscall(SYS_pidfd_open, job->program, 0);
	p->times = calloc(MON_THREADS, sizeof *p->times);
	images_begin(&p->images, job->program);
	memory_objects_begin(&p->objects, &p->images, &p->tables);
	memory_objects_only(&p->objects, job->only);
	/* A page has many small blocks: it belongs to the heap. */
	if (!job->pages.on)
		memory_objects_small(&p->objects, recorder_small(job->recorder));
	if (!p->times || shm_tables_begin(&p->tables, p->agent.shm) ||
	    places_begin(&p->places, &p->images, &p->tables, job->executable, job->code))
		return err_nomem(err);
	if (play_bursts_begin(&p->play, &p->agent.shm->machine, &p->objects, err) ||
	    page_sampler_begin(&p->pages, &job->pages, job->program, job->page_socket, err))
		return -1;
	if (!recorder_is_whole(job->recorder))
		play_bursts_of(&p->play, job->recorder->head->words);
	page_sampler_use(&p->pages, job->recorder, &p->objects, &p->places);
	if (job->times_only && open_clock(p, err))
		return -1;
	if (job->samples)
		begin_hardware(p);
	atomic_store(&p->agent.shm->phase_begun, 1);
	return 0;
}

static void end(struct proxy *p)
{
	for (uint32_t i = 0; p->times && i < p->play.nthreads; i++)
		sample_times_free(&p->times[i]);
	free(p->times);
	page_sampler_end(&p->pages);
	if (p->job->samples)
		hardware_samples_end(&p->hardware);
	clock_samples_close(&p->clock);
	play_bursts_end(&p->play);
	memory_objects_end(&p->objects);
	places_end(&p->places);
	images_end(&p->images);
	shm_tables_end(&p->tables);
	to_agent_close(&p->agent);
	if (p->pidfd >= 0)
		close(p->pidfd);
}

int proxy_run(const struct proxy_job *job, struct err *err)
{
	struct proxy p = { .job = job, .agent = { .fd = -1, .memory = -1 }, .pidfd = -1 };
	const int rc = begin(&p, err);

	recorder_reads(job->recorder);
	tell_program(job, rc ? 'n' : 'r');
	if (!rc) {
		wait_for_program(&p);
		watch(&p);
		report(&p);
	}
	end(&p);
	return rc;
}
