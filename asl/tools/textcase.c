/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs files of test cases:
 *
 *     === what the case shows
 *     --- program                     in the language; the model comes before it
 *     --- without model               (optional, empty)
 *     --- with paper.asl mine.asl     (optional) files beside this one or beside the model, without
 *                                     their .conf: settings are given by `--- set`
 *     --- file NAME                   (optional, several) a file that others may include
 *     --- set                         (optional) name=value lines
 *     --- given                       objects: `s: SeqPerf`, then their attributes:
 *     s: SeqPerf                          name = 5        number, true, enumerator, object
 *     exec_time = 2                       name = "text"   name = [1, 2]   name = {a, b}
 *     misses = 5 samples 100 coverage 0.5
 *     --- want                        one line each:
 *     P(s): holds severity=0.05 confidence=1 measure=0.05 alternatives=1 advice="text" clamped
 *     P(s): holds why="text" do="text"
 *     P(s): fails why="0.003 > 0.01 does not hold"
 *     P(s): undecided read_access
 *     P needs exec_time misses
 *     P refines Q
 *     P names PAD                     its FIX; several in the order of the enumeration
 *     --- diagnostics                 all messages of the compiler; without it: no message
 *
 * Attributes that are not given are undefined.  The program's file name is `test`.  A property of
 * AppPerf is evaluated as by the agents: each element of its sets alone, then the merged parts. */
#include "asl/tools/textcase.h"
#include "asl/ast.h"
#include "base/arena.h"
#include "base/buf.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WITH 8
#define MAX_FILES 40

enum section { PROGRAM, WITHOUT, WITH, SET, GIVEN, WANT, DIAGNOSTICS, NSECTIONS };
static const char *const section_names[] = { "program", "without model", "with", "set", "given",
	"want",
	"diagnostics" };

struct value {
	enum asl_type type;
	double number;
	const char *word;               /* object or enumerator, resolved on use */
	double *array;
	const char **members;
	size_t n;
	double samples, coverage;
};

struct test_object {
	const char *name;
	int cls;
	struct value *values;           /* by attribute */
	struct test_object *next;
};

struct testcase {
	const char *title, *path, *model;
	int line;
	const char *text[NSECTIONS];    /* NULL: no such section */
	struct { const char *name, *text; } files[MAX_FILES];
	int nfiles;
	struct arena *arena;
	struct asl_program *prog;
	struct test_object *objects;
	struct buf why;                 /* reason of the failure; empty: passed */
};

