/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the part binary about a file, as text:
 *   ask lost FILE                       what the file does not tell
 *   ask variables FILE                  its variables
 *   ask lines FILE                      the lines of all functions' code, each with the inlined calls around it
 *   ask places FILE                     the places of all functions' code, each once
 *   ask base FILE                       whether the mapping of each executable segment is where it says
 *   ask heap                            names blocks: reads lines "SIZE FILE DISTANCE FILE DISTANCE ..." of
 *                                       tests/binary/log_blocks.c, distances from where the file begins in memory */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binary/internal.h"

static struct binary *open_file(const char *path)
{
	struct err err;
	struct binary *b = binary_open(path, &err);

	if (!b)
		fprintf(stderr, "%s\n", err.text);
	return b;
}

static void lost(struct binary *b)
{
	const struct binary_lost *l = binary_lost(b);

	printf("lines %d symbols %d units %d split %u of them%s separate %d\n", l->lines, l->symbols, l->units > 0, l->split,
		l->missing ? ", the first named," : "", l->separate != NULL);
}

static void variables(struct binary *b)
{
	uint32_t n;
	const struct binary_variable *v = binary_variables(b, &n);

	for (uint32_t i = 0; i < n; i++)
		printf("%s scope %s size %llu elem %u type %s kind %d at %s:%d%s%s\n", v[i].name,
			v[i].scope ? v[i].scope : "-", (unsigned long long)v[i].size, v[i].elem,
			v[i].type ? v[i].type : "-", (int)v[i].kind, v[i].file, v[i].line, v[i].alias ? " alias" : "",
			binary_variable_at(b, v[i].address + v[i].size - 1) ? "" : " LOST");
}

static void lines_of(struct binary *b, const struct span *s)
{
	struct binary_line l[16];

	for (uint64_t at = s->low; at < s->high; at++) {
		uint32_t n = binary_lines_at(b, at, l, 16);

		for (uint32_t i = 0; i < n; i++)
			printf("%s%s:%d", i ? " in " : "", l[i].function, l[i].line);
		printf("\n");
	}
}

static void lines(struct binary *b)
{
	binary_read_units(b);
	for (uint32_t u = 0; u < b->nunits; u++) {
		const struct code_index *index = unit_functions(b, &b->units[u]);

		for (uint32_t i = 0; i < index->n; i++)
			lines_of(b, &index->at[i].span);
	}
}

/* Each instruction's place must be of the function and of a region of it. */
static void places_of(struct binary *b, const struct code_index *index)
{
	for (uint32_t i = 0; i < index->n; i++) {
		struct binary_place p, before = { NULL, 0, "", 0 };

		for (uint64_t at = index->at[i].span.low; at < index->at[i].span.high; at++) {
			if (!binary_place_at(b, at, &p) || p.region >= p.function->nregions) {
				printf("no place\n");
				return;
			}
			if (p.function != before.function || p.region != before.region || p.line != before.line)
				printf("%s %u %s:%d\n", p.function->name, p.region, p.file, p.line);
			before = p;
		}
	}
}

static void places(struct binary *b)
{
	binary_read_units(b);
	for (uint32_t u = 0; u < b->nunits; u++)
		places_of(b, unit_functions(b, &b->units[u]));
	if (!b->nunits) {
		binary_read_bare(b);
		places_of(b, &b->bare);
	}
}

/* --- heap blocks ----------------------------------------------------------------------------------- */

enum { FILES = 32, FRAMES = 16 };

struct known {
	struct binary *file[FILES];
	uint32_t n;
};

static struct binary *known_file(struct known *k, const char *path)
{
	for (uint32_t i = 0; i < k->n; i++)
		if (strcmp(binary_path(k->file[i]), path) == 0)
			return k->file[i];
	if (k->n == FILES)
		return NULL;
	k->file[k->n] = open_file(path);
	return k->file[k->n] ? k->file[k->n++] : NULL;
}

static void name(struct known *k, char *line)
{
	struct binary_frame frames[FRAMES];
	struct binary_heap h;
	char *size = strtok(line, " \n"), *path;
	uint32_t n = 0;

	while (n < FRAMES && (path = strtok(NULL, " \n"))) {
		struct binary *b = known_file(k, path);
		char *distance = strtok(NULL, " \n");

		if (!distance)
			break;
		frames[n] = (struct binary_frame){ b, strtoull(distance, NULL, 16) };
		if (b && b->nsegments)
			frames[n].address += b->segments[0].address;
		n++;
	}
	binary_heap_name(frames, n, &h);
	printf("%s %s %s %s elem %u in %s:%d\n", size, h.by == BINARY_HEAP_STATIC ? "static" :
		h.by == BINARY_HEAP_MEMBER ? "member" : h.by == BINARY_HEAP_LOCAL ? "local" : "site",
		h.name ? h.name : "-", h.scope ? h.scope : "-", h.elem,
		h.place.function ? h.place.function->name : "-", h.place.line);
}

static int heap(void)
{
	struct known k = { .n = 0 };
	char line[8192];

	while (fgets(line, sizeof line, stdin))
		name(&k, line);
	while (k.n)
		binary_close(k.file[--k.n]);
	return 0;
}

/* A mapping begins with the page of the segment's first byte. */
static void base(const struct binary *b)
{
	for (uint32_t i = 0; i < b->nsegments; i++) {
		const struct segment *s = &b->segments[i];
		const uint64_t skipped = s->offset % 4096;
		uint64_t address;

		if (s->executable)
			printf("%s\n", binary_code_address(b, s->offset - skipped, &address) && address == s->address - skipped ?
				"true" : "false");
	}
}

int main(int argc, char **argv)
{
	struct binary *b;

	if (argc == 2 && strcmp(argv[1], "heap") == 0)
		return heap();
	if (argc < 3 || !(b = open_file(argv[2])))
		return 2;
	if (strcmp(argv[1], "lost") == 0)
		lost(b);
	else if (strcmp(argv[1], "variables") == 0)
		variables(b);
	else if (strcmp(argv[1], "base") == 0)
		base(b);
	else if (strcmp(argv[1], "lines") == 0)
		lines(b);
	else if (strcmp(argv[1], "places") == 0)
		places(b);
	binary_close(b);
	return 0;
}
