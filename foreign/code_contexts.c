/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the context of an instruction by the names of its file, and remembers it. */
#include "config.h"
#include "foreign/code_contexts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The functions of larger libraries take the agent too long to find. */
enum { FIRST_ROOM = 1 << 12, LARGEST_LIBRARY = 128 << 20 };

struct place_entry {
	uint64_t ip;            /* 0: free */
	struct place place;
};

int places_begin(struct code_contexts *p, struct images *images, struct shm_tables *tables,
	const char *executable, const char *code)
{
	const struct mon_shm *shm = tables->shm;
	uint32_t unit;

	*p = (struct code_contexts){ .images = images, .tables = tables, .executable = executable,
		.code = code };
	p->known = calloc(FIRST_ROOM, sizeof *p->known);
	p->room = FIRST_ROOM;
	if (!p->known)
		return -1;
	unit = shm_unit(tables, shm->phase[0].hash, "", shm->phase[0].index + 1);
	return shm_context(tables, MON_ANY, unit, shm->phase[0].index) == 0 ? 0 : -1;
}

void places_end(struct code_contexts *p)
{
	free(p->known);
	*p = (struct code_contexts){ 0 };
}

void places_forget(struct code_contexts *p)
{
	if (p->known)
		memset(p->known, 0, p->room * sizeof *p->known);
	p->n = 0;
}

/* --- contexts -------------------------------------------------------------------------------- */

static bool is_phase(const struct mon_shm *shm, const struct binary_function *f, uint32_t region)
{
	for (uint32_t i = 0; i < shm->nphase; i++)
		if (shm->phase[i].hash == f->hash && shm->phase[i].index == region)
			return true;
	return false;
}

/* Regions of functions are nested, and functions in functions; all else is inside the phase. */
static uint32_t context_of(struct code_contexts *p, const struct binary_function *f,
	uint32_t region)
{
	uint32_t parent = 0, unit;

	if (is_phase(p->tables->shm, f, region))
		return 0;
	if (region)
		parent = context_of(p, f, f->regions[region].parent == BINARY_NONE ? 0 :
			f->regions[region].parent);
	else if (f->into)
		parent = context_of(p, f->into, f->into_region);
	unit = shm_unit(p->tables, f->hash, f->source, f->nregions);
	return parent == MON_ANY || unit == MON_NO_UNIT ? MON_ANY : shm_context(p->tables, parent,
		unit, region);
}

/* Is the path among those of the list? */
static bool is_listed(const char *list, const char *path)
{
	const size_t length = strlen(path);

	for (const char *at = strstr(list, path); at; at = strstr(at + 1, path))
		if ((at == list || at[-1] == '\n') && (at[length] == '\n' || !at[length]))
			return true;
	return false;
}

/* A library that the program has loaded while it runs: the agent is told of it
 * when its code is met first. */
static bool tell_library(struct code_contexts *p, const struct image_file *f)
{
	struct stat st;

	return !binary_is_run_time(f->path) && stat(f->path, &st) == 0 &&
		st.st_size <= LARGEST_LIBRARY && shm_code(p->tables, f->path) == 0;
}

/* Do the file's functions have contexts? */
static bool is_own(struct code_contexts *p, struct image_file *f)
{
	if (f->code == IMAGE_CODE_UNKNOWN)
		f->code = f->binary && (strcmp(f->path, p->executable) == 0 ||
			is_listed(p->code, f->path) || tell_library(p, f)) ? IMAGE_CODE_OWN :
			IMAGE_CODE_CALLER;
	return f->code == IMAGE_CODE_OWN;
}

static struct place look_up(struct code_contexts *p, uint64_t ip)
{
	const struct image *image = images_find(p->images, ip);
	struct place place = { PLACE_CALLER, 0 };
	struct binary_place at;
	uint32_t context;

	if (!image || !image->file || !is_own(p, image->file) ||
	    !binary_place_at(image->file->binary, ip - image->file->base, &at))
		return place;
	context = context_of(p, at.function, at.region);
	if (context != MON_ANY)
		place = (struct place){ context, at.line > 0 ? (uint32_t)at.line : 0 };
	return place;
}

/* --- what is known --------------------------------------------------------------------------- */

static struct place_entry *slot_of(const struct code_contexts *p, uint64_t ip)
{
	uint32_t slot = (uint32_t)(ip * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (p->room - 1);

	while (p->known[slot].ip && p->known[slot].ip != ip)
		slot = (slot + 1) & (p->room - 1);
	return &p->known[slot];
}

/* Without memory the table stays as it is, and is emptied when it is nearly full. */
static void make_room(struct code_contexts *p)
{
	struct code_contexts grown = *p;

	if (p->n < p->room / 4 * 3)
		return;
	grown.room = 2 * p->room;
	grown.known = calloc(grown.room, sizeof *grown.known);
	if (!grown.known) {
		places_forget(p);
		return;
	}
	for (uint32_t i = 0; i < p->room; i++)
		if (p->known[i].ip)
			*slot_of(&grown, p->known[i].ip) = p->known[i];
	free(p->known);
	*p = grown;
}

struct place places_at(struct code_contexts *p, uint64_t ip)
{
	struct place_entry *e;

	make_room(p);
	e = slot_of(p, ip);
	if (!e->ip) {
		*e = (struct place_entry){ ip, look_up(p, ip) };
		p->n++;
	}
	return e->place;
}