/* --- words --- */
static char *skip(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* Cuts off the word at *s, which ends before any of `ends`, and advances *s past it. */
static char *word(char **s, const char *ends, char *end)
{
	char *w = skip(*s), *e = w + strcspn(w, ends), *stop = e;

	*end = *e;
	while (stop > w && isspace((unsigned char)stop[-1]))
		stop--;
	*s = *e ? e + 1 : e;
	*stop = '\0';
	return w;
}

static char *next_line(char **s)
{
	char *line = *s, *nl;

	if (!*line)
		return NULL;
	nl = strchr(line, '\n');
	*s = nl ? nl + 1 : line + strlen(line);
	if (nl)
		*nl = '\0';
	return line;
}

/* --- given --- */
static struct test_object *find_object(const struct testcase *t, const char *name)
{
	for (struct test_object *o = t->objects; o; o = o->next)
		if (!strcmp(o->name, name))
			return o;
	return NULL;
}

static void read_list(struct testcase *t, struct value *v, char **s, char close)
{
	char ends[] = { ',', close, '\0' }, end = ',';
	size_t cap = strlen(*s) / 2 + 1;

	v->array = arena_array(t->arena, cap, sizeof *v->array);
	v->members = arena_array(t->arena, cap, sizeof *v->members);
	while (v->array && v->members && end == ',') {
		char *w = word(s, ends, &end);

		if (!*w)
			break;
		v->array[v->n] = strcmp(w, "undefined") ? strtod(w, NULL) : NAN;
		v->members[v->n++] = w;
	}
}

static void read_value(struct testcase *t, struct value *v, char *s)
{
	char end, *w, *stop;

	s = skip(s);
	if (*s == '"') {
		s++;
		v->type = ASL_STRING;
		v->word = word(&s, "\"", &end);
	} else if (*s == '[' || *s == '{') {
		v->type = *s == '[' ? ASL_FLOAT : ASL_SET;
		end = *s++ == '[' ? ']' : '}';
		read_list(t, v, &s, end);
	} else {
		w = word(&s, " ", &end);
		v->word = w;
		v->number = strtod(w, &stop);
		v->type = *stop ? ASL_OBJECT : ASL_FLOAT;
		if (!strcmp(w, "true") || !strcmp(w, "false")) {
			v->type = ASL_BOOL;
			v->number = *w == 't';
		}
	}
	while (*(s = skip(s))) {
		w = word(&s, " ", &end);
		if (!strcmp(w, "samples"))
			v->samples = strtod(word(&s, " ", &end), NULL);
		else if (!strcmp(w, "coverage"))
			v->coverage = strtod(word(&s, " ", &end), NULL);
	}
}

static int find_attr(const struct asl_program *p, int cls, const char *name)
{
	for (int i = 0; i < asl_nattrs(p, cls); i++)
		if (!strcmp(asl_attr_name(p, cls, i), name))
			return i;
	return -1;
}

static void no_attribute(struct testcase *t, const struct test_object *o, const char *name,
	char end)
{
	struct suggest s = { .word = name };

	for (int i = 0; o && o->cls >= 0 && i < asl_nattrs(t->prog, o->cls); i++)
		asl_suggest(&s, asl_attr_name(t->prog, o->cls, i));
	if (!o)
		buf_printf(&t->why,
			"given: '%s' belongs to no object: begin one with 'name: Class'\n", name);
	else if (end != '=')
		buf_printf(&t->why, "given: '%s': a line is 'attribute = value' or 'name: Class'\n",
			name);
	else
		buf_printf(&t->why, "given: no attribute '%s'%s%s%s\n", name,
			s.best ? "; did you mean '" : "", s.best ? s.best : "", s.best ? "'?" : "");
}

static void read_given(struct testcase *t)
{
	char *s = t->text[GIVEN] ? arena_strdup(t->arena, t->text[GIVEN]) : NULL, *line;
	struct test_object *o = NULL;

	while (s && (line = next_line(&s))) {
		char end, *name = word(&line, ":=", &end);
		int attr;

		if (!*name)
			continue;
		if (end == ':') {
			o = arena_alloc(t->arena, sizeof *o);
			if (!o)
				return;
			o->name = name;
			o->cls = asl_class_find(t->prog, word(&line, " ", &end));
			o->next = t->objects;
			t->objects = o;
			if (o->cls < 0) {
				buf_printf(&t->why, "given: '%s' is of no known class\n", name);
				return;
			}
			o->values = arena_array(t->arena, (size_t)asl_nattrs(t->prog, o->cls),
				sizeof *o->values);
			continue;
		}
		attr = o && end == '=' ? find_attr(t->prog, o->cls, name) : -1;
		if (attr < 0 || !o->values)
			no_attribute(t, o, name, end);
		else
			read_value(t, &o->values[attr], line);
	}
}

/* --- the environment --- */
static void give_object(const struct testcase *t, const char *name, struct asl_value *out)
{
	struct test_object *o = find_object(t, name);

	if (!o)
		return;
	out->type = ASL_OBJECT;
	out->cls = o->cls;
	out->v.object = o;
}

static void give_attr(void *arg, int cls, const void *object, int attr, int64_t index,
	struct asl_value *out)
{
	const struct testcase *t = arg;
	const struct test_object *o = object;
	const struct value *v = &o->values[attr];
	struct asl_attr_type type;
	int item;

	asl_attr_type(t->prog, cls, attr, &type);
	out->samples = v->samples;
	out->coverage = v->coverage;
	if (v->type == ASL_SET) {
		out->type = ASL_SET;
		out->cls = type.cls;
		out->v.set.handle = (void *)v;
		out->v.set.n = v->n;
	} else if (v->type == ASL_OBJECT && type.type == ASL_ENUM) {
		item = asl_enum_value(t->prog, type.cls, v->word);
		out->type = item < 0 ? ASL_UNDEFINED : ASL_ENUM;
		out->cls = type.cls;
		out->v.i = item;
	} else if (v->type == ASL_OBJECT) {
		give_object(t, v->word, out);
	} else if (v->type == ASL_STRING) {
		out->type = ASL_STRING;
		out->v.s = v->word;
	} else if (v->type == ASL_BOOL) {
		out->type = ASL_BOOL;
		out->v.b = v->number != 0;
	} else if (v->type == ASL_FLOAT && (index < 0 || (uint64_t)index < v->n)) {
		out->type = ASL_FLOAT;
		out->v.f = index < 0 ? v->number : v->array[index];
	}
}

static void give_element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	const struct value *v = set->v.set.handle;

	give_object(arg, v->members[i], out);
}

