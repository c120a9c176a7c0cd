/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and analyses the function of an address; the places of code. */
#include "binary/analysis.h"

#include <stdlib.h>
#include <string.h>

/* No function that a compiler makes is larger; a broken file does not make us decode all of it. */
#define LARGEST ((uint64_t)64 << 20)

static uint32_t read_code(struct binary *b, const struct code_function *c, struct flow_code *pieces)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nspans; i++) {
		uint64_t size = c->spans[i].high - c->spans[i].low;
		size_t left;
		const unsigned char *p = binary_bytes(b, c->spans[i].low, &left);

		if (p && size <= LARGEST)
			pieces[n++] = (struct flow_code){ c->spans[i].low, p, size < left ? size :
				left };
	}
	return n;
}

static int analyse(struct analysis *a, const struct flow_code *pieces, uint32_t n)
{
	if (code_flow_make(&a->flow, pieces, n, a->code->entry) < 0)
		return -1;
	a->lines = calloc(a->flow.ninsns + 1, sizeof *a->lines);
	a->loops = calloc(a->flow.nloops + 1, sizeof *a->loops);
	if (!a->lines || !a->loops || analysis_scopes(a) < 0)
		return -1;
	for (uint32_t l = 0; l < a->flow.nloops; l++)
		a->loops[l] = (struct loop_place){ .scope = BINARY_NONE, .at = { "", 0 } };
	analysis_lines(a);
	analysis_loops(a);
	return analysis_regions(a);
}

int code_analyse(struct binary *b, struct code_function *c)
{
	struct analysis a = { .b = b, .code = c };
	struct flow_code *pieces;
	int ret = -1;

	if (c->analysed)
		return c->nspots || c->nentries ? 0 : -1;
	c->analysed = true;
	pieces = malloc((c->nspans + 1) * sizeof *pieces);
	if (pieces)
		ret = analyse(&a, pieces, read_code(b, c, pieces));
	free(pieces);
	code_flow_free(&a.flow);
	free(a.scopes);
	free(a.scope_of);
	free(a.lines);
	free(a.loops);
	if (ret < 0)
		c->nentries = c->nspots = 0;
	return ret;
}

static struct code_function *find_code(struct binary *b, uint64_t address)
{
	struct dwarf_unit *u = binary_unit_at(b, address);
	struct code_function *c = u ? code_index_at(unit_functions(b, u), address) : NULL;

	return c ? c : binary_bare_code(b, address);
}

struct code_function *binary_code_at(struct binary *b, uint64_t address)
{
	struct code_function *c = find_code(b, address);

	return c && code_analyse(b, c) == 0 ? c : NULL;
}

bool binary_place_at(struct binary *b, uint64_t address, struct binary_place *place)
{
	const struct code_function *c = binary_code_at(b, address);
	uint32_t low = 0, high = c ? c->nspots : 0;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (c->spots[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return false;
	*place = (struct binary_place){ c->spots[low - 1].function, c->spots[low - 1].region,
		c->spots[low - 1].file, c->spots[low - 1].line };
	return true;
}
