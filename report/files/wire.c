/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes and decodes a report as bytes: magic, version, then every field in the order of
 * fields.c.  A missing string is sent as 0, a missing number as NAN.  A string is sent once; where it comes again,
 * its number stands: findings of one place have most of their strings in common. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/fields.h"

#define WIRE_MAGIC 0x52435350u          /* "PSCR" */
#define REPORT_WIRE_VERSION 1u

/* --- encoding --------------------------------------------------------------------------------- */

struct writer {
	struct buf *out;
	const char **string;    /* that were sent, borrowed; their numbers begin with 1 */
	uint32_t n, cap;
	uint32_t *slot;         /* numbers, by hash; twice as many as cap */
};

static uint32_t text_hash(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s)
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h;
}

/* The slot of the string, or the empty one where it belongs. */
static uint32_t *find_string(const struct writer *w, const char *s)
{
	uint32_t mask = 2 * w->cap - 1, i = text_hash(s) & mask;

	while (w->slot[i] && strcmp(w->string[w->slot[i] - 1], s) != 0)
		i = (i + 1) & mask;
	return &w->slot[i];
}

static int grow_strings(struct writer *w)
{
	uint32_t cap = w->cap ? 2 * w->cap : 256;
	const char **string = realloc(w->string, cap * sizeof *string);
	uint32_t *slot = calloc((size_t)2 * cap, sizeof *slot);

	if (string)
		w->string = string;
	if (!string || !slot) {
		free(slot);
		return -1;
	}
	free(w->slot);
	w->slot = slot;
	w->cap = cap;
	for (uint32_t i = 0; i < w->n; i++)
		*find_string(w, w->string[i]) = i + 1;
	return 0;
}

static void put_string(struct writer *w, const char *s)
{
	uint32_t *slot;

	if (!s) {
		buf_u32(w->out, 0);
		return;
	}
	if (w->n == w->cap && grow_strings(w)) {
		w->out->failed = true;
		return;
	}
	slot = find_string(w, s);
	if (*slot) {
		buf_u32(w->out, *slot);
		return;
	}
	w->string[w->n++] = s;
	*slot = w->n;
	buf_u32(w->out, w->n);
	buf_string(w->out, s);
}

static void put_fields(struct writer *w, const struct field *table, const void *obj)
{
	for (const struct field *f = table; f->name; f++) {
		if (f->kind == FIELD_TEXT || f->kind == FIELD_OPTIONAL)
			put_string(w, field_missing(f, obj) ? NULL : field_text(f, obj));
		else if (f->kind == FIELD_REAL)
			buf_f64(w->out, field_real(f, obj));
		else
			buf_u64(w->out, (uint64_t)field_int(f, obj));
	}
}

static void put_count(struct writer *w, int n)
{
	buf_u32(w->out, n > 0 ? (uint32_t)n : 0);
}

static void put_sites(struct writer *w, const struct report_site *sites, int n)
{
	put_count(w, n);
	for (int i = 0; i < n; i++)
		put_fields(w, site_fields, &sites[i]);
}

static void put_finding(struct writer *w, const struct report_finding *f)
{
	put_fields(w, finding_fields, f);
	put_count(w, f->nprocesses);
	ranks_encode(f->processes, f->nruns, w->out);
	put_count(w, f->npath);
	for (int i = 0; i < f->npath; i++)
		put_fields(w, node_fields, &f->path[i]);
	put_sites(w, f->sites, f->nsites);
}

static void put_problem(struct writer *w, const struct report *r, const struct report_problem *p)
{
	put_fields(w, problem_fields, p);
	put_count(w, p->nstructures);
	for (int i = 0; i < p->nstructures; i++) {
		struct report_problem_structure s = report_problem_structure(r, p, i);

		put_fields(w, problem_structure_fields, &s);
	}
	put_sites(w, p->sites, p->nsites);
}

static void put_report(struct writer *w, const struct report *r)
{
	buf_u32(w->out, WIRE_MAGIC);
	buf_u32(w->out, REPORT_WIRE_VERSION);
	put_fields(w, report_fields, r);
	put_fields(w, node_fields, &r->phase);
	put_fields(w, phase_fields, r);
	put_count(w, r->nnotes);
	for (int i = 0; i < r->nnotes; i++)
		put_string(w, r->notes[i] ? r->notes[i] : "");
	put_count(w, r->nfindings);
	for (int i = 0; i < r->nfindings; i++)
		put_finding(w, &r->findings[i]);
	put_count(w, r->problems.n);
	for (int i = 0; i < r->problems.n; i++)
		put_problem(w, r, &r->problems.problem[i]);
	put_count(w, r->ngains);
	for (int i = 0; i < r->ngains; i++)
		put_fields(w, gain_fields, &r->gains[i]);
	put_count(w, r->nverified);
	for (int i = 0; i < r->nverified; i++)
		put_fields(w, verified_fields, &r->verified[i]);
	put_count(w, r->nledger);
	for (int i = 0; i < r->nledger; i++)
		put_fields(w, ledger_fields, &r->ledger[i]);
	put_count(w, r->ncosts);
	for (int i = 0; i < r->ncosts; i++) {
		put_fields(w, cost_fields, &r->costs[i]);
		put_sites(w, r->costs[i].sites, r->costs[i].nsites);
	}
	put_count(w, r->nthread_rows);
	for (int i = 0; i < r->nthread_rows; i++)
		put_fields(w, thread_fields, &r->thread_rows[i]);
	put_count(w, r->ntested);
	for (int i = 0; i < r->ntested; i++) {
		put_fields(w, tested_fields, &r->tested[i]);
		buf_u8(w->out, r->tested[i].place != NULL);
		if (r->tested[i].place)
			put_fields(w, node_fields, r->tested[i].place);
	}
}