/* --- want --- */
static int find_property(const struct testcase *t, const char *name)
{
	for (size_t i = 0; i < asl_nproperties(t->prog); i++)
		if (!strcmp(asl_property(t->prog, i)->name, name))
			return (int)i;
	return -1;
}

static void want_number(struct testcase *t, const char *what, double want, double have)
{
	if (isnan(want) ? !isnan(have) : !(fabs(have - want) <= 1e-9 * (fabs(want) + 1e-3)))
		buf_printf(&t->why, "%s is %.12g, wanted %.12g\n", what, have, want);
}

static double number(const char *s)
{
	return strcmp(s, "undefined") ? strtod(s, NULL) : NAN;
}

/* Compares the rest of the line, a text in quotes, with `have`. */
static void want_text(struct testcase *t, const char *what, char **s, const char *have)
{
	char *text = skip(*s) + (*skip(*s) == '"'), *quote = strstr(text, "\" do=\"");

	if (!quote)
		quote = strrchr(text, '"');
	*s = quote ? quote + 1 : text + strlen(text);
	if (quote)
		*quote = '\0';
	if (strcmp(text, have) != 0)
		buf_printf(&t->why, "%s is \"%s\"\n     wanted \"%s\"\n", what, have, text);
}

static void want_detail(struct testcase *t, char **s, const struct asl_verdict *v, const char *why)
{
	char end, *key = word(s, " =", &end);

	if (!strcmp(key, "clamped")) {
		if (!v->clamped)
			buf_puts(&t->why, "confidence was not cut\n");
	} else if (!strcmp(key, "severity")) {
		want_number(t, key, number(word(s, " ", &end)), v->severity);
	} else if (!strcmp(key, "confidence")) {
		want_number(t, key, number(word(s, " ", &end)), v->confidence);
	} else if (!strcmp(key, "measure")) {
		want_number(t, key, number(word(s, " ", &end)), v->measure);
	} else if (!strcmp(key, "alternatives")) {
		want_number(t, key, number(word(s, " ", &end)), (double)v->alternatives);
	} else if (!strcmp(key, "advice")) {
		want_text(t, key, s, v->advice);
	} else if (!strcmp(key, "do")) {
		want_text(t, key, s, v->advice);
	} else if (!strcmp(key, "why")) {
		want_text(t, key, s, why);
	} else if (*key) {
		buf_printf(&t->why, "want: unknown word '%s'\n", key);
	}
}

static void want_verdict(struct testcase *t, char *s, const struct asl_verdict *v, const char *why)
{
	static const char *const words[] = { "fails", "holds", "undecided" };
	char end, *w = word(&s, " ", &end);

	if (strcmp(w, words[v->holds]) != 0) {
		buf_printf(&t->why, "it %s%s%s, wanted: %s\n", v->holds == ASL_UNDECIDED ? "is " :
			"", words[v->holds], v->undecided, w);
		return;
	}
	if (v->holds == ASL_UNDECIDED) {
		if (strcmp(skip(s), v->undecided) != 0)
			buf_printf(&t->why, "undecided is '%s', wanted '%s'\n", v->undecided,
				skip(s));
		return;
	}
	while (*(s = skip(s)))
		want_detail(t, &s, v, v->holds == ASL_TRUE ? v->why : why);
}

