/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the texts of a verdict: WHY, DO or ADVICE, and the cause of an undefined value. */
#include "asl/vm.h"

#include <stdio.h>

/* --- WHY, DO, ADVICE --- */
void asl_text_begin(struct frame *f, enum text_clause clause)
{
	f->clause = clause;
	f->length = 0;
}

void asl_advise(struct frame *f, const char *s)
{
	bool why = f->clause == TEXT_WHY;
	char *text = why ? f->out->why : f->out->advice;
	size_t size = why ? sizeof f->out->why : sizeof f->out->advice, room = size - 1 - f->length,
		n = strlen(s);

	if (n > room) {
		n = room;
		while (n && ((unsigned char)s[n] & 0xc0) == 0x80)       /* no half character */
			n--;
	}
	memcpy(text + f->length, s, n);
	f->length += n;
	f->advising = true;
	text[f->length] = '\0';
}

/* A text with a cause was read from the environment; others are constants. */
void asl_advise_text(struct frame *f, struct vm_text text)
{
	f->out->figures |= text.cause && f->clause != TEXT_DO;
	asl_advise(f, text.s ? text.s : "?");
}

static void scaled(char *s, size_t size, double x, const char *const *units, double step, int n)
{
	int k = 0;

	for (; k + 1 < n && fabs(x) >= step; k++)
		x /= step;
	snprintf(s, size, "%.3g %s", x, units[k]);
}

void asl_advise_number(struct frame *f, double x, int form)
{
	static const char *const times[] = { "ns", "us", "ms", "s" };
	static const char *const bytes[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	char s[64];

	f->out->figures |= f->clause != TEXT_DO;
	if (isnan(x))
		snprintf(s, sizeof s, "?");
	else if (form == FORM_PERCENT)
		snprintf(s, sizeof s, "%.*f%%", fabs(x) < 0.0995 ? 1 : 0, 100 * x);
	else if (form == FORM_SECONDS)
		scaled(s, sizeof s, 1e9 * x, times, 1000, 4);
	else if (form == FORM_BYTES)
		scaled(s, sizeof s, x, bytes, 1024, 5);
	else if (form == FORM_TRUTH)
		snprintf(s, sizeof s, "%s", x != 0 ? "true" : "false");
	else
		snprintf(s, sizeof s, x == floor(x) && fabs(x) < 1e15 ? "%.0f" : "%.3g", x);
	asl_advise(f, s);
}

void asl_advise_enum(struct frame *f, double x, int which)
{
	const struct enum_info *e = &f->job.prog->enums[which];

	asl_advise(f, x >= 0 && x < e->nitems ? e->items[(int)x] : "?");
}

/* --- verdict --- */

/* Writes the cause of an undefined part.  False: the cause is an empty set. */
static PSC_CHECKED bool say_part(char *s, size_t size, const struct asl_part *part,
	enum asl_aggregate aggregate)
{
	const char *why = part->unsure ? part->why_unsure : part->why_undefined;

	if (!part->unsure && (!part->undefined || aggregate == ASL_COUNT))
		return false;
	snprintf(s, size, "%s", *why ? why : "a value");
	return true;
}

void asl_say_undecided(struct frame *f, double why)
{
	char *s = f->out->undecided;
	size_t size = sizeof f->out->undecided;
	unsigned cause = asl_cause(why);
	const struct where *w;
	const struct insn *i;
	const char *what, *file, *slash;

	if (cause == STEPS_CAUSE) {
		snprintf(s, size, "%s", MANY_STEPS);
		return;
	}
	if (cause == 0 || cause > (unsigned)f->job.code->ninsn) {
		snprintf(s, size, "a value");
		return;
	}
	i = &f->job.code->insn[cause - 1];
	w = &f->job.code->where[cause - 1];
	if (i->op == OP_PART && say_part(s, size, &f->parts[i->b], (enum asl_aggregate)i->c))
		return;
	if (asl_op_is_attr(i->op)) {
		const struct asl_read *r = &f->job.prog->reads[i->c];

		snprintf(s, size, "%s", f->job.prog->classes[r->cls].attrs[r->attr].name);
		return;
	}
	what = i->op == OP_DIV ? "division by zero" : i->op == OP_SOME || i->op == OP_STDFIN
		|| i->op == OP_PART ? "aggregate of an empty set" : i->op == OP_UNIQ ||
		i->op == OP_UNIQO ? "UNIQUE of not one element" : i->op == OP_RANGE ?
		"range below zero" : "value";
	file = f->job.prog->files[w->file];
	slash = strrchr(file, '/');
	snprintf(s, size, "%s at %s:%d", what, slash ? slash + 1 : file, w->line);
}
