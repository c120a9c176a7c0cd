/* SPDX-License-Identifier: BSD-3-Clause */
/* Basic blocks and natural loops of code written by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "binary/basic_blocks.h"

static void make(struct code_flow *f, const unsigned char *bytes, size_t size)
{
	struct flow_code c = { 0x1000, bytes, size };

	assert_int_equal(code_flow_make(f, &c, 1, 0x1000), 0);
}

static uint32_t loop_at(const struct code_flow *f, uint64_t address)
{
	uint32_t i = flow_insn_at(f, address);

	assert_int_not_equal(i, FLOW_NONE);
	return f->blocks[f->insns[i].block].loop;
}

static void straight_code_has_no_loop(void **state)
{
	static const unsigned char code[] = { 0x31, 0xc0, 0xff, 0xc0, 0xc3 };   /* xor, inc, ret */
	struct code_flow f;

	(void)state;
	make(&f, code, sizeof code);
	assert_int_equal(f.nblocks, 1);
	assert_int_equal(f.nloops, 0);
	assert_int_equal(flow_insn_at(&f, 0x1003), 1);
	assert_int_equal(flow_insn_at(&f, 0x1005), FLOW_NONE);
	code_flow_free(&f);
}

static void a_backward_jump_makes_a_loop(void **state)
{
	static const unsigned char code[] = {
		0x31, 0xc0,             /* 1000 xor eax, eax */
		0xff, 0xc0,             /* 1002 inc eax */
		0x83, 0xf8, 0x0a,       /* 1004 cmp eax, 10 */
		0x75, 0xf9,             /* 1007 jne 1002 */
		0xc3                    /* 1009 ret */
	};
	struct code_flow f;

	(void)state;
	make(&f, code, sizeof code);
	assert_int_equal(f.nloops, 1);
	assert_int_equal(loop_at(&f, 0x1002), 0);
	assert_int_equal(loop_at(&f, 0x1000), FLOW_NONE);
	assert_int_equal(loop_at(&f, 0x1009), FLOW_NONE);
	assert_true(f.insns[f.loops[0].latch].address == 0x1007);
	code_flow_free(&f);
}

static void loops_are_nested_as_their_headers_dominate(void **state)
{
	static const unsigned char code[] = {
		0x31, 0xc0,             /* 1000 xor eax, eax */
		0x31, 0xc9,             /* 1002 xor ecx, ecx        outer */
		0xff, 0xc1,             /* 1004 inc ecx             inner */
		0x83, 0xf9, 0x0a,       /* 1006 cmp ecx, 10 */
		0x75, 0xf9,             /* 1009 jne 1004 */
		0xff, 0xc0,             /* 100b inc eax */
		0x75, 0xf3,             /* 100d jne 1002 */
		0xc3                    /* 100f ret */
	};
	struct code_flow f;

	(void)state;
	make(&f, code, sizeof code);
	assert_int_equal(f.nloops, 2);
	assert_int_equal(loop_at(&f, 0x1002), 0);
	assert_int_equal(loop_at(&f, 0x1004), 1);
	assert_int_equal(loop_at(&f, 0x100b), 0);
	assert_int_equal(f.loops[1].parent, 0);
	assert_int_equal(f.loops[0].parent, FLOW_NONE);
	code_flow_free(&f);
}

/* An indirect jump goes to the blocks behind it that nothing else goes to. */
static void cases_of_a_switch_are_in_the_loop_around_it(void **state)
{
	static const unsigned char code[] = {
		0xff, 0xc9,             /* 1000 dec ecx */
		0x74, 0x0a,             /* 1002 je 100e */
		0xff, 0xe2,             /* 1004 jmp *rdx */
		0xff, 0xc0,             /* 1006 inc eax */
		0xeb, 0xf6,             /* 1008 jmp 1000 */
		0xff, 0xc8,             /* 100a dec eax */
		0xeb, 0xf2,             /* 100c jmp 1000 */
		0xc3                    /* 100e ret */
	};
	struct code_flow f;

	(void)state;
	make(&f, code, sizeof code);
	assert_int_equal(f.nloops, 1);
	assert_int_equal(loop_at(&f, 0x1006), 0);
	assert_int_equal(loop_at(&f, 0x100a), 0);
	assert_int_equal(loop_at(&f, 0x100e), FLOW_NONE);
	code_flow_free(&f);
}

