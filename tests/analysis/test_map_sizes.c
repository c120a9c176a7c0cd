/* SPDX-License-Identifier: BSD-3-Clause */
/* What the maps of a run say of the size and the used part of a structure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/findings/map_rows.h"
#include "analysis/measure/maps.h"

enum { MIB = 1 << 20, OBJECT = 0, ROW = 127 };
static const uint32_t number[] = { [OBJECT] = 1 };

/* The structure after a map of one row, of a block or piece of so many bytes. */
static struct report_time_structure mapped(uint64_t bytes, uint16_t pieces)
{
	struct measured_map map = { .object = OBJECT, .row = ROW, .bytes = bytes, .pieces = pieces,
		.count[MAPPED_READS] = 1 };
	struct columns columns = { .map = &map, .nmaps = 1 };
	struct machine machine = { .flat = { .nlevels = 1, .level[0] = { .level = 1 } } };
	const struct measurements p = { .columns = &columns, .machine = &machine };
	const struct report_point point = { 0, 10 };
	struct report_time_cell cell = { .structure = 1, .reads = { &point, 1 } };
	struct report_time_structure structure = { .name = "v", .bytes = 48 * MIB, .used_from = -1,
		.used_to = -1 };
	struct report_timeline t = { .threads = 1, .structures = &structure, .nstructures = 1,
		.cells = &cell, .ncells = 1 };
	struct report *r = report_new();

	r->timelines = &t;
	r->ntimelines = 1;
	assert_int_equal(findings_maps(&p, r, &t, number), 0);
	assert_int_equal(t.nmaps, 1);
	r->ntimelines = 0;
	report_free(r);
	return structure;
}

/* A vector that grew had two blocks for a while. */
static void a_structure_of_one_block_has_its_size(void **state)
{
	const struct report_time_structure s = mapped(32 * MIB, 0);
	(void)state;

	assert_int_equal(s.bytes, 32 * MIB);
	assert_int_equal(s.used_from, 32 * MIB / 256 * ROW);
	assert_int_equal(s.used_to, 32 * MIB / 256 * (ROW + 1) - 1);
}

static void a_structure_of_several_blocks_keeps_its_own(void **state)
{
	const struct report_time_structure s = mapped(4096, 3);
	(void)state;

	assert_int_equal(s.bytes, 48 * MIB);
	assert_int_equal(s.piece_bytes, 4096);
	assert_int_equal(s.pieces, 3);
	assert_int_equal(s.used_from, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_structure_of_one_block_has_its_size),
		cmocka_unit_test(a_structure_of_several_blocks_keeps_its_own),
	};

	return cmocka_run_group_tests_name("sizes of structures by their maps", tests, NULL, NULL);
}
