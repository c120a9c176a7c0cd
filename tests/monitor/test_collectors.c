/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a request, told by made-up collectors: what phase.c calls, in which order, in
 * executions of all three sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/address/first_touch.h"
#include "monitor/address/objects.h"
#include "monitor/address/shared_tables.h"
#include "monitor/collect/armed.h"
#include "monitor/collect/record_check.h"
#include "monitor/collect/slices.h"
#include "monitor/connect.h"
#include "monitor/host/locks.h"
#include "monitor/host/threads.h"
#include "monitor/phase/execution_source.h"
#include "monitor/phase/phase.h"
#include "monitor/regions/brief_regions.h"
#include "monitor/regions/candidates.h"
#include "monitor/regions/compile_units.h"
#include "monitor/regions/contexts.h"
#include "monitor/regions/region_times.h"
#include "monitor/regions/regions.h"
#include "monitor/regions/time_rows.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

static struct pscm_thread thread;
static char calls[400];         /* what was called, by first letters */
static enum mon_drop refuses, cannot_open;
static bool linger;
static unsigned spans;          /* begun */

static void called(const char *what)
{
	strncat(calls, what, sizeof calls - strlen(calls) - 1);
}

#define assert_calls(want) (assert_string_equal(calls, want), calls[0] = '\0')

/* --- a collector ------------------------------------------------------------------------------ */

static bool wants(const struct mon_request *r) { return r->kind == MON_EVENTS; }

static enum mon_drop arm(struct pscm_armed *a)
{
	assert_ptr_equal(a->request, &pscm_shm->request[a->slot]);
	called("arm ");
	return refuses;
}

static enum mon_drop open_one(struct pscm_armed *a, struct pscm_thread *t, const struct collector_begin *b)
{
	assert_ptr_equal(t, &thread);
	assert_false(pscm_phase.inside);
	assert_true(a->request != NULL);
	called(b->again ? "again " : "open ");
	return cannot_open;
}

static void start(struct pscm_armed *a) { (void)a; called("start "); }
static void cut(struct pscm_thread *t, uint32_t c, bool w) { (void)t, (void)c; called(w ? "cut " : "drop "); }
static void resume(struct pscm_thread *t) { (void)t; called("resume "); }

static void close_one(struct pscm_armed *a, struct pscm_thread *t, bool is_void)
{
	(void)a;
	(void)t;
	assert_int_equal(atomic_load(&pscm_live.mode), PSCM_MODE_TIME | PSCM_MODE_CUT);
	called(is_void ? "close-void " : "close ");
}

static bool take(struct pscm_armed *a, const struct collector_execution *e)
{
	called(e->is_void ? "void " : e->counted ? "take " : "warm ");
	if (e->counted)
		pscm_row_events(a)->value = e->number;
	return e->counted;
}

static void finish(struct pscm_armed *a) { (void)a; called("finish "); }

static const struct pscm_collector made_up = { .mode = PSCM_MODE_TIME | PSCM_MODE_CUT, .most = 4, .clean = true,
	.wants = wants, .arm = arm, .open = open_one, .start = start, .cut = cut, .resume = resume,
	.close = close_one, .take = take, .finish = finish };

/* Another one, that measures at the boundary. */
static enum collector_run runs;

static enum collector_run run_aside(struct mon_request *r, struct pscm_thread *t)
{
	(void)t;
	assert_int_equal(r->executions, 1);
	called("run ");
	return runs;
}

static const struct pscm_collector aside = { .run = run_aside };

const struct pscm_collector *collector_of(const struct mon_request *r)
{
	return r->kind == MON_EVENTS ? &made_up : r->kind == MON_VERIFY ? &aside : NULL;
}

void first_touch_end(void)
{
}

void collectors_forget(void) { called("forget "); }
void collectors_stop(void) { called("stop "); }
void collectors_forking(void) { called("forking "); }

/* --- neighbours ------------------------------------------------------------------------------- */

