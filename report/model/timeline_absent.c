/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a view of memory over time is not there: page and terminal ask here. */
#include "report/model/timeline_facts.h"

static const char *no_cartography(const struct report_timeline *t)
{
	if (t->threads < 2)
		return "the process has one thread, which all addresses are of";
	return t->rows && t->nmaps ? NULL :
		"addresses were not drawn (psc_frontend --timeline draws them)";
}

static const char *no_prediction(const struct time_facts *f)
{
	if (f->t->cpus < 1)
		return "the timeline does not say for which machine it was counted";
	if (f->t->threads >= f->t->cpus)
		return "the run had a thread for each CPU of the machine model";
	return f->all.memory > 0 ? NULL : "no line comes from memory";
}

const char *time_view_absent(const struct time_facts *f, enum timeline_view view)
{
	if (!f)
		return "nothing was counted over time in the run";
	if (f->t->pages && view != VIEW_CARTOGRAPHY && view != VIEW_GANTT)
		return "pages were sampled, and no accesses counted over time (the cartography "
			"shows pages)";
	if (view == VIEW_CARTOGRAPHY)
		return no_cartography(f->t);
	if (view == VIEW_MODULES && f->t->nodes < 2 && !f->t->channels)
		return f->t->node_channels ?
			"which of the model's channels serves a line is not known, as the page's "
			"frame decides on it" :
			"the machine model has one memory node, and no channels";
	return view == VIEW_PREDICTION ? no_prediction(f) : NULL;
}