void report_encode(const struct report *r, struct buf *out)
{
	struct writer w = { out, NULL, 0, 0, NULL };

	put_report(&w, r);
	free(w.string);
	free(w.slot);
}

/* --- decoding --------------------------------------------------------------------------------- */

/* Decoding checks in.failed once, at the end; values read after an error are harmless. */
struct reader {
	struct cursor in;
	struct arena *arena;
	const char **string;    /* that came, in the arena; the array is owned */
	uint32_t n, cap;
};

/* Takes a string that comes for the first time. */
static const char *new_string(struct reader *rd)
{
	char *s = cur_string(&rd->in), *copy = s ? arena_strdup(rd->arena, s) : NULL;

	free(s);
	if (rd->n == rd->cap) {
		uint32_t cap = rd->cap ? 2 * rd->cap : 256;
		const char **more = realloc(rd->string, cap * sizeof *more);

		if (!more)
			copy = NULL;
		else
			rd->string = more;
		rd->cap = more ? cap : rd->cap;
	}
	if (!copy) {
		rd->in.failed = true;
		return NULL;
	}
	rd->string[rd->n++] = copy;
	return copy;
}

static const char *get_string(struct reader *rd)
{
	uint32_t number = cur_u32(&rd->in);

	if (rd->in.failed || !number)
		return NULL;
	if (number == rd->n + 1)
		return new_string(rd);
	if (number > rd->n) {
		rd->in.failed = true;
		return NULL;
	}
	return rd->string[number - 1];
}

static void get_fields(struct reader *rd, const struct field *table, void *obj)
{
	fields_clear(table, obj);
	for (const struct field *f = table; f->name && !rd->in.failed; f++) {
		if (f->kind == FIELD_TEXT || f->kind == FIELD_OPTIONAL)
			field_set_text(f, obj, get_string(rd));
		else if (f->kind == FIELD_REAL)
			field_set_real(f, obj, cur_f64(&rd->in));
		else if (field_set_int(f, obj, (int64_t)cur_u64(&rd->in)) < 0)
			rd->in.failed = true;
	}
}

/* Reads a count and allocates that many elements.  Fails where the rest of the message is too short
 * for them, `least` bytes each, so that no message can cause a large allocation. */
static void *get_array(struct reader *rd, size_t least, size_t size, int *n)
{
	uint32_t count = cur_u32(&rd->in);
	void *p;

	*n = 0;
	if (rd->in.failed || count > INT_MAX || count > (rd->in.len - rd->in.pos) / least) {
		rd->in.failed = true;
		return NULL;
	}
	p = arena_array(rd->arena, count, size);
	if (!p) {
		rd->in.failed = true;
		return NULL;
	}
	*n = (int)count;
	return p;
}

/* The lowest number of bytes that put_fields() writes for a table. */
static size_t least_bytes(const struct field *table)
{
	size_t n = 0;

	for (const struct field *f = table; f->name; f++)
		n += f->kind == FIELD_TEXT || f->kind == FIELD_OPTIONAL ? 4 : 8;
	return n;
}

static const struct report_site *get_sites(struct reader *rd, int *n)
{
	struct report_site *sites = get_array(rd, least_bytes(site_fields), sizeof *sites, n);

	for (int i = 0; i < *n && !rd->in.failed; i++)
		get_fields(rd, site_fields, &sites[i]);
	return sites;
}

static void get_ranks(struct reader *rd, struct report_finding *f)
{
	struct rank_set set = { NULL, 0, 0 };
	struct rank_run *run = NULL;

	if (!ranks_decode(&set, &rd->in))
		run = arena_array(rd->arena, (size_t)set.n, sizeof *run);
	if (!run)
		rd->in.failed = true;
	else if (set.n)
		memcpy(run, set.run, (size_t)set.n * sizeof *run);
	f->processes = run;
	f->nruns = run ? set.n : 0;
	ranks_free(&set);
}

