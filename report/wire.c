/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes and decodes a report as bytes: magic, version, then every field in the order of
 * fields.c.  A missing string is sent as NULL, a missing number as NAN. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "report/fields.h"

#define WIRE_MAGIC 0x52435350u          /* "PSCR" */
#define REPORT_WIRE_VERSION 15u

static void put_fields(struct buf *out, const struct field *table, const void *obj)
{
	for (const struct field *f = table; f->name; f++) {
		if (f->kind == FIELD_TEXT || f->kind == FIELD_OPTIONAL)
			buf_string(out, field_missing(f, obj) ? NULL : field_text(f, obj));
		else if (f->kind == FIELD_REAL)
			buf_f64(out, field_real(f, obj));
		else
			buf_u64(out, (uint64_t)field_int(f, obj));
	}
}

static void put_count(struct buf *out, int n)
{
	buf_u32(out, n > 0 ? (uint32_t)n : 0);
}

static void put_finding(struct buf *out, const struct report_finding *f)
{
	put_fields(out, finding_fields, f);
	put_count(out, f->nprocesses);
	for (int i = 0; i < f->nprocesses; i++)
		buf_u32(out, (uint32_t)f->processes[i]);
	put_count(out, f->npath);
	for (int i = 0; i < f->npath; i++)
		put_fields(out, node_fields, &f->path[i]);
}

void report_encode(const struct report *r, struct buf *out)
{
	buf_u32(out, WIRE_MAGIC);
	buf_u32(out, REPORT_WIRE_VERSION);
	put_fields(out, report_fields, r);
	put_fields(out, node_fields, &r->phase);
	put_fields(out, phase_fields, r);
	put_count(out, r->nnotes);
	for (int i = 0; i < r->nnotes; i++)
		buf_string(out, r->notes[i] ? r->notes[i] : "");
	put_count(out, r->nfindings);
	for (int i = 0; i < r->nfindings; i++)
		put_finding(out, &r->findings[i]);
	put_count(out, r->ngains);
	for (int i = 0; i < r->ngains; i++)
		put_fields(out, gain_fields, &r->gains[i]);
	put_count(out, r->nverified);
	for (int i = 0; i < r->nverified; i++)
		put_fields(out, verified_fields, &r->verified[i]);
	put_count(out, r->nledger);
	for (int i = 0; i < r->nledger; i++)
		put_fields(out, ledger_fields, &r->ledger[i]);
	put_count(out, r->ncosts);
	for (int i = 0; i < r->ncosts; i++)
		put_fields(out, cost_fields, &r->costs[i]);
	put_count(out, r->nthread_rows);
	for (int i = 0; i < r->nthread_rows; i++)
		put_fields(out, thread_fields, &r->thread_rows[i]);
	put_count(out, r->ntested);
	for (int i = 0; i < r->ntested; i++) {
		put_fields(out, tested_fields, &r->tested[i]);
		buf_u8(out, r->tested[i].place != NULL);
		if (r->tested[i].place)
			put_fields(out, node_fields, r->tested[i].place);
	}
}

/* Decoding checks in.failed once, at the end; values read after an error are harmless. */
struct reader {
	struct cursor in;
	struct arena *arena;
};

static const char *get_string(struct reader *rd)
{
	char *s = cur_string(&rd->in), *copy = s ? arena_strdup(rd->arena, s) : NULL;

	if (s && !copy)
		rd->in.failed = true;
	free(s);
	return copy;
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

static void get_finding(struct reader *rd, struct report_finding *f)
{
	struct report_node *path;
	int *processes;

	get_fields(rd, finding_fields, f);
	processes = get_array(rd, 4, sizeof *processes, &f->nprocesses);
	for (int i = 0; i < f->nprocesses; i++)
		processes[i] = (int)(cur_u32(&rd->in) & INT_MAX);
	f->processes = processes;
	path = get_array(rd, least_bytes(node_fields), sizeof *path, &f->npath);
	for (int i = 0; i < f->npath; i++)
		get_fields(rd, node_fields, &path[i]);
	f->path = path;
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
	r->findings = get_array(rd, least_bytes(finding_fields) + 8, sizeof *r->findings,
		&r->nfindings);
	for (int i = 0; i < r->nfindings && !rd->in.failed; i++)
		get_finding(rd, &r->findings[i]);
	r->gains = get_array(rd, least_bytes(gain_fields), sizeof *r->gains, &r->ngains);
	for (int i = 0; i < r->ngains && !rd->in.failed; i++)
		get_fields(rd, gain_fields, &r->gains[i]);
	r->verified = get_array(rd, least_bytes(verified_fields), sizeof *r->verified, &r->nverified);
	for (int i = 0; i < r->nverified && !rd->in.failed; i++)
		get_fields(rd, verified_fields, &r->verified[i]);
	r->ledger = get_array(rd, least_bytes(ledger_fields), sizeof *r->ledger, &r->nledger);
	for (int i = 0; i < r->nledger && !rd->in.failed; i++)
		get_fields(rd, ledger_fields, &r->ledger[i]);
	r->costs = get_array(rd, least_bytes(cost_fields), sizeof *r->costs, &r->ncosts);
	for (int i = 0; i < r->ncosts && !rd->in.failed; i++)
		get_fields(rd, cost_fields, &r->costs[i]);
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
	if (rd.in.failed || rd.in.pos != rd.in.len) {
		err_set(err, "report message: damaged at byte %zu of %zu", rd.in.pos, rd.in.len);
		report_free(r);
		return NULL;
	}
	return r;
}
