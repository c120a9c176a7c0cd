/* SPDX-License-Identifier: BSD-3-Clause */
/* Random code, by itself and translated: the same registers, flags, vectors, memory and signals; and what changed in memory
 * is covered by stores that were recorded.  Then once more, with a signal at a random instruction, after which the code
 * goes on by itself.
 *
 *     random_blocks [-s SEED] [-n NUMBER | -t SECONDS]
 *
 * Without arguments, as a test: 1 500 pieces from seed 1. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "burst/decode.h"
#include "tests/burst/cpu.h"

enum { LONGEST = 12, PIECE_BYTES = 2048, MARKER = 0x100 };

static ZydisDecoder decoder;
static uint64_t state;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * UINT64_C(0x2545f4914f6cdd1d);
}

static uint32_t below(uint32_t n) { return (uint32_t)((rnd() >> 32) * n >> 32); }

/* --- instructions ----------------------------------------------------------------------- */

/* What depends on more than registers and memory, or would change the test itself. */
static bool unwanted_mnemonic(ZydisMnemonic m)
{
	static const ZydisMnemonic list[] = {
		ZYDIS_MNEMONIC_RDTSC, ZYDIS_MNEMONIC_RDTSCP, ZYDIS_MNEMONIC_RDPMC,
		ZYDIS_MNEMONIC_RDPID, ZYDIS_MNEMONIC_CPUID, ZYDIS_MNEMONIC_POPF,
		ZYDIS_MNEMONIC_POPFQ, ZYDIS_MNEMONIC_WRFSBASE, ZYDIS_MNEMONIC_WRGSBASE,
		ZYDIS_MNEMONIC_RDFSBASE, ZYDIS_MNEMONIC_RDGSBASE, ZYDIS_MNEMONIC_WRPKRU,
		ZYDIS_MNEMONIC_RDPKRU, ZYDIS_MNEMONIC_FNSTENV, ZYDIS_MNEMONIC_FNSAVE,
		ZYDIS_MNEMONIC_FLDENV, ZYDIS_MNEMONIC_FRSTOR, ZYDIS_MNEMONIC_FXSAVE,
		ZYDIS_MNEMONIC_FXSAVE64, ZYDIS_MNEMONIC_FXRSTOR, ZYDIS_MNEMONIC_FXRSTOR64,
		ZYDIS_MNEMONIC_LDMXCSR, ZYDIS_MNEMONIC_XGETBV, ZYDIS_MNEMONIC_XTEST,
		ZYDIS_MNEMONIC_CLZERO, ZYDIS_MNEMONIC_VLDMXCSR, ZYDIS_MNEMONIC_SLDT,
		ZYDIS_MNEMONIC_STR, ZYDIS_MNEMONIC_SGDT, ZYDIS_MNEMONIC_SIDT, ZYDIS_MNEMONIC_SMSW,
		ZYDIS_MNEMONIC_ENTER, ZYDIS_MNEMONIC_PUSHF,
		ZYDIS_MNEMONIC_PUSHFQ /* shows that the code is interrupted */
	};

	for (unsigned k = 0; k < sizeof list / sizeof *list; k++)
		if (list[k] == m)
			return true;
	return false;
}

static bool unwanted_category(ZydisInstructionCategory c)
{
	switch (c) {
	case ZYDIS_CATEGORY_INTERRUPT: case ZYDIS_CATEGORY_SYSCALL: case ZYDIS_CATEGORY_SYSRET: case ZYDIS_CATEGORY_SYSTEM:
	case ZYDIS_CATEGORY_RDRAND: case ZYDIS_CATEGORY_RDSEED: case ZYDIS_CATEGORY_XSAVE: case ZYDIS_CATEGORY_XSAVEOPT:
	case ZYDIS_CATEGORY_WAITPKG: case ZYDIS_CATEGORY_IO: case ZYDIS_CATEGORY_IOSTRINGOP: case ZYDIS_CATEGORY_VTX:
	case ZYDIS_CATEGORY_PADLOCK: case ZYDIS_CATEGORY_SGX: case ZYDIS_CATEGORY_CET: case ZYDIS_CATEGORY_AMX_TILE:
	case ZYDIS_CATEGORY_SEGOP: case ZYDIS_CATEGORY_MPX: case ZYDIS_CATEGORY_UINTR: case ZYDIS_CATEGORY_RDWRFSGS:
		return true;
	default:
		return false;
	}
}

