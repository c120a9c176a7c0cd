/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of sources with bytes that are no text. */
#include <stdio.h>
#line 7 "]0;\033[31m\377<&\001.c"
static int a[1000];

__attribute__((noinline)) static void add(void)
{
	for (int i = 0; i < 1000; i++)
		a[i] += i;
}

int main(void)
{
	for (int i = 0; i < 50; i++)
		add();
	printf("%d\n", a[999]);
	return 0;
}
