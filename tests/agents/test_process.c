/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process requests, in which order, and what it waits for: with made-up collectors and a made-up monitor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "agents/process_report.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("C", FIXTURE_UNIT(1, "main", "a.c", 1, 9,
	FIXTURE_REGION(1, "loop", "", "a.c", 3, 8, "")));
/* Reads a metric that collectors give, or do not. */
static const char properties[] =
"class Region { String name; };\n"
"class SeqPerf { Region region; float event_made_up; };\n"
"PROPERTY MadeUp(SeqPerf s) { CONDITION: s.event_made_up > 0; CONFIDENCE: 1; SEVERITY: s.event_made_up; }\n";

/* --- the monitor ----------------------------------------------------------------------------- */

struct mon_peer {
	int rank;
	uint64_t begun;
	enum mon_state state[MON_SLOTS];
	struct mon_want want[MON_SLOTS];
	uint32_t reason;        /* of what is dropped */
	int requests;
	bool settled, detached;
};

static struct mon_peer peer;

int mon_peer_request(struct mon_peer *p, const struct mon_want *want, struct err *err)
{
	for (int i = 0; i < MON_SLOTS; i++)
		if (p->state[i] == MON_EMPTY) {
			p->state[i] = MON_READY;
			p->want[i] = *want;
			p->requests++;
			return i;
		}
	return err_set(err, "no slot is free");
}

enum mon_state mon_peer_state(const struct mon_peer *p, int slot)
{
	return p->state[slot];
}

int mon_peer_take(struct mon_peer *p, int slot, struct mon_result *out, struct err *err)
{
	(void)err;
	*out = (struct mon_result){ .state = p->state[slot], .kind = p->want[slot].kind, .executions = 1, .reason = p->reason };
	p->state[slot] = MON_EMPTY;
	return 0;
}

void mon_result_free(struct mon_result *r) { (void)r; }
int mon_peer_rank(const struct mon_peer *p) { return p->rank; }
const char *mon_peer_code(const struct mon_peer *p, uint32_t n) { (void)p; (void)n; return NULL; }
uint64_t mon_peer_begun(const struct mon_peer *p) { return p->begun; }
uint64_t mon_peer_finished(const struct mon_peer *p) { return p->begun; }
uint64_t mon_peer_foreign(const struct mon_peer *p) { (void)p; return 0; }
void mon_peer_placed(const struct mon_peer *p, uint32_t n, struct mon_placed *out)
{
	(void)p;
	(void)n;
	*out = (struct mon_placed){ 0 };
}

uint64_t mon_peer_overflow(const struct mon_peer *p) { (void)p; return 0; }
uint64_t mon_peer_unseen_faults(const struct mon_peer *p) { (void)p; return 0; }
uint32_t mon_peer_pid(const struct mon_peer *p) { (void)p; return 1; }
uint32_t mon_peer_threads(const struct mon_peer *p) { (void)p; return 1; }
uint32_t mon_peer_ncontexts(const struct mon_peer *p) { (void)p; return 0; }
uint32_t mon_peer_nobjects(const struct mon_peer *p) { (void)p; return 0; }
uint32_t mon_peer_naliases(const struct mon_peer *p) { (void)p; return 0; }
enum mon_placement mon_peer_placement(const struct mon_peer *p) { (void)p; return MON_PLACE_ONE_NODE; }
enum mon_news mon_peer_news(struct mon_peer *p) { (void)p; return MON_NEWS_EVENT; }
bool mon_peer_chosen(struct mon_peer *p) { (void)p; return true; }
void mon_peer_choose(struct mon_peer *p, const struct mon_hook *h, uint32_t n) { (void)p; (void)h; (void)n; }
void mon_peer_checked(const struct mon_peer *p, struct mon_checked *out) { (void)p; *out = (struct mon_checked){ 0 }; }
void mon_peer_elapsed(const struct mon_peer *p, struct mon_elapsed *out) { (void)p; *out = (struct mon_elapsed){ 0 }; }
bool mon_peer_timed(const struct mon_peer *p, uint32_t n, struct mon_timed *out) { (void)p; (void)n; (void)out; return false; }
int mon_peer_welcome(struct mon_peer *p, const struct mon_setup *s, struct err *e) { (void)p; (void)s; (void)e; return 0; }
void mon_peer_detach(struct mon_peer *p) { p->detached = true; }
void mon_peer_settle(struct mon_peer *p) { p->settled = true; }
void mon_peer_forget(struct mon_peer *p) { (void)p; }
void mon_peer_free(struct mon_peer *p) { (void)p; }
void mon_peer_go(struct mon_peer *p) { (void)p; }
void mon_peer_refuse(struct mon_peer *p) { (void)p; }