static bool wanted(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op)
{
	if (in->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE ||
		in->meta.category == ZYDIS_CATEGORY_RET ||
		in->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED ||
		unwanted_category(in->meta.category) || unwanted_mnemonic(in->mnemonic) ||
		in->mnemonic == ZYDIS_MNEMONIC_XBEGIN || in->mnemonic == ZYDIS_MNEMONIC_XABORT ||
		in->mnemonic == ZYDIS_MNEMONIC_XEND)
		return false;
	for (int k = 0; k < in->operand_count; k++) {
		if (op[k].type == ZYDIS_OPERAND_TYPE_REGISTER &&
			ZydisRegisterGetClass(op[k].reg.value) == ZYDIS_REGCLASS_SEGMENT)
			return false;
		if (op[k].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			(op[k].mem.segment == ZYDIS_REGISTER_FS ||
				op[k].mem.segment == ZYDIS_REGISTER_GS ||
				op[k].mem.base == ZYDIS_REGISTER_EIP))
			return false;
	}
	return true;
}

/* Bytes that may be an instruction: prefixes and opcodes are as frequent as in programs, or
 * nearly. */
static void draw(uint8_t *b)
{
	int n = 0;

	for (int k = 0; k < 15; k++)
		b[k] = (uint8_t)rnd();
	if (below(4) == 0)
		b[n++] = (const uint8_t[]){ 0x66, 0xf2, 0xf3, 0x67, 0xf0 }[below(5)];
	switch (below(8)) {
	case 0: b[n++] = 0x0f; break;
	case 1: b[n++] = (uint8_t)(0x40 | below(16)); b[n++] = 0x0f; break;
	case 2: b[n++] = 0xc5; break;
	case 3: b[n++] = 0xc4; b[n] = (uint8_t)((b[n] & 0xe0) | (1 + below(3))); break;
	case 4: b[n++] = 0x62; b[n] = (uint8_t)((b[n] & 0xf0) | (1 + below(3))); break;
	case 5: break;
	default: b[n++] = (uint8_t)(0x40 | below(16)); break;
	}
}

/* Long displacements lead far away: most are made short, or into the data. */
static void aim(uint8_t *at, const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op)
{
	int32_t to = (int32_t)below(512) - 256;

	if (in->raw.disp.size != 32)
		return;
	for (int k = 0; k < in->operand_count; k++)
		if (op[k].type == ZYDIS_OPERAND_TYPE_MEMORY && op[k].mem.base == ZYDIS_REGISTER_RIP)
			to = (int32_t)(cpu_data + 0x2000 + below(0x4000) - (at + in->length));
	memcpy(at + in->raw.disp.offset, &to, 4);
}

static uint32_t instruction(uint8_t *at)
{
	ZydisDecodedInstruction in;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];

	do
		draw(at);
	while (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, at, 15, &in, op)) ||
		!wanted(&in, op));
	aim(at, &in, op);
	return in.length;
}

/* --- pieces ----------------------------------------------------------------------------- */

/* movl $value, MARKER in the data, and the end */
static uint32_t tail(uint8_t *at, uint32_t value)
{
	int32_t distance = (int32_t)(cpu_data + MARKER - (at + 10));

	memcpy(at, (const uint8_t[]){ 0xc7, 0x05 }, 2);
	memcpy(at + 2, &distance, 4);
	memcpy(at + 6, &value, 4);
	return 10 + cpu_end(at + 10);
}

