/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a fuzzer's committed inputs to its harness, under any compiler: REPLAY_CORPUS of the source tree,
 * or the files in the arguments.  A seed (name with a dot) must be accepted, where the harness
 * knows. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int fuzz_accepted(void) __attribute__((weak));

static int tests;

static void replay(const char *path, const char *name)
{
	FILE *f = fopen(path, "rb");
	size_t size = 0, cap = 1 << 20;
	uint8_t *data = malloc(cap), *exact;
	int ok;

	if (!f || !data) {
		printf("not ok %d - %s cannot be read\n", ++tests, name);
		exit(1);
	}
	size = fread(data, 1, cap, f);
	fclose(f);
	exact = malloc(size ? size : 1);        /* so that reading beyond is seen */
	if (!exact)
		exit(1);
	memcpy(exact, data, size);
	free(data);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	ok = !strchr(name, '.') || !fuzz_accepted || fuzz_accepted();
	printf("%s %d - %s\n", ok ? "ok" : "not ok", ++tests, name);
	fflush(stdout);
}

static int chosen(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static void replay_all(const char *dir)
{
	struct dirent **e;
	int n = scandir(dir, &e, chosen, alphasort);
	char path[5000];

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, e[i]->d_name);
		replay(path, e[i]->d_name);
		free(e[i]);
	}
	if (n >= 0)
		free(e);
	if (n <= 0)
		printf("not ok %d - %s: no inputs\n", ++tests, dir);
}

int main(int argc, char **argv)
{
	const char *srcdir = getenv("srcdir");
	char dir[4200];

	if (argc > 1) {
		for (int i = 1; i < argc; i++)
			replay(argv[i], argv[i]);
	} else {
		snprintf(dir, sizeof dir, "%s/" REPLAY_CORPUS, srcdir ? srcdir : ".");
		replay_all(dir);
#ifdef REPLAY_ALSO
		snprintf(dir, sizeof dir, "%s/" REPLAY_ALSO, srcdir ? srcdir : ".");
		replay(dir, REPLAY_ALSO);
#endif
	}
	printf("1..%d\n", tests);
	return 0;
}
