/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads sources and their includes.  Each is read once, at its first include, so that its
 * declarations precede the text after that include. */
#include "asl/ast.h"

#include <string.h>

/* Skips a byte order mark, which some editors write at the beginning of a file. */
static struct asl_source without_mark(const struct asl_source *source)
{
	struct asl_source s = *source;

	if (s.length >= 3 && !memcmp(s.text, "\xef\xbb\xbf", 3)) {
		s.text += 3;
		s.length -= 3;
	}
	return s;
}

int asl_add_source(struct compile *c, const struct asl_source *source, const char *id)
{
	if (c->nsources == c->source_cap) {
		size_t n = c->nsources, cap = n ? n * 2 : 8;
		struct asl_source *sources = asl_new(c, cap * sizeof *sources);
		struct origin *origins = asl_new(c, cap * sizeof *origins);

		if (n) {
			memcpy(sources, c->sources, n * sizeof *sources);
			memcpy(origins, c->origins, n * sizeof *origins);
		}
		c->sources = sources;
		c->origins = origins;
		c->source_cap = cap;
	}
	c->sources[c->nsources] = without_mark(source);
	c->origins[c->nsources] = (struct origin){ .id = id };
	return (int)c->nsources++;
}

/* Adds the settings of a source.  The last setting of a name wins, so an included file adds its own
 * before the including file does. */
static void keep_settings(struct compile *c, const struct origin *from)
{
	size_t n = c->nincluded_settings;
	struct asl_setting *settings;

	if (!from->nsettings)
		return;
	if (n > MAX_ALL_SETTINGS) {         /* asl_join_settings() reports it */
		c->nincluded_settings += from->nsettings;
		return;
	}
	settings = asl_new(c, (n + from->nsettings) * sizeof *settings);
	if (n)
		memcpy(settings, c->included_settings, n * sizeof *settings);
	memcpy(settings + n, from->settings, from->nsettings * sizeof *settings);
	c->included_settings = settings;
	c->nincluded_settings = n + from->nsettings;
}

void asl_read_source(struct compile *c, int file)
{
	/* a file given twice is read once; without ids, texts of one name are different */
	for (int i = 0; c->includer && c->includer->ids && i < file; i++)
		if (!strcmp(c->origins[i].id, c->origins[file].id))
			return;
	if (c->origins[file].state != SOURCE_NEW)
		return;
	c->origins[file].state = SOURCE_OPEN;
	c->open[c->nopen++] = file;
	asl_parse(c, file);
	c->nopen--;
	c->origins[file].state = SOURCE_DONE;
	keep_settings(c, &c->origins[file]);
}

void asl_join_settings(struct compile *c, const struct asl_setting *settings, size_t n)
{
	size_t all = c->nincluded_settings + n;
	struct asl_setting *joined;

	if (all > MAX_ALL_SETTINGS) {
		asl_error(c, (struct pos){ 0, 0, 0 }, "more than %d settings", MAX_ALL_SETTINGS);
		c->missing = true;
		return;
	}
	joined = asl_new(c, all * sizeof *joined);

	if (c->nincluded_settings)
		memcpy(joined, c->included_settings, c->nincluded_settings * sizeof *joined);
	if (n)
		memcpy(joined + c->nincluded_settings, settings, n * sizeof *joined);
	c->settings = joined;
	c->nsettings = all;
	c->setting_used = asl_new(c, all * sizeof *c->setting_used);
}

/* Reports a cycle as "a.asl includes b.asl includes a.asl", from its first file on. */
static void cycle(struct compile *c, struct pos pos, const char *name, int file)
{
	const char *chain = c->sources[file].name;
	int i = 0;

	while (c->open[i] != file)
		i++;
	for (i++; i < c->nopen && chain; i++)
		chain = arena_printf(c->scratch, "%s includes %s", chain,
			c->sources[c->open[i]].name);
	chain = chain ? arena_printf(c->scratch, "%s includes %s", chain, c->sources[file].name) :
		NULL;
	if (!chain)
		longjmp(c->nomem, 1);
	asl_error(c, pos, "'%s' includes itself: %s", name, chain);
}

/* Number of the included source; -1 after an error. */
static int find_included(struct compile *c, int by, const char *name, struct pos pos)
{
	struct asl_included in = { .source = { NULL, NULL, 0 } };
	struct err err = { "" };
	int file;

	if (!c->includer) {
		asl_error(c, pos, "'%s' cannot be included: only files can include files", name);
		return -1;
	}
	if (c->includer->find(c->includer->arg, name, c->sources[by].name, &in, &err) < 0) {
		asl_error(c, pos, "cannot include '%s': %s", name, err.text);
		return -1;
	}
	for (size_t i = 0; i < c->nsources; i++)
		if (!strcmp(c->origins[i].id, in.id))
			return (int)i;
	if (c->nsources >= MAX_SOURCES) {
		asl_error(c, pos, "more than %d files", MAX_SOURCES);
		return -1;
	}
	file = asl_add_source(c, &in.source, in.id);
	c->origins[file].settings = in.settings;
	c->origins[file].nsettings = in.nsettings;
	return file;
}

void asl_include(struct compile *c, int by, const struct token *token)
{
	const char *name = asl_unescape(c, token->text, strlen(token->text));
	int file = -1;

	if (c->alone)
		return;
	if (!*name)
		asl_error(c, token->pos, "include needs the name of a file");
	else
		file = find_included(c, by, name, token->pos);
	if (file < 0) {
		c->missing = true;
	} else if (c->origins[file].state == SOURCE_OPEN) {
		cycle(c, token->pos, name, file);
	} else if (c->nopen == MAX_INCLUDES) {
		asl_error(c, token->pos, "more than %d files include one another in a row",
			MAX_INCLUDES);
		c->missing = true;
	} else {
		asl_read_source(c, file);
	}
}
