/* SPDX-License-Identifier: BSD-3-Clause */
/* Encodes and decodes the configuration of a run. */
#include "analysis/search/run_config.h"

#include <stdlib.h>
#include <string.h>

void run_config_init(struct run_config *c)
{
	*c = (struct run_config){ .delay = 1, .warm = 1, .clean = 5, .counted = 1, .sample = 1,
		.confidence = 0.8, .max_runs = 1 };
}

static void asked_set_free(struct asked_set *a)
{
	free(a->name);
	free(a->set);
}

void run_config_free(struct run_config *c)
{
	free(c->command);
	free(c->directory);
	free(c->executable);
	free(c->code_files);
	free(c->asked_path);
	free(c->asked_text);
	free(c->socket_dir);
	free(c->front_host);
	free(c->phase_choice);
	buf_free(&c->program);
	for (uint32_t i = 0; i < c->nasked; i++)
		asked_set_free(&c->asked[i]);
	free(c->asked);
	free(c->library);
	free(c->recipes);
	free(c->collectors);
	free(c->what_if);
	free(c->placement);
	free(c->export_counts);
	free(c->phase_log);
	*c = (struct run_config){ 0 };
}

static void encode_machine(const struct machine *m, struct buf *out)
{
	buf_string(out, m->name);
	buf_string(out, m->title);
	buf_string(out, m->source);
	buf_string(out, m->note);
	buf_f64(out, m->ghz);
	buf_u32(out, m->misses);
	for (unsigned i = 0; i <= MACHINE_LEVELS; i++) {
		buf_f64(out, m->line[i].walk);
		buf_f64(out, m->line[i].read);
		buf_f64(out, m->line[i].write);
	}
	/* Sent as raw bytes: agents are of the same build and byte order.  The size catches another
	 * build. */
	buf_u32(out, sizeof m->flat);
	buf_add(out, &m->flat, sizeof m->flat);
}

static void copy_text(char *to, size_t size, struct cursor *in)
{
	char *s = cur_string(in);

	to[0] = '\0';
	if (s)
		strncat(to, s, size - 1);
	free(s);
}

static void decode_machine(struct machine *m, struct cursor *in)
{
	copy_text(m->name, sizeof m->name, in);
	copy_text(m->title, sizeof m->title, in);
	copy_text(m->source, sizeof m->source, in);
	copy_text(m->note, sizeof m->note, in);
	m->ghz = cur_f64(in);
	m->misses = cur_u32(in);
	for (unsigned i = 0; i <= MACHINE_LEVELS; i++) {
		m->line[i].walk = cur_f64(in);
		m->line[i].read = cur_f64(in);
		m->line[i].write = cur_f64(in);
	}
	if (cur_u32(in) != sizeof m->flat || in->len - in->pos < sizeof m->flat) {
		in->failed = true;
		return;
	}
	memcpy(&m->flat, in->data + in->pos, sizeof m->flat);
	in->pos += sizeof m->flat;
}

static void encode_placement(const struct placement *p, struct buf *out)
{
	const uint32_t n = p ? p->n : 0;

	buf_u32(out, n);
	for (uint32_t i = 0; i < n; i++) {
		buf_u32(out, p->rule[i].action);
		buf_u32(out, p->rule[i].node);
		buf_string(out, p->rule[i].structure);
		buf_string(out, p->rule[i].file);
		buf_u32(out, p->rule[i].line);
	}
}

