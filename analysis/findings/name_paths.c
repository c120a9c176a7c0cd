/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the place of a region by the names of functions and the order of regions. */
#include "analysis/findings/name_paths.h"

#include <ctype.h>
#include <string.h>

/* Appends "loop" for LOOP_REGION, "workshare_do" for WORKSHARE_DO. */
static void add_kind(struct buf *out, enum region_type type)
{
	const char *name = region_type_name((int)type), *end = strstr(name, "_REGION");
	size_t n = end ? (size_t)(end - name) : strlen(name);

	for (size_t i = 0; i < n; i++) {
		char ch = (char)tolower((unsigned char)name[i]);

		buf_add(out, &ch, 1);
	}
}

static bool is_alike(const struct sir_region *a, const struct sir_region *b)
{
	return a->type == b->type && (a->type != REGION_CALL ||
		strcmp(a->name ? a->name : "", b->name ? b->name : "") == 0);
}

static unsigned number_among_alike(const struct sir *sir, uint32_t region)
{
	const struct sir_region *r = &sir->regions[region];
	unsigned n = 1;

	for (uint32_t i = sir->regions[r->parent].child; i != SIR_NONE && i != region;
			i = sir->regions[i].next)
		n += is_alike(&sir->regions[i], r);
	return n;
}

/* Appends the regions from the function down to `region`, which nest as deep as the source does. */
static void add_path(struct buf *out, const struct sir *sir, uint32_t region)
{
	const struct sir_region *r = &sir->regions[region];
	const char *slash = strrchr(r->file, '/');

	if (r->type == REGION_SUB || r->parent == SIR_NONE) {
		buf_printf(out, "%s:%s", slash ? slash + 1 : r->file, r->name ? r->name : "");
		return;
	}
	add_path(out, sir, r->parent);
	buf_puts(out, "/");
	add_kind(out, r->type);
	if (r->name && *r->name)
		buf_printf(out, " %s", r->name);
	buf_printf(out, " %u", number_among_alike(sir, region));
}

const char *name_path(const struct sir *sir, uint32_t region, struct arena *arena)
{
	struct buf text = BUF_INIT;
	const char *kept;

	if (region == SIR_NONE)
		return arena_strdup(arena, "?");
	add_path(&text, sir, region);
	kept = text.failed ? NULL : arena_strdup(arena, buf_str(&text));
	buf_free(&text);
	return kept;
}

const char *name_file(const struct sir *sir, const char *file)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;

	for (uint32_t i = 0; i < sir->nregions; i++) {
		const char *other = sir->regions[i].file, *at;

		if (other == file || (i && other == sir->regions[i - 1].file))
			continue;       /* one copy of the name stands for the regions of a unit */
		at = strrchr(other, '/');
		if (strcmp(at ? at + 1 : other, base) == 0 && strcmp(other, file) != 0)
			return file;
	}
	return base;
}