static void get_finding(struct reader *rd, struct report_finding *f)
{
	struct report_node *path;

	get_fields(rd, finding_fields, f);
	f->nprocesses = (int)(cur_u32(&rd->in) & INT_MAX);
	get_ranks(rd, f);
	path = get_array(rd, least_bytes(node_fields), sizeof *path, &f->npath);
	for (int i = 0; i < f->npath; i++)
		get_fields(rd, node_fields, &path[i]);
	f->path = path;
	f->sites = get_sites(rd, &f->nsites);
}

/* After the findings. */
static void get_problem(struct reader *rd, const struct report *r, struct report_problem *p)
{
	struct report_problem_structure *s;
	int n;

	get_fields(rd, problem_fields, p);
	s = get_array(rd, least_bytes(problem_structure_fields), sizeof *s, &n);
	for (int i = 0; i < n && !rd->in.failed; i++)
		get_fields(rd, problem_structure_fields, &s[i]);
	if (!rd->in.failed && report_problem_structures_set(r, p, s, n))
		rd->in.failed = true;
	p->sites = get_sites(rd, &p->nsites);
}

static void get_tested(struct reader *rd, struct report_tested *t)
{
	struct report_node *place;

	get_fields(rd, tested_fields, t);
	if (!cur_u8(&rd->in))
		return;
	place = arena_alloc(rd->arena, sizeof *place);
	if (!place) {
		rd->in.failed = true;
		return;
	}
	get_fields(rd, node_fields, place);
	t->place = place;
}

static void get_report(struct reader *rd, struct report *r)
{
	get_fields(rd, report_fields, r);
	get_fields(rd, node_fields, &r->phase);
	get_fields(rd, phase_fields, r);
	r->notes = get_array(rd, 4, sizeof *r->notes, &r->nnotes);
	for (int i = 0; i < r->nnotes; i++) {
		const char *s = get_string(rd);

		r->notes[i] = s ? s : "";
	}
	r->findings = get_array(rd, least_bytes(finding_fields) + 16, sizeof *r->findings,
		&r->nfindings);
	for (int i = 0; i < r->nfindings && !rd->in.failed; i++)
		get_finding(rd, &r->findings[i]);
	r->problems.problem = get_array(rd, least_bytes(problem_fields) + 8, sizeof *r->problems.problem, &r->problems.n);
	for (int i = 0; i < r->problems.n && !rd->in.failed; i++)
		get_problem(rd, r, &r->problems.problem[i]);
	r->gains = get_array(rd, least_bytes(gain_fields), sizeof *r->gains, &r->ngains);
	for (int i = 0; i < r->ngains && !rd->in.failed; i++)
		get_fields(rd, gain_fields, &r->gains[i]);
	r->verified = get_array(rd, least_bytes(verified_fields), sizeof *r->verified, &r->nverified);
	for (int i = 0; i < r->nverified && !rd->in.failed; i++)
		get_fields(rd, verified_fields, &r->verified[i]);
	r->ledger = get_array(rd, least_bytes(ledger_fields), sizeof *r->ledger, &r->nledger);
	for (int i = 0; i < r->nledger && !rd->in.failed; i++)
		get_fields(rd, ledger_fields, &r->ledger[i]);
	r->costs = get_array(rd, least_bytes(cost_fields) + 4, sizeof *r->costs, &r->ncosts);
	for (int i = 0; i < r->ncosts && !rd->in.failed; i++) {
		get_fields(rd, cost_fields, &r->costs[i]);
		r->costs[i].sites = get_sites(rd, &r->costs[i].nsites);
	}
	r->thread_rows = get_array(rd, least_bytes(thread_fields), sizeof *r->thread_rows, &r->nthread_rows);
	for (int i = 0; i < r->nthread_rows && !rd->in.failed; i++)
		get_fields(rd, thread_fields, &r->thread_rows[i]);
	r->tested = get_array(rd, least_bytes(tested_fields) + 1, sizeof *r->tested, &r->ntested);
	for (int i = 0; i < r->ntested && !rd->in.failed; i++)
		get_tested(rd, &r->tested[i]);
}

struct report *report_decode(const void *data, size_t len, struct err *err)
{
	struct reader rd = { .in = { data, len, 0, false } };
	struct report *r;
	uint32_t magic = cur_u32(&rd.in), version = cur_u32(&rd.in);

	if (rd.in.failed || magic != WIRE_MAGIC) {
		err_set(err, "report message: not a report (%zu bytes)", len);
		return NULL;
	}
	if (version != REPORT_WIRE_VERSION) {
		err_set(err, "report message: version %lu, this program reads %lu",
			(unsigned long)version, (unsigned long)REPORT_WIRE_VERSION);
		return NULL;
	}
	r = report_new();
	if (!r) {
		err_nomem(err);
		return NULL;
	}
	rd.arena = r->arena;
	get_report(&rd, r);
	free(rd.string);
	if (rd.in.failed || rd.in.pos != rd.in.len || report_problems_link(r)) {
		err_set(err, "report message: damaged at byte %zu of %zu", rd.in.pos, rd.in.len);
		report_free(r);
		return NULL;
	}
	return r;
}
