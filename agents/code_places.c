/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the lines of instructions in the executable's debugging information, each once. */
#include "agents/code_places.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "binary/binary.h"

enum { PLACES = 256, INLINED = 8 };

struct code_places {
	char *executable;
	struct binary *binary;  /* NULL: not opened yet, or it cannot be read */
	bool tried;
	struct { uint64_t code; char text[128]; } place[PLACES];        /* text "": not known */
	uint32_t n;
};

struct code_places *code_places_new(const char *executable)
{
	struct code_places *p = calloc(1, sizeof *p);

	if (p && executable)
		p->executable = strdup(executable);
	return p;
}

void code_places_free(struct code_places *p)
{
	if (!p)
		return;
	binary_close(p->binary);
	free(p->executable);
	free(p);
}

static void open_once(struct code_places *p)
{
	struct err err;

	if (p->tried)
		return;
	p->tried = true;
	p->binary = p->executable ? binary_open(p->executable, &err) : NULL;
	if (!p->binary && p->executable)
		log_msg(2, "the lines of first touches are not known: %s", err.text);
}

/* The line of the innermost function that is not of a header of the system, whose code is
 * inlined. */
static void find(struct code_places *p, uint64_t code, char *text, size_t size)
{
	struct binary_line line[INLINED];
	uint32_t n = p->binary ? binary_lines_at(p->binary, code, line, INLINED) : 0;

	for (uint32_t i = 0; i < n; i++) {
		const char *slash = strrchr(line[i].file, '/');

		if (!line[i].line || !*line[i].file || strncmp(line[i].file, "/usr/", 5) == 0)
			continue;
		snprintf(text, size, "%s:%d", slash ? slash + 1 : line[i].file, line[i].line);
		return;
	}
}

const char *code_places_find(void *places, uint64_t code)
{
	struct code_places *p = places;
	uint32_t i = 0;

	while (i < p->n && p->place[i].code != code)
		i++;
	if (i == PLACES)
		return NULL;
	if (i == p->n) {
		open_once(p);
		p->place[i].code = code;
		find(p, code, p->place[i].text, sizeof p->place[i].text);
		p->n++;
	}
	return p->place[i].text[0] ? p->place[i].text : NULL;
}
