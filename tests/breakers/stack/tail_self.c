/* SPDX-License-Identifier: BSD-3-Clause */
/* A function that walks a list of 600 000 nodes by calling itself last: at -O2 a loop.
 */
#include <stdio.h>
#include <stdlib.h>

struct node {
	struct node *next;
	long value;
};

__attribute__((noinline)) static long total(const struct node *p, long sum)
{
	if (!p->next)
		return sum + p->value;
	return total(p->next, sum + p->value);
}

int main(void)
{
	enum { NODES = 600000 };
	struct node *list = malloc(NODES * sizeof *list);
	long sum = 0;

	for (int i = 0; i < NODES; i++) {
		list[i].next = i + 1 < NODES ? &list[i + 1] : NULL;
		list[i].value = i;
	}
	for (int i = 0; i < 10; i++) {
		sum += total(list, i);          /* PHASE */
	}
	printf("%ld\n", sum);
	free(list);
	return 0;
}
