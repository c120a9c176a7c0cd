/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes where structures should lie as calls behind their allocations: a diff to read.
 *
 * The line of an allocation in C or C++ tells the block and its size; where it is another kind of
 * line, or the source is gone, the call has the structure's name and BYTES. */
#include "report/files/placement_forms.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_same.h"
#include "report/words/quote.h"

enum { LINE = 512 };

static const char helper[] =
	"--- /dev/null\n+++ place.h\n@@ -0,0 +1,18 @@\n"
	"+#include <numaif.h>\n"
	"+#include <stdint.h>\n"
	"+#include <sys/mman.h>\n"
	"+/* The whole pages of a block that nobody has written yet. */\n"
	"+static inline void place(void *p, size_t bytes, int mode, unsigned long nodes)\n"
	"+{\n"
	"+\tuintptr_t lo = ((uintptr_t)p + 4095) & ~(uintptr_t)4095;\n"
	"+\tuintptr_t hi = ((uintptr_t)p + bytes) & ~(uintptr_t)4095;\n"
	"+\tif (lo < hi)\n"
	"+\t\tmbind((void *)lo, hi - lo, mode, &nodes, 8 * sizeof nodes + 1, MPOL_MF_MOVE);\n"
	"+}\n"
	"+static inline void place_large(void *p, size_t bytes)\n"
	"+{\n"
	"+\tuintptr_t lo = ((uintptr_t)p + 4095) & ~(uintptr_t)4095;\n"
	"+\tuintptr_t hi = ((uintptr_t)p + bytes) & ~(uintptr_t)4095;\n"
	"+\tif (lo < hi)\n"
	"+\t\tmadvise((void *)lo, hi - lo, MADV_HUGEPAGE);\n"
	"+}\n";

/* --- the line of the allocation --------------------------------------------------------------- */

struct site {
	char line[LINE];        /* without its end; "": not known */
	char block[LINE], bytes[LINE];  /* expressions */
};

static void take(char to[LINE], const char *begin, const char *end)
{
	while (begin < end && isspace((unsigned char)*begin))
		begin++;
	while (end > begin && isspace((unsigned char)end[-1]))
		end--;
	snprintf(to, LINE, "%.*s", (int)(end - begin), begin);
}

/* Behind the argument that begins there: at its comma, or the bracket that closes it; NULL: it goes
 * on in another line. */
static const char *argument_end(const char *at)
{
	int depth = 0;

	for (; *at; at++) {
		if (!depth && (*at == ',' || *at == ')' || *at == ']'))
			return at;
		depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
	}
	return NULL;
}

/* The expression that is assigned to: what stands before the sign, without a type. */
static bool take_block(struct site *s, const char *sign)
{
	const char *begin = sign;
	int depth = 0;

	while (begin > s->line && isspace((unsigned char)begin[-1]))
		begin--;
	for (; begin > s->line; begin--) {
		const char c = begin[-1];

		depth += (c == ']' || c == ')') - (c == '[' || c == '(');
		if (depth < 0 || (!depth && (isspace((unsigned char)c) || c == '*' || c == ';' ||
		    c == ',')))
			break;
	}
	take(s->block, begin, sign);
	return s->block[0];
}

static bool take_call(struct site *s, const char *from)
{
	static const struct { const char *name; int size, times; } calls[] = {
		{ "malloc(", 0, -1 }, { "aligned_alloc(", 1, -1 }, { "calloc(", 0, 1 },
		{ "realloc(", 1, -1 },
	};
	char part[2][LINE] = { "", "" };

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		const char *at = strstr(from, calls[i].name), *end;

		if (!at || (at > from && (isalnum((unsigned char)at[-1]) || at[-1] == '_')))
			continue;
		at += strlen(calls[i].name);
		for (int n = 0; (end = argument_end(at)) && n <= 1; n++, at = end + 1) {
			if (n == calls[i].size || n == calls[i].times)
				take(part[n == calls[i].times], at, end);
			if (*end != ',')
				break;
		}
		if (calls[i].times < 0)
			snprintf(s->bytes, LINE, "%s", part[0]);
		else if (part[1][0])
			snprintf(s->bytes, LINE, "(%.200s) * (%.200s)", part[0], part[1]);
		return part[0][0] && s->bytes[0];
	}
	return false;
}

/* "new double[n]" */
static bool take_new(struct site *s, const char *from)
{
	const char *at = strstr(from, "new "), *bracket = at ? strchr(at, '[') : NULL;
	const char *end = bracket ? argument_end(bracket + 1) : NULL;
	char type[LINE], number[LINE];

	if (!end)
		return false;
	take(type, at + 4, bracket);
	take(number, bracket + 1, end);
	snprintf(s->bytes, LINE, "(%.200s) * sizeof(%.200s)", number, type);
	return type[0] && number[0];
}

static const char *assignment(const char *line)
{
	for (const char *at = line; (at = strchr(at, '=')); at++)
		if (at > line && at[1] != '=' && !strchr("=<>!+-*/|&^%", at[-1]))
			return at;
	return NULL;
}

static void understand(struct site *s, const char *name)
{
	const char *sign = assignment(s->line);

	if (sign && take_block(s, sign) && (take_call(s, sign + 1) || take_new(s, sign + 1)))
		return;
	snprintf(s->block, LINE, "%s", name);
	snprintf(s->bytes, LINE, "BYTES");
}

