/* SPDX-License-Identifier: BSD-3-Clause */
/* What an instruction does to the page on which it faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "foreign/page_code.h"

#define DOES(...) does((const uint8_t[PAGE_CODE_BYTES]){ __VA_ARGS__ })

static int copies;

static unsigned does(const uint8_t *code)
{
	return page_code_access(code, PAGE_CODE_BYTES, &copies);
}

static void loads_read_and_stores_write(void **state)
{
	(void)state;
	assert_int_equal(DOES(0x48, 0x8b, 0x07), PAGE_READ);            /* mov (%rdi),%rax */
	assert_int_equal(DOES(0x48, 0x89, 0x07), PAGE_WRITE);           /* mov %rax,(%rdi) */
	assert_int_equal(DOES(0xc5, 0xfd, 0x6f, 0x06), PAGE_READ);      /* vmovdqa (%rsi),%ymm0 */
	assert_int_equal(DOES(0xf2, 0x0f, 0x59, 0x04, 0xc7), PAGE_READ);        /* mulsd (%rdi,%rax,8),%xmm0 */
	assert_false(copies);
}

static void an_update_does_both(void **state)
{
	(void)state;
	assert_int_equal(DOES(0x48, 0x01, 0x07), PAGE_READ | PAGE_WRITE);       /* add %rax,(%rdi) */
	assert_false(copies);
}

static void an_address_alone_is_no_access(void **state)
{
	(void)state;
	assert_int_equal(DOES(0x48, 0x8d, 0x07), PAGE_UNKNOWN);         /* lea (%rdi),%rax */
	assert_int_equal(DOES(0x06), PAGE_UNKNOWN);                     /* no instruction in 64-bit mode */
}

static void a_push_reads_its_operand(void **state)
{
	(void)state;
	assert_int_equal(DOES(0xff, 0x37), PAGE_READ);                  /* push (%rdi) */
}

static void a_copy_is_told_by_its_registers(void **state)
{
	(void)state;
	assert_int_equal(DOES(0xf3, 0xa4), PAGE_READ | PAGE_WRITE);     /* rep movsb */
	assert_true(copies);
	assert_int_equal(page_code_side(0x7000, 0x1000, 0x7000), PAGE_WRITE);
	assert_int_equal(page_code_side(0x1000, 0x1000, 0x7000), PAGE_READ);
	assert_int_equal(page_code_side(0x1000, 0, 0), PAGE_READ | PAGE_WRITE);
	assert_int_equal(DOES(0xf3, 0xaa), PAGE_WRITE);                 /* rep stosb */
	assert_false(copies);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_read_and_stores_write),
		cmocka_unit_test(an_update_does_both),
		cmocka_unit_test(an_address_alone_is_no_access),
		cmocka_unit_test(a_push_reads_its_operand),
		cmocka_unit_test(a_copy_is_told_by_its_registers),
	};

	return cmocka_run_group_tests_name("page_code", tests, NULL, NULL);
}
