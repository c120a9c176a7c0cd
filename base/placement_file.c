/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes placement files. */
#include "base/placement_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST "periscope placement "
#define VERSION "1"
enum { FILE_MOST = 1 << 20 };

/* Where a line is read. */
struct reader {
	const char *name;
	const char *line, *at;
	int number;
	struct err *err;
};

static int wrong(const struct reader *in, const char *what)
{
	return err_set(in->err, "%s:%d:%d: %s", in->name, in->number, (int)(in->at - in->line) + 1,
		what);
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool ends(char c)
{
	return !c || c == '\n';
}

static void skip(struct reader *in)
{
	while (blank(*in->at))
		in->at++;
}

/* A number that digits alone make. */
static bool take_number(struct reader *in, unsigned long most, uint32_t *out)
{
	char *end;
	unsigned long v;

	if (*in->at < '0' || *in->at > '9')
		return false;
	errno = 0;
	v = strtoul(in->at, &end, 10);
	if (errno || v > most)
		return false;
	in->at = end;
	*out = (uint32_t)v;
	return true;
}

static int take_action(struct reader *in, struct place_rule *r)
{
	for (int i = TRIED_NOTHING + 1; i < TRIED_ACTIONS && !r->action; i++) {
		const size_t n = strlen(tried_action_names[i]);

		if (!tried_of_structure(i) || strncmp(in->at, tried_action_names[i], n) != 0 ||
		    !(blank(in->at[n]) || (i == TRIED_ONE_NODE && in->at[n] == '=')))
			continue;
		r->action = i;
		in->at += n;
	}
	if (!r->action)
		return wrong(in, "a rule begins with interleave, bind=N, local or pages=2M");
	if (r->action == TRIED_ONE_NODE &&
	    (*in->at++ != '=' || !take_number(in, PLACE_NODES - 1, &r->node) || !blank(*in->at)))
		return wrong(in, "bind=N names a memory node, from 0 to 1023");
	return 0;
}

/* In quotes; a backslash takes the next character as it is. */
static int take_structure(struct reader *in, struct place_rule *r)
{
	size_t n = 0;

	skip(in);
	if (*in->at != '"')
		return wrong(in, "the name of a structure, in double quotes, is missing");
	for (in->at++; *in->at != '"'; in->at++) {
		if (*in->at == '\\')
			in->at++;
		if (ends(*in->at))
			return wrong(in, "the name has no closing quote");
		if (n == sizeof r->structure - 1)
			return wrong(in, "the name is too long");
		r->structure[n++] = *in->at;
	}
	if (!n)
		return wrong(in, "the name is empty");
	in->at++;
	return 0;
}

/* Nothing, FILE or FILE:LINE. */
static int take_place(struct reader *in, struct place_rule *r)
{
	const char *begin, *end, *colon;

	skip(in);
	begin = end = in->at;
	while (!ends(*end))
		end++;
	while (end > begin && blank(end[-1]))
		end--;
	colon = memchr(begin, ':', (size_t)(end - begin));
	if ((size_t)((colon ? colon : end) - begin) >= sizeof r->file)
		return wrong(in, "the name of the file is too long");
	memcpy(r->file, begin, (size_t)((colon ? colon : end) - begin));
	if (!colon)
		return 0;
	in->at = colon + 1;
	if (colon == begin || !take_number(in, UINT32_MAX - 1, &r->line) || !r->line ||
	    in->at != end)
		return wrong(in, "a place is FILE or FILE:LINE");
	return 0;
}

static int take_rule(struct reader *in, struct placement *out)
{
	struct place_rule r = { .action = TRIED_NOTHING };

	if (take_action(in, &r) || take_structure(in, &r) || take_place(in, &r))
		return -1;
	if (out->n == PLACE_RULES)
		return wrong(in, "there are more than 64 rules");
	out->rule[out->n++] = r;
	return 0;
}

static int take_first(struct reader *in)
{
	if (strncmp(in->at, FIRST, sizeof FIRST - 1) != 0)
		return wrong(in, "a placement file begins with 'periscope placement 1'");
	in->at += sizeof FIRST - 1;
	if (strncmp(in->at, VERSION, sizeof VERSION - 1) != 0 ||
	    !(ends(in->at[1]) || blank(in->at[1])))
		return wrong(in, "this version of placement files is not known; version 1 is");
	return 0;
}

int placement_parse(const char *name, const char *text, struct placement *out, struct err *err)
{
	struct reader in = { name, text, text, 0, err };
	bool first = true;

	out->n = 0;
	for (; *in.line; in.line = strchr(in.line, '\n') ? strchr(in.line, '\n') + 1 : "") {
		in.at = in.line;
		in.number++;
		skip(&in);
		if (ends(*in.at) || *in.at == '#')
			continue;
		if (first ? take_first(&in) : take_rule(&in, out))
			return -1;
		first = false;
	}
	if (first)
		return err_set(err, "%s: the file is empty; it begins with 'periscope placement 1'",
			name);
	return 0;
}

int placement_read(const char *path, struct placement *out, struct err *err)
{
	FILE *f = fopen(path, "re");
	char *text = malloc(FILE_MOST + 1);
	size_t n;
	int rc = -1;

	if (!f || !text) {
		err_sys(err, "%s", path);
		goto done;
	}
	n = fread(text, 1, FILE_MOST + 1, f);
	if (ferror(f)) {
		err_sys(err, "%s", path);
	} else if (n > FILE_MOST || memchr(text, '\0', n)) {
		err_set(err, "%s: this is no placement file", path);
	} else {
		text[n] = '\0';
		rc = placement_parse(path, text, out, err);
	}
done:
	free(text);
	if (f)
		fclose(f);
	return rc;
}

void placement_head(struct buf *out)
{
	buf_puts(out, FIRST VERSION "\n");
}

void placement_rule(struct buf *out, const struct place_rule *r)
{
	buf_puts(out, tried_action_names[r->action]);
	if (r->action == TRIED_ONE_NODE)
		buf_printf(out, "=%u", (unsigned)r->node);
	buf_puts(out, " \"");
	for (const char *s = r->structure; *s; s++)
		buf_printf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	buf_puts(out, "\"");
	if (r->file[0])
		buf_printf(out, " %s", r->file);
	if (r->file[0] && r->line)
		buf_printf(out, ":%u", (unsigned)r->line);
	buf_puts(out, "\n");
}
