/* SPDX-License-Identifier: BSD-3-Clause */
/* Bit-fields and packed members: 65536 words of three fields, one of which is counted up; 8192 packed
 * records of 7 bytes (their 32-bit member straddles a line now and then).
 *
 * words: a miss in 16; its line is there when the word is stored.  records: 56 KiB in order.
 * corpus: machine=small */
#include "corpus.h"

enum { N = 65536, M = 8192 };
struct word {
	unsigned low : 3, middle : 13, high : 16;
};
struct record {
	char tag;
	uint32_t value;
	short rest;
} __attribute__((packed));
static struct word words[N] ON_LEVEL2;
static struct record records[M] ON_LEVEL2;
static unsigned sum;

static KERNEL void step(void)
{
	for (int i = 0; i < N; i++)
		words[i].middle++;
	for (int i = 0; i < M; i++)
		sum += records[i].value;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		words[i].low = 5, words[i].middle = i & 1023, words[i].high = i & 255;
	for (int i = 0; i < M; i++)
		records[i].value = (uint32_t)i;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%u %u %u %u\n", words[77].low, words[77].middle, words[77].high, sum);
	printf("expect words load_miss 1 = %d\n", N / 16);
	printf("expect words store_miss 1 = 0\n");
	printf("expect words load_miss 2 in %d %d\n", N / 16 - 1, N / 16);
	printf("expect records loads = %d at O0\n", M);
	printf("expect records miss 1 = %d at O0 O2\n", M * 7 / LINE);
	return 0;
}
