/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as a program's structure: XML, or an ELF file.  What is accepted has regions within regions that end, can
 * be asked for a phase, and printed and read again is the same. */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "sir/sir.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int fuzz_accepted(void);

static bool accepted;

int fuzz_accepted(void)
{
	return accepted;
}

static void ask(const struct sir *s)
{
	struct buf choice = BUF_INIT;
	struct err err;
	uint32_t region = SIR_NONE, rivals[16];

	if (sir_guess_phase(s, &region, &choice, &err) == 0)
		sir_rival_phases(s, region, rivals, 16);
	for (uint32_t i = 0; i < s->nregions; i++) {
		const struct sir_region *r = &s->regions[i];
		char spec[300];

		if (r->parent != SIR_NONE && r->parent >= i)
			abort();
		sir_region_label(r, &choice);
		sir_describe(s, i, &choice);
		sir_unit_of(s, i);
		for (uint32_t k = 0; k < r->nat; k++)
			if (sir_find_hook(s, r->at[k].hash, r->at[k].index) == SIR_NONE)
				abort();
		if (i >= 40)
			continue;
		snprintf(spec, sizeof spec, "%.200s:%d", r->file ? r->file : "", r->line);
		sir_find_phase(s, spec, &region, &choice, &err);
	}
	buf_free(&choice);
}

static void read_again(const struct sir *s)
{
	struct buf text = BUF_INIT;
	struct err err = { "" };
	struct sir *again;
	int fd;

	sir_print(s, &text);
	again = sir_read(file_begin((const uint8_t *)text.data, text.len, &fd), &err);
	file_end(fd);
	if (!again || again->nregions != s->nregions) {
		fprintf(stderr, "fuzz_sir: %s\n%.2000s\n", err.text, text.data);
		abort();
	}
	sir_free(again);
	buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { "" };
	struct sir *s;
	int fd;

	s = sir_read(file_begin(data, size, &fd), &err);
	file_end(fd);
	accepted = s;
	if (!s) {
		if (!err.text[0])
			abort();
		return 0;
	}
	ask(s);
	if (s->nregions)
		read_again(s);
	sir_free(s);
	return 0;
}
