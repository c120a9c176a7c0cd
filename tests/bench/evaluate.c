/* SPDX-License-Identifier: BSD-3-Clause */
/* evaluate PROPERTIES: what compiling a library costs, and evaluating its properties over a table
 * of contexts, on one core.  Prints medians and quartiles of user CPU time.
 * Run by `make bench-properties`; docs/performance.md explains the table. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "tests/bench/plain.h"

#define ROWS 100000
#define THREADS 4
#define PAIRS 25
#define TIMES 5
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

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void check_equal(const struct asl_verdict *a, const struct asl_verdict *b)
{
	size_t count[3] = { 0 };

	for (size_t i = 0; i < ROWS; i++) {
		if (a[i].holds != b[i].holds || !same(a[i].severity, b[i].severity) ||
		    !same(a[i].confidence, b[i].confidence) || !same(a[i].measure, b[i].measure) ||
		    a[i].alternatives != b[i].alternatives) {
			fprintf(stderr, "evaluate: the machine and plain C do not agree\n");
			exit(1);
		}
		count[a[i].holds]++;
	}
	printf("  (%zu hold, %zu do not, %zu are undecided)\n", count[ASL_TRUE], count[ASL_FALSE],
		count[ASL_UNDECIDED]);
}

/* step: 0 where only the time matters, and verdicts would cost more to store than to make. */
static void evaluate_all(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *contexts, struct asl_verdict *out, size_t step)
{
	for (size_t i = 0; i < ROWS; i++)
		asl_evaluate(p, property, env, contexts + i, &out[i * step]);
}

/* least: of the miss rate, whose threshold is 0.02; the most is 0.04 more. */
static void straight(const struct asl_program *p, void *const *contexts, const unsigned char *rows,
	double least, const char *what)
{
	struct table t = { .rows = rows };
	struct asl_env env = { .attr = attr, .element = element, .arg = &t };
	struct asl_verdict *out = need(ROWS * sizeof *out), *by_hand = need(ROWS * sizeof *by_hand);
	struct sample rate = { .n = PAIRS }, plain = rate, ratio = rate;
	size_t property = find(p, "LC3DMissRate");
	int cls = asl_property(p, property)->context;
	double *miss = column(&t, p, cls, "lc3_data_miss"), *access = column(&t, p, cls, "memory_access");
	double *time = column(&t, p, cls, "exec_time");

	for (size_t i = 0; i < ROWS; i++) {
		access[i] = drawn() < 0.01 ? 0 : 1000 + 1000 * drawn();
		miss[i] = access[i] * (least + 0.04 * drawn());
		time[i] = drawn();
	}
	printf("LC3DMissRate over 10^5 contexts, %s:\n", what);
	evaluate_all(p, property, &env, contexts, out, 1);
	plain_lc3(ROWS, miss, access, time, 0.02, by_hand, 1);
	check_equal(out, by_hand);
	for (int i = 0; i < PAIRS; i++) {
		double a = user_seconds(), b, c;

		for (int k = 0; k < TIMES; k++)
			evaluate_all(p, property, &env, contexts, out, 0);
		b = user_seconds();
		for (int k = 0; k < TIMES; k++)
			plain_lc3(ROWS, miss, access, time, 0.02, by_hand, 0);
		c = user_seconds();
		rate.v[i] = TIMES * ROWS * 1e-6 / (b - a);
		plain.v[i] = TIMES * ROWS * 1e-6 / (c - b);
		ratio.v[i] = (b - a) / (c - b);
	}
	row("  by the machine", &rate, "M/s");
	row("  the same formula in plain C", &plain, "M/s");
	row("  machine : plain C, time, in pairs", &ratio, "");
}

static void loops(const struct asl_program *p, void *const *contexts, const unsigned char *rows)
{
	static const char *const names[] = { "lc1_data_read_miss", "memory_access", "parT" };
	struct table t = { .rows = rows };
	struct asl_env env = { .attr = attr, .element = element, .arg = &t };
	struct asl_verdict *out = need(sizeof *out);
	struct sample rate = { .n = PAIRS };
	size_t property = find(p, "UnbalancedLC1DReadMissRatePar");
	int cls = asl_property(p, property)->context;
	double *threads = column(&t, p, cls, "nThreads");

	for (size_t i = 0; i < ROWS; i++) {
		threads[i] = THREADS;
		for (int k = 0; k < 3; k++)
			column(&t, p, cls, names[k])[i] = drawn();
	}
	for (int i = 0; i < PAIRS; i++) {
		double a = user_seconds();

		evaluate_all(p, property, &env, contexts, out, 0);
		rate.v[i] = ROWS * 1e-6 / (user_seconds() - a);
	}
	printf("Figure 3 over 10^5 contexts of 4 threads:\n");
	row("  by the machine", &rate, "M/s");
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