static uint32_t constant(uint8_t *at, int reg, const uint8_t *value)
{
	uint64_t v = (uint64_t)value;

	at[0] = reg > 7 ? 0x49 : 0x48;
	at[1] = (uint8_t)(0xb8 | (reg & 7));
	memcpy(at + 2, &v, 8);
	return 10;
}

/* A jump of some kind, to `tails` or behind itself. */
static uint32_t ending(uint8_t *at, const uint8_t *tails)
{
	int32_t distance;
	uint32_t n = 0;

	switch (below(8)) {
	case 0:                                                 /* jcc */
		at[n++] = 0x0f;
		at[n++] = (uint8_t)(0x80 | below(16));
		break;
	case 1: at[n++] = 0xe9; break;
	case 2: at[n++] = 0xe8; break;                          /* call */
	case 3:                                                 /* mov $tail,%r11; call or jmp *%r11 */
		n = constant(at, R11, tails);
		at[n++] = 0x41;
		at[n++] = 0xff;
		at[n++] = below(2) ? 0xd3 : 0xe3;
		return n;
	case 4:                                                 /* push; ret */
		n = constant(at, RDX, tails);
		at[n++] = 0x52;
		at[n++] = below(2) ? 0xc3 : 0xc2;
		if (at[n - 1] == 0xc2) {
			at[n++] = 16;
			at[n++] = 0;
		}
		return n;
	case 5:                                                 /* loop, jrcxz over a nop */
		at[n++] = (uint8_t)(0xe0 | below(4));
		at[n++] = 1;
		at[n++] = 0x90;
		return n;
	case 6:                                                 /* short jcc over a nop */
		at[n++] = (uint8_t)(0x70 | below(16));
		at[n++] = 1;
		at[n++] = 0x90;
		return n;
	default:
		return 0;
	}
	distance = (int32_t)(tails - (at + n + 4));
	memcpy(at + n, &distance, 4);
	return n + 4;
}

/* A piece of code at `at`; the entry is behind its tails. */
static const uint8_t *piece(uint8_t *at)
{
	const uint8_t *tails = at, *entry;

	at += tail(at, 1);
	entry = at;
	for (uint32_t n = below(LONGEST) + 1; n > 0; n--)
		at += instruction(at);
	at += ending(at, tails);
	tail(at, 2);
	return entry;
}

static void registers(struct cpu *c)
{
	static const uint8_t legacy = 32;

	cpu_clear(c);
	for (int k = 0; k < REGISTERS; k++)
		c->reg[k] = k % 3 == 2 ? below(256) : (uint64_t)cpu_data + 0x2000 + below(0xa000);
	c->reg[RSP] = (uint64_t)cpu_data + 0xd000 + 8 * below(64);
	c->flags = 0x202 | (rnd() & 0x8d5);
	for (int k = legacy; k < 416; k++)
		c->vectors[k] = below(2) ? (uint8_t)rnd() : 0;
	for (int k = 576; k < 2688; k++)
		c->vectors[k] = below(2) ? (uint8_t)rnd() : 0;
	for (int k = 0; k < CPU_DATA; k += 8) {
		uint64_t v = rnd();

		memcpy(c->data + k, &v, 8);
	}
}

/* --- stores ----------------------------------------------------------------------------- */

static uint8_t covered[CPU_DATA];

/* Marks what recorded stores have written.  false: the words are not well formed, or an access is
 * not known. */
static bool cover(void)
{
	struct reader_place p;
	struct reader_access a;
	bool known = true;

	memset(covered, 0, sizeof covered);
	reader_place_begin(&p, &cpu_reader, 0);
	while (reader_next(&p, &a)) {
		uint64_t at = a.address - (uint64_t)cpu_data;

		known &= a.kind != BURST_UNKNOWN;
		for (uint64_t k = 0; a.does & BURST_STORE && k < a.size; k++)
			if (at + k < CPU_DATA)
				covered[at + k] = 1;
	}
	if (p.bad) {
		printf("# words are not well formed\n");
		exit(1);
	}
	return known;
}

