/* SPDX-License-Identifier: BSD-3-Clause */
/* An interpreter whose operations each end in a call of the next one, through a table: jumps at -O2.
 */
#include <stdio.h>

struct machine {
	const unsigned char *code;
	long sum, left;
	long cells[16];
};
typedef long operation(struct machine *m, unsigned at);

static operation add, mix, store, again;
static operation *const table[] = { add, mix, store, again };

#define NEXT(m, at) return table[(m)->code[at]](m, at)

static long add(struct machine *m, unsigned at)
{
	m->sum += m->cells[at & 15];
	NEXT(m, at + 1);
}

static long mix(struct machine *m, unsigned at)
{
	m->sum ^= m->cells[(at + 5) & 15];
	NEXT(m, at + 1);
}

static long store(struct machine *m, unsigned at)
{
	m->cells[(at + 3) & 15] = m->sum & 1023;
	NEXT(m, at + 1);
}

static long again(struct machine *m, unsigned at)
{
	(void)at;
	if (--m->left == 0)
		return m->sum;
	NEXT(m, 0);
}

int main(void)
{
	static const unsigned char code[] = { 0, 1, 2, 0, 2, 1, 0, 3 };
	struct machine m = { .code = code };
	long sum = 0;

	for (int i = 0; i < 16; i++)
		m.cells[i] = i + 1;
	for (int i = 0; i < 10; i++) {
		m.left = 60000;
		sum += table[code[0]](&m, 0);           /* PHASE */
	}
	printf("%ld\n", sum);
	return 0;
}
