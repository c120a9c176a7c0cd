/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as a machine model.  What is accepted passes the check, can be sampled or says why not, and is the same
 * when it is written and read again. */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "machine/machine.h"
#include "monitor/client/mon.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int fuzz_accepted(void);

static bool accepted;

int fuzz_accepted(void)
{
	return accepted;
}

static void must(bool ok, const struct err *err)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz_machine: %s\n", err->text);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine m = { 0 }, again = { 0 };
	struct err err = { "" };
	struct mon_sample sample;
	char path[64];
	int fd;

	accepted = machine_read(&m, file_begin(data, size, &fd), &err) == 0;
	file_end(fd);
	if (!accepted) {
		must(err.text[0], &err);
		return 0;
	}
	must(machine_check(&m, &err) == 0, &err);
	if (mon_sample_of(&m.flat, 8, &sample, &err) == 0)
		must(sample.chosen <= sample.classes, &err);
	strcpy(path, file_begin((const uint8_t *)"", 0, &fd));
	must(machine_write(&m, path, &err) == 0, &err);
	must(machine_read(&again, path, &err) == 0, &err);
	file_end(fd);
	must(memcmp(&m.flat, &again.flat, sizeof m.flat) == 0, &err);
	return 0;
}