bool pscm_verify_copy;
_Atomic uint32_t pscm_bind_generation;
pthread_mutex_t pscm_tables_lock = PTHREAD_MUTEX_INITIALIZER;
struct pscm_thread *pscm_thread_self(void) { return &thread; }
void pscm_lock(pthread_mutex_t *lock) { (void)lock; }
bool pscm_trylock(pthread_mutex_t *lock) { (void)lock; return true; }
void pscm_unlock(pthread_mutex_t *lock) { (void)lock; }
bool pscm_guard_left(uintptr_t here) { (void)here; return false; }
void pscm_event(void) { }
void pscm_lockstep(void) { }
void pscm_stop(void) { atomic_store(&pscm_live.on, 0); }
void pscm_aliases_forget(void) { }
void pscm_contexts_reset(void) { }
void pscm_context_root(const struct psc_unit *unit, uint32_t region) { (void)unit, (void)region; }
bool pscm_region_is_phase(uint64_t hash, uint32_t region) { (void)hash, (void)region; return false; }
bool pscm_region_in_team(const struct pscm_thread *t) { (void)t; return false; }
void pscm_region_stack_carry(struct pscm_thread *t, bool clean) { (void)t; called(clean ? "carry " : "all "); }
void pscm_region_stack_close(struct pscm_thread *t, uint64_t now) { (void)t, (void)now; }
void pscm_region_stack_open(struct pscm_thread *t) { (void)t; }
void pscm_region_stack_reset(struct pscm_thread *t, uint32_t epoch) { t->epoch = epoch; }
void pscm_time_sums(void) { }
void pscm_units_call(enum pscm_calls now) { (void)now; }
void pscm_units_native(bool on) { (void)on; }
void pscm_units_resolve(void) { }
void pscm_check_closed(const struct pscm_thread *t) { (void)t; called("check "); }
void times_measure_markers(void) { }
bool brief_any(void) { return false; }
void candidates_again(void) { }
void candidates_pause(void) { }
void candidates_resume(bool executed) { (void)executed; }
bool candidates_settled(void) { return false; }
bool slices_linger(const struct pscm_thread *t) { (void)t; return linger; }
void timed_begin(bool clean) { (void)clean; spans++; }
bool timed_over(uint32_t r, enum timed_kind k, bool idle) { (void)r, (void)k, (void)idle; return true; }
void timed_wait(void) { }
void verify_copy_begin(void) { }
void verify_copy_end(bool is_void) { (void)is_void; }

static int set_up(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	pscm_phase = (struct pscm_phase){ .lock = PTHREAD_MUTEX_INITIALIZER };
	pscm_self = &thread;
	atomic_store(&pscm_live.on, 1);
	atomic_store(&pscm_live.mode, 0);
	calls[0] = '\0';
	refuses = cannot_open = MON_DROP_NONE;
	linger = false;
	pscm_timed_ns = 0;
	execution_number(0);
	return pscm_shm ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	shared_memory_free(pscm_shm);
	return 0;
}

static struct mon_request *request(uint32_t kind, uint64_t first, uint32_t warm, uint32_t count)
{
	struct mon_request *r = &pscm_shm->request[0];

	*r = (struct mon_request){ .kind = kind, .first = first, .warm = warm, .count = count, .state = MON_READY };
	atomic_store(&pscm_shm->doorbell, 1);
	return r;
}

static void execution(bool is_void)
{
	execution_begin(true);
	execution_end(is_void);
}

#define FIRST "arm open start resume "
#define BEGIN "open start resume "

/* --- the phase's executions --------------------------------------------------------------------- */

static void a_request_is_armed_opened_taken_and_finished(void **state)
{
	const struct mon_request *r = request(MON_EVENTS, 2, 1, 2);

	(void)state;
	execution(false);
	assert_calls("");
	execution(false);
	assert_calls(FIRST "cut close warm ");
	assert_int_equal(r->state, MON_ARMED);
	execution(false);
	assert_calls(BEGIN "cut close take ");
	execution(false);
	assert_calls(BEGIN "cut close take finish ");
	assert_int_equal(r->state, MON_DONE);
	assert_int_equal(r->executions, 2);
	assert_int_equal(r->ran_first, 3);
	assert_int_equal(r->rows.events, 2);
	assert_int_equal(pscm_shm->events[0][1].value, 4);
	execution(false);
	assert_calls("");
	assert_int_equal(pscm_shm->phase_finished, 5);
}

static void a_void_execution_comes_again(void **state)
{
	const struct mon_request *r = request(MON_EVENTS, 1, 0, 1);

	(void)state;
	execution(true);
	assert_calls(FIRST "cut close-void void ");
	assert_int_equal(pscm_shm->phase_begun, 0);
	execution(false);
	assert_calls(BEGIN "cut close take finish ");
	assert_int_equal(r->ran_first, 1);
}

static void what_cannot_be_armed_or_opened_is_dropped(void **state)
{
	const struct mon_request *r = request(MON_EVENTS, 1, 0, 1);

	(void)state;
	refuses = MON_DROP_EVENTS;
	execution(false);
	assert_calls("arm ");
	assert_int_equal(r->state, MON_DROPPED);
	assert_int_equal(r->reason, MON_DROP_EVENTS);
	refuses = MON_DROP_NONE;
	cannot_open = MON_DROP_CPU;
	request(MON_EVENTS, 2, 0, 1);
	execution(false);
	assert_calls("arm open finish ");
	assert_int_equal(r->reason, MON_DROP_CPU);
	assert_int_equal(atomic_load(&pscm_live.mode), 0);
	request(MON_EVENTS, 3, 0, 5);   /* more than the collector counts */
	execution(false);
	request(77, 4, 0, 1);
	execution(false);
	assert_calls("");
	assert_int_equal(r->reason, MON_DROP_REQUEST);
}