/* After a signal, what the last instruction has written is not recorded; nor is what follows an
 * instruction that is not translated. */
static const char *uncovered(const struct cpu *before, const struct cpu *after)
{
	static char text[80];

	if (!cover() || after->signal != 0 || burst_mine->thread->status != BURST_END_NO_FILE)
		return NULL;
	for (int k = 0; k < CPU_DATA; k++)
		if (before->data[k] != after->data[k] && !covered[k]) {
			snprintf(text, sizeof text, "the store to %x is not recorded", (unsigned)k);
			return text;
		}
	return NULL;
}

/* --- runs ------------------------------------------------------------------------------- */

static void show(const uint8_t *code, uint32_t n)
{
	printf("# ");
	for (uint32_t k = 0; k < n; k++)
		printf("%02x", code[k]);
	printf("\n");
}

static uint64_t signals, untranslated, in_translated, in_recorder;

/* Mostly in translated code; else, with empty tables, in the recorder, which translates the second
 * block. */
static uint32_t steps(void)
{
	if (below(16) != 0)
		return 1 + below(60);
	cpu_new_code();
	return 1 + below(20000);
}

static const char *interrupted(
	const struct cpu *before, const struct cpu *alone, const uint8_t *entry)
{
	static struct cpu with;
	static char text[240];
	uint32_t n = steps();
	const char *difference;

	with = *before;
	cpu_run_interrupted(&with, entry, n);
	in_translated += cpu_interrupted == CPU_IN_TRANSLATED;
	in_recorder += cpu_interrupted == CPU_IN_RECORDER;
	difference = cpu_difference(alone, &with);
	if (difference == NULL)
		return NULL;
	snprintf(text, sizeof text, "interrupted after %u steps: %s", n, difference);
	return text;
}

static bool try_one(uint64_t seed)
{
	static struct cpu before, alone, with;
	static uint32_t used = CPU_CODE;
	const uint8_t *entry;
	const char *difference;

	state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
	if (used + PIECE_BYTES > CPU_CODE) {
		used = 0;
		cpu_new_code();
	}
	entry = piece(cpu_code + used);
	registers(&before);
	alone = with = before;
	cpu_run(&alone, entry);
	signals += alone.signal != 0;
	if (!cpu_run_translated(&with, entry)) {
		untranslated++;
		used += PIECE_BYTES;
		return true;
	}
	difference = cpu_difference(&alone, &with);
	if (difference == NULL)
		difference = uncovered(&before, &with);
	if (difference == NULL)
		difference = interrupted(&before, &alone, entry);
	if (difference != NULL) {
		printf("# seed %" PRIu64 ": %s\n", seed, difference);
		show(cpu_code + used, 512);
		printf("# entry %td, at %p\n", entry - (cpu_code + used), (const void *)entry);
	}
	used += PIECE_BYTES;
	return difference == NULL;
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, n = 1500, failed = 0, done = 0;
	time_t end = 0;
	int option;

	while ((option = getopt(argc, argv, "s:n:t:")) != -1)
		switch (option) {
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'n': n = strtoull(optarg, NULL, 0); break;
		case 't': end = time(NULL) + atol(optarg); break;
		default: return 2;
		}
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	cpu_start(BURST_RECORD_STACK);
	for (; failed < 10 && (end != 0 ? time(NULL) < end : done < n); done++)
		failed += !try_one(seed + done);
	printf("# %" PRIu64 " pieces of code, %" PRIu64 " ended by a signal, %" PRIu64
	       " not translated\n",
		done, signals, untranslated);
	printf("# interrupted in translated code %" PRIu64 ", in the recorder %" PRIu64 "\n",
		in_translated, in_recorder);
	printf("1..1\n%s 1 - random code does the same translated\n",
		failed == 0 ? "ok" : "not ok");
	return failed != 0;
}