bool mon_peer_context(const struct mon_peer *p, uint32_t n, struct mon_context *out, uint64_t *unit)
{
	(void)p; (void)n; (void)out; (void)unit;
	return false;
}

const char *mon_peer_allocated_in(const struct mon_peer *p, const struct mon_object *o)
{
	(void)p;
	(void)o;
	return NULL;
}

bool mon_peer_object(const struct mon_peer *p, uint32_t n, struct mon_object *out, const char **name, const char **scope,
	uint64_t *unit, const char **source)
{
	(void)p; (void)n; (void)out; (void)name; (void)scope; (void)unit; (void)source;
	return false;
}

bool mon_peer_alias(const struct mon_peer *p, uint32_t n, uint64_t *unit, uint32_t *region, uint32_t *object, uint32_t *context,
	const char **name)
{
	(void)p; (void)n; (void)unit; (void)region; (void)object; (void)context; (void)name;
	return false;
}

/* --- the collectors -------------------------------------------------------------------------- */

static char said[400];          /* what was asked of them, in order */
static char asked[100];         /* who has planned */
static bool gives_made_up, refuses;     /* by the first collector; what it says of what was dropped */

static void say(const char *what, const char *of)
{
	size_t n = strlen(said);

	snprintf(said + n, sizeof said - n, "%s%s %s", n ? ", " : "", what, of);
}

/* Plans one execution, once for each name; for what every analysis begins with, always. */
static bool ask(const char *name, const struct collect_moment *now, const struct needs *needs, struct plan *out)
{
	const char *metric = needs->list[0].metric;
	const bool first = strcmp(metric, METRIC_TIMES) == 0 || strcmp(metric, METRIC_COUNTS) == 0;

	if (!first && strstr(asked, name))
		return false;
	strcat(asked, first ? "" : name);
	say(name, metric);
	plan_execution(MON_TIME, now->begun, 0, out);
	return true;
}