/* Beside the file that the finding is in, or that file itself. */
static FILE *open_file(const struct report *r, const struct place_choice *c, const char *file)
{
	const char *source = c->finding ? c->finding->source : NULL;
	const char *slash = source ? strrchr(source, '/') : NULL;
	struct report_finding other = { 0 };
	struct buf path = BUF_INIT;
	FILE *in;

	if (slash)
		buf_add(&path, source, (size_t)(slash - source) + 1);
	else
		buf_printf(&path, "%s/", r->directory);
	buf_puts(&path, file);
	other.source = buf_str(&path);
	in = quote_open(r, &other);
	buf_free(&path);
	return in;
}

static void read_line(const struct report *r, const struct place_choice *c,
	const struct place_rule *rule, struct site *s)
{
	FILE *in = rule->line ? open_file(r, c, rule->file) : NULL;
	uint32_t n = 0;

	while (in && n < rule->line && quote_next(in, s->line, LINE))
		n++;
	if (!in || n < rule->line)
		s->line[0] = '\0';
	s->line[strcspn(s->line, "\r\n")] = '\0';
	if (in)
		fclose(in);
}

/* --- calls ------------------------------------------------------------------------------------ */

static void put_call(const struct place_rule *rule, const char *block, const char *bytes,
	struct buf *out)
{
	switch (rule->action) {
	case TRIED_LARGE_PAGES:
		buf_printf(out, "place_large(%s, %s)", block, bytes);
		return;
	case TRIED_ALL_NODES:
		buf_printf(out, "place(%s, %s, MPOL_INTERLEAVE, ~0ul)", block, bytes);
		return;
	case TRIED_ONE_NODE:
		buf_printf(out, "place(%s, %s, MPOL_PREFERRED, 1ul << %u)", block, bytes,
			(unsigned)rule->node);
		return;
	default:
		buf_printf(out, "place(%s, %s, MPOL_LOCAL, 0)", block, bytes);
	}
}

static bool is_fortran(const char *file)
{
	const char *dot = strrchr(file, '.');

	return dot && (dot[1] == 'f' || dot[1] == 'F');
}

static bool is_heap(const struct place_choice *c)
{
	return c->scope && strncmp(c->scope, "heap", 4) == 0;
}

/* Of a variable that is no heap block the call cannot stand at its declaration. */
static void put_added(const struct place_choice *c, const struct place_rule *rule,
	const struct site *s, struct buf *out)
{
	const bool fortran = is_fortran(rule->file), heap = is_heap(c);
	char bytes[LINE];

	buf_printf(out, "+%.*s", (int)strspn(s->line, " \t"), s->line);
	if (fortran) {
		snprintf(bytes, sizeof bytes, "sizeof(%.200s)", c->structure);
		buf_puts(out, "! behind its allocation, or first in the program, in C with "
			"c_loc(): ");
		put_call(rule, c->structure, bytes, out);
	} else if (heap) {
		put_call(rule, s->block, s->bytes, out);
		buf_puts(out, ";");
	} else {
		snprintf(bytes, sizeof bytes, "sizeof %.200s", c->structure);
		buf_puts(out, "/* before its first use: ");
		put_call(rule, c->structure, bytes, out);
		buf_puts(out, "; */");
	}
	buf_puts(out, "\n");
}

/* Has no choice before this one a rule for the same file? */
static bool first_of_file(const struct place_choices *all, int at, const char *file)
{
	struct place_rule rule;

	for (int i = 0; i < at; i++)
		if (place_choice_rule(&all->choice[i], &rule) && strcmp(rule.file, file) == 0)
			return false;
	return true;
}

static void put_hunk(const struct report *r, const struct place_choices *all, int at,
	struct buf *out)
{
	const struct place_choice *c = &all->choice[at];
	struct site s = { .line = "" };
	struct place_rule rule;

	buf_printf(out, "# %s: ", c->structure);
	placement_why(c, out);
	buf_puts(out, "\n");
	if (!place_choice_rule(c, &rule)) {
		buf_printf(out, "#   to do: %s%s%s\n", placement_by_hand(c), c->declared ?
			"; it is from " : "", c->declared ? c->declared : "");
		return;
	}
	if (rule.line)
		read_line(r, c, &rule, &s);
	understand(&s, c->structure);
	buf_printf(out, "--- %s\n+++ %s\n", rule.file, rule.file);
	if (!is_fortran(rule.file) && first_of_file(all, at, rule.file))
		buf_puts(out, "@@ -0,0 +1 @@\n+#include \"place.h\"\n");
	buf_printf(out, "@@ -%u%s +%u%s @@\n", (unsigned)rule.line, s.line[0] ? "" : ",0",
		(unsigned)rule.line + 1, s.line[0] ? ",2" : "");
	if (s.line[0])
		buf_printf(out, " %s\n", s.line);
	put_added(c, &rule, &s, out);
}

void placement_calls(const struct report *r, const struct place_choices *all, struct buf *out)
{
	struct place_rule rule;
	bool any = false;

	for (int i = 0; i < all->n; i++)
		any |= place_choice_rule(&all->choice[i], &rule);
	if (any)
		buf_puts(out, helper);
	for (int i = 0; i < all->n; i++)
		put_hunk(r, all, i, out);
	if (!all->n)
		buf_puts(out, "# the report speaks for no placement\n");
}
