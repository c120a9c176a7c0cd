/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a command line of GCC: does it compile, does it link, and with which libraries? */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "instrument/gcc_arguments.h"

#define MAX_NESTING 20          /* of @FILE in @FILE */
#define MAX_FILE (64l << 20)

struct reader {
	struct compiler_job job;
	bool headers;           /* a header is an input: GCC precompiles it */
	bool others;            /* there is another input */
	bool value;             /* the next argument is the value of an option */
	bool language;          /* that option is -x */
	bool header_language;   /* -x c-header and the like */
	bool other_language;    /* -x c and the like: suffixes do not matter */
	int nesting;
};

static bool is_one_of(const char *s, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(s, *list) == 0)
			return true;
	return false;
}

/* Is the next argument this option's value, and so no input file? */
static bool takes_value(const char *arg)
{
	static const char *const list[] = {
		"-o", "-x", "-I", "-L", "-l", "-D", "-U", "-B", "-J", "-u", "-z", "-T", "-e", "-MF",
			"-MT",
		"-MQ", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot",
		"-iprefix", "-iwithprefix", "-iwithprefixbefore", "-imultilib", "-Xlinker",
		"-Xassembler", "-Xpreprocessor", "-aux-info", "--param", "-wrapper", "-specs",
		"-dumpbase", "-dumpdir", "-dumpbase-ext", "-A", "-h", NULL
	};

	return is_one_of(arg, list);
}

static bool is_object(const char *file)
{
	static const char *const list[] = { ".o", ".a", ".so", ".s", ".S", ".lo", ".ld", ".obj",
		NULL };
	const char *dot = strrchr(file, '.');

	return dot && (is_one_of(dot, list) || strstr(file, ".so."));
}

static bool is_header(const struct reader *r, const char *file)
{
	static const char *const list[] = { ".h", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP",
		".h++",
		".tcc", NULL };
	const char *dot = strrchr(file, '.');

	return r->header_language || (!r->other_language && dot && is_one_of(dot, list));
}

static bool stops_before_link(const char *arg)
{
	static const char *const list[] = { "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r",
		NULL };

	return is_one_of(arg, list);
}

static void read_language(struct reader *r, const char *name)
{
	static const char *const tail = "-header";
	size_t n = strlen(name), m = strlen(tail);

	r->header_language = n > m && strcmp(name + n - m, tail) == 0;
	r->other_language = !r->header_language && strcmp(name, "none") != 0;
}

static void read_input(struct reader *r, const char *file)
{
	r->job.idle = false;
	r->job.compiles |= r->other_language || r->header_language || !is_object(file);
	if (is_header(r, file))
		r->headers = true;
	else
		r->others = true;
}

/* -lmpi, -lmpich, libmpi.so, and those for Fortran and C++. */
static bool is_mpi_library(const char *arg)
{
	const char *slash = strrchr(arg, '/');

	if (strncmp(arg, "-lmpi", 5) == 0)
		return true;
	arg = slash ? slash + 1 : arg;
	return strncmp(arg, "libmpi", 6) == 0 && is_object(arg);
}

static void read_option(struct reader *r, const char *arg)
{
	static const char *const is_static[] = { "-static", "--static", "-static-pie", NULL };
	static const char *const bare[] = { "-nostdlib", "-nodefaultlibs", "-nolibc",
		"--no-standard-libraries", NULL };

	if (stops_before_link(arg))
		r->job.links = false;
	else if (is_one_of(arg, is_static))
		r->job.is_static = true;
	else if (is_one_of(arg, bare))
		r->job.bare = true;
	else if (strncmp(arg, "-l", 2) == 0)
		r->job.idle = !(r->others = true);
	else if (strncmp(arg, "-x", 2) == 0 && arg[2])
		read_language(r, arg + 2);
	r->value = takes_value(arg);
	r->language = strcmp(arg, "-x") == 0;
}

static bool read_file(struct reader *r, const char *path);

static void read_one(struct reader *r, const char *arg)
{
	bool value = r->value, language = r->language;

	if (arg[0] == '@' && r->nesting < MAX_NESTING && read_file(r, arg + 1))
		return;
	r->value = r->language = false;
	if (language)
		read_language(r, arg);
	else if (!value && (arg[0] != '-' || arg[1] == '\0'))
		read_input(r, arg);
	else if (!value)
		read_option(r, arg);
}

/* Reads the next argument of an @FILE's text, by GCC's rules: blanks separate arguments, quotes and
 * backslashes protect them.  Unquotes in place.  Returns the rest of the text; NULL: no argument is
 * left. */
static char *next_argument(char *text, char **argument)
{
	char quote = '\0', *out;

	while (isspace((unsigned char)*text))
		text++;
	if (!*text)
		return NULL;
	for (*argument = out = text; *text && (quote || !isspace((unsigned char)*text)); text++)
		if (*text == '\\' && text[1])
			*out++ = *++text;
		else if (quote ? *text == quote : *text == '\'' || *text == '"')
			quote = quote ? '\0' : *text;
		else
			*out++ = *text;
	if (*text)
		text++;
	*out = '\0';
	return text;
}

static char *file_text(const char *path)
{
	FILE *in = fopen(path, "r");
	struct stat st;
	char *text = NULL;
	size_t n;

	if (in && fstat(fileno(in), &st) == 0 && S_ISREG(st.st_mode) && st.st_size < MAX_FILE)
		text = malloc((size_t)st.st_size + 1);
	if (text) {
		n = fread(text, 1, (size_t)st.st_size, in);
		text[n] = '\0';
	}
	if (in)
		fclose(in);
	return text;
}

/* false: no such file; GCC then takes the argument literally */
static bool read_file(struct reader *r, const char *path)
{
	char *text = file_text(path), *rest = text, *argument;

	if (!text)
		return false;
	r->nesting++;
	while ((rest = next_argument(rest, &argument)))
		read_one(r, argument);
	r->nesting--;
	free(text);
	return true;
}

struct compiler_job arguments_read(int argc, char **argv)
{
	struct reader r = { .job = { .links = true, .idle = true } };

	for (int i = 0; i < argc; i++) {
		read_one(&r, argv[i]);
		if (!r.job.mpi && is_mpi_library(argv[i]))
			r.job.mpi = i + 1;
	}
	if (r.headers && !r.others)
		r.job.links = false;
	return r.job;
}
