/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the source lines that a report quotes. */
#include "report/words/quote.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text_same.h"
#include "report/model/figures.h"

enum { TAB = 8, LONGEST = 512 };
#define LARGEST (16 << 20)      /* bytes of a source file that is read */

/* A regular file that is not newer than the run; NULL: none. */
static FILE *open_source(const struct report *r, const char *path)
{
	/* Another kind of file could block, or lose what is read from it. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	FILE *f;

	if (fd < 0)
		return NULL;
	f = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= LARGEST &&
		(r->when <= 0 || st.st_mtime <= r->when) ? fdopen(fd, "r") : NULL;
	if (!f)
		close(fd);
	return f;
}

static FILE *open_beside(const struct report *r, const char *base)
{
	const char *exe = r->executable ? r->executable : "", *slash = strrchr(exe, '/');
	struct buf path = BUF_INIT;
	FILE *f;

	if (exe[0] != '/' && r->directory)
		buf_printf(&path, "%s/", r->directory);
	if (slash)
		buf_add(&path, exe, (size_t)(slash - exe) + 1);
	buf_puts(&path, base);
	f = path.failed ? NULL : open_source(r, buf_str(&path));
	buf_free(&path);
	return f;
}

FILE *quote_open(const struct report *r, const struct report_finding *f)
{
	const char *slash = f->source ? strrchr(f->source, '/') : NULL;
	FILE *in = f->source ? open_source(r, f->source) : NULL;

	return in || !slash ? in : open_beside(r, slash + 1);
}

/* The last identifier of a name: "u" of "solver::u" and of "grid%u". */
static const char *identifier(const struct report_finding *f, char *out, size_t size)
{
	const struct report_node *n = report_place(f);
	const char *end, *begin;

	if (n->type != REGION_DATA_STRUCTURE || !n->name)
		return NULL;
	end = n->name + strlen(n->name);
	while (end > n->name && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
		end--;
	begin = end;
	while (begin > n->name && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
		begin--;
	if (begin == end || (size_t)(end - begin) >= size)
		return NULL;
	memcpy(out, begin, (size_t)(end - begin));
	out[end - begin] = '\0';
	return out;
}

static bool is_fortran(const struct report_finding *f)
{
	const char *dot = f->source ? strrchr(f->source, '.') : NULL;

	return dot && (dot[1] == 'f' || dot[1] == 'F');
}

static bool is_comment(const char *line, bool fortran)
{
	const char *s = line + strspn(line, " \t");

	if (!*s || *s == '!' || (fortran && strchr("cC*", line[0]) && line[0]))
		return fortran || !*s;
	return strncmp(s, "//", 2) == 0 || strncmp(s, "/*", 2) == 0 ||
		(!fortran && *s == '*' && s[1] == ' ');
}

/* A line that only ends a loop. */
static bool is_end(const char *line, bool fortran)
{
	const char *s = line + strspn(line, " \t}");

	return fortran ? strncasecmp(s, "end", 3) == 0 : *s == '\n' || !*s;
}

static bool is_code(const char *line, bool fortran)
{
	return !is_comment(line, fortran) && !is_end(line, fortran);
}

static bool names(const char *line, const char *word, bool fortran)
{
	size_t n = strlen(word);

	for (const char *s = line; *s; s++) {
		bool begins = s == line || !(isalnum((unsigned char)s[-1]) || s[-1] == '_');

		if (begins && (fortran ? strncasecmp(s, word, n) : strncmp(s, word, n)) == 0 &&
		    !isalnum((unsigned char)s[n]) && s[n] != '_')
			return true;
	}
	return false;
}

static int add(struct quote *q, int number, const char *line)
{
	struct buf b = BUF_INIT;
	int at = 0;

	for (const char *s = line; *s && *s != '\n' && *s != '\r'; s++) {
		int n = *s == '\t' ? TAB - at % TAB : 1;

		for (int i = 0; i < n && *s == '\t'; i++)
			buf_puts(&b, " ");
		if (*s != '\t')
			buf_add(&b, s, 1);
		at += n;
	}
	q->line[q->n].text = b.failed ? NULL : buf_take(&b);
	if (!q->line[q->n].text) {
		buf_free(&b);
		return -1;
	}
	q->line[q->n++].number = number;
	return 0;
}

/* Takes off the spaces that all lines begin with. */
static void dedent(struct quote *q)
{
	size_t least = LONGEST;

	for (int i = 0; i < q->n; i++) {
		size_t n = strspn(q->line[i].text, " ");

		if (n < least && q->line[i].text[n])
			least = n;
	}
	for (int i = 0; i < q->n; i++) {
		size_t n = strlen(q->line[i].text), off = n < least ? n : least;

		memmove(q->line[i].text, q->line[i].text + off, n - off + 1);
	}
}

bool quote_next(FILE *in, char *line, int size)
{
	if (!fgets(line, size, in))
		return false;
	for (int c = strchr(line, '\n') ? '\n' : 0; c != '\n' && c != EOF;)
		c = getc(in);
	return true;
}

bool quote_names(const struct report_finding *f, const char *line)
{
	bool fortran = is_fortran(f);
	char name[128];
	const char *word = identifier(f, name, sizeof name);

	return word && is_code(line, fortran) && names(line, word, fortran);
}

/* --- which lines ------------------------------------------------------------------------------ */

struct chosen { int line[QUOTE_LINES], n; };

static void choose(struct chosen *c, int line)
{
	bool known = line <= 0;

	for (int i = 0; i < c->n; i++)
		known |= c->line[i] == line;
	if (!known && c->n < QUOTE_LINES)
		c->line[c->n++] = line;
}

/* The line with most misses, that of each structure, and the next that has QUOTE_NEXT of them. */
static void choose_sites(const struct report_problem *p, struct chosen *c)
{
	*c = (struct chosen){ 0 };
	if (p->place_line <= 0)
		return;
	choose(c, p->place_line);
	for (int i = 0; i < p->nstructures; i++)
		if (text_same(p->structures[i]->source, p->lead->source))
			choose(c, p->structures[i]->place_line);
	for (int i = 1; i < p->nsites && report_site_share(p->sites, p->nsites, i) >= QUOTE_NEXT;
	     i++)
		choose(c, p->sites[i].line);
}

static bool is_chosen(const struct chosen *c, int number)
{
	for (int i = 0; i < c->n; i++)
		if (c->line[i] == number)
			return true;
	return false;
}

/* Without known lines: the first, and those that name the structure; all of a short range. */
static bool is_named(const struct report_finding *f, int number, const char *line)
{
	bool all = f->last_line - f->first_line < QUOTE_LINES;

	if (number <= f->first_line || number > f->last_line)
		return number == f->first_line;
	return all ? is_code(line, is_fortran(f)) : quote_names(f, line);
}

static bool is_behind(const struct report_finding *f, const struct chosen *c, int number)
{
	int last = c->n ? 0 : f->last_line;

	for (int i = 0; i < c->n; i++)
		last = c->line[i] > last ? c->line[i] : last;
	return number > last;
}

int quote_read(const struct report *r, const struct report_problem *p, struct quote *out)
{
	const struct report_finding *f = p->lead;
	FILE *in = f->first_line > 0 ? quote_open(r, f) : NULL;
	struct chosen chosen;
	char line[LONGEST];
	int rc = 0;

	*out = (struct quote){ 0 };
	choose_sites(p, &chosen);
	for (int number = 1; in && !rc && out->n < QUOTE_LINES && !is_behind(f, &chosen, number) &&
			quote_next(in, line, sizeof line); number++)
		if (chosen.n ? is_chosen(&chosen, number) : is_named(f, number, line))
			rc = add(out, number, line);
	if (in)
		fclose(in);
	if (rc)
		quote_free(out);
	dedent(out);
	return rc;
}

void quote_free(struct quote *q)
{
	for (int i = 0; i < q->n; i++)
		free(q->line[i].text);
	*q = (struct quote){ 0 };
}