static void the_process_may_end_in_the_midst(void **state)
{
	const struct mon_request *r = request(MON_EVENTS, 1, 0, 2);

	(void)state;
	execution(false);
	execution_begin(true);
	pscm_phase_exit();
	assert_calls(FIRST "cut close take " BEGIN "finish ");
	assert_int_equal(r->state, MON_DONE);
	assert_int_equal(r->executions, 1);
}

static void another_phase_forgets_and_misses(void **state)
{
	const struct mon_request *r = request(MON_EVENTS, 1, 0, 2);

	(void)state;
	execution(false);
	atomic_store(&pscm_shm->generation, 1);
	agent_heard();
	assert_calls(FIRST "cut close take finish forget ");
	assert_int_equal(r->state, MON_MISSED);
	assert_int_equal(r->rows.events, 0);
}

static void another_analysis_stops_what_was_armed(void **state)
{
	(void)state;
	request(MON_EVENTS, 1, 0, 2);
	execution_begin(true);
	pscm_phase_again();
	assert_calls(FIRST "forget stop ");
	assert_null(pscm_phase.armed.request);
}

static void some_measure_at_the_boundary(void **state)
{
	const struct mon_request *r = request(MON_VERIFY, 1, 0, 1);

	(void)state;
	runs = COLLECTOR_VOID;
	execution(true);
	assert_calls("run ");
	assert_int_equal(r->state, MON_READY);
	runs = COLLECTOR_DONE;
	execution(false);
	assert_calls("run ");
	assert_int_equal(r->state, MON_DONE);
}

/* --- other sources ------------------------------------------------------------------------------ */

static void executions_of_one_number_are_one(void **state)
{
	const struct mon_request *r = request(MON_EVENTS, 1, 0, 2);

	(void)state;
	execution_number(1);
	execution(false);
	assert_calls(FIRST "cut close ");
	execution(false);
	assert_calls("again start resume cut close ");
	assert_int_equal(pscm_shm->phase_finished, 0);
	execution_number(2);
	execution(false);
	assert_calls("take " BEGIN "cut close ");
	assert_int_equal(pscm_shm->phase_finished, 1);
	execution_number(5);
	execution(false);
	assert_calls("take finish ");
	assert_int_equal(r->executions, 2);
	assert_int_equal(pscm_shm->phase_begun, 5);
}

static void a_request_ends_behind_its_last_number(void **state)
{
	const struct mon_request *r = request(MON_EVENTS, 1, 0, 3);

	(void)state;
	execution_number(2);            /* its first is missing */
	execution(false);
	execution_number(4);
	execution(false);
	assert_calls(FIRST "cut close take finish ");
	assert_int_equal(r->state, MON_DONE);
	assert_int_equal(r->executions, 1);
}

static void a_span_carries_open_regions_and_its_rest_is_void(void **state)
{
	static const struct psc_unit unit;
	const struct mon_request *r = request(MON_EVENTS, 2, 0, 1);

	(void)state;
	pscm_timed_ns = 1000;
	spans = 0;
	boundary_begin(&unit, 0, 100);
	assert_int_equal(atomic_load(&pscm_live.mode), PSCM_MODE_WATCH);
	timed_hook(&unit, 0, TIMED_ENTRY);
	assert_calls("arm carry open start resume ");
	assert_int_equal(spans, 3);     /* of the second, when it began and when it was measured */
	timed_hook(&unit, 0, TIMED_ENTRY);
	assert_calls("cut close take finish ");
	assert_int_equal(r->state, MON_DONE);
	boundary_end(0);
	assert_int_equal(pscm_shm->phase_finished, 2);
	assert_int_equal(atomic_load(&pscm_live.mode), 0);
}

static void a_clean_span_waits_for_recording_code(void **state)
{
	static const struct psc_unit unit;
	const struct mon_request *r = request(MON_EVENTS, 2, 0, 1);

	(void)state;
	pscm_timed_ns = UINT64_C(1) << 50;
	boundary_begin(&unit, 0, 100);
	linger = true;
	timed_hook(&unit, 0, TIMED_ENTRY);
	assert_calls("");
	assert_int_equal(pscm_shm->phase_finished, 1);
	linger = false;
	timed_hook(&unit, 0, TIMED_ENTRY);
	assert_calls("arm carry open start resume ");
	assert_int_equal(r->state, MON_ARMED);
	pscm_phase_leave();
	assert_calls("cut close-void void ");
	assert_int_equal(pscm_shm->phase_finished, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_request_is_armed_opened_taken_and_finished),
		TEST(a_void_execution_comes_again),
		TEST(what_cannot_be_armed_or_opened_is_dropped),
		TEST(the_process_may_end_in_the_midst),
		TEST(another_phase_forgets_and_misses),
		TEST(another_analysis_stops_what_was_armed),
		TEST(some_measure_at_the_boundary),
		TEST(executions_of_one_number_are_one),
		TEST(a_request_ends_behind_its_last_number),
		TEST(a_span_carries_open_regions_and_its_rest_is_void),
		TEST(a_clean_span_waits_for_recording_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