void run_config_encode(const struct run_config *c, struct buf *out)
{
	buf_string(out, c->command);
	buf_string(out, c->directory);
	buf_string(out, c->executable);
	buf_string(out, c->code_files);
	buf_string(out, c->asked_path);
	buf_string(out, c->asked_text);
	buf_string(out, c->socket_dir);
	buf_u32(out, c->hosts);
	buf_string(out, c->front_host);
	buf_u32(out, c->nphase);
	for (uint32_t i = 0; i < c->nphase; i++) {
		buf_u64(out, c->phase[i].hash);
		buf_u32(out, c->phase[i].index);
	}
	buf_u32(out, c->phase_region);
	buf_u8(out, c->phase_by_time);
	buf_string(out, c->phase_choice);
	encode_machine(&c->machine, out);
	buf_u8(out, c->foreign);
	buf_u32(out, (uint32_t)c->program.len);
	buf_add(out, c->program.data, c->program.len);
	buf_u32(out, c->nasked);
	for (uint32_t i = 0; i < c->nasked; i++) {
		buf_string(out, c->asked[i].name);
		buf_string(out, c->asked[i].set);
		buf_u8(out, c->asked[i].usual);
	}
	buf_string(out, c->library);
	buf_string(out, c->recipes);
	buf_string(out, c->collectors);
	buf_u32(out, c->strategy);
	buf_u32(out, c->counters);
	buf_u32(out, c->delay);
	buf_u64(out, c->timed_ns);
	buf_u32(out, c->warm);
	buf_u32(out, c->clean);
	buf_u32(out, c->counted);
	buf_u32(out, c->sample);
	buf_u8(out, c->maps);
	buf_u8(out, c->bursts);
	buf_u8(out, c->samples);
	buf_u32(out, c->slow_percent);
	buf_u8(out, c->slow_budget);
	buf_u64(out, c->slow_ns);
	buf_u32(out, c->nwhat_if);
	for (uint32_t i = 0; i < c->nwhat_if; i++) {
		buf_string(out, c->what_if[i].structure);
		buf_u32(out, c->what_if[i].fixes);
		buf_u32(out, c->what_if[i].row);
		buf_u32(out, c->what_if[i].level);
	}
	buf_u8(out, c->proposals);
	buf_u32(out, c->ntries);
	for (uint32_t i = 0; i < c->ntries; i++) {
		buf_u32(out, c->tries[i].action);
		buf_string(out, c->tries[i].structure);
		buf_u32(out, c->tries[i].node);
	}
	buf_u8(out, c->keep_tried);
	encode_placement(c->placement, out);
	buf_u8(out, c->lockstep);
	buf_u8(out, c->why_not);
	buf_u8(out, c->check);
	buf_f64(out, c->limit_seconds);
	buf_u64(out, c->limit_executions);
	buf_u8(out, c->attached);
	buf_u32(out, c->max_runs);
	buf_u8(out, c->unasked);
	buf_f64(out, c->threshold);
	buf_f64(out, c->confidence);
	buf_string(out, c->export_counts);
	buf_string(out, c->phase_log);
}

static void decode_program(struct run_config *c, struct cursor *in)
{
	uint32_t n = cur_u32(in);

	if (in->failed || in->len - in->pos < n) {
		in->failed = true;
		return;
	}
	buf_add(&c->program, in->data + in->pos, n);
	in->failed = c->program.failed;
	in->pos += n;
}

static void decode_what_if(struct run_config *c, struct cursor *in)
{
	uint32_t n = cur_u32(in);

	/* Bounds n before allocating: an entry has 12 bytes at least. */
	if (in->failed || n > (in->len - in->pos) / 12) {
		in->failed = true;
		return;
	}
	c->what_if = calloc((size_t)n + 1, sizeof *c->what_if);
	for (uint32_t i = 0; c->what_if && i < n && !in->failed; i++) {
		copy_text(c->what_if[i].structure, sizeof c->what_if[i].structure, in);
		c->what_if[i].fixes = cur_u32(in);
		c->what_if[i].row = cur_u32(in);
		c->what_if[i].level = cur_u32(in);
		c->nwhat_if = i + 1;
	}
	in->failed |= !c->what_if;
}

static void decode_tries(struct run_config *c, struct cursor *in)
{
	c->ntries = cur_u32(in);
	in->failed |= c->ntries > TRIES_MOST;
	for (uint32_t i = 0; i < c->ntries && !in->failed; i++) {
		const uint32_t action = cur_u32(in);

		in->failed |= action >= TRIED_ACTIONS;
		c->tries[i].action = in->failed ? TRIED_NOTHING : (enum tried_action)action;
		copy_text(c->tries[i].structure, sizeof c->tries[i].structure, in);
		c->tries[i].node = cur_u32(in);
	}
}

static void decode_placement(struct run_config *c, struct cursor *in)
{
	const uint32_t n = cur_u32(in);

	in->failed |= n > PLACE_RULES;
	if (in->failed || !n)
		return;
	c->placement = calloc(1, sizeof *c->placement);
	in->failed = !c->placement;
	for (uint32_t i = 0; i < n && !in->failed; i++) {
		struct place_rule *r = &c->placement->rule[i];
		const uint32_t action = cur_u32(in);

		in->failed |= action >= TRIED_ACTIONS || !tried_of_structure(action);
		r->action = in->failed ? TRIED_NOTHING : (enum tried_action)action;
		r->node = cur_u32(in);
		copy_text(r->structure, sizeof r->structure, in);
		copy_text(r->file, sizeof r->file, in);
		r->line = cur_u32(in);
		c->placement->n = i + 1;
	}
}

