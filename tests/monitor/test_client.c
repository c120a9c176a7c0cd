/* SPDX-License-Identifier: BSD-3-Clause */
/* client.c against an application that says and writes what it likes. */
#include "config.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include "base/clock.h"
#include "monitor/client/mon.h"

static char directory[64], path[96];
static int listener;
static struct err err;

/* The application's end. */
static int fd, memory;
static struct mon_shm *shm;

static int set_up(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/client.XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/socket", directory);
	listener = mon_listen(path, &err);
	assert_true(listener >= 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	close(listener);
	unlink(path);
	rmdir(directory);
	return 0;
}

static void dial(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	strcpy(a.sun_path, path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
}

static void make_memory(size_t size, int seals)
{
	memory = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	assert_int_equal(ftruncate(memory, (off_t)size), 0);
	if (seals)
		assert_int_equal(fcntl(memory, F_ADD_SEALS, seals), 0);
	shm = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	assert_ptr_not_equal(shm, MAP_FAILED);
	shm->magic = MON_MAGIC;
	shm->version = MON_VERSION;
}

static void hello(const void *data, size_t len, bool with_memory)
{
	struct iovec v = { (void *)(uintptr_t)data, len };
	union { struct cmsghdr align; char space[CMSG_SPACE(sizeof(int))]; } control;
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };

	if (with_memory) {
		struct cmsghdr *c;

		m.msg_control = control.space;
		m.msg_controllen = sizeof control.space;
		c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &memory, sizeof memory);
	}
	assert_int_equal(sendmsg(fd, &m, 0), (ssize_t)len);
}

static struct mon_hello good(void)
{
	struct mon_hello h = { .kind = MON_HELLO, .version = MON_VERSION, .pid = 42, .rank = 3,
		.bytes = sizeof *shm, .executable = "/bin/app" };

	return h;
}

enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW };

static void hang_up(size_t size)
{
	munmap(shm, size);
	close(memory);
	close(fd);
}

static struct mon_peer *connected(void)
{
	struct mon_hello h = good();
	struct mon_peer *p;

	dial();
	make_memory(sizeof *shm, SEALS);
	hello(&h, sizeof h, true);
	p = mon_peer_accept(listener, &err);
	assert_non_null(p);
	return p;
}

static void a_monitor_is_known_by_its_hello(void **state)
{
	struct mon_peer *p = connected();

	(void)state;
	assert_int_equal(mon_peer_pid(p), 42);
	assert_int_equal(mon_peer_rank(p), 3);
	assert_string_equal(mon_peer_executable(p), "/bin/app");
	mon_peer_free(p);
	hang_up(sizeof *shm);
	mon_peer_free(NULL);
}

static void nobody_waiting_is_no_error(void **state)
{
	(void)state;
	strcpy(err.text, "x");
	assert_null(mon_peer_accept(listener, &err));
	assert_string_equal(err.text, "");
}

