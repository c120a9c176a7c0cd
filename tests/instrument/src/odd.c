/* What a compiler pass may stumble over: setjmp, computed goto, varargs, nested functions, big
 * and small structures by value, vectors, complex numbers, thread-local data, constructors. */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small { char c[3]; };
struct pair { double x, y; };
struct large { double d[40]; };
typedef double vec __attribute__((vector_size(32)));
static jmp_buf env;
static __thread int mine[8];
static int started;

__attribute__((constructor)) static void start(void)
{
	for (int i = 0; i < 3; i++)
		started += i;
}

static struct small smaller(struct small s) { s.c[1]++; for (int i = 0; i < 2; i++) s.c[i]++; return s; }
static struct pair swapped(struct pair p) { struct pair q = { p.y, p.x }; return q; }
static struct large larger(struct large l, int n) { for (int i = 0; i < n; i++) l.d[i] += i; return l; }
static vec twice(vec v) { return v + v; }
static double complex turn(double complex z) { return z * I; }

static int sum(int n, ...)
{
	va_list ap;
	int s = 0;

	va_start(ap, n);
	while (n-- > 0)
		s += va_arg(ap, int);
	va_end(ap);
	return s;
}

static int interpret(const char *code)
{
	static void *const table[] = { &&inc, &&dec, &&end };
	int acc = 0;

#define NEXT goto *table[*code++ - '0']
	NEXT;
inc:
	acc++;
	NEXT;
dec:
	acc--;
	NEXT;
end:
	return acc;
}

static void jump(int n)
{
	if (n == 0)
		longjmp(env, 7);
	for (int i = 0; i < n; i++)
		jump(n - 1);
}

static int catches(void)
{
	volatile int k = 0;
	int r = setjmp(env);

	for (int i = 0; i < 2; i++)
		k++;
	if (r == 0)
		jump(3);
	return r + k;
}

static int hosted(int n)
{
	int total = 0, data[16] = { 0 };
	void add(int k) { for (int i = 0; i < k; i++) { total += i; data[i & 15]++; } }

	for (int i = 0; i < n; i++)
		add(i);
	return total + data[3];
}

static double variable(int n)
{
	double t[n][n], s = 0;

	memset(t, 0, sizeof t);
	for (int i = 0; i < n; i++)
		t[i][n - 1 - i] = i;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			s += t[i][j];
	return s;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }

_Noreturn static void leave(int code)
{
	for (int i = 0; i < 3; i++)
		mine[i] = code;
	exit(mine[2]);
}

int main(void)
{
	struct small s = { "ab" };
	struct pair p = { 1, 2 };
	struct large l = { { 0 } };
	vec v = { 1, 2, 3, 4 };
	int list[] = { 5, 3, 9, 1 };
	volatile int shift = 3;

	s = smaller(s);
	p = swapped(p);
	l = larger(l, 40);
	v = twice(v);
	qsort(list, 4, sizeof *list, compare);
	for (int i = 0; i < 8; i++)
		mine[i] = i << shift;
	printf("%s %g %g %g %g %d %d %d %d %g %d %d %d\n", s.c, p.x, l.d[39], v[3], creal(turn(I)),
		sum(3, 1, 2, 3), interpret("00010" "2"), catches(), hosted(6), variable(7), list[0],
		mine[7], started + even(10));
	fflush(stdout);
	leave(9);
}