static void want_line(struct testcase *t, char *s)
{
	const struct asl_env env = { .attr = give_attr, .element = give_element, .arg = t };
	char end, *name = word(&s, "(: ", &end), *verb;
	struct test_object *objects[16] = { NULL };
	int prop = find_property(t, name), n = 0;
	const int e = asl_enum_find(t->prog, "Fix");
	const struct asl_property *p;
	struct asl_verdict verdict;
	char why[160];
	struct buf have = BUF_INIT;

	if (prop < 0) {
		buf_printf(&t->why, "want: no property '%s'\n", name);
		return;
	}
	p = asl_property(t->prog, (size_t)prop);
	if (end == '(') {
		for (end = ','; end == ',' && n < 16; n++) {
			char *o = word(&s, ",)", &end);

			objects[n] = find_object(t, o);
			if (!objects[n] || n >= p->nparams
					|| !asl_class_is(t->prog, objects[n]->cls,
					p->param_class[n])) {
				buf_printf(&t->why, "want: '%s' is no object for '%s'\n", o, name);
				return;
			}
		}
		if (n != p->nparams) {
			buf_printf(&t->why, "want: '%s' needs %d objects\n", name, p->nparams);
			return;
		}
		s = skip(s) + (*skip(s) == ':');
		asl_evaluate(t->prog, (size_t)prop, &env, (void *const *)objects, &verdict);
		asl_explain(t->prog, (size_t)prop, &env, (void *const *)objects, NULL, why,
			sizeof why);
		want_verdict(t, s, &verdict, why);
		return;
	}
	verb = word(&s, " ", &end);
	if (!strcmp(verb, "needs"))
		for (int i = 0; i < p->nmetrics; i++)
			buf_printf(&have, "%s%s", i ? " " : "",
				asl_attr_name(t->prog, p->context, p->metrics[i]));
	else if (!strcmp(verb, "refines"))
		for (int i = 0; i < p->nparents; i++)
			buf_printf(&have, "%s%s", i ? " " : "",
				asl_property(t->prog, (size_t)p->parents[i])->name);
	else if (!strcmp(verb, "names"))
		for (int i = 0; i < 32; i++) {
			if (p->fixes >> i & 1)
				buf_printf(&have, "%s%s", have.len ? " " : "",
					t->prog->enums[e].items[i]);
		}
	else if (!strcmp(verb, "severity"))
		buf_puts(&have, p->severity_is_time ? "time" : "fraction");
	if (strcmp(buf_str(&have), skip(s)) != 0)
		buf_printf(&t->why, "%s %s '%s', wanted '%s'\n", name, verb, buf_str(&have),
			skip(s));
	buf_free(&have);
}

/* --- a case --- */
/* Drops the carriage returns of CR LF. */
static void drop_returns(char *s)
{
	char *to = s;

	for (; *s; s++)
		if (s[0] != '\r' || s[1] != '\n')
			*to++ = *s;
	*to = '\0';
}

static char *read_file(struct arena *arena, const char *path)
{
	FILE *f = fopen(path, "r");
	struct buf b = BUF_INIT;
	char chunk[4096], *s;
	size_t n;
	int error;

	if (!f)
		return NULL;
	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(&b, chunk, n);
	error = ferror(f) ? errno : 0;  /* of a directory */
	fclose(f);
	s = b.failed || error ? NULL : arena_strdup(arena, buf_str(&b));
	buf_free(&b);
	if (s)
		drop_returns(s);
	errno = error;
	return s;
}

static void take_diag(void *arg, const struct asl_diag *diag)
{
	FILE *f = arg;

	asl_diag_print(f, diag);
}

