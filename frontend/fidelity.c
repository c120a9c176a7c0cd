/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the fidelity card: what was tried on this host, and what can be known here. */
#include <config.h>

#include "frontend/facility.h"

#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 25, TESTED_WIDTH = 26, KNOWS_WIDTH = 27, FACILITIES = 7 };

struct marks {
	const char *state[3], *because;
};
static const struct marks letters = { { "-", "~", "+" }, "`" };
static const struct marks pictures = { { "\342\227\213", "\342\227\220", "\342\227\217" },
	"\342\224\224" };

/* How many bytes of the text fit, in whole words. */
static int fits(const char *text, int width)
{
	int n = (int)strlen(text);

	if (n <= width)
		return n;
	for (n = width; n > 0 && text[n] != ' '; n--)
		;
	return n ? n : (int)strcspn(text, " "); /* a word that is too long is not cut */
}

/* Prints as many whole words as fit, filled up to `fill`; returns what is left. */
static const char *print_words(const char *text, int width, int fill)
{
	const int n = fits(text, width);

	printf("%-*.*s", fill, n, text);
	return text + n + (text[n] == ' ');
}

static void print_row(const struct facility *f, const struct marks *m)
{
	const char *name = f->name, *tested = f->tested, *knows = f->knows;
	const char *mark = m->state[f->state];

	while (*name || *tested || *knows) {
		printf("%s ", mark);
		name = print_words(name, NAME_WIDTH - 1, NAME_WIDTH);
		tested = print_words(tested, TESTED_WIDTH - 1, *knows ? TESTED_WIDTH : 0);
		knows = print_words(knows, KNOWS_WIDTH, 0);
		printf("\n");
		mark = " ";
	}
}

static void print_why(const char *why, const struct marks *m)
{
	const char *sign = m->because;

	while (*why) {
		printf("%*s%s ", NAME_WIDTH + 2, "", sign);
		why = print_words(why, TESTED_WIDTH + KNOWS_WIDTH - 2, 0);
		printf("\n");
		sign = " ";
	}
}

static void print_summary(bool accesses, bool processor)
{
	printf("This host %s who touches what and when; it %s what the processor\ndoes. Each "
	       "facility was tried and its effect checked, "
	       "not only opened.\n\n",
		accesses ? "knows" : "does not know", processor ? "knows" : "does not know");
}

void fidelity_card(void)
{
	static void (*const test[FACILITIES])(struct facility *) = { facility_recorder,
		facility_time_samples, facility_page_faults, facility_nodes, facility_breakpoints,
		facility_counters, facility_address_samples };
	struct facility f[FACILITIES];
	const struct marks *m;

	setlocale(LC_CTYPE, "");
	m = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? &pictures : &letters;
	for (int i = 0; i < FACILITIES; i++)
		test[i](&f[i]);
	print_summary(f[0].state == FACILITY_WORKS, f[FACILITIES - 1].state == FACILITY_WORKS);
	printf("  %-*s%-*s%s\n", NAME_WIDTH, "facility", TESTED_WIDTH, "tested by effect",
		"what it can know here");
	for (int i = 0; i < FACILITIES; i++) {
		print_row(&f[i], m);
		print_why(f[i].why, m);
	}
	printf("\n%s tested and works   %s in part   %s does not   %s why not, and what would "
	       "change it\n\n",
		m->state[FACILITY_WORKS], m->state[FACILITY_PARTLY], m->state[FACILITY_FAILS],
		m->because);
}
