/* SPDX-License-Identifier: BSD-3-Clause */
/* evaluate PROPERTIES: what compiling a library costs, and evaluating its properties over a table
 * of a million contexts, on one core.  Prints medians and quartiles of user CPU time.
 * Run by `make bench-properties`; docs/performance.md explains the table. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "tests/bench/plain.h"

#define ROWS 1000000
#define LOOP_ROWS 100000
#define THREADS 4
#define PAIRS 25
#define MAX_FILES 64
#define MAX_ATTRS 256

/* --- statistics --- */
struct sample {
	double v[PAIRS];
	int n;
};

static double user_seconds(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec * 1e-6;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void row(const char *what, struct sample *s, const char *unit)
{
	qsort(s->v, (size_t)s->n, sizeof *s->v, ascending);
	printf("%-56s %5d %9.2f %9.2f %9.2f  %s\n", what, s->n, s->v[s->n / 2], s->v[s->n / 4],
		s->v[s->n * 3 / 4], unit);
}

/* --- the table: every attribute that is read has a column --- */
struct table {
	double *column[MAX_ATTRS];
	const unsigned char *rows;
};

static size_t row_of(const struct table *t, const void *object)
{
	return (size_t)((const unsigned char *)object - t->rows);
}

static void attr(void *arg, int cls, const void *object, int number, int64_t index,
	struct asl_value *out)
{
	const struct table *t = arg;

	(void)cls;
	if (!t->column[number])
		return;
	out->type = ASL_FLOAT;
	out->v.f = t->column[number][row_of(t, object)];
	if (index >= 0)
		out->v.f *= 1 + 0.2 * (double)index;
}

static void element(void *arg, const struct asl_value *set, size_t i, struct asl_value *out)
{
	(void)arg;
	(void)set;
	(void)i;
	(void)out;
}

/* Objects in the order of the table are a piece of the column itself. */
static const double *numbers(void *arg, int cls, void *const *objects, size_t n, int number,
	double *scratch)
{
	const struct table *t = arg;
	uintptr_t first = (uintptr_t)objects[0], apart = 0;

	(void)cls;
	if (!t->column[number])
		return NULL;
	for (size_t i = 0; i < n; i++)
		apart |= (uintptr_t)objects[i] - first - i;
	if (!apart)
		return t->column[number] + row_of(t, objects[0]);
	for (size_t i = 0; i < n; i++)
		scratch[i] = t->column[number][row_of(t, objects[i])];
	return scratch;
}

static void *need(size_t size)
{
	void *p = malloc(size);

	if (!p) {
		perror("evaluate");
		exit(1);
	}
	memset(p, 0, size);
	return p;
}

static double *column(struct table *t, const struct asl_program *p, int cls, const char *name)
{
	for (int a = 0; a < asl_nattrs(p, cls); a++)
		if (strcmp(asl_attr_name(p, cls, a), name) == 0)
			return t->column[a] = t->column[a] ? t->column[a] : need(ROWS * sizeof(double));
	fprintf(stderr, "evaluate: the model has no %s\n", name);
	exit(1);
}

/* --- compiling --- */
static int by_name(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 4 && strcmp(e->d_name + n - 4, ".asl") == 0 && strcmp(e->d_name, "model.asl") != 0;
}

static size_t library(const char *dir, char *paths[MAX_FILES])
{
	struct dirent **e;
	int found = scandir(dir, &e, by_name, alphasort);
	size_t n = 0, size = strlen(dir) + 300;

	if (found < 0 || found >= MAX_FILES) {
		perror(dir);
		exit(1);
	}
	paths[n] = need(size);
	snprintf(paths[n++], size, "%s/model.asl", dir);
	for (int i = 0; i < found; i++) {
		paths[n] = need(size);
		snprintf(paths[n++], size, "%s/%s", dir, e[i]->d_name);
	}
	return n;
}

static struct asl_program *load(char *paths[], size_t n)
{
	struct asl_program *p = asl_load((const char *const *)paths, n, NULL, NULL, 0, asl_diag_print,
		stderr);

	if (!p)
		exit(1);
	return p;
}

static void compiling(char *paths[], size_t n)
{
	struct sample text = { .n = PAIRS }, image = { .n = PAIRS };
	struct asl_program *p = load(paths, n);
	struct buf bytes = BUF_INIT;
	char what[80];

	asl_image_write(p, &bytes);
	snprintf(what, sizeof what, "compile the library: %zu files, %zu properties", n,
		asl_nproperties(p));
	asl_free(p);
	for (int i = 0; i < PAIRS; i++) {
		double a = user_seconds(), b, c;

		for (int k = 0; k < 10; k++)
			asl_free(load(paths, n));
		b = user_seconds();
		for (int k = 0; k < 10; k++)
			asl_free(asl_image_read(bytes.data, bytes.len, NULL));
		c = user_seconds();
		text.v[i] = (b - a) * 100;
		image.v[i] = (c - b) * 100;
	}
	row(what, &text, "ms");
	snprintf(what, sizeof what, "read it compiled: %zu KiB, verified", bytes.len / 1024);
	row(what, &image, "ms");
	buf_free(&bytes);
}

/* --- evaluating --- */
static size_t find(const struct asl_program *p, const char *name)
{
	for (size_t i = 0; i < asl_nproperties(p); i++)
		if (strcmp(asl_property(p, i)->name, name) == 0)
			return i;
	fprintf(stderr, "evaluate: there is no property %s\n", name);
	exit(1);
}

static double drawn(void)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (double)(x >> 11) * 0x1p-53;
}

