/* SPDX-License-Identifier: BSD-3-Clause */
/* Random updates of one heap block of 1 GiB, MILLIONS of them.  Prints its processor time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { WORDS = 1 << 27 };

int main(int argc, char **argv)
{
	const long updates = (argc > 1 ? atol(argv[1]) : 100) * 1000000;
	uint64_t *block = malloc(WORDS * sizeof *block), at = 88172645463325252u;
	struct rusage r;

	if (!block)
		return 1;
	memset(block, 1, WORDS * sizeof *block);
	for (long k = 0; k < updates; k++) {
		at ^= at << 13;
		at ^= at >> 7;
		at ^= at << 17;
		block[at % WORDS] += at;
	}
	getrusage(RUSAGE_SELF, &r);
	printf("%llu\n", (unsigned long long)block[5]);
	printf("cpu %.3f\n", (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6);
	return 0;
}
