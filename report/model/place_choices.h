/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report says of where structures should lie: the changes that its findings' properties
 * name, large pages that save enough, and trials that found a gain. */
#ifndef PSC_REPORT_PLACE_CHOICES_H
#define PSC_REPORT_PLACE_CHOICES_H

#include "base/placement_file.h"
#include "report/model/report.h"

struct place_choice {
	const char *structure, *scope;          /* borrowed, as all here; scope NULL: none */
	const char *declared, *allocated;       /* "FILE:LINE"; NULL: not known */
	enum tried_action action;       /* TRIED_NOTHING: no placement at allocation does it */
	int node;                       /* of TRIED_ONE_NODE, and of a change of threads; else -1 */
	enum tried_fix fix;             /* what the estimate is of; TRIED_NONE: a trial alone */
	const struct report_gain *gain;
	const struct report_trial *trial;       /* of this action; NULL: none */
	bool refuted;                   /* the trial found no gain: it is not to be done */
	const struct report_finding *finding;   /* whose property names the change, else another
						 * about the structure; NULL: none */
};
struct place_choices {
	struct place_choice choice[PLACE_RULES];
	int n;
};

void place_choices_find(const struct report *r, struct place_choices *out);
/* False: the choice is no rule: the program must be changed, or a trial found no gain. */
bool place_choice_rule(const struct place_choice *c, struct place_rule *out);
/* Does the report say that malloc should keep its memory: a trial of it gained? */
bool place_choices_malloc(const struct report *r);

#endif
