/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the log of the phase. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "phase/phase_log.h"
#include "phase/log_words.h"

/* A log of a program that runs for an hour has some thousand looks; a malformed text
 * must not take all memory. */
enum { MOST_ITEMS = 100000, MOST_REGIONS = 4096 };

struct reading {
	struct phase_log *log;
	const char *name;       /* of the text */
	int line;
	char *rest;             /* of the line: what has not been read */
	struct phase_time *now; /* owned: the times as they stand */
	uint32_t nnow;
	struct phase_log_item *open;    /* the item that waits for its decision; NULL: none */
	struct err *err;
};

static int wrong(const struct reading *r, const char *what)
{
	return err_set(r->err, "%s:%d: %s", r->name, r->line, what);
}

/* The next word of the line; NULL: none. */
static const char *next_word(struct reading *r)
{
	char *word = r->rest;

	while (*word == ' ')
		word++;
	if (!*word)
		return NULL;
	r->rest = word + strcspn(word, " ");
	if (*r->rest)
		*r->rest++ = '\0';
	return word;
}

static int take_number(struct reading *r, uint64_t *out)
{
	const char *word = next_word(r);
	char *end;

	errno = 0;
	*out = word && *word != '-' ? strtoull(word, &end, 10) : 0;
	return !word || *word == '-' || end == word || *end || errno ? wrong(r, "not a number") : 0;
}

static int take_region(struct reading *r, uint32_t *out)
{
	uint64_t n;

	if (take_number(r, &n))
		return -1;
	*out = (uint32_t)n;
	return n < PHASE_NONE ? 0 : wrong(r, "not the number of a region");
}

/* The pairs of a line: a word and a number. */
struct pair {
	const char *name;
	uint64_t *to;
};

/* 1: the word is one of the pairs; 0: it is not; -1. */
static int take_pair(struct reading *r, const char *word, const struct pair *pairs, int n)
{
	for (int i = 0; i < n; i++)
		if (strcmp(word, pairs[i].name) == 0)
			return take_number(r, pairs[i].to) ? -1 : 1;
	return 0;
}

static struct phase_log_item *add_item(struct reading *r, enum phase_log_kind kind)
{
	struct phase_log *log = r->log;
	struct phase_log_item *more;

	if (log->n == MOST_ITEMS) {
		wrong(r, "too long");
		return NULL;
	}
	more = log->n & (log->n - 1) ? log->item :
		realloc(log->item, (log->n ? 2 * (size_t)log->n : 1) * sizeof *more);
	if (!more) {
		err_nomem(r->err);
		return NULL;
	}
	log->item = more;
	r->open = &more[log->n++];
	*r->open = (struct phase_log_item){ .kind = kind, .line = r->line };
	return r->open;
}

static int read_look(struct reading *r)
{
	struct phase_log_item *item = add_item(r, PHASE_LOG_LOOK);
	struct phase_look *look = item ? &item->look : NULL;
	uint64_t phase = PHASE_NONE;
	const char *word;

	if (!look || take_number(r, &look->elapsed_ns))
		return -1;
	while ((word = next_word(r))) {
		const struct pair pairs[] = { { "processes", &look->processes },
			{ "needed", &look->needed },
			{ "least", &look->least }, { "phase", &phase } };
		const int is = take_pair(r, word, pairs, 4);

		if (is < 0)
			return -1;
		if (!is && strcmp(word, "kept") == 0)
			look->kept = true;
		else if (!is && strcmp(word, "ended") == 0)
			look->ended = true;
		else if (!is)
			return wrong(r, "a look has no such word");
	}
	look->phase = (uint32_t)phase;
	return phase <= PHASE_NONE && look->processes && look->needed && look->least ? 0 :
		wrong(r, "an incomplete look");
}

/* The row of the region, new where it has none; NULL: err is set. */
static struct phase_time *row_of(struct reading *r, uint32_t region)
{
	struct phase_time *more;

	for (uint32_t i = 0; i < r->nnow; i++)
		if (r->now[i].region == region)
			return &r->now[i];
	if (r->nnow == MOST_REGIONS) {
		wrong(r, "too many regions");
		return NULL;
	}
	more = realloc(r->now, (r->nnow + 1) * sizeof *more);
	if (!more) {
		err_nomem(r->err);
		return NULL;
	}
	r->now = more;
	return &r->now[r->nnow++];
}

static int read_time(struct reading *r)
{
	struct phase_time t = { 0 }, *row;
	const char *word;

	if (!r->open || r->open->kind != PHASE_LOG_LOOK)
		return wrong(r, "times outside of a look");
	if (take_region(r, &t.region) || take_number(r, &t.ns))
		return -1;
	while ((word = next_word(r))) {
		const struct pair pairs[] = { { "runs", &t.runs }, { "entries", &t.entries },
			{ "since", &t.since_first } };
		int is = take_pair(r, word, pairs, 3);

		for (int i = 0; i < PHASE_TIME_FLAGS && !is; i++) {
			is = strcmp(word, phase_time_flag_name(i)) == 0;
			if (is)
				phase_time_set_flag(&t, i);
		}
		if (is <= 0)
			return is ? -1 : wrong(r, "times have no such word");
	}
	row = row_of(r, t.region);
	if (row)
		*row = t;
	return row ? 0 : -1;
}

