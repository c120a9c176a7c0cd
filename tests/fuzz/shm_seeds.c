/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_shm on inputs of a random generator, the same in every run: `shm_seeds [FIRST [LAST]]`.  Unless told, 300
 * in a build with sanitizers; without, where only a crash is seen, a hundred of them.  Memory that it takes is bounded,
 * too. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "agents/priority.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/* Half of the time, and of the memory, without which errors are found as well. */
const char *__asan_default_options(void)
{
	return "malloc_context_size=4:quarantine_size_mb=8";
}

/* In place of the agents': at the lowest priority this would take hours beside programs that compute. */
void priority_lower(void)
{
}

void priority_of_session(void)
{
}

#ifdef __SANITIZE_ADDRESS__
enum { SEEDS = 300 };
#else
enum { SEEDS = 100 };
#endif
enum { WRITES = 48 };

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void one(unsigned seed)
{
	uint64_t state = seed * UINT64_C(2654435761) + 88172645463325252u;
	size_t n = 1 + 8 * (1 + next(&state) % WRITES);
	uint8_t *data = malloc(n);

	for (int i = 0; i < 8; i++)
		next(&state);
	for (size_t i = 0; data && i < n; i++)
		data[i] = (uint8_t)(next(&state) >> 24);
	if (data)
		LLVMFuzzerTestOneInput(data, n);
	free(data);
}

int main(int argc, char **argv)
{
	unsigned first = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	unsigned last = argc > 2 ? (unsigned)atoi(argv[2]) : argc > 1 ? first : SEEDS;
	struct rusage usage;
	bool small;

	for (unsigned seed = first; seed <= last; seed++) {
		if (argc > 1)
			fprintf(stderr, "# seed %u\n", seed);
		one(seed);
	}
	getrusage(RUSAGE_SELF, &usage);
	small = usage.ru_maxrss < 1 << 20;
	printf("ok 1 - the agent survives whatever its application writes, seeds %u to %u\n", first, last);
	printf("%s 2 - in less than 1 GB (%ld MB)\n1..2\n", small ? "ok" : "not ok", usage.ru_maxrss >> 10);
	return 0;
}