#define PLAN(who) \
	static bool plan_##who(struct collection *c, const struct collect_moment *now, const struct needs *needs, struct plan *out) \
	{ \
		(void)c; \
		return ask(#who, now, needs, out); \
	}
PLAN(basic)
PLAN(made_up)
PLAN(other)
PLAN(rest)

static int took(struct collection *c, const struct collect_moment *now, const struct plan *plan, const struct mon_result *r,
	struct err *err)
{
	(void)c; (void)now; (void)plan; (void)r; (void)err;
	say("took", "it");
	return 0;
}

static bool gives(const struct collection *c, const struct need *need)
{
	(void)c; (void)need;
	return gives_made_up;
}

static bool refused(struct collection *c, const struct mon_result *r)
{
	(void)c; (void)r;
	say("refused", "it");
	gives_made_up = false;
	return refuses;
}

static bool after(struct collection *c, const struct collect_moment *now, const struct plan *pending, struct plan *out)
{
	(void)c; (void)now;
	if (pending->want.count != 7)
		return false;
	say("basic", "after");
	plan_copy(out, pending);
	return true;
}

static bool plan_seven(struct collection *c, const struct collect_moment *now, const struct needs *needs, struct plan *out)
{
	(void)c;
	say("seven", needs->list[0].metric);
	plan_execution(MON_SIM, now->begun, 0, out);
	out->want.count = 7;
	return true;
}

static const struct collector basic = { .name = "basic", .progress = "basic", .metrics = { METRIC_TIMES, METRIC_COUNTS },
	.state = 1, .patience = { .ns = UINT64_C(3600000000000) }, .plan = plan_basic, .after = after, .take = took };
static const struct collector seven = { .name = "seven", .progress = "seven", .metrics = { METRIC_COUNTS }, .distorts = true,
	.plan = plan_seven, .take = took };
static const struct collector made_up = { .name = "made-up", .progress = "made up", .metrics = { "made_up" },
	.gives = gives, .plan = plan_made_up, .take = took, .refused = refused };
static const struct collector other = { .name = "other", .progress = "other", .metrics = { "made_up" },
	.plan = plan_other, .take = took };
static const struct collector rest = { .name = "rest", .progress = "rest", .metrics = { METRIC_KERNEL },
	.quiet = true, .plan = plan_rest, .take = took };
static struct collector patient;        /* as `rest`, but waited for */
static const struct collector *all[8];

/* --- a process ------------------------------------------------------------------------------- */

struct world {
	struct fixture f;
	struct run_config config;
	struct host_analysis host;
	struct process process;
};

static int set_up(void **state)
{
	static struct world w;

	w = (struct world){ 0 };
	if (fixture_open(&w.f, sir_text, 2, properties))
		return -1;
	fixture_cache(&w.f);
	run_config_init(&w.config);
	w.config.command = strdup("a");
	w.config.directory = strdup("/");
	w.config.executable = strdup("a");
	assert_int_equal(run_config_ask(&w.config, "made_up", false), 0);
	w.config.machine = w.f.machine;
	w.config.nphase = 1;
	w.config.phase_region = 1;
	w.host = (struct host_analysis){ .config = &w.config, .sir = w.f.sir, .program = w.f.program, .attributes = w.f.attributes,
		.app_parts = app_parts_new(w.f.program, w.f.attributes), .run = 1, .named = true, .process = &w.process,
		.nprocesses = 1, .number = 1, .leads = true };
	plan_sizes(&w.config, &w.host.sizes);
	host_schedule_begin(&w.host, 0);
	peer = (struct mon_peer){ .rank = -1 };
	said[0] = asked[0] = '\0';
	gives_made_up = true;
	refuses = true;
	memset(all, 0, sizeof all);
	*state = &w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	process_free(&w->process);
	collect_host_end(&w->host.collect);
	app_parts_free(w->host.app_parts);
	run_config_free(&w->config);
	fixture_close(&w->f);
	return 0;
}

static void begin(struct world *w)
{
	assert_int_equal(collect_host_begin(&w->host.collect, all, &w->config, w->f.attributes, NULL), 0);
	assert_int_equal(process_begin(&w->process, &w->host, &peer), 0);
}

/* The monitor has answered all requests that it has. */
static void answer(struct world *w, enum mon_state state)
{
	for (int i = 0; i < MON_SLOTS; i++)
		if (peer.state[i] == MON_READY)
			peer.state[i] = state;
	process_handle(&w->process);
}

static void needs_are_served_stage_by_stage_and_the_rest_is_optional(void **state)
{
	struct world *w = *state;

	all[0] = &rest;
	all[1] = &basic;
	all[2] = &made_up;
	begin(w);
	assert_string_equal(said, "basic times of regions, basic counts of accesses");
	assert_int_equal(peer.requests, 2);
	said[0] = '\0';
	answer(w, MON_DONE);
	assert_string_equal(said, "took it, took it, made_up made_up");
	assert_int_equal(w->process.now.experiments, 2);
	said[0] = '\0';
	answer(w, MON_DONE);
	/* nobody waits for what has no patience */
	assert_string_equal(said, "took it, rest times in the kernel");
	assert_int_equal(w->process.now.experiments, 3);
	assert_true(process_reported(&w->process));
	assert_string_equal(w->process.partial, "");
	assert_true(peer.detached);
}

static void what_is_optional_is_waited_for_as_long_as_its_collector_says(void **state)
{
	struct world *w = *state;

	patient = rest;
	patient.patience.ns = UINT64_C(3600000000000);
	all[0] = &basic;
	all[1] = &patient;
	begin(w);
	said[0] = '\0';
	answer(w, MON_DONE);
	assert_string_equal(said, "took it, took it, rest times in the kernel");
	process_handle(&w->process);
	assert_false(process_reported(&w->process));
	answer(w, MON_DONE);
	assert_true(process_reported(&w->process));
	assert_int_equal(w->process.now.experiments, 2);        /* a quiet one is none of its own */
}

static void what_one_collector_is_refused_goes_to_the_next(void **state)
{
	struct world *w = *state;

	all[0] = &basic;
	all[1] = &made_up;
	all[2] = &other;
	begin(w);
	answer(w, MON_DONE);
	said[0] = '\0';
	answer(w, MON_DROPPED);
	assert_string_equal(said, "refused it, other made_up");
	answer(w, MON_DONE);
	assert_true(process_reported(&w->process));
	assert_string_equal(w->process.partial, "");
}

static void a_request_that_fails_ends_the_analysis_with_its_reason(void **state)
{
	struct world *w = *state;

	refuses = false;
	peer.reason = MON_DROP_MEMORY;
	all[0] = &basic;
	all[1] = &made_up;
	begin(w);
	answer(w, MON_DONE);
	answer(w, MON_DROPPED);
	assert_true(process_reported(&w->process));
	assert_string_equal(w->process.partial, "the monitor had no memory for an experiment");
}

static void a_request_that_comes_too_late_is_repeated_behind_what_has_begun(void **state)
{
	struct world *w = *state;

	all[0] = &basic;
	all[1] = &made_up;
	begin(w);
	answer(w, MON_DONE);
	peer.begun = 40;
	for (int tries = 0; tries < 5; tries++) {
		assert_false(process_reported(&w->process));
		answer(w, MON_MISSED);
	}
	assert_true(peer.want[0].first > 40);
	answer(w, MON_MISSED);
	assert_true(process_reported(&w->process));
	assert_non_null(strstr(w->process.partial, "passed faster"));
}

static void a_metric_that_nobody_gives_is_left_out(void **state)
{
	struct world *w = *state;

	all[0] = &basic;
	begin(w);
	answer(w, MON_DONE);
	assert_true(process_reported(&w->process));
	assert_string_equal(w->process.partial, "");
}

static void the_first_that_gives_a_metric_is_preferred(void **state)
{
	struct world *w = *state;

	all[0] = &seven;
	all[1] = &basic;
	begin(w);
	assert_string_equal(said, "basic times of regions, seven counts of accesses");
}

static void the_user_may_prefer_another_one(void **state)
{
	struct world *w = *state;

	w->config.collectors = strdup("basic");
	all[0] = &seven;
	all[1] = &basic;
	begin(w);
	assert_string_equal(said, "basic times of regions, basic counts of accesses");
}

/* Ranks wait for each other: none is recorded while others are timed. */
static void what_distorts_is_held_back_behind_clean_executions(void **state)
{
	struct world *w = *state;

	peer.rank = 0;
	all[0] = &seven;
	all[1] = &basic;
	begin(w);
	assert_int_equal(peer.want[0].first, 1);
	assert_int_equal(peer.want[1].first, 2);
}

static void a_collector_may_ask_for_more_behind_a_pending_request(void **state)
{
	struct world *w = *state;

	all[0] = &seven;
	all[1] = &basic;
	begin(w);
	said[0] = '\0';
	peer.state[0] = MON_DONE;
	process_handle(&w->process);
	assert_string_equal(said, "took it, basic after");
	assert_int_equal(peer.requests, 3);
	said[0] = '\0';
	peer.state[1] = MON_DONE;
	process_handle(&w->process);
	assert_string_equal(said, "took it");
	assert_false(process_reported(&w->process));    /* it is waited for */
	said[0] = '\0';
	answer(w, MON_DONE);
	assert_string_equal(said, "took it");
	assert_true(process_reported(&w->process));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
		TEST(needs_are_served_stage_by_stage_and_the_rest_is_optional),
		TEST(what_is_optional_is_waited_for_as_long_as_its_collector_says),
		TEST(what_one_collector_is_refused_goes_to_the_next),
		TEST(a_request_that_fails_ends_the_analysis_with_its_reason),
		TEST(a_request_that_comes_too_late_is_repeated_behind_what_has_begun),
		TEST(a_metric_that_nobody_gives_is_left_out),
		TEST(the_first_that_gives_a_metric_is_preferred),
		TEST(the_user_may_prefer_another_one),
		TEST(what_distorts_is_held_back_behind_clean_executions),
		TEST(a_collector_may_ask_for_more_behind_a_pending_request),
#undef TEST
	};

	return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
