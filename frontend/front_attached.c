/* SPDX-License-Identifier: BSD-3-Clause */
/* Analyses programs that run already. */
#include "frontend/front.h"

#include <stdio.h>

#include "base/clock.h"
#include "monitor/shared/socket_path.h"

#define WAITING_NS UINT64_C(10000000000)        /* without an execution of the phase: that is
						 * said */

static void show_attached(const struct front *f, const char *what)
{
	struct buf names = BUF_INIT;

	attach_names(&f->attach, &names);
	if (!f->options.quiet)
		fprintf(stderr, "psc: %s %s\n", buf_str(&names), what);
	buf_free(&names);
}

int front_start_attached(struct front *f)
{
	char socket[160];
	struct err err;
	bool waits;
	int rc;

	if (mon_socket_path(f->agents.dir, socket, sizeof socket)) {
		log_msg(0, "%s: too long for the path of a socket", f->agents.dir);
		return -1;
	}
	rc = attach_begin(&f->attach, socket, &err);
	while (!rc && !(rc = attach_step(&f->attach, &waits, &err))) {
		if (waits)
			show_attached(f,
				"must come to a marker first: waiting (Ctrl-C gives up). Loops of small functions that were "
				"entered before have none, unless compiled with psc_instrument --attach");
		front_step(f, 10);
		if (f->interrupted || f->stop_wanted || f->job == JOB_FAILED) {
			attach_cancel(&f->attach);
			return -1;
		}
	}
	if (rc < 0) {
		log_msg(0, "%s", err.text);
		attach_cancel(&f->attach);
		return -1;
	}
	front_tell_time(f, "the processes were attached");
	show_attached(f, f->attach.n == 1 ? "is analysed" : "are analysed");
	life_cycle_step(&application_life, "", &f->application, APPLICATION_START);
	return 0;
}

/* Says once that the phase was not executed for long. */
static void show_waiting(struct front *f, uint64_t since)
{
	static bool told;

	if (told || f->options.quiet || f->job != JOB_READY || clock_ns() - since < WAITING_NS)
		return;
	told = true;
	fprintf(stderr,
		"psc: the phase has not been executed since: if its loop was entered before, in a small function, it has no "
		"markers there, unless compiled with psc_instrument --attach\n");
}

void front_wait_attached(struct front *f)
{
	uint64_t since = clock_ns();

	while (f->application == APPLICATION_RUNNING && !f->given_out && !f->given_up &&
	       f->interrupts < 2) {
		front_step(f, 500);
		front_look_for_stopped(f);
		front_give_out(f);
		front_give_up(f);
		show_waiting(f, since);
		if (!attach_running(&f->attach)) {
			life_cycle_step(&application_life, "", &f->application, APPLICATION_END);
			front_tell_end(f, &(struct app_end){ .again = false });
		}
	}
	if (f->application == APPLICATION_ENDED)
		front_wait_run(f);
	front_give_up(f);
	front_give_out(f);
	if (f->job == JOB_FAILED)
		attach_leave(&f->attach);
}

void front_note_attached(struct front *f)
{
	struct buf names = BUF_INIT;

	attach_names(&f->attach, &names);
	setup_note(&f->setup,
		"the analysis began while the program ran (%.60s): heap blocks, thread-local variables and declared objects "
		"from before have no names of their own, and calls of MPI are not looked at",
		buf_str(&names));
	buf_free(&names);
}