static struct asl_columns outputs(void)
{
	return (struct asl_columns){ need(ROWS), need(ROWS * 8), need(ROWS * 8), need(ROWS * 8),
		need(ROWS * 8) };
}

static bool same(const double *a, const double *b)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!(a[i] == b[i] || (isnan(a[i]) && isnan(b[i]))))
			return false;
	return true;
}

static void check_equal(const struct asl_columns *a, const struct asl_columns *b)
{
	size_t count[3] = { 0 };

	if (memcmp(a->holds, b->holds, ROWS) || !same(a->severity, b->severity)
			|| !same(a->confidence, b->confidence) || !same(a->measure, b->measure)
			|| memcmp(a->alternatives, b->alternatives, ROWS * 8)) {
		fprintf(stderr, "evaluate: columns and plain C do not agree\n");
		exit(1);
	}
	for (size_t i = 0; i < ROWS; i++)
		count[a->holds[i]]++;
	printf("  (%zu hold, %zu do not, %zu are undecided)\n", count[ASL_TRUE], count[ASL_FALSE],
		count[ASL_UNDECIDED]);
}

/* n evaluations one by one; their rate in millions a second. */
static double singly(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *contexts, size_t n)
{
	double start = user_seconds();
	struct asl_verdict v;

	for (size_t i = 0; i < n; i++)
		asl_evaluate(p, property, env, contexts + i, &v);
	return (double)n * 1e-6 / (user_seconds() - start);
}

/* least: of the miss rate, whose threshold is 0.02; the most is 0.04 more. */
static void straight(const struct asl_program *p, void *const *contexts, const unsigned char *rows,
	double least, const char *what)
{
	struct table t = { .rows = rows };
	struct asl_env env = { .attr = attr, .element = element, .arg = &t, .numbers = numbers };
	struct asl_columns out = outputs(), by_hand = outputs();
	struct sample columns = { .n = PAIRS }, plain = columns, ratio = columns, one = columns;
	size_t property = find(p, "LC3DMissRate");
	int cls = asl_property(p, property)->context;
	double *miss = column(&t, p, cls, "lc3_data_miss"), *access = column(&t, p, cls, "memory_access");
	double *time = column(&t, p, cls, "exec_time");

	for (size_t i = 0; i < ROWS; i++) {
		access[i] = drawn() < 0.01 ? 0 : 1000 + 1000 * drawn();
		miss[i] = access[i] * (least + 0.04 * drawn());
		time[i] = drawn();
	}
	printf("LC3DMissRate over 10^6 contexts, %s:\n", what);
	for (int i = -1; i < PAIRS; i++) {      /* the first touches all memory */
		double a = user_seconds(), b, c;

		asl_evaluate_all(p, property, &env, contexts, ROWS, NULL, &out);
		b = user_seconds();
		plain_lc3(ROWS, miss, access, time, 0.02, &by_hand);
		c = user_seconds();
		if (i < 0) {
			check_equal(&out, &by_hand);
			continue;
		}
		columns.v[i] = ROWS * 1e-6 / (b - a);
		plain.v[i] = ROWS * 1e-6 / (c - b);
		ratio.v[i] = (b - a) / (c - b);
		one.v[i] = singly(p, property, &env, contexts, ROWS);
	}
	row("  by columns", &columns, "M/s");
	row("  the same formula in plain C", &plain, "M/s");
	row("  columns : plain C, time, in pairs", &ratio, "");
	row("  one by one", &one, "M/s");
}

static void loops(const struct asl_program *p, void *const *contexts, const unsigned char *rows)
{
	static const char *const names[] = { "lc1_data_read_miss", "memory_access", "parT" };
	struct table t = { .rows = rows };
	struct asl_env env = { .attr = attr, .element = element, .arg = &t, .numbers = numbers };
	struct asl_columns out = outputs();
	struct sample columns = { .n = PAIRS }, one = { .n = PAIRS };
	size_t property = find(p, "UnbalancedLC1DReadMissRatePar");
	int cls = asl_property(p, property)->context;
	double *threads = column(&t, p, cls, "nThreads");

	for (size_t i = 0; i < LOOP_ROWS; i++) {
		threads[i] = THREADS;
		for (int k = 0; k < 3; k++)
			column(&t, p, cls, names[k])[i] = drawn();
	}
	for (int i = 0; i < PAIRS; i++) {
		double a = user_seconds();

		asl_evaluate_all(p, property, &env, contexts, LOOP_ROWS, NULL, &out);
		columns.v[i] = LOOP_ROWS * 1e-6 / (user_seconds() - a);
		one.v[i] = singly(p, property, &env, contexts, LOOP_ROWS);
	}
	printf("Figure 3 over 10^5 contexts of 4 threads:\n");
	row("  by columns", &columns, "M/s");
	row("  one by one", &one, "M/s");
}

int main(int argc, char **argv)
{
	char *paths[MAX_FILES];
	void **contexts = need(ROWS * sizeof *contexts);
	unsigned char *rows = need(ROWS);
	struct asl_program *p;
	size_t n;

	if (argc != 2) {
		fprintf(stderr, "usage: evaluate PROPERTIES\n");
		return 2;
	}
	for (size_t i = 0; i < ROWS; i++)
		contexts[i] = rows + i;
	n = library(argv[1], paths);
	printf("%-56s %5s %9s %9s %9s\n", "measured, user time", "runs", "median", "25 %", "75 %");
	compiling(paths, n);
	p = load(paths, n);
	straight(p, contexts, rows, 0, "half of which hold");
	straight(p, contexts, rows, 0.02, "nearly all of which hold");
	loops(p, contexts, rows);
	asl_free(p);
	return 0;
}
