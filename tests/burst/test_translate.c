/* SPDX-License-Identifier: BSD-3-Clause */
/* Forms of instructions, by themselves and translated: the same registers, flags, vectors and
 * memory, and the accesses that the manual says. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "burst/translate.h"
#include "tests/burst/cpu.h"

/* Before each: rbx, rsi, rdi, r12, r13, rbp point to 1000, 2000, 3000, 4000, 5000 and 6000
 * (hexadecimal) in the data, the stack pointer to e000; rcx is 5, rax 0x1122334455667788, rdx 2, r8
 * 3, r9 -1. zmm1 has indices 0, 16, 32 ..., of 32 bits; zmm2 of 64 bits; zmm20 as zmm1; ymm3 is a
 * mask of every other element of 32 bits, ymm4 of 64 bits; k1 is 0x5. Accesses: r, w or rw, size,
 * @, place in the data.  In the code, 0x11223344(%rip) stands for the data at 7000; `tail` bytes
 * follow the displacement. */
#define PIECES(X) \
	X(load, 0, 0, "mov 16(%rbx), %rax", "r8@1010") \
	X(store, 0, 0, "mov %eax, -4(%rbx,%rdx,8)", "w4@100c") \
	X(load_rsp, 0, 0, "mov 8(%rsp), %r10", "r8@e008") \
	X(load_r12, 0, 0, "mov (%r12), %r11", "r8@4000") \
	X(load_r13, 0, 0, "mov (%r13), %r11b", "r1@5000") \
	X(load_rbp_index, 0, 0, "movzwl (%rbp,%r8,2), %edi", "r2@6006") \
	X(negative_index, 0, 0, "mov (%rbx,%r9,4), %eax", "r4@ffc") \
	X(modify, 0, 0, "addq $1, 32(%rbx)", "rw8@1020") \
	X(lock, 0, 0, "lock xadd %rax, (%rbx)", "rw8@1000") \
	X(exchange, 0, 0, "xchg %rax, (%rbx)", "rw8@1000") \
	X(compare16, 0, 0, "cmpxchg16b (%rsi)", "rw16@2000") \
	X(compare_test, 0, 0, "cmp %rax, (%rbx)\n test %ecx, 4(%rbx)", "r8@1000 r4@1004") \
	X(lea, 0, 0, "lea 8(%rbx,%rcx,4), %rax", "") \
	X(prefetch, 0, 0, "prefetcht0 (%rbx)\n nopl (%rax,%rax,1)", "") \
	X(rip_load, 1, 0, "mov 0x11223344(%rip), %rax", "r8@7000") \
	X(rip_store_constant, 1, 4, "movl $77, 0x11223344(%rip)", "w4@7000") \
	X(rip_compare, 1, 1, "cmpb $3, 0x11223344(%rip)\n setne %al", "r1@7000") \
	X(rip_lea, 1, 0, "lea 0x11223344(%rip), %r9", "") \
	X(rip_vex, 1, 0, "vmovups 0x11223344(%rip), %ymm5", "r32@7000") \
	X(rip_sse, 1, 0, "movsd 0x11223344(%rip), %xmm9", "r8@7000") \
	X(rip_high_register, 1, 0, "mov 0x11223344(%rip), %r13", "r8@7000") \
	X(push_pop, 0, 0, "push %rax\n pop %r10", "w8@dff8 r8@dff8") \
	X(push_memory, 0, 0, "push (%rbx)\n pop 8(%rsp)", "r8@1000 w8@dff8 w8@e008 r8@dff8") \
	X(push_flags, 0, 0, "cmp %rax, %rcx\n pushfq\n pop %rax", "w8@dff8 r8@dff8") \
	X(push_word, 0, 0, "pushw %ax\n popw %bx", "w2@dffe r2@dffe") \
	X(leave, 0, 0, "leave", "r8@6000") \
	X(call_return, 0, 0, "call 1f\n jmp 2f\n 1: mov (%rsp), %rax\n ret\n 2:", "w8@dff8 r8@dff8 r8@dff8") \
	X(call_register, 0, 0, "lea 1f(%rip), %rax\n call *%rax\n jmp 2f\n 1: xor %eax, %eax\n ret\n 2: nop", "w8@dff8 r8@dff8") \
	X(call_memory, 0, 0, "lea 1f(%rip), %rax\n mov %rax, (%rbx)\n call *(%rbx)\n jmp 2f\n 1: xor %eax, %eax\n ret $8\n 2: nop", \
		"w8@1000 r8@1000 w8@dff8 r8@dff8") \
	X(jump_register, 0, 0, "lea 1f(%rip), %r14\n jmp *%r14\n nop\n 1: inc %rax", "") \
	X(branches, 0, 0, "1: add %rcx, %rax\n dec %ecx\n jne 1b\n jc 2f\n inc %rdx\n 2:", "") \
	X(loop, 0, 0, "1: add (%rbx), %rax\n loop 1b", "r8@1000 r8@1000 r8@1000 r8@1000 r8@1000") \
	X(count_zero, 0, 0, "1: dec %rcx\n jrcxz 2f\n jmp 1b\n 2:", "") \
	X(rep_store, 0, 0, "cld\n rep stosl", "w4@3000 w4@3004 w4@3008 w4@300c w4@3010") \
	X(rep_move, 0, 0, "rep movsw", "w2@3000 w2@3002 w2@3004 w2@3006 w2@3008 r2@2000 r2@2002 r2@2004 r2@2006 r2@2008") \
	X(rep_down, 0, 0, "mov $2, %ecx\n std\n rep stosq\n cld", "w8@3000 w8@2ff8") \
	X(rep_scan, 0, 0, "movb $1, 2(%rdi)\n mov $1, %al\n repne scasb", "w1@3002 r1@3000 r1@3001 r1@3002") \
	X(rep_none, 0, 0, "xor %ecx, %ecx\n rep stosb", "") \
	X(move_string, 0, 0, "movsq", "w8@3000 r8@2000") \
	X(thread, 0, 0, "mov %fs:0, %r10\n xor %r10, %r10", "r8@fs") \
	X(absolute, 0, 0, "xor %eax, %eax\n mov (%rbx), %ax", "r2@1000") \
	X(narrow, 0, 0, "mov %esp, %r10d\n lea (%r10d), %r11\n xor %r10, %r10\n xor %r11, %r11", "") \
	X(sse, 0, 0, "movaps (%rbx), %xmm1\n addps (%rsi), %xmm1\n movups %xmm1, 1(%rdi)", "r16@1000 r16@2000 w16@3001") \
	X(x87, 0, 0, "fldl (%rbx)\n faddl 8(%rbx)\n fstpl (%rsi)", "r8@1000 r8@1008 w8@2000") \
	X(many_registers, 0, 0, "add %rax, %rbx\n add %rcx, %rdx\n add %rsi, %rdi\n add %rbp, %r8\n add %r9, %r10\n" \
		"add %r11, %r12\n add %r13, %r14\n add %r15, %rax\n sub %rax, %rcx", "") \
	X(cpu_id, 0, 0, "xor %eax, %eax\n xor %ecx, %ecx\n cpuid", "")
