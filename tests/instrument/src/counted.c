/* What gcov and gprof count: lines, and calls of functions. */
#include <stdio.h>
#include <stdlib.h>
static double a[100], b[100];

static int small(int x)
{
	return x + 1;
}

double kernel(int n)
{
	double s = 0;

	for (int i = 0; i < n; i++) {
		a[i] += b[i] * 2;
		if (i % 3 == 0)
			s += a[i];
		else
			s -= 1;
	}
	return s;
}

void fill(int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			b[i] += small(j);
}

int fact(int n)
{
	return n < 2 ? 1 : n * fact(n - 1);
}

int main(int argc, char **argv)
{
	double t = 0;

	fill(50);
	for (int step = 0; step < 10; step++) {
		t += kernel(100);
		t += fact(5);
		if (step == 3)
			printf("three\n");
	}
	while (argc-- > 1)
		puts("arg");
	switch ((int)t % 3) {
	case 0:
		puts("zero");
		break;
	default:
		puts("other");
	}
	printf("%g\n", t);
	return 0;
}