static size_t read_settings(struct testcase *t, struct asl_setting *settings, size_t max)
{
	char *s = t->text[SET] ? arena_strdup(t->arena, t->text[SET]) : NULL, *line;
	size_t n = 0;

	while (s && n < max && (line = next_line(&s))) {
		char end, *name = word(&line, "=", &end);

		if (*name)
			settings[n++] = (struct asl_setting){ name, word(&line, "\n", &end),
				"--set" };
	}
	return n;
}

static char *read_beside(struct testcase *t, const char *other, const char *name)
{
	const char *slash = strrchr(other, '/');
	char *path = arena_printf(t->arena, "%.*s%s", slash ? (int)(slash + 1 - other) : 0, other,
		name);

	return path ? read_file(t->arena, path) : NULL;
}

static char *read_named(struct testcase *t, const char *name)
{
	char *text = read_beside(t, t->path, name);

	return text ? text : read_beside(t, t->model, name);
}

static size_t read_with(struct testcase *t, struct asl_source *sources)
{
	char *s = t->text[WITH] ? arena_strdup(t->arena, t->text[WITH]) : NULL;
	size_t n = 0;

	while (s && *(s = skip(s)) && n < MAX_WITH) {
		char end, *name = word(&s, " \n", &end);

		sources[n].name = name;
		sources[n].text = read_named(t, name);
		if (!sources[n].text) {
			buf_printf(&t->why, "cannot read '%s'\n", name);
			break;
		}
		sources[n].length = strlen(sources[n].text);
		n++;
	}
	return n;
}

/* Finds an included file: a `--- file` of the case, or a file on disk. */
static int find_included(void *arg, const char *name, const char *from, struct asl_included *out,
	struct err *err)
{
	struct testcase *t = arg;
	const char *text = NULL;

	(void)from;
	for (int i = 0; i < t->nfiles && !text; i++)
		if (!strcmp(t->files[i].name, name))
			text = t->files[i].text;
	if (!text)
		text = read_named(t, name);
	if (!text)
		return err_set(err, "%s", strerror(errno));
	out->id = arena_strdup(t->arena, name);
	if (!out->id)
		return err_nomem(err);
	out->source = (struct asl_source){ out->id, text, strlen(text) };
	return 0;
}

static void compile(struct testcase *t, const struct asl_source *model)
{
	struct asl_source sources[MAX_WITH + 2];
	struct asl_setting settings[16];
	size_t n = 0, nsettings = read_settings(t, settings, 16), size = 0;
	const char *want = t->text[DIAGNOSTICS] ? t->text[DIAGNOSTICS] : "";
	const struct asl_includer includer = { .find = find_included, .arg = t };
	char *said = NULL;
	FILE *f = open_memstream(&said, &size);

	if (!f) {
		buf_puts(&t->why, "out of memory\n");
		return;
	}
	if (!t->text[WITHOUT])
		sources[n++] = *model;
	n += read_with(t, sources + n);
	if (t->text[PROGRAM])
		sources[n++] = (struct asl_source){ "test", t->text[PROGRAM],
			strlen(t->text[PROGRAM]) };
	t->prog = asl_compile(&includer, sources, n, settings, nsettings, take_diag, f);
	fclose(f);
	if (strcmp(said, want) != 0)
		buf_printf(&t->why, "the compiler said:\n%swanted:\n%s", said, want);
	free(said);
}

static void run_case(struct testcase *t, const struct asl_source *model)
{
	char *s, *line;

	if (!t->text[PROGRAM] && !t->text[WITH]) {
		buf_puts(&t->why, "case has no program\n");
		return;
	}
	compile(t, model);
	if (!t->prog) {
		if (t->text[WANT])
			buf_puts(&t->why, "nothing to run\n");
		return;
	}
	read_given(t);
	s = t->text[WANT] && !t->why.len ? arena_strdup(t->arena, t->text[WANT]) : NULL;
	while (s && (line = next_line(&s)))
		if (*skip(line))
			want_line(t, line);
	asl_free(t->prog);
}

