/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the bytes of a shared cache line that threads use, byte by byte, from the description in an advice or
 * in further figures (analysis/measure/sharing.c):
 * "bytes: thread 0 writes 64-71+80-87, thread 1 reads 72-79 (a member); thread ..." */
#include "report/html/html.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, RUNS = 16, LINES = 4, MOST_BYTES = 512, CELL = 14, ROW = 22, LABEL = 130 };

struct use {
	long thread;
	bool writes;
	int nruns;
	long first[RUNS], last[RUNS];
};

struct shared_line {
	struct use use[THREADS];
	int nuses;
	long first, last;       /* bytes of the structure */
};

static bool accept(const char **s, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*s, word, n) != 0)
		return false;
	*s += n;
	return true;
}

/* A number, negative ones too; an end of the range of long fails as the text that follows. */
static bool number(const char **s, long *v)
{
	char *end;

	*v = strtol(*s, &end, 10);
	if (end == *s)
		return false;
	*s = end;
	return true;
}

static bool run(const char **s, struct use *u)
{
	long first, last;

	if (!number(s, &first) || !accept(s, "-") || !number(s, &last) || last < first)
		return false;
	if (u->nruns < RUNS) {
		u->first[u->nruns] = first;
		u->last[u->nruns++] = last;
	}
	return true;
}

static bool use(const char **s, struct use *u)
{
	*u = (struct use){ 0 };
	if (!accept(s, "thread ") || !number(s, &u->thread))
		return false;
	u->writes = accept(s, " writes ");
	if (!u->writes && !accept(s, " reads "))
		return false;
	do {
		if (accept(s, ".."))
			break;
		if (!run(s, u))
			return false;
	} while (accept(s, "+"));
	if (strncmp(*s, " (", 2) == 0) {
		*s += strcspn(*s, ");");
		accept(s, ")");
	}
	return u->nruns > 0;
}

/* True: *s was the description of a line; it is moved behind it. */
static bool shared_line(const char **s, struct shared_line *l)
{
	*l = (struct shared_line){ 0 };
	while (l->nuses < THREADS) {
		struct use *u = &l->use[l->nuses];

		if (!use(s, u))
			break;
		for (int i = 0; i < u->nruns; i++) {
			bool none = l->nuses == 0 && i == 0;

			l->first = none || u->first[i] < l->first ? u->first[i] : l->first;
			l->last = none || u->last[i] > l->last ? u->last[i] : l->last;
		}
		l->nuses++;
		if (!accept(s, ", "))
			break;
	}
	*s += strcspn(*s, ";");
	return l->nuses > 0 && l->last - l->first < MOST_BYTES;
}

static bool uses(const struct use *u, long byte)
{
	for (int i = 0; i < u->nruns; i++)
		if (byte >= u->first[i] && byte <= u->last[i])
			return true;
	return false;
}

static void draw(struct html *h, const struct shared_line *l)
{
	long n = l->last - l->first + 1;

	buf_printf(&h->out, "<div class='wide line' tabindex=0 role=group aria-label='Shared line'>"
		"<svg width=%ld height=%d role=img aria-label='Bytes %ld to %ld of the structure'>\n",
		LABEL + n * CELL, (l->nuses + 1) * ROW, l->first, l->last);
	for (long b = 0; b < n; b += 8)
		buf_printf(&h->out, "<text x=%ld y=%d class=byte>%ld</text>", LABEL + b * CELL, ROW - 7, l->first + b);
	for (int k = 0; k < l->nuses; k++) {
		const struct use *u = &l->use[k];
		int y = (k + 1) * ROW;

		buf_printf(&h->out, "\n<text x=0 y=%d>thread %ld %s</text>", y + 14, u->thread,
			u->writes ? "writes" : "reads");
		for (long b = 0; b < n; b++)
			buf_printf(&h->out, "<rect x=%ld y=%d width=%d height=%d class=%s />", LABEL + b * CELL, y + 1,
				CELL - 1, ROW - 3, !uses(u, l->first + b) ? "t" : k == 0 ? "ta" : "tb");
	}
	buf_puts(&h->out, "</svg></div>\n");
}

static const char *description(const struct report_finding *f)
{
	const char *texts[] = { f->advice, f->info };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		const char *s = texts[i] ? strstr(texts[i], "bytes: thread ") : NULL;

		if (s)
			return s + strlen("bytes: ");
	}
	return NULL;
}

void html_lines(struct html *h, const struct report_problem *p)
{
	const char *s = description(p->lead);
	struct shared_line l;
	int shown = 0;

	for (int i = 0; i < p->nmembers && !s; i++)
		s = description(p->members[i]);
	if (!s)
		return;
	while (shown < LINES && shared_line(&s, &l)) {
		if (!shown++)
			buf_puts(&h->out, "<p class=small>Bytes of the structure in one cache line, and who uses them:</p>\n");
		draw(h, &l);
		if (!accept(&s, "; "))
			break;
	}
}
