/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads libraries one in the place of another, calls them, and unloads them. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static unsigned long by_zlib(void *library, const unsigned char *bytes, unsigned n)
{
	unsigned long (*crc)(unsigned long, const unsigned char *, unsigned) = NULL;
	void *found = dlsym(library, "crc32");

	memcpy(&crc, &found, sizeof crc);
	return crc == NULL ? 0 : crc(0, bytes, n);
}

static unsigned long by_libelf(void *library)
{
	unsigned (*version)(unsigned) = NULL;
	void *found = dlsym(library, "elf_version");

	memcpy(&version, &found, sizeof version);
	return version == NULL ? 0 : version(1);
}

int main(void)
{
	static unsigned char bytes[20000];
	unsigned long sum = 0;

	for (unsigned k = 0; k < sizeof bytes; k++)
		bytes[k] = (unsigned char)(k * 31);
	for (int k = 0; k < 300; k++) {
		void *library = dlopen(k % 2 ? "libz.so.1" : "libelf.so.1", RTLD_NOW);

		if (library == NULL)
			continue;
		sum = sum * 7 + (k % 2 ? by_zlib(library, bytes, sizeof bytes) : by_libelf(library));
		dlclose(library);
	}
	printf("sum %lu\n", sum);
	return 0;
}