static void show_why(FILE *out, const char *why)
{
	while (*why) {
		size_t n = strcspn(why, "\n");

		fprintf(out, "#   %.*s\n", (int)n, why);
		why += n + (why[n] == '\n');
	}
}

static int finish_case(struct testcase *t, const struct asl_source *model, int number, FILE *out)
{
	int failed;

	run_case(t, model);
	failed = t->why.len > 0 || t->why.failed;
	fprintf(out, "%s %d - %s\n", failed ? "not ok" : "ok", number, t->title);
	if (failed) {
		fprintf(out, "#   %s:%d\n", t->path, t->line);
		show_why(out, buf_str(&t->why));
	}
	buf_free(&t->why);
	return failed;
}

/* --- a file --- */
/* Text of the section that begins at s, up to a line that begins with --- or ===. */
static const char *section_text(struct testcase *t, const char *s, const char **end)
{
	const char *e = s;

	while (*e && strncmp(e, "--- ", 4) != 0 && strncmp(e, "=== ", 4) != 0) {
		e += strcspn(e, "\n");
		e += *e == '\n';
	}
	*end = e;
	while (e > s + 1 && e[-1] == '\n' && e[-2] == '\n')     /* empty lines at the end */
		e--;
	return arena_strndup(t->arena, s, (size_t)(e - s));
}

static int read_case(struct testcase *t, const char *s, const char **end, struct err *err)
{
	while (!strncmp(s, "--- ", 4)) {
		size_t n = strcspn(s, "\n");
		int i = 0;

		if (!strncmp(s, "--- with ", 9)) {
			t->text[WITH] = arena_strndup(t->arena, s + 9, n - 9);
			s += n + (s[n] == '\n');
			continue;
		}
		if (!strncmp(s, "--- file ", 9) && t->nfiles < MAX_FILES) {
			t->files[t->nfiles].name = arena_strndup(t->arena, s + 9, n - 9);
			s += n + (s[n] == '\n');
			t->files[t->nfiles].text = section_text(t, s, &s);
			if (!t->files[t->nfiles].name || !t->files[t->nfiles].text)
				return err_nomem(err);
			t->nfiles++;
			continue;
		}
		while (i < NSECTIONS && (strlen(section_names[i]) != n - 4
				|| strncmp(s + 4, section_names[i], n - 4) != 0))
			i++;
		if (i == NSECTIONS)
			return err_set(err, "case '%s': unknown section '%.*s'", t->title, (int)n,
				s);
		s += n + (s[n] == '\n');
		t->text[i] = section_text(t, s, &s);
		if (!t->text[i])
			return err_nomem(err);
	}
	*end = s;
	return 0;
}

static int line_number(const char *text, const char *at)
{
	int line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

int textcase_run(const char *path, const struct asl_source *model, const char *model_path,
	int *number, FILE *out, struct err *err)
{
	struct arena *arena = arena_new();
	const char *text = arena ? read_file(arena, path) : NULL, *s = text;
	int failed = 0;

	if (!text) {
		err_sys(err, "%s", path);
		failed = -1;
	} else if (!strstr(text, "=== ")) {
		failed = err_set(err, "%s: no case: one begins with a line '=== what it shows'",
			path);
	}
	while (failed >= 0 && s && (s = strstr(s, "=== ")) != NULL) {
		struct testcase t = { .arena = arena, .path = path, .model = model_path,
			.line = line_number(text, s) };
		size_t n = strcspn(s, "\n");

		t.title = arena_strndup(arena, s + 4, n - 4);
		s += n + (s[n] == '\n');
		while (*s && strncmp(s, "--- ", 4) != 0 && strncmp(s, "=== ", 4) != 0) {
			s += strcspn(s, "\n");
			s += *s == '\n';
		}
		if (!t.title || read_case(&t, s, &s, err) < 0)
			failed = -1;
		else
			failed += finish_case(&t, model, ++*number, out);
	}
	arena_free(arena);
	return failed;
}