static int read_held(struct reading *r)
{
	struct phase_log_item *item = add_item(r, PHASE_LOG_HELD);
	uint64_t accesses;
	const char *word;

	if (!item || take_number(r, &item->held.elapsed_ns))
		return -1;
	item->held.accesses = NAN;
	while ((word = next_word(r))) {
		bool is = strcmp(word, "accesses") == 0;

		if (is && take_number(r, &accesses))
			return -1;
		if (is)
			item->held.accesses = (double)accesses;
		for (int i = 0; i < PHASE_HELD_FLAGS && !is; i++) {
			is = strcmp(word, phase_held_flag_name(i)) == 0;
			if (is)
				phase_held_set_flag(&item->held, i);
		}
		if (!is)
			return wrong(r, "a finished analysis has no such word");
	}
	return 0;
}

/* The number of the word in a list of names; -1: err is set. */
static int take_name(struct reading *r, const char *(*name)(int), int n, const char *what)
{
	const char *word = next_word(r);

	for (int i = 0; i < n && word; i++)
		if (strcmp(word, name(i)) == 0)
			return i;
	return wrong(r, what);
}

static const char *verdict_name(int i)
{
	return phase_verdict_name((enum phase_verdict)i);
}

static const char *reason_name(int i)
{
	return phase_reason_name((enum phase_reason)i);
}

/* The look has the times as they stand. */
static int close_look(struct reading *r)
{
	struct phase_look *look = &r->open->look;
	struct phase_time *t = malloc((r->nnow + 1) * sizeof *t);

	if (!t)
		return err_nomem(r->err);
	if (r->nnow)
		memcpy(t, r->now, r->nnow * sizeof *t);
	look->t = t;
	look->n = r->nnow;
	return 0;
}

static int read_decided(struct reading *r)
{
	struct phase_decision d = { .region = PHASE_NONE };
	const char *word;
	int verdict, reason;

	if (!r->open)
		return wrong(r, "a decision about nothing");
	verdict = take_name(r, verdict_name, PHASE_VERDICTS, "no such verdict");
	reason = verdict < 0 ? -1 : take_name(r, reason_name, PHASE_REASONS, "no such reason");
	if (reason < 0)
		return -1;
	d.verdict = (enum phase_verdict)verdict;
	d.reason = (enum phase_reason)reason;
	while ((word = next_word(r))) {
		if (strcmp(word, "runs") == 0)
			d.runs = true;
		else if (strcmp(word, "region") != 0)
			return wrong(r, "a decision has no such word");
		else if (take_region(r, &d.region))
			return -1;
	}
	r->open->decided = d;
	if (r->open->kind == PHASE_LOG_LOOK && close_look(r))
		return -1;
	r->open = NULL;
	return 0;
}

static int read_line(struct reading *r)
{
	const char *word;

	if (strncmp(r->rest, "command ", 8) == 0) {
		free(r->log->command);
		r->log->command = strdup(r->rest + 8);
		return r->log->command ? 0 : err_nomem(r->err);
	}
	word = next_word(r);
	if (!word || *word == '#' || strcmp(word, "region") == 0)
		return 0;       /* names are for people */
	if (r->open && strcmp(word, "time") != 0 && strcmp(word, "decided") != 0)
		return wrong(r, "what is above has no decision");
	if (strcmp(word, "look") == 0)
		return read_look(r);
	if (strcmp(word, "time") == 0)
		return read_time(r);
	if (strcmp(word, "held") == 0)
		return read_held(r);
	return strcmp(word, "decided") == 0 ? read_decided(r) : wrong(r, "no such line");
}

static int read_lines(struct reading *r, char *text)
{
	char *next = text;

	while (next) {
		char *line = next;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		r->line++;
		r->rest = line;
		if (r->line == 1 && strcmp(line, "phase-log 1") != 0)
			return wrong(r, "not a log of the phase of version 1 (\"phase-log 1\")");
		if (r->line > 1 && read_line(r))
			return -1;
	}
	return r->open ? wrong(r, "the last look has no decision") : 0;
}

int phase_log_read(struct phase_log *log, const char *text, const char *name, struct err *err)
{
	struct reading r = { .log = log, .name = name, .err = err };
	char *copy = strdup(text);
	int rc;

	*log = (struct phase_log){ 0 };
	if (!copy)
		return err_nomem(err);
	rc = read_lines(&r, copy);
	free(copy);
	free(r.now);
	if (rc)
		phase_log_free(log);
	return rc;
}

void phase_log_free(struct phase_log *log)
{
	for (uint32_t i = 0; i < log->n; i++)
		free((struct phase_time *)(uintptr_t)log->item[i].look.t);
	free(log->item);
	free(log->command);
	*log = (struct phase_log){ 0 };
}
