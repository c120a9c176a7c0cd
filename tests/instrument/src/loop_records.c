/* Loops of all forms: "loop_records K" runs number K, with several lengths, "loop_records all" runs all.  See loop_records.sh. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define MAX 512
#define noinline __attribute__((noinline))
struct cell { double d[3]; int n; char c; };
struct big { double d[10]; };
struct packed { unsigned low : 3, high : 29; };
struct node { struct node *next; long value; };
static double a[MAX], b[MAX], c[MAX], m[64][64], total;
static float f[MAX];
static char bytes[2][MAX];
static short shorts[MAX];
static int at[MAX], found;
static struct cell cells[MAX];
static struct big from[MAX], to[MAX];
static struct packed bits[MAX];
static struct node nodes[MAX];
static long double wide[MAX];
static _Complex double z[MAX];
static volatile int flag[4];
static int stride;

static void up(int n) { for (int i = 0; i < n; i++) a[i] = b[i] + 1; }
static void down(int n) { for (int i = n - 1; i >= 0; i--) a[i] = b[i] + 1; }
static void stencil(int n) { for (int i = 1; i < n; i++) a[i] = b[i - 1] + b[i] + b[i + 1]; }
static void far(int n) { for (int i = 0; i < n; i++) a[i] = a[i + 200] + a[i + 201] + a[i + 400]; }
static void recurrence(int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1] * b[i]; }
static void unsigned_up(int n) { for (unsigned i = 0; i < (unsigned)n; i++) a[i] = b[i] * 2; }
static void size_down(int n) { for (size_t i = n; i-- > 0;) a[i] = b[i] * 2; }
static void unsigned_down(int n) { for (unsigned i = n; i-- > 0;) a[i] = c[i + 1] * 2; }
static void not_equal(int n) { for (unsigned i = 0; i != (unsigned)n; i++) c[i] = b[i] * 2; }
static void short_index(int n) { for (short i = 0; i < n; i++) a[i] = b[i] * 2; }
static void by_three(int n) { for (int i = 0; i < n; i += 3) a[i] = b[i] * 2; }
static void two_ways(int n) { for (int i = 0, j = n; i < n; i++, j--) a[i] = b[j]; }
static void reduce(int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; total = s; }
static void math(int n) { for (int i = 0; i < n; i++) a[i] = fabs(b[i]) + sqrt(c[i]); }
static void floats(int n) { for (int i = 0; i < n; i++) f[i] = f[i] * 3 + (float)a[i]; }
static void mixed(int n) { for (int i = 0; i < n; i++) shorts[i] = (short)(at[i] + bytes[0][i]); }
static void chars(int n) { for (int i = 0; i < n; i++) bytes[1][i] = bytes[0][i] ^ 3; }
static void wides(int n) { for (int i = 0; i < n; i++) wide[i] = wide[i] + 1; }
static void complexes(int n) { for (int i = 1; i < n; i++) z[i] = z[i] * z[i - 1]; }
static void cleared(int n) { for (int i = 0; i < n; i++) a[i] = 0; }
static void copied(int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }
static void ranges(int n) { for (int i = 0; i < n; i++) to[i] = from[n - i]; }
static void fields(int n) { for (int i = 0; i < n; i++) bits[i].low = 5; }
static void gathered(int n) { double s = 0; for (int i = 0; i < n; i++) s += a[at[i]]; total = s; }
static void conditional(int n) { for (int i = 0; i < n; i++) if (at[i] & 1) a[i] = b[i]; }
static void chosen(int n) { for (int i = 0; i < n; i++) c[i] = at[i] & 1 ? a[i] : b[i]; }
static void global(int n) { for (int i = 0; i < n; i++) total += a[i]; }
static void fixed(int n) { (void)n; for (int i = 0; i < 5; i++) a[i] = b[i] * c[i]; }
static void structs(int n)
{
	for (int i = 0; i < n; i++) {
		cells[i].d[0] += cells[i].d[1];
		cells[i].d[2] = cells[i].n;
		cells[i].c = 1;
	}
}

/* A narrow index that wraps is no regular one. */
static void wraps(int n)
{
	unsigned char k = 250;

	for (int i = 0; i < n; i++)
		a[k++] = i;
}

static void wraps_by_offset(int n)
{
	for (int i = 0; i < n; i++)
		a[(unsigned)i + 4294967293u + 3u] = b[((unsigned char)(i + 250)) & 255];
}

static void wraps_far(int n)
{
	unsigned u = 4294967290u;

	for (int i = 0; i < n && i < 300; i++, u++)
		a[u + 8u] = i;
}

static void wraps_down(int n)
{
	for (unsigned short k = 5, i = 0; i < n && i < 400; i++, k = (k - 1) & 511)
		a[k] = i;
}

static void variable_step(int n)
{
	int s = stride;

	for (int i = 0; i < n; i += s)
		a[i] = b[i + s];
}

noinline static void vary(double *x, const double *y, long s, long t, int n)
{
	for (int i = 0; i < n; i++)
		x[i * s] = y[i * t] + y[i * t + 1];
}

static void strides(int n)
{
	vary(a, b, stride, 2, n / 4);
	vary(a + 300, b, -stride, 0, n / 4);
	vary(a, b + 300, 0, -2, n);
}

noinline static void int_steps(int s, int n)
{
	for (int i = 0; i < n; i++)
		m[0][i * s + 64] = m[1][s * i + 70];
}

static void narrow_steps(int n)
{
	int_steps(3, n);
	int_steps(-1, n / 2);
}

static void columns(int n)
{
	for (int j = 0; j < 3; j++)
		for (int i = 1; i < n && i < 63; i++)
			m[i][j] = m[i - 1][j] + m[i + 1][j + 1];
}