static void a_cycle_with_two_entries_is_no_loop(void **state)
{
	static const unsigned char code[] = {
		0x74, 0x02,             /* 1000 je 1004 */
		0xff, 0xc0,             /* 1002 inc eax */
		0xff, 0xc9,             /* 1004 dec ecx */
		0x75, 0xfa,             /* 1006 jne 1002 */
		0xc3                    /* 1008 ret */
	};
	struct code_flow f;

	(void)state;
	make(&f, code, sizeof code);
	assert_int_equal(f.nloops, 0);
	code_flow_free(&f);
}

/* Padding in front of a loop that is entered in its middle is no way into it. */
static void padding_behind_a_jump_leads_nowhere(void **state)
{
	static const unsigned char code[] = {
		0xeb, 0x05,             /* 1000 jmp 1007 */
		0x90,                   /* 1002 nop */
		0xff, 0xc0,             /* 1003 inc eax */
		0x74, 0x04,             /* 1005 je 100b */
		0xff, 0xc9,             /* 1007 dec ecx             header */
		0xeb, 0xf8,             /* 1009 jmp 1003 */
		0xc3                    /* 100b ret */
	};
	struct code_flow f;

	(void)state;
	make(&f, code, sizeof code);
	assert_int_equal(f.nloops, 1);
	assert_int_equal(loop_at(&f, 0x1003), 0);
	assert_int_equal(loop_at(&f, 0x1007), 0);
	code_flow_free(&f);
}

/* GCC puts the rare part of a function before it. */
static void a_loop_may_lie_in_two_pieces(void **state)
{
	static const unsigned char cold[] = {
		0xff, 0xc0,                             /* 1000 inc eax */
		0xe9, 0xf9, 0x0f, 0x00, 0x00            /* 1002 jmp 2000 */
	};
	static const unsigned char hot[] = {
		0xff, 0xc9,                             /* 2000 dec ecx             the entry, and the header */
		0x0f, 0x84, 0xf8, 0xef, 0xff, 0xff,     /* 2002 je 1000 */
		0x75, 0xf6,                             /* 2008 jne 2000 */
		0xc3                                    /* 200a ret */
	};
	struct flow_code c[2] = { { 0x1000, cold, sizeof cold }, { 0x2000, hot, sizeof hot } };
	struct code_flow f;

	(void)state;
	assert_int_equal(code_flow_make(&f, c, 2, 0x2000), 0);
	assert_int_equal(f.nloops, 1);
	assert_int_equal(loop_at(&f, 0x1000), 0);
	assert_int_equal(loop_at(&f, 0x2000), 0);
	assert_int_equal(loop_at(&f, 0x200a), FLOW_NONE);
	code_flow_free(&f);
}

static void bytes_that_are_no_code_end_a_block(void **state)
{
	static const unsigned char code[] = { 0x06, 0x06, 0x0f, 0xff, 0xff, 0x90, 0xeb };
	struct code_flow f;

	(void)state;
	make(&f, code, sizeof code);
	assert_int_equal(f.nloops, 0);
	code_flow_free(&f);
	make(&f, code, 0);
	assert_int_equal(f.ninsns, 0);
	assert_int_equal(flow_insn_at(&f, 0x1000), FLOW_NONE);
	code_flow_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(straight_code_has_no_loop),
		cmocka_unit_test(a_backward_jump_makes_a_loop),
		cmocka_unit_test(loops_are_nested_as_their_headers_dominate),
		cmocka_unit_test(cases_of_a_switch_are_in_the_loop_around_it),
		cmocka_unit_test(a_cycle_with_two_entries_is_no_loop),
		cmocka_unit_test(padding_behind_a_jump_leads_nowhere),
		cmocka_unit_test(a_loop_may_lie_in_two_pieces),
		cmocka_unit_test(bytes_that_are_no_code_end_a_block)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