static void decode_asked(struct run_config *c, struct cursor *in)
{
	uint32_t n = cur_u32(in);

	/* An entry has 9 bytes at least. */
	if (in->failed || n > (in->len - in->pos) / 9) {
		in->failed = true;
		return;
	}
	c->asked = calloc((size_t)n + 1, sizeof *c->asked);
	for (uint32_t i = 0; c->asked && i < n && !in->failed; i++) {
		c->asked[i].name = cur_string(in);
		c->asked[i].set = cur_string(in);
		c->asked[i].usual = cur_u8(in) != 0;
		c->nasked = i + 1;
		in->failed |= !c->asked[i].name || !c->asked[i].set;
	}
	in->failed |= !c->asked;
}

int run_config_decode(struct run_config *c, const struct buf *body, struct err *err)
{
	struct cursor in = { (const uint8_t *)body->data, body->len, 0, false };

	*c = (struct run_config){ 0 };
	c->command = cur_string(&in);
	c->directory = cur_string(&in);
	c->executable = cur_string(&in);
	c->code_files = cur_string(&in);
	c->asked_path = cur_string(&in);
	c->asked_text = cur_string(&in);
	c->socket_dir = cur_string(&in);
	c->hosts = cur_u32(&in);
	c->front_host = cur_string(&in);
	c->nphase = cur_u32(&in);
	if (c->nphase > MON_HOOKS)
		in.failed = true;
	for (uint32_t i = 0; i < c->nphase && !in.failed; i++) {
		c->phase[i].hash = cur_u64(&in);
		c->phase[i].index = cur_u32(&in);
	}
	c->phase_region = cur_u32(&in);
	c->phase_by_time = cur_u8(&in);
	c->phase_choice = cur_string(&in);
	decode_machine(&c->machine, &in);
	c->foreign = cur_u8(&in);
	decode_program(c, &in);
	decode_asked(c, &in);
	c->library = cur_string(&in);
	c->recipes = cur_string(&in);
	c->collectors = cur_string(&in);
	c->strategy = cur_u32(&in);
	c->counters = cur_u32(&in);
	c->delay = cur_u32(&in);
	c->timed_ns = cur_u64(&in);
	c->warm = cur_u32(&in);
	c->clean = cur_u32(&in);
	c->counted = cur_u32(&in);
	c->sample = cur_u32(&in);
	c->maps = cur_u8(&in);
	c->bursts = cur_u8(&in);
	c->samples = cur_u8(&in);
	c->slow_percent = cur_u32(&in);
	c->slow_budget = cur_u8(&in);
	c->slow_ns = cur_u64(&in);
	decode_what_if(c, &in);
	c->proposals = cur_u8(&in);
	decode_tries(c, &in);
	c->keep_tried = cur_u8(&in);
	decode_placement(c, &in);
	c->lockstep = cur_u8(&in);
	c->why_not = cur_u8(&in);
	c->check = cur_u8(&in);
	c->limit_seconds = cur_f64(&in);
	c->limit_executions = cur_u64(&in);
	c->attached = cur_u8(&in);
	c->max_runs = cur_u32(&in);
	c->unasked = cur_u8(&in) != 0;
	c->threshold = cur_f64(&in);
	c->confidence = cur_f64(&in);
	c->export_counts = cur_string(&in);
	c->phase_log = cur_string(&in);
	if (in.failed || in.pos != in.len) {
		run_config_free(c);
		return err_set(err, "malformed configuration");
	}
	return 0;
}

int run_config_ask(struct run_config *c, const char *name, bool usual)
{
	struct asked_set *more = realloc(c->asked, (c->nasked + 1) * sizeof *more), *a;
	const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
	size_t n = strlen(file);

	if (!more)
		return -1;
	c->asked = more;
	a = &more[c->nasked];
	if (n > 4 && strcmp(file + n - 4, ".asl") == 0)
		n -= 4;
	*a = (struct asked_set){ strdup(name), strndup(file, n), usual };
	if (!a->name || !a->set) {
		asked_set_free(a);
		return -1;
	}
	c->nasked++;
	return 0;
}

void run_config_asked(const struct run_config *c, struct buf *out)
{
	for (uint32_t i = 0; i < c->nasked; i++)
		buf_printf(out, "%s%s", i ? ", " : "", c->asked[i].name);
}

void run_config_spans(const struct run_config *c, struct buf *out)
{
	buf_printf(out, "every %g s of the program", (double)c->timed_ns * 1e-9);
}