static void a_late_hello_is_waited_for(void **state)
{
	struct mon_hello h = good();
	struct mon_peer *p;

	(void)state;
	dial();
	make_memory(sizeof *shm, SEALS);
	assert_null(mon_peer_accept(listener, &err));
	assert_string_equal(err.text, "");
	hello(&h, sizeof h, true);
	p = mon_peer_accept(listener, &err);
	assert_non_null(p);
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static void refused(size_t size, int seals, const void *data, size_t len, bool with_memory)
{
	dial();
	make_memory(size, seals);
	hello(data, len, with_memory);
	assert_null(mon_peer_accept(listener, &err));
	assert_string_not_equal(err.text, "");
	hang_up(size);
}

static void bad_hellos_are_refused(void **state)
{
	struct mon_hello h = good();

	(void)state;
	refused(sizeof *shm, SEALS, &h, sizeof h, false);
	refused(sizeof *shm, SEALS, &h, 16, true);
	refused(sizeof *shm, 0, &h, sizeof h, true);
	refused(sizeof *shm / 2, SEALS, &h, sizeof h, true);
	h.version++;
	refused(sizeof *shm, SEALS, &h, sizeof h, true);
	h = good();
	h.kind = MON_EVENT;
	refused(sizeof *shm, SEALS, &h, sizeof h, true);
}

static void memory_of_something_else_is_refused(void **state)
{
	struct mon_hello h = good();

	(void)state;
	dial();
	make_memory(sizeof *shm, SEALS);
	shm->magic++;
	hello(&h, sizeof h, true);
	assert_null(mon_peer_accept(listener, &err));
	hang_up(sizeof *shm);
	/* One that hangs up at once. */
	dial();
	close(fd);
	assert_null(mon_peer_accept(listener, &err));
}

static void fill_tables(void)
{
	strcpy(shm->strings + 1, "file.f");
	strcpy(shm->strings + 8, "u");
	atomic_store(&shm->nstrings, 10);
	shm->units[0] = (struct mon_unit){ 7, 5, 1 };
	atomic_store(&shm->nunits, 1);
	shm->contexts[0] = (struct mon_context){ MON_ANY, 0, 1, 0 };
	shm->contexts[1] = (struct mon_context){ 0, 0, 2, 1 };
	atomic_store(&shm->ncontexts, 2);
	shm->objects[MON_OBJ_FIRST] = (struct mon_object){ .name = 8, .region = MON_ANY };
	atomic_store(&shm->nobjects, MON_OBJ_FIRST + 1);
	shm->aliases[0] = (struct mon_alias){ 0, 2, MON_OBJ_FIRST, 8, MON_ANY };
	atomic_store(&shm->naliases, 1);
}

static void scribbled_tables_give_nothing_but_false(void **state)
{
	struct mon_peer *p = connected();
	struct mon_context c;
	struct mon_object o;
	const char *name, *scope, *source;
	uint64_t hash;
	uint32_t region, object, context;

	(void)state;
	fill_tables();
	assert_true(mon_peer_context(p, 1, &c, &hash));
	assert_int_equal(hash, 7);
	assert_true(mon_peer_object(p, MON_OBJ_FIRST, &o, &name, &scope, &hash, &source));
	assert_string_equal(name, "u");
	assert_string_equal(scope, "");
	assert_string_equal(source, "file.f");
	assert_true(mon_peer_alias(p, 0, &hash, &region, &object, &context, &name));
	assert_int_equal(object, MON_OBJ_FIRST);

	assert_false(mon_peer_context(p, 2, &c, &hash));
	atomic_store(&shm->threads, UINT32_MAX);
	assert_int_equal(mon_peer_threads(p), MON_THREADS);
	shm->contexts[1].parent = 1;
	assert_false(mon_peer_context(p, 1, &c, &hash));
	shm->contexts[1] = (struct mon_context){ 0, 9, 2, 1 };
	assert_false(mon_peer_context(p, 1, &c, &hash));
	shm->contexts[1] = (struct mon_context){ 0, 0, 5, 1 };
	assert_false(mon_peer_context(p, 1, &c, &hash));
	shm->contexts[0].parent = 0;
	assert_false(mon_peer_context(p, 0, &c, &hash));
	atomic_store(&shm->ncontexts, UINT32_MAX);
	assert_int_equal(mon_peer_ncontexts(p), MON_CONTEXTS);

	shm->objects[MON_OBJ_FIRST].name = UINT32_MAX - 1;
	assert_false(mon_peer_object(p, MON_OBJ_FIRST, &o, &name, &scope, &hash, &source));
	shm->objects[MON_OBJ_FIRST].name = 8;
	memset(shm->strings + 1, 'x', MON_STRINGS - 1);
	atomic_store(&shm->nstrings, UINT32_MAX);
	assert_false(mon_peer_object(p, MON_OBJ_FIRST, &o, &name, &scope, &hash, &source));
	shm->aliases[0].object = 3;
	assert_false(mon_peer_alias(p, 0, &hash, &region, &object, &context, &name));
	assert_null(mon_peer_code(p, 0));
	strcpy(shm->strings + 20, "/lib/late.so");
	atomic_store(&shm->nstrings, 40);
	shm->code[0] = 20;
	shm->code[1] = MON_STRINGS;
	atomic_store(&shm->ncode, UINT32_MAX);
	assert_string_equal(mon_peer_code(p, 0), "/lib/late.so");
	assert_null(mon_peer_code(p, 1));
	assert_null(mon_peer_code(p, MON_CODE));
	assert_false(mon_peer_object(p, 3, &o, &name, &scope, &hash, &source));
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static const struct mon_hook hooks[2] = { { 7, 1 }, { 7, 3 } };

static void candidates_are_timed_on_a_clock_that_leaves_out_what_was_recorded(void **state)
{
	const uint64_t ago = UINT64_C(2000000000);
	struct mon_setup setup = { .candidates = hooks, .ncandidates = 2 };
	struct mon_peer *p = connected();
	struct mon_elapsed all;
	struct mon_timed t;

	(void)state;
	assert_int_equal(mon_peer_welcome(p, &setup, &err), 0);
	assert_int_equal(shm->candidate[1].index, 3);
	mon_peer_elapsed(p, &all);
	assert_true(all.ns == 0);
	shm->started_ns = clock_ns() - ago;
	atomic_store(&shm->paused_ns, ago / 4);
	atomic_store(&shm->paused_runs, 2);
	atomic_store(&shm->surveyed_ns, ago / 2);
	atomic_store(&shm->surveyed_runs, 1);
	mon_peer_elapsed(p, &all);
	assert_true(all.surveyed_ns == ago / 2 && all.surveyed_runs == 1);
	assert_true(all.ns >= ago / 4 * 3 && all.ns < ago && all.runs == 2);
	atomic_store(&shm->candidate[0].ns, ago / 4);
	atomic_store(&shm->candidate[0].runs, 5);
	atomic_store(&shm->candidate[0].first, shm->started_ns + 1);
	atomic_store(&shm->candidate[0].since, shm->started_ns + ago / 4);
	assert_true(mon_peer_timed(p, 0, &t));
	assert_true(t.open && t.runs == 5 && t.ns >= ago / 4 * 3 && t.since_first + 1 == t.ns);
	atomic_store(&shm->stands, shm->started_ns + ago / 2);
	assert_true(mon_peer_timed(p, 0, &t));
	assert_true(t.ns == ago / 2 && t.since_first == ago / 2 - 1);
	assert_false(mon_peer_timed(p, 2, &t));
	/* given up: goes on as it did in the first half of that time */
	atomic_store(&shm->candidate[1].first, shm->started_ns + 1);
	atomic_store(&shm->candidate[1].ns, ago / 8);
	atomic_store(&shm->candidate[1].given_up, shm->started_ns + ago / 4);
	assert_true(mon_peer_timed(p, 1, &t));
	assert_true(!t.open && t.ns >= ago / 4 - 10 && t.ns <= ago / 4 + 10);
	atomic_store(&shm->candidate[1].given_up, shm->started_ns + ago);       /* not yet */
	assert_true(mon_peer_timed(p, 1, &t));
	assert_true(t.ns == ago / 8);
	/* scribbled: never more than the process has run */
	atomic_store(&shm->candidate[0].ns, UINT64_MAX - 1);
	assert_true(mon_peer_timed(p, 0, &t));
	assert_true(t.ns <= ago);
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static void tables_begin_anew_with_another_phase(void **state)
{
	struct mon_peer *p = connected();

	(void)state;
	atomic_store(&shm->ncontexts, 9);
	assert_int_equal(mon_peer_ncontexts(p), 9);
	assert_true(mon_peer_chosen(p));
	mon_peer_choose(p, hooks, 2);
	assert_int_equal(shm->nphase, 2);
	assert_int_equal(shm->phase[1].index, 3);
	assert_false(mon_peer_chosen(p));
	atomic_store(&shm->ncontexts, 1);
	assert_int_equal(mon_peer_ncontexts(p), 9);
	atomic_store(&shm->applied, 1);
	assert_true(mon_peer_chosen(p));
	assert_int_equal(mon_peer_ncontexts(p), 1);
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static void impossible_rows_are_left_out_and_counted(void **state)
{
	struct mon_peer *p = connected();
	struct mon_want want = { .kind = MON_SIM, .first = 1, .count = 1 };
	struct mon_result r;
	int slot;

	(void)state;
	fill_tables();
	slot = mon_peer_request(p, &want, &err);
	assert_int_equal(slot, 0);
	assert_int_equal(shm->doorbell, 1);
	assert_int_equal(mon_peer_take(p, slot, &r, &err), -1);
	shm->counts[0][0] = (struct mon_count_row){ .context = 1, .object = MON_OBJ_HEAP };
	shm->counts[0][1] = (struct mon_count_row){ .context = 99, .object = MON_OBJ_FIRST };
	shm->counts[0][2] = (struct mon_count_row){ .context = 0, .object = 12345 };
	shm->times[0][0] = (struct mon_time_row){ .context = 1, .execution = 1 };
	shm->times[0][1] = (struct mon_time_row){ .context = 1, .cpu_ns = UINT64_C(1) << 40 };
	shm->times[0][2] = (struct mon_time_row){ .context = 1, .wait_ns = UINT64_C(1) << 40 };
	shm->times[0][3] = (struct mon_time_row){ .context = 1, .wall_ns = 7, .cpu_ns = 5000000000,
		.wait_ns = 2 };
	shm->sites[0][0] = (struct mon_site){ 1, MON_OBJ_HEAP, 17, 0, 300, 200 };
	shm->sites[0][1] = (struct mon_site){ 99, MON_OBJ_HEAP, 17, 0, 300, 200 };
	shm->sites[0][2] = (struct mon_site){ 1, 12345, 17, 0, 300, 200 };
	shm->sites[0][3] = (struct mon_site){ 1, MON_OBJ_HEAP, UINT32_MAX, 0, 300, 200 };
	shm->sites[0][4] = (struct mon_site){ 1, MON_OBJ_HEAP, 18, 1, 300, 200 };
	shm->sites[0][5] = (struct mon_site){ 1, MON_OBJ_HEAP, 19, 0, 300, UINT64_MAX };
	shm->request[0].rows.sites = 6;
	shm->request[0].phase_ns[0] = 5000000000;
	shm->request[0].rows.counts = 3;
	shm->request[0].rows.times = 4;
	shm->request[0].executions = 1;
	atomic_store(&shm->request[0].state, MON_DONE);
	assert_int_equal(mon_peer_take(p, slot, &r, &err), 0);
	assert_int_equal(r.ncounts, 1);
	assert_int_equal(r.ntimes, 1);
	assert_int_equal(r.times[0].cpu_ns, 5000000000);
	assert_int_equal(r.nsites, 1);
	assert_true(r.sites[0].line == 17 && r.sites[0].first == 300 && r.sites[0].last == 200);
	assert_int_equal(r.rejected, 10);
	assert_int_equal(shm->doorbell, 0);
	assert_int_equal(mon_peer_state(p, slot), MON_EMPTY);
	mon_result_free(&r);

	shm->request[1].rows.counts = UINT32_MAX;
	shm->request[1].rows.times = UINT32_MAX;
	shm->request[1].rows.sites = UINT32_MAX;
	shm->request[1].executions = UINT32_MAX;
	atomic_store(&shm->request[1].state, MON_DONE);
	assert_int_equal(mon_peer_take(p, 1, &r, &err), 0);
	assert_true(r.executions <= MON_EXECUTIONS);
	mon_result_free(&r);
	atomic_store(&shm->request[1].state, 12345);
	assert_int_equal(mon_peer_state(p, 1), MON_DROPPED);
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

/* Many executions are counted for the kernel's work alone, but no more have a time each. */
static void executions_without_times_of_their_own_are_no_more_than_those_with(void **state)
{
	struct mon_peer *p = connected();
	struct mon_want want = { .kind = MON_TIME, .kernel_only = MON_KERNEL_WHOLE, .first = 1, .count = MON_KERNEL_EXECUTIONS };
	int slot = mon_peer_request(p, &want, &err);
	struct mon_result r;

	(void)state;
	assert_true(slot >= 0);
	shm->request[slot].executions = MON_KERNEL_EXECUTIONS;
	atomic_store(&shm->request[slot].state, MON_DONE);
	assert_int_equal(mon_peer_take(p, slot, &r, &err), 0);
	assert_true(r.executions <= MON_EXECUTIONS);
	mon_result_free(&r);
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static void requests_are_checked_and_slots_run_out(void **state)
{
	struct mon_peer *p = connected();
	struct mon_want want = { .kind = MON_TIME, .first = 1, .count = 1 };

	(void)state;
	for (int i = 0; i < MON_SLOTS; i++)
		assert_int_equal(mon_peer_request(p, &want, &err), i);
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	atomic_store(&shm->request[2].state, MON_EMPTY);
	want.count = 0;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.count = MON_EXECUTIONS + 1;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.count = 1;
	want.first = 0;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.first = 5;
	assert_int_equal(mon_peer_request(p, &want, &err), 2);
	assert_int_equal(mon_peer_state(p, -1), MON_EMPTY);
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static void variants_are_checked_and_their_rows_kept_apart(void **state)
{
	struct mon_peer *p = connected();
	struct mon_variant v[MON_VARIANTS + 1] = { { MON_OBJ_FIRST, MON_FIX_SHIFT, 64 },
		{ MON_OBJ_FIRST, MON_FIX_ABSENT, 0 } };
	struct mon_want want = { .kind = MON_SIM, .first = 1, .count = 1, .variants = v,
		.nvariants = 2 };
	struct mon_result r;

	(void)state;
	fill_tables();
	want.kind = MON_TIME;   /* nothing is played */
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.kind = MON_SIM;
	want.nvariants = MON_VARIANTS + 1;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.nvariants = 2;
	v[1].fix = MON_FIXES;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	v[1].fix = MON_FIX_ROWS;        /* of no bytes */
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	v[1] = (struct mon_variant){ MON_OBJ_HEAP, MON_FIX_ABSENT, 0 };
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	v[1] = (struct mon_variant){ MON_OBJ_FIRST, MON_FIX_SHIFT, MON_FIX_MAX + 1 };
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	v[1] = (struct mon_variant){ MON_OBJ_FIRST, MON_FIX_ABSENT, 0 };
	assert_int_equal(mon_peer_request(p, &want, &err), 0);
	assert_int_equal(shm->request[0].nvariants, 2);
	assert_int_equal(shm->request[0].variant[1].fix, MON_FIX_ABSENT);
	for (uint32_t i = 0; i < 4; i++)
		shm->counts[0][i] = (struct mon_count_row){ .object = MON_OBJ_FIRST,
			.variant = i, .loads = i };
	shm->request[0].nvariants = 77; /* scribbled: what was asked for counts */
	shm->request[0].rows.counts = 4;
	shm->request[0].executions = 1;
	atomic_store(&shm->request[0].state, MON_DONE);
	assert_int_equal(mon_peer_take(p, 0, &r, &err), 0);
	assert_int_equal(r.nvariants, 2);
	assert_int_equal(r.ncounts, 1);
	assert_int_equal(r.nvaried, 2);
	assert_int_equal(r.varied[1].loads, 2);
	assert_int_equal(r.rejected, 1);
	mon_result_free(&r);
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static void copies_are_asked_for_one_object_and_their_results_are_plausible(void **state)
{
	struct mon_peer *p = connected();
	struct mon_want want = { .kind = MON_VERIFY, .first = 1, .count = 1, .object = MON_OBJ_FIRST,
		.clean_ns = 1000 };
	struct mon_request *q = &shm->request[0];
	struct mon_result r;

	(void)state;
	want.object = MON_OBJ_HEAP;     /* no data structure */
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.object = MON_OBJ_FIRST;
	want.clean_ns = MON_VERIFY_LONGEST + 1;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.clean_ns = 1000;
	assert_int_equal(mon_peer_request(p, &want, &err), 0);
	assert_int_equal(q->object, MON_OBJ_FIRST);
	q->verified = (struct mon_verified){ .pairs = 1, .clean_ns = { 1000 }, .aliased_ns = { 400 } };
	q->executions = 1;
	atomic_store(&q->state, MON_DONE);
	assert_int_equal(mon_peer_take(p, 0, &r, &err), 0);
	assert_int_equal(r.verified.aliased_ns[0], 400);
	mon_result_free(&r);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(mon_peer_request(p, &want, &err), 0);
		q->kind = i == 3 ? MON_TIME : MON_VERIFY;       /* overwritten: what was asked for counts */
		q->verified = (struct mon_verified){ .pairs = i % 3 == 0 ? MON_PAIRS + 1 : 1,
			.refusal = i == 1 ? MON_VERIFY_REFUSALS : MON_VERIFY_DONE };
		q->verified.clean_ns[0] = i == 2 ? UINT64_MAX : 1000;
		atomic_store(&q->state, MON_DONE);
		assert_int_equal(mon_peer_take(p, 0, &r, &err), -1);
		assert_non_null(strstr(err.text, "impossible"));
		atomic_store(&q->state, MON_EMPTY);
	}
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static void trials_have_a_schedule_and_their_rows_its_slots(void **state)
{
	struct mon_peer *p = connected();
	const struct mon_trial_slot schedule[2] = { { 0, 0, 3 }, { 1, 5, 3 } };
	struct mon_want want = { .kind = MON_TRIAL, .first = 1, .count = 11, .schedule = schedule,
		.action = MON_ACTION_MALLOC };
	struct mon_request *q = &shm->request[0];
	struct mon_result r;

	(void)state;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);         /* no slot */
	want.nschedule = MON_TRIAL_SLOTS + 1;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.nschedule = 2;
	want.count = 10;        /* not the schedule's */
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.count = 11;
	want.action = MON_ACTIONS;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.action = MON_ACTION_LARGE_PAGES;   /* of no object */
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.action = MON_ACTION_MALLOC;
	want.kind = MON_TIME;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.kind = MON_TRIAL;
	assert_int_equal(mon_peer_request(p, &want, &err), 0);
	assert_true(q->nschedule == 2 && q->schedule[1].discard == 5 && !q->keep);
	shm->trials[0][0] = (struct mon_trial_row){ 0, 0, 1000, 900, 4096 };
	shm->trials[0][1] = (struct mon_trial_row){ 1, 5, 9000, 8000, 4096 };
	shm->trials[0][2] = (struct mon_trial_row){ 2, 0, 1000, 900, 4096 };
	shm->trials[0][3] = (struct mon_trial_row){ 1, 0, UINT64_MAX, 900, 4096 };
	q->rows.trials = 4;
	q->trial = (struct mon_trial){ .switches = { 1, 1 }, .switch_ns = { 50, 50 }, .kept = 1 };
	memset(q->trial.library, 'x', sizeof q->trial.library);         /* does not end */
	atomic_store(&q->state, MON_DONE);
	assert_int_equal(mon_peer_take(p, 0, &r, &err), 0);
	assert_int_equal(r.ntrials, 2);
	assert_int_equal(r.rejected, 2);
	assert_int_equal(r.trials[1].discarded, 5);
	assert_int_equal(r.trial.kept, 1);
	assert_int_equal(strlen(r.trial.library), sizeof r.trial.library - 1);
	mon_result_free(&r);
	assert_int_equal(mon_peer_request(p, &want, &err), 0);
	q->trial = (struct mon_trial){ .refusal = MON_TRIAL_REFUSALS };
	q->reason = MON_DROP_TRIAL;
	atomic_store(&q->state, MON_DROPPED);
	assert_int_equal(mon_peer_take(p, 0, &r, &err), 0);
	assert_int_equal(r.trial.refusal, MON_TRIAL_HIDDEN);
	mon_result_free(&r);
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static void events_are_checked_and_their_rows_too(void **state)
{
	struct mon_peer *p = connected();
	struct mon_event event[MON_EVENTS_MOST + 1] = { { 1, MON_EVENT_USER, 2, 0, 0 }, { 1, 0, 3, 0, 0 } };
	struct mon_want want = { .kind = MON_EVENTS, .first = 1, .count = 2, .events = event };
	struct mon_request *q = &shm->request[0];
	struct mon_result r;

	(void)state;
	fill_tables();
	assert_int_equal(mon_peer_request(p, &want, &err), -1);         /* none */
	want.nevents = MON_EVENTS_MOST + 1;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.nevents = 2;
	event[1].flags = 128;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	event[1].flags = 0;
	want.kind = MON_TIME;
	assert_int_equal(mon_peer_request(p, &want, &err), -1);
	want.kind = MON_EVENTS;
	assert_int_equal(mon_peer_request(p, &want, &err), 0);
	assert_true(q->nevents == 2 && q->event[1].config == 3);
	shm->events[0][0] = (struct mon_event_row){ 1, 0, 1, 1, 77, 100, 50 };
	shm->events[0][1] = (struct mon_event_row){ 99, 0, 1, 1, 77, 100, 50 };
	shm->events[0][2] = (struct mon_event_row){ 1, MON_THREADS, 1, 1, 77, 100, 50 };
	shm->events[0][3] = (struct mon_event_row){ 1, 0, 2, 1, 77, 100, 50 };
	shm->events[0][4] = (struct mon_event_row){ 1, 0, 1, 2, 77, 100, 50 };
	shm->events[0][5] = (struct mon_event_row){ 1, 0, 1, 1, UINT64_MAX, 100, 50 };
	shm->events[0][6] = (struct mon_event_row){ 1, 0, 1, 1, 77, 100, 101 };
	q->rows.events = 7;
	q->executions = 2;
	atomic_store(&q->state, MON_DONE);
	assert_int_equal(mon_peer_take(p, 0, &r, &err), 0);
	assert_int_equal(r.nevents, 1);
	assert_int_equal(r.rejected, 6);
	assert_true(r.events[0].value == 77 && r.events[0].running == 50);
	mon_result_free(&r);
	assert_int_equal(mon_peer_request(p, &want, &err), 0);
	q->reason = MON_DROP_EVENTS;
	q->failed_event = 1;
	q->failed_errno = INT32_MAX;
	atomic_store(&q->state, MON_DROPPED);
	assert_int_equal(mon_peer_take(p, 0, &r, &err), 0);
	assert_true(r.reason == MON_DROP_EVENTS && r.failed_event == 1 && r.failed_errno == 0);
	mon_result_free(&r);
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static void news_come_by_importance_and_end_with_the_process(void **state)
{
	struct mon_peer *p = connected();
	const uint32_t event = MON_EVENT, waiting = MON_WAITING;
	uint32_t got;

	(void)state;
	assert_int_equal(mon_peer_news(p), MON_NEWS_NONE);
	send(fd, &event, sizeof event, 0);
	assert_int_equal(mon_peer_news(p), MON_NEWS_EVENT);
	send(fd, &waiting, sizeof waiting, 0);
	send(fd, &event, sizeof event, 0);
	assert_int_equal(mon_peer_news(p), MON_NEWS_WAITING);
	mon_peer_go(p);
	assert_int_equal(recv(fd, &got, sizeof got, 0), sizeof got);
	assert_int_equal(got, MON_GO);
	mon_peer_detach(p);
	assert_true(shm->doorbell & MON_BELL_DETACHED);
	send(fd, &waiting, sizeof waiting, 0);
	close(fd);
	fd = dup(0);
	assert_int_equal(mon_peer_news(p), MON_NEWS_GONE);
	assert_int_equal(mon_peer_news(p), MON_NEWS_GONE);
	mon_peer_go(p);
	mon_peer_free(p);
	hang_up(sizeof *shm);
}

static void the_socket_is_private(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(mon_listen(path, &err), -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_monitor_is_known_by_its_hello),
		TEST(nobody_waiting_is_no_error),
		TEST(a_late_hello_is_waited_for),
		TEST(bad_hellos_are_refused),
		TEST(memory_of_something_else_is_refused),
		TEST(scribbled_tables_give_nothing_but_false),
		TEST(candidates_are_timed_on_a_clock_that_leaves_out_what_was_recorded),
		TEST(tables_begin_anew_with_another_phase),
		TEST(impossible_rows_are_left_out_and_counted),
		TEST(executions_without_times_of_their_own_are_no_more_than_those_with),
		TEST(requests_are_checked_and_slots_run_out),
		TEST(variants_are_checked_and_their_rows_kept_apart),
		TEST(copies_are_asked_for_one_object_and_their_results_are_plausible),
		TEST(trials_have_a_schedule_and_their_rows_its_slots),
		TEST(events_are_checked_and_their_rows_too),
		TEST(news_come_by_importance_and_end_with_the_process),
		TEST(the_socket_is_private),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
