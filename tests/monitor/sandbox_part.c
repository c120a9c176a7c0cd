/* SPDX-License-Identifier: BSD-3-Clause */
/* The library that sandbox.c loads. */
enum { N = 20000 };
static double x[N];
void part(void);

void part(void)
{
	for (int i = 1; i < N; i++)
		x[i] = x[i - 1] + x[i * 7 % N];
}
