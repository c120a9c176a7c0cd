/* SPDX-License-Identifier: BSD-3-Clause */
/* A function that asks who called it, by return address.
 * flags: -O2 -rdynamic
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static char last[100];

__attribute__((noinline)) void leaf(int *a, int n)
{
	Dl_info info;

	for (int k = 0; k < n; k++)
		a[k]++;
	strcpy(last, "?");
	if (dladdr(__builtin_return_address(0), &info) && info.dli_sname)
		strncpy(last, info.dli_sname, sizeof last - 1);
}

__attribute__((noinline)) void caller(int *a, int n)
{
	leaf(a, n);
	a[0]--;
}

int main(void)
{
	int a[100] = { 0 }, others = 0;

	for (int i = 0; i < 20; i++) {
		caller(a, 100);         /* PHASE */
		others += strcmp(last, "caller") != 0;
	}
	printf("%d %s\n", others, last);
	return others != 0;
}