noinline static void arrays(int n, int k, double (*x)[k], double y[n][k])
{
	for (int j = 0; j < k; j++)
		for (int i = 0; i < n; i++)
			x[i][j] = y[i][j] + y[0][j];
}

static void sections(int n)
{
	int k = n < 20 ? n : 20;

	arrays(k, k + 1, (double (*)[k + 1])a, (double (*)[k + 1])b);
}

static void triangle(int n)
{
	for (int i = 0; i < n && i < 64; i++)
		for (int j = 0; j < i; j++)
			m[i][j] = m[j][i];
}

static void tested_below(int n)
{
	int i = 0;

	do
		a[i] = b[i] + c[i];
	while (++i < n);
}

static void in_the_middle(int n)
{
	for (int i = 0;; i++) {
		double x = a[i];

		if (i >= n)
			break;
		b[i] = x + 1;
	}
}

static void search(int n)
{
	int i = 0;

	while (i < n && at[i] != 30)
		i++;
	found = i;
}

static void searched(int n)
{
	int i = 0;

	at[n] = 77;
	while (at[i] != 77)
		i++;
	at[n] = n;
	found = i;
}

static void text(int n)
{
	char *p = bytes[0], *q = bytes[1];

	memset(p, 'x', n);
	p[n] = 0;
	while ((*q++ = *p++))
		;
}

static void left_early(int n)
{
	for (int i = 0; i < n; i++) {
		a[i] = i;
		if (at[i] == 50)
			return;
		b[i] = i;
	}
}

static void list(int n)
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		nodes[i].next = i + 1 < n ? &nodes[(i * 7 + 1) % n] : NULL;
	for (struct node *p = nodes; p && sum++ < n; p = p->next)
		p->value++;
	found = (int)sum;
}

noinline static double help(double x) { return x + total; }

static void calls(int n)
{
	for (int i = 0; i < n; i++)
		a[i] = help(b[i]);
}

static void moves(int n)
{
	for (int i = 0; i < n && i < 50; i++)
		memcpy(&a[2 * i], &b[3 * i], 16 + 8 * (at[i] & 3));
}

static void pieces(int n)
{
	for (int i = 0; i < n && i < 50; i++)
		__builtin_memmove(&a[4 * i], &b[4 * i + 1], 40);
}

static void atomics(int n)
{
	for (int i = 0; i < n; i++)
		__atomic_fetch_add(&at[i], 1, __ATOMIC_RELAXED);
	for (int i = 0; i < n; i++)
		__atomic_fetch_sub(&at[i], 1, __ATOMIC_RELAXED);
}

static void sprung(int n)
{
	int i = 0;

	if (n & 1)
		goto inside;
	for (; i < n; i++) {
		a[i] = 1;
inside:
		b[i] = 2;
	}
}

static void cases(int n)
{
	for (int i = 0; i < n; i++)
		switch (at[i] & 3) {
		case 0: a[i] = 1; break;
		case 1: b[i] = 1; /* FALLTHRU */
		default: c[i] = 1;
		}
}

static void volatiles(int n)
{
	for (int i = 0; i < n; i++)
		flag[1] = flag[2];
	while (flag[3] == 1)
		;
	while (__atomic_load_n(&at[0], __ATOMIC_ACQUIRE) == 1)
		;
	while (__sync_lock_test_and_set(&found, 1) == 5)
		;
}

noinline static void aliased(double *x, double *y, int n)
{
	for (int i = 0; i < n; i++) {
		x[i] = y[i] + y[i + 1];
		y[i] = x[i + 1];
	}
}

static void overlap(int n)
{
	aliased(a, a + 3, n);
	aliased(b, c, n);
}

static void ends(int n)
{
	for (double *p = a, *end = a + n; p < end; p += 2)
		*p = p[1];
	for (const char *p = bytes[0] + n; p-- > bytes[0];)
		total += *p;
}

static void locals(int n)
{
	volatile double t[MAX];

	for (int i = 0; i < n; i++)
		t[i] = i;
	for (int i = 0; i < n; i++)
		a[i] = t[i];
}

static void expected_vector(int n)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = b[i] * c[i] + a[i];
}

static void (*const kernels[])(int) = {
	up, down, stencil, far, recurrence, unsigned_up, size_down, unsigned_down, not_equal,
	short_index, by_three, two_ways, reduce, math, floats, mixed, chars, wides, complexes, cleared,
	copied, ranges, fields, gathered, conditional, chosen, global, fixed, structs, wraps,
	wraps_by_offset, wraps_far, wraps_down, variable_step, strides, narrow_steps, columns,
	sections, triangle, tested_below, in_the_middle, search, searched, text, left_early, list,
	calls, moves, pieces, atomics, sprung, cases, volatiles, overlap, ends, locals,
	expected_vector
};

static void wake(int number)
{
	(void)number;
	flag[0] = 1;
}

/* Waits for a signal: many iterations. */
noinline static void spin(void)
{
	struct itimerval soon = { { 0, 0 }, { 0, 50000 } };

	signal(SIGALRM, wake);
	setitimer(ITIMER_REAL, &soon, NULL);
	while (!flag[0])
		;
}

/* Not recorded. */
__attribute__((constructor)) static void start(void)
{
	stride = 3;
	for (int i = 0; i < MAX; i++)
		at[i] = i;
}

int main(int argc, char **argv)
{
	static const int lengths[] = { 0, 1, 2, 3, 7, 64, 101 };
	const char *which = argc > 1 ? argv[1] : "all";

	if (strcmp(which, "spin") == 0) {
		spin();
		return 0;
	}
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
		if (strcmp(which, "all") == 0 || (size_t)atoi(which) == k)
			for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
				kernels[k](lengths[i]);
	return 0;
}
