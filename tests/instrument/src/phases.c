/* Every loop form of C; "@phases N" is how often the loop on that line is executed. */
#include <stdio.h>

int n3 = 3, n0 = 0;
double grid[20][20];

__attribute__((noinline)) void work(int *x)
{
	for (int i = 0; i < 2; i++)             /* not capable */
		*x += i;
}

__attribute__((noinline)) int more(int *x, int limit)
{
	for (int i = 0; i < 1; i++)             /* not capable */
		++*x;
	return *x < limit;
}

void fors(int *x)
{
	for (int i = 0; i < 7; i++)             /* @phases 7 */
		work(x);
	for (int i = 0; i < n0; i++)            /* @phases 0 */
		work(x);
	for (int i = 9; i >= 0; i -= 3) {       /* @phases 4 */
		if (i == 3)
			continue;
		work(x);
	}
	for (int i = 0; ; i++) {                /* @phases 4 */
		if (i == 4)
			break;
		work(x);
	}
	for (int i = 0; i < 10; i++) {          /* @phases 6 */
		work(x);
		if (i == 5)
			break;
		*x += 1;
	}
	for (int i = 0; i < n3; i++)            /* @phases 3 */
		for (int j = 0; j < n3; j++)    /* @phases 9 */
			work(x);
}

void whiles(int *x)
{
	int k = 0, y = 0;

	while (k < 5) {                         /* @phases 5 */
		k++;
		if (k == 2)
			continue;
		work(x);
	}
	while (more(&y, 5))                     /* @phases 4 */
		work(x);
	do {                                    /* @phases 5 */
		k--;
		if (k == 2)
			continue;
		work(x);
	} while (k > 0);
	do                                      /* @phases 1 */
		work(x);
	while (k++ > 10);
}

void jumps(int *x)
{
	int k = 0;

	for (;;) {                              /* @phases 3 */
		work(x);
		if (++k == 3)
			goto out;
	}
out:
	k = 0;
again:
	work(x);                                /* @phases 4 */
	if (++k < 4)
		goto again;
}

void nest(void)
{
	for (int i = 0; i < 20; i++)            /* @phases 20 */
		for (int j = 0; j < 20; j++)    /* not capable */
			grid[i][j] += i * j;
}

void interchanged(double c[restrict 20][20], double a[restrict 20][20])
{
	for (int j = 0; j < 20; j++)            /* @phases 20 */
		for (int i = 0; i < 20; i++)
			c[i][j] = 2 * a[i][j];
}

void constant(int *x)
{
	for (int i = 0; i < 3; i++) {           /* @phases 3 */
		*x = *x * 3 % 1000;
		if (*x == -1)
			work(x);
	}
}

void threads(int *x)
{
	int s = 0;

	for (int i = 0; i < n3; i++) {          /* @phases 3 */
#pragma omp parallel for reduction(+ : s)
		for (int j = 0; j < 10; j++)
			s += i * j;
	}
	*x += s;
}

void line(int *x) { for (int i = 0; i < 5; i++) work(x); }      /* @phases 5 */

int main(void)
{
	static double other[20][20];
	int x = 1;

	fors(&x);
	whiles(&x);
	jumps(&x);
	nest();
	interchanged(other, grid);
	constant(&x);
	threads(&x);
	line(&x);
	printf("%d %g\n", x, other[3][4] + grid[3][4]);
	return 0;
}