#define PIECES_AVX2(X) \
	X(gather_d_ps, 0, 0, "vpxor %xmm5, %xmm5, %xmm5\n vgatherdps %ymm3, 4(%rbx,%ymm1,1), %ymm5", "r4@1004 r4@1024 r4@1044 r4@1064") \
	X(gather_d_pd, 0, 0, "vpxor %xmm5, %xmm5, %xmm5\n vgatherdpd %ymm4, (%rbx,%xmm1,2), %ymm5", "r8@1000 r8@1040") \
	X(gather_q_ps, 0, 0, "vpxor %xmm5, %xmm5, %xmm5\n vgatherqps %xmm3, (%rbx,%ymm2,1), %xmm5", "r4@1000 r4@1020") \
	X(gather_q_pd, 0, 0, "vpxor %xmm5, %xmm5, %xmm5\n vgatherqpd %xmm4, (%rbx,%xmm2,8), %xmm5", "r8@1000")
#define PIECES_AVX512(X) \
	X(gather512_d_ps, 0, 0, "vpxord %zmm5, %zmm5, %zmm5\n vgatherdps 64(%rbx,%zmm1,2), %zmm5{%k1}", "r4@1040 r4@1080") \
	X(gather512_high, 0, 0, "vpxord %zmm25, %zmm25, %zmm25\n vpgatherdd (%r13,%zmm20,1), %zmm25{%k1}", "r4@5000 r4@5020") \
	X(gather512_q_pd, 0, 0, "vpxord %zmm5, %zmm5, %zmm5\n vgatherqpd (%rbx,%zmm2,1), %zmm5{%k1}", "r8@1000 r8@1020") \
	X(scatter512_d_pd, 0, 0, "vscatterdpd %zmm5, (%rbx,%ymm1,1){%k1}", "w8@1000 w8@1020") \
	X(rip_evex, 1, 0, "vmovups 0x11223344(%rip), %zmm17", "r64@7000") \
	X(store512, 0, 0, "vmovups %zmm1, 128(%rbx)", "w64@1080")

#define TEXT(name, rip, tail, text, accesses) \
	".globl piece_" #name ", piece_" #name "_end\npiece_" #name ":\n" text "\npiece_" #name "_end:\n"
