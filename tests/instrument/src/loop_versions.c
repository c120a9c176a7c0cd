/* Phase loops whose work stands in the loop itself.  With -DCALLED the same statements are a
 * function; what is recorded must be the same.  "@switch NAME" is the loop called NAME, which is
 * executed 6 times; see loop_versions.sh. */
#include <stdio.h>
#include <string.h>

#define N 200
struct pair { double x, y[9]; };
static double a[N], b[N], c[N], m[8][N];
static struct pair from[N], to[N];
static int keys[N], stop = 6;
static char text[2][N];

static inline double get(const double *p, int i) { return p[i]; }

#ifdef CALLED
#define BODY(name, type, ...) __attribute__((noinline)) static type name(int t) __VA_ARGS__
#define RUN(name, type, ...) name(t)
#else
#define BODY(name, type, ...)
#define RUN(name, type, ...) ({ __VA_ARGS__ })
#endif

#define NEST { \
	for (int i = 1; i < N; i++) \
		a[i] = b[i] + 3 * c[i - 1]; \
	for (int j = 0; j < 8; j++) \
		for (int i = 0; i < N; i++) \
			m[j][i] += a[i] * t; \
}
BODY(nest, void, NEST)

#define COPIES { \
	for (int i = 0; i < N - t; i++) \
		to[i + t] = from[i]; \
	memcpy(text[1], text[0], N - t); \
	memset(text[0], t, N); \
}
BODY(copies, void, COPIES)

#define BRANCHES { \
	for (int i = 0; i < N; i++) \
		switch ((keys[i] + t) % 3) { \
		case 0: a[i] += 1; break; \
		case 1: b[i] = get(a, i); /* FALLTHRU */ \
		default: c[i] *= 2; \
		} \
	if (t == 3) \
		a[0] = b[0]; \
}
BODY(branches, void, BRANCHES)

static void nests(void)
{
	for (int t = 0; t < 6; t++)                     /* @switch nest */
		RUN(nest, void, NEST);
}

static void all_copies(void)
{
	int t = 0;

	do {                                            /* @switch copies */
		RUN(copies, void, COPIES);
	} while (++t < 6);
}

static void all_branches(void)
{
	int t = 0;

	while (t < stop) {                              /* @switch branches */
		RUN(branches, void, BRANCHES);
		t++;
	}
}

static int leaves(int limit)
{
	for (int t = 0;; t++) {                         /* leaves early */
		if (t == 6)
			break;
		if (t > limit)
			return t;
		RUN(nest, void, NEST);
		if (a[5] < 0)
			goto out;
		if (t == 2)
			continue;
		c[t] = t;
	}
	return -1;
out:
	return -2;
}

__attribute__((noinline)) static void tick(void)
{
	for (int i = 0; i < 5; i++)
		keys[i]++;
}

static void inner(void)
{
	for (int u = 0; u < 2; u++) {
		b[u] = u;
		for (int t = 0; t < 3; t++) {           /* @switch inner */
			RUN(nest, void, NEST);
			tick();
		}
		c[u] = b[u];
	}
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		b[i] = i;
		keys[i] = i * 7 % 11;
		from[i].y[3] = i;
	}
	nests();
	all_copies();
	all_branches();
	printf("%d\n", leaves(100));
	inner();
	for (int i = 0; i < N; i++)
		sum += a[i] + b[i] + c[i] + m[3][i] + to[i].y[3] + text[1][i];
	printf("%g\n", sum);
	return 0;
}
