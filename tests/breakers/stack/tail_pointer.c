/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls in last place through pointers, half a million deep, of functions with loops of their own: jumps at -O2.
 * flags: -O2
 * flags: -O3 -flto
 */
#include <stdio.h>

struct state {
	long left, sum;
	const long *a;
};
typedef long step(struct state *s, long x);

static long other(struct state *s, long x);
static step *volatile chosen = other;

/* The callee is in a member, a parameter, a volatile variable. */
struct actor {
	step *next;
	long from;
};

static struct actor actors[3];

static long finish(struct state *s, long x)
{
	return s->sum + x;
}

static long by_member(struct state *s, long x)
{
	const struct actor *who = &actors[s->left % 3];
	long sum = 0;

	if (s->left-- == 0)
		return finish(s, x);
	for (int i = 0; i < 4; i++)
		sum += s->a[(who->from + i + s->left) & 7];
	s->sum += sum;
	return who->next(s, x ^ sum);
}

__attribute__((noinline)) static long by_parameter(struct state *s, long x, step *next)
{
	for (int i = 0; i < 3; i++)
		x += s->a[(x + i) & 7];
	return next(s, x);
}

static long passes_on(struct state *s, long x)
{
	if (s->left-- == 0)
		return finish(s, x);
	return by_parameter(s, x & 0xffff, by_member);
}

static long other(struct state *s, long x)
{
	if (s->left-- == 0)
		return finish(s, x);
	s->sum ^= s->a[x & 7];
	return actors[0].next(s, x + 1);
}

static long by_variable(struct state *s, long x)
{
	if (s->left-- == 0)
		return finish(s, x);
	return chosen(s, x + s->a[x & 7]);
}

int main(void)
{
	static const long a[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };
	struct state s = { .a = a };
	long sum = 0;

	actors[0] = (struct actor){ passes_on, 1 };
	actors[1] = (struct actor){ by_variable, 2 };
	actors[2] = (struct actor){ by_member, 3 };
	for (int i = 0; i < 6; i++) {
		s.left = 500000 + i;
		sum += by_member(&s, i);        /* PHASE */
	}
	printf("%ld\n", sum);
	return 0;
}
