/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of a signal are written one by one, each with a system call. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct { int file; size_t used; char bytes[8192]; } out;

static void put(const void *item, size_t size)
{
#ifdef FIXED
	if (out.used + size > sizeof out.bytes) {
		if (write(out.file, out.bytes, out.used) < 0)
			exit(1);
		out.used = 0;
	}
	memcpy(out.bytes + out.used, item, size);
	out.used += size;
#else
	if (write(out.file, item, size) < 0)
		exit(1);
#endif
}

static double emit(int samples, double value)
{
	for (int i = 0; i < samples; i++) {
		value = 3.6 * value * (1 - value);
		put(&value, sizeof value);
	}
	return value;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	double value = 0.3;

	out.file = open("/dev/null", O_WRONLY);
	for (int step = 0; step < steps; step++) /* the phase */
		value = emit(50000, value);
	printf("%.15g\n", value);
	return 0;
}
