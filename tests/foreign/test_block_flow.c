/* SPDX-License-Identifier: BSD-3-Clause */
/* block_flow.c: what loops of known code wait for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "foreign/block_flow.h"

enum { IP = 0x1000 };

/* Runs a loop's block until its dependences are known. */
static struct executed_block loop(const uint8_t *code, uint32_t bytes)
{
	struct flow_registers r = { 0 };
	struct executed_block b;

	assert_int_equal(flow_block_make(&b, IP, code, bytes), 0);
	for (int i = 0; i < FLOW_ENOUGH + 10; i++)
		flow_block_run(&b, &r);
	assert_int_equal(b.executions, FLOW_ENOUGH);
	return b;
}

static void list_is_chained(void **state)
{
	/* mov rax,[rax]; add rcx,[rax+8]; test rax,rax */
	static const uint8_t code[] = { 0x48, 0x8b, 0x00, 0x48, 0x03, 0x48, 0x08, 0x48, 0x85, 0xc0 };
	struct executed_block b = loop(code, sizeof code);

	(void)state;
	assert_true(flow_block_chained(&b, IP));
	assert_true(flow_block_chained(&b, IP + 3));    /* of the same node */
	assert_int_equal(flow_block_carried(&b, 1), 4);
	flow_block_free(&b);
}

/* The first load from a node has its miss, whichever follows the link. */
static void unrolled_list_is_chained_whatever_loads_first(void **state)
{
	/* add rcx,[rax+8]; mov rdx,[rax]; add rcx,[rdx+8]; mov rax,[rdx] */
	static const uint8_t code[] = { 0x48, 0x03, 0x48, 0x08, 0x48, 0x8b, 0x10, 0x48, 0x03, 0x4a, 0x08, 0x48, 0x8b, 0x02 };
	struct executed_block b = loop(code, sizeof code);

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_true(flow_block_chained(&b, IP + (uint64_t[]){ 0, 4, 7, 11 }[i]));
	assert_int_equal(flow_block_carried(&b, 1), 8);
	flow_block_free(&b);
}

/* mov rax,[rax]; mov rdx,[rax+8]; add rcx,[rdx+rsi]: what nodes refer to is loaded beside the list. */
static void data_that_nodes_refer_to_is_no_chain(void **state)
{
	static const uint8_t code[] = { 0x48, 0x8b, 0x00, 0x48, 0x8b, 0x50, 0x08, 0x48, 0x03, 0x0c, 0x32 };
	struct executed_block b = loop(code, sizeof code);

	(void)state;
	assert_true(flow_block_chained(&b, IP));
	assert_true(flow_block_chained(&b, IP + 3));
	assert_false(flow_block_chained(&b, IP + 7));
	flow_block_free(&b);
}

static void gather_is_not(void **state)
{
	/* movsxd rdx,[rsi+rax*4]; addsd xmm0,[rdi+rdx*8]; add rax,1 */
	static const uint8_t code[] = { 0x48, 0x63, 0x14, 0x86, 0xf2, 0x0f, 0x58, 0x04, 0xd7, 0x48, 0x83, 0xc0, 0x01 };
	struct executed_block b = loop(code, sizeof code);

	(void)state;
	assert_false(flow_block_chained(&b, IP));
	assert_false(flow_block_chained(&b, IP + 4));
	/* The sum waits for the addition alone. */
	assert_int_equal(flow_block_carried(&b, 1), 4);
	flow_block_free(&b);
}

static void independent_iterations_take_a_cycle(void **state)
{
	/* movsd xmm1,[rsi+rax*8]; mulsd xmm1,xmm2; movsd [rdi+rax*8],xmm1; add rax,1 */
	static const uint8_t code[] = { 0xf2, 0x0f, 0x10, 0x0c, 0xc6, 0xf2, 0x0f, 0x59, 0xca, 0xf2, 0x0f, 0x11, 0x0c, 0xc7,
		0x48, 0x83, 0xc0, 0x01 };
	struct executed_block b = loop(code, sizeof code);

	(void)state;
	assert_int_equal(flow_block_carried(&b, 1), 1);
	flow_block_free(&b);
}

/* Instructions by the number that is issued, additions by their units, a division by the divider. */
static void what_competes_for_units_takes_its_time(void **state)
{
	/* add rax,1 six times; mulsd xmm0,xmm1 eight times; divsd xmm0,xmm1 */
	static const uint8_t add[] = { 0x48, 0x83, 0xc0, 0x01 }, mul[] = { 0xf2, 0x0f, 0x59, 0xc1 },
		div[] = { 0xf2, 0x0f, 0x5e, 0xc1 };
	uint8_t code[32];
	struct executed_block b;

	(void)state;
	for (int i = 0; i < 6; i++)
		memcpy(code + 4 * i, add, sizeof add);
	b = loop(code, 24);
	assert_int_equal(flow_block_throughput(&b, 8), 8);
	flow_block_free(&b);
	for (int i = 0; i < 8; i++)
		memcpy(code + 4 * i, mul, sizeof mul);
	b = loop(code, 32);
	assert_int_equal(flow_block_throughput(&b, 8), 8 * 4);
	flow_block_free(&b);
	b = loop(div, sizeof div);
	assert_int_equal(flow_block_throughput(&b, 8), 8 * 4);
	flow_block_free(&b);
}

static void register_made_zero_waits_for_nothing(void **state)
{
	/* xor eax,eax; add rax,[rsi]; imul rax,rax */
	static const uint8_t code[] = { 0x31, 0xc0, 0x48, 0x03, 0x06, 0x48, 0x0f, 0xaf, 0xc0 };
	struct executed_block b = loop(code, sizeof code);

	(void)state;
	assert_int_equal(flow_block_carried(&b, 1), 0);
	flow_block_free(&b);
}

static void code_that_is_none_is_refused(void **state)
{
	static const uint8_t code[] = { 0x06, 0x06 };
	struct executed_block b;

	(void)state;
	assert_int_equal(flow_block_make(&b, IP, code, sizeof code), -1);
	assert_int_equal(flow_block_make(&b, IP, code, 0), -1);
	flow_block_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list_is_chained),
		cmocka_unit_test(unrolled_list_is_chained_whatever_loads_first),
		cmocka_unit_test(data_that_nodes_refer_to_is_no_chain),
		cmocka_unit_test(gather_is_not),
		cmocka_unit_test(independent_iterations_take_a_cycle),
		cmocka_unit_test(what_competes_for_units_takes_its_time),
		cmocka_unit_test(register_made_zero_waits_for_nothing),
		cmocka_unit_test(code_that_is_none_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