#define NAMES(name, rip, tail, text, accesses) extern const uint8_t piece_##name[], piece_##name##_end[];
#define ROW(name, rip, tail, text, accesses) { #name, piece_##name, piece_##name##_end, accesses, rip, tail },

__asm__(".section .rodata\n" PIECES(TEXT) PIECES_AVX2(TEXT) PIECES_AVX512(TEXT) ".previous\n");
PIECES(NAMES) PIECES_AVX2(NAMES) PIECES_AVX512(NAMES)

struct piece {
	const char *name;
	const uint8_t *code, *end;
	const char *accesses;
	int rip, tail;
};
static const struct piece pieces[] = { PIECES(ROW) };
static const struct piece pieces_avx2[] = { PIECES_AVX2(ROW) };
static const struct piece pieces_avx512[] = { PIECES_AVX512(ROW) };

/* Replaces the displacement that stands for the data at 7000. */
static void relocate(uint8_t *at, uint32_t length, int tail)
{
	static const uint8_t sign[] = { 0x44, 0x33, 0x22, 0x11 };
	uint8_t *found = memmem(at, length, sign, sizeof sign);
	int32_t distance;

	assert_non_null(found);
	distance = (int32_t)(cpu_data + 0x7000 - (found + 4 + tail));
	memcpy(found, &distance, sizeof distance);
}

static void registers(struct cpu *c)
{
	static const int pointers[] = { RBX, RSI, RDI, R12, R13, RBP };

	cpu_clear(c);
	for (int k = 0; k < 6; k++)
		c->reg[pointers[k]] = (uint64_t)cpu_data + 0x1000 * (uint64_t)(k + 1);
	c->reg[RCX] = 5;
	c->reg[RAX] = 0x1122334455667788;
	c->reg[RDX] = 2;
	c->reg[R8] = 3;
	c->reg[R9] = UINT64_MAX;
	c->reg[RSP] = (uint64_t)cpu_data + 0xe000;
	for (int k = 0; k < CPU_DATA; k++)
		c->data[k] = (uint8_t)(k * 7 + (k >> 8));
	memset(c->data + 0x1000, 0x3e, 64);
	memset(c->data + 0x2000, 0x3e, 64);
}

static void load_vectors(int which)
{
	static const int32_t every_other[8] = { -1, 0, -1, 0, -1, 0, -1, 0 };
	static const int64_t every_other_long[4] = { -1, 0, -1, 0 };
	int32_t narrow[16];
	int64_t wide[8];

	for (int k = 0; k < 16; k++)
		narrow[k] = 16 * k;
	for (int k = 0; k < 8; k++)
		wide[k] = 16 * k;
	if (which >= 1)
		__asm__ volatile("vmovdqu (%0), %%ymm1\n vmovdqu (%1), %%ymm2\n vmovdqu (%2), %%ymm3\n vmovdqu (%3), %%ymm4"
			: : "r"(narrow), "r"(wide), "r"(every_other), "r"(every_other_long) : "memory");
	if (which >= 2)
		__asm__ volatile("vmovdqu64 (%0), %%zmm1\n vmovdqu64 (%1), %%zmm2\n vmovdqu64 (%0), %%zmm20\n mov $5, %%eax\n kmovw %%eax, %%k1"
			: : "r"(narrow), "r"(wide) : "rax", "memory");
}

/* The registers that load_vectors() sets, as xsave has them. */
static void vectors(struct cpu *c, int which)
{
	static _Alignas(64) uint8_t area[CPU_VECTORS];

	if (which == 0)
		return;
	load_vectors(which);
	__asm__ volatile("xsave64 (%0)" : : "r"(area), "a"(0xe6), "d"(0) : "memory");
	memcpy(c->vectors + 32, area + 32, CPU_VECTORS - 32);
	memcpy(c->vectors + 512, area + 512, 8);
}

/* The accesses of the burst, in the form of the table. */
static const char *recorded(void)
{
	static char text[512];
	struct reader_place p;
	struct reader_access a;
	size_t n = 0;

	text[0] = '\0';
	reader_place_begin(&p, &cpu_reader, 0);
	while (reader_next(&p, &a)) {
		uint64_t at = a.address - (uint64_t)cpu_data;

		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s%s%u@", n == 0 ? "" : " ", a.does & BURST_LOAD ? "r" : "",
			a.does & BURST_STORE ? "w" : "", a.size);
		if (a.kind == BURST_FIXED_FS || a.kind == BURST_WORD_FS)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s", a.address == p.thread->fs ? "fs" : "?");
		else
			n += (size_t)snprintf(text + n, sizeof text - n, "%llx", (unsigned long long)at);
	}
	assert_false(p.bad);
	return text;
}

