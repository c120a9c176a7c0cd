/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines from memory with more threads than the run had (base/more_threads.h), and what the memory's
 * bandwidth leaves of the speed-up, of a timeline.  The part of a structure that several threads
 * use is known by rows, where addresses were drawn. */
#ifndef PSC_REPORT_TIMELINE_PREDICTION_H
#define PSC_REPORT_TIMELINE_PREDICTION_H

#include "base/more_threads.h"
#include "report/model/timeline_facts.h"

struct time_prediction {
	struct more_threads lines;
	/* s an execution, on a host whose bandwidth was measured; NAN: not known.  Between what the
	 * bandwidth of N threads allows, or the run's time n / N if that is more, and the run's
	 * time. */
	struct more_range time;
	/* s that the lines and those written back take of it at least */
	double transfer;
};

/* The machine model of a timeline. */
struct more_machine time_machine(const struct report_timeline *t);
/* *out is the facts'.  -1: no memory, or the model has no so many CPUs (err). */
int time_predict(const struct time_facts *f, int threads, struct time_prediction *out,
	struct err *err);
/* The numbers of threads for which reports have predictions: twice those of the run, four times,
 * .., and all CPUs of the model.  Returns how many they are. */
enum { TIME_PREDICTIONS = 16 };
int time_predicted_threads(const struct report_timeline *t, int out[TIME_PREDICTIONS]);

#endif