static uint8_t *place(const struct piece *x)
{
	uint32_t length = (uint32_t)(x->end - x->code);

	cpu_new_code();
	memcpy(cpu_code, x->code, length);
	if (x->rip)
		relocate(cpu_code, length, x->tail);
	cpu_end(cpu_code + length);
	return cpu_code;
}

static void try_pieces(const struct piece *x, size_t n, int which)
{
	static struct cpu alone, with;

	for (; n > 0; n--, x++) {
		const uint8_t *code = place(x);
		const char *difference;

		registers(&alone);
		vectors(&alone, which);
		with = alone;
		cpu_run(&alone, code);
		if (!cpu_run_translated(&with, code))
			fail_msg("%s is not translated", x->name);
		difference = cpu_difference(&alone, &with);
		if (difference != NULL)
			fail_msg("%s: %s", x->name, difference);
		if (alone.signal != 0)
			fail_msg("%s: signal %d", x->name, alone.signal);
		/* The last access is that of the jump that ends the code. */
		if (strncmp(recorded(), x->accesses, strlen(x->accesses)) != 0 ||
		    strstr(recorded() + strlen(x->accesses), "@") == NULL ||
		    strchr(strstr(recorded() + strlen(x->accesses), "@") + 1, '@') != NULL)
			fail_msg("%s: recorded \"%s\"", x->name, recorded());
	}
}

static void general_instructions(void **state)
{
	(void)state;
	try_pieces(pieces, sizeof pieces / sizeof *pieces, 0);
}

static void avx2_instructions(void **state)
{
	(void)state;
	if (__builtin_cpu_supports("avx2"))
		try_pieces(pieces_avx2, sizeof pieces_avx2 / sizeof *pieces_avx2, 1);
}

static void avx512_instructions(void **state)
{
	(void)state;
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
		try_pieces(pieces_avx512, sizeof pieces_avx512 / sizeof *pieces_avx512, 2);
}

/* Code that faults in the middle: the handler sees the registers of the program, and what has been
 * recorded ends there. */
static void signal_sees_own_registers(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x03,               /* mov (%rbx),%rax */
		0x48, 0xff, 0xc1,               /* inc %rcx */
		0x48, 0x8b, 0x12,               /* mov (%rdx),%rdx: rdx is 2 */
		0x48, 0x8b, 0x1e                /* mov (%rsi),%rbx */
	};
	static struct cpu alone, with;

	(void)state;
	cpu_catch_faults();
	cpu_new_code();
	memcpy(cpu_code, code, sizeof code);
	cpu_end(cpu_code + sizeof code);
	registers(&alone);
	with = alone;
	cpu_run(&alone, cpu_code);
	assert_true(cpu_run_translated(&with, cpu_code));
	assert_null(cpu_difference(&alone, &with));
	assert_int_equal(with.signal, 11);
	assert_int_equal(with.ip, (uint64_t)cpu_code + 6);
	assert_string_equal(recorded(), "r8@1000");
	assert_int_equal(burst_mine->thread->status, BURST_END_SIGNAL);
}

/* A burst of a few words ends when they are there, and the thread goes on in its own code. */
static void full_buffer_ends_burst(void **state)
{
	static const uint8_t code[] = { 0x48, 0x03, 0x03, 0x48, 0xff, 0xc9, 0x75, 0xf8 }; /* 1: add (%rbx),%rax; dec %rcx; jne 1b */
	static struct cpu alone, with;
	struct burst_thread *t = burst_mine->thread;
	enum burst_status why;
	struct reader_place p;
	struct reader_access a;
	uint32_t n = 0, block;

	(void)state;
	cpu_new_code();
	memcpy(cpu_code, code, sizeof code);
	cpu_end(cpu_code + sizeof code);
	registers(&alone);
	alone.reg[RCX] = 100000;
	with = alone;
	cpu_run(&alone, cpu_code);
	block = burst_block_at(burst_mine, (uint64_t)cpu_code, &why);
	assert_true(block != 0);
	cpu_burst(&with, block, 1000);
	assert_null(cpu_difference(&alone, &with));
	assert_int_equal(t->status, BURST_END_FULL);
	reader_place_begin(&p, &cpu_reader, 0);
	while (reader_next(&p, &a))
		n++;
	assert_int_equal(n, 500);
}

static int prepare(void **state)
{
	(void)state;
	cpu_start(BURST_RECORD_STACK);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(general_instructions),
		cmocka_unit_test(avx2_instructions),
		cmocka_unit_test(avx512_instructions),
		cmocka_unit_test(signal_sees_own_registers),
		cmocka_unit_test(full_buffer_ends_burst),
	};

	return cmocka_run_group_tests(tests, prepare, NULL);
}
