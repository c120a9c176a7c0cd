/* SPDX-License-Identifier: BSD-3-Clause */
/* A laboratory for pieces of code: registers are loaded, the code jumps back, registers are
 * stored. */
#define _GNU_SOURCE
#include "tests/burst/cpu.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "burst/decode.h"
#include "burst/native.h"
#include "burst/thread_slots.h"
#include "burst/translate.h"

uint8_t *cpu_code, *cpu_data;
struct reader cpu_reader;
static struct burst_live live;
static bool translated;
enum cpu_interrupted cpu_interrupted;
static uint32_t steps_left;     /* of a run that is interrupted; 0: none */
static int last_signal;
static uint64_t last_ip;

/* What the assembler reads and writes: registers, flags, vectors. */
struct cpu_state {
	uint64_t reg[REGISTERS];
	uint64_t flags;
	uint64_t fill[7];
	_Alignas(64) uint8_t vectors[CPU_VECTORS];
};
extern struct cpu_state cpu_state;
extern uint64_t cpu_entry;
struct cpu_state cpu_state;
uint64_t cpu_entry;
_Static_assert(
	offsetof(struct cpu_state, flags) == 128 && offsetof(struct cpu_state, vectors) == 192,
	"as in the assembler");

void cpu_enter(void);
void cpu_back(void);
/* Vector state: x87, SSE, AVX, masks, upper halves, upper registers (0xe7). */
__asm__(
	".data\n"
	"cpu_own_sp: .quad 0\n"
	".text\n"
	".globl cpu_enter, cpu_back\n"
	"cpu_enter:\n"
	"	push %rbx\n	push %rbp\n	push %r12\n	push %r13\n	push %r14\n	push %r15\n"
	"	mov %rsp, cpu_own_sp(%rip)\n"
	"	mov $0xe7, %eax\n	xor %edx, %edx\n"
	"	lea cpu_state(%rip), %rdi\n"
	"	xrstor64 192(%rdi)\n"
	"	pushq 128(%rdi)\n	popfq\n"
	"	mov 0(%rdi), %rax\n	mov 8(%rdi), %rcx\n	mov 16(%rdi), %rdx\n	mov 24(%rdi), %rbx\n"
	"	mov 32(%rdi), %rsp\n	mov 40(%rdi), %rbp\n	mov 48(%rdi), %rsi\n"
	"	mov 64(%rdi), %r8\n	mov 72(%rdi), %r9\n	mov 80(%rdi), %r10\n	mov 88(%rdi), %r11\n"
	"	mov 96(%rdi), %r12\n	mov 104(%rdi), %r13\n	mov 112(%rdi), %r14\n	mov 120(%rdi), %r15\n"
	"	mov 56(%rdi), %rdi\n"
	"	jmp *cpu_entry(%rip)\n"
	"cpu_back:\n"
	"	mov %rax, cpu_state(%rip)\n	mov %rcx, cpu_state+8(%rip)\n	mov %rdx, cpu_state+16(%rip)\n"
	"	mov %rbx, cpu_state+24(%rip)\n	mov %rsp, cpu_state+32(%rip)\n	mov %rbp, cpu_state+40(%rip)\n"
	"	mov %rsi, cpu_state+48(%rip)\n	mov %rdi, cpu_state+56(%rip)\n	mov %r8, cpu_state+64(%rip)\n"
	"	mov %r9, cpu_state+72(%rip)\n	mov %r10, cpu_state+80(%rip)\n	mov %r11, cpu_state+88(%rip)\n"
	"	mov %r12, cpu_state+96(%rip)\n	mov %r13, cpu_state+104(%rip)\n	mov %r14, cpu_state+112(%rip)\n"
	"	mov %r15, cpu_state+120(%rip)\n"
	"	mov cpu_own_sp(%rip), %rsp\n"
	"	pushfq\n	popq cpu_state+128(%rip)\n"
	"	cld\n"
	"	mov $0xe7, %eax\n	xor %edx, %edx\n"
	"	xsave64 cpu_state+192(%rip)\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop %rbp\n	pop %rbx\n"
	"	ret\n");

/* --- signals ---------------------------------------------------------------------------- */

enum { TRAP_FLAG = 0x100 };

static enum cpu_interrupted where(uint64_t ip, uint64_t sp)
{
	if (slot_own_code(burst_mine, ip))
		return CPU_IN_TRANSLATED;
	return slot_own_stack(burst_mine, sp) ? CPU_IN_RECORDER : CPU_IN_OWN;
}

/* After each instruction.  The last step is the signal; so is the end of the code. */
static void on_step(ucontext_t *u)
{
	if (--steps_left > 0 && u->uc_mcontext.gregs[REG_RIP] != (greg_t)(uintptr_t)cpu_back)
		return;
	cpu_interrupted = where(
		(uint64_t)u->uc_mcontext.gregs[REG_RIP], (uint64_t)u->uc_mcontext.gregs[REG_RSP]);
	burst_leave_for_signal(burst_mine, u);
	u->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	steps_left = 0;
}

/* The state in which the code would be by itself, then back as if it had ended. */
static void on_fault(int number, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	greg_t *g = u->uc_mcontext.gregs;

	(void)info;
	if (number == SIGTRAP && steps_left > 0) {
		on_step(u);
		return;
	}
	steps_left = 0;
	g[REG_EFL] &= ~TRAP_FLAG;
	if (translated)
		burst_leave_for_signal(burst_mine, u);
	last_signal = number;
	last_ip = (uint64_t)g[REG_RIP];
	g[REG_RIP] = (greg_t)(uintptr_t)cpu_back;
}

void cpu_catch_faults(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP };
	static _Alignas(64) char stack[256 << 10];
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction act = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigaltstack(&alternate, NULL);
	for (unsigned k = 0; k < sizeof signals / sizeof *signals; k++)
		sigaction(signals[k], &act, NULL);
}

/* --- start ------------------------------------------------------------------------------ */

static void *view(int protection)
{
	void *at = mmap(NULL, BURST_HEADER_BYTES + BURST_SLOT_BYTES, protection, MAP_SHARED,
		cpu_reader.file, 0);

	if (at == MAP_FAILED) {
		perror("mmap");
		exit(99);
	}
	return at;
}

/* Code and data, far from all else: an address of random code that is wrong shall not find the
 * test's own memory. */
static void map_code(void)
{
	const size_t far = (size_t)64 << 30, between = 1 << 20;
	uint8_t *at = mmap(
		NULL, 2 * far, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		exit(99);
	cpu_code = at + far;
	cpu_data = cpu_code + CPU_CODE + between;
	mprotect(cpu_code, CPU_CODE, PROT_READ | PROT_WRITE | PROT_EXEC);
	mprotect(cpu_data, CPU_DATA, PROT_READ | PROT_WRITE);
}

void cpu_start(uint32_t flags)
{
	struct burst_header setup = { .flags = flags };
	struct burst_header *h;
	char *memory;

	if (reader_open(&cpu_reader, &setup) != 0)
		exit(99);
	map_code();
	memory = view(PROT_READ | PROT_WRITE);
	h = (struct burst_header *)(void *)memory;
	h->most_slots = 1;
	h->code[0] = (struct burst_range){ (uint64_t)cpu_code, (uint64_t)cpu_code + CPU_CODE };
	h->ranges = 1;
	atomic_store(&h->code_change, 2);
	live.header = h;
	burst_live = &live;
	burst_decoder_start();
	burst_threads_start(memory, view(PROT_READ | PROT_EXEC));
	burst_thread_begin(0);
	if (burst_mine == NULL)
		exit(99);
	burst_tables_reset(burst_mine);
	cpu_catch_faults();
}

void cpu_new_code(void)
{
	atomic_fetch_add(&burst_header()->code_change, 2);
	burst_tables_reset(burst_mine);
}

/* The parts of the vector state that the system has switched on. */
static uint64_t vector_parts(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low & 0xe7;
}

void cpu_clear(struct cpu *c)
{
	uint64_t parts = vector_parts();

	memset(c, 0, sizeof *c);
	c->reg[RSP] = (uint64_t)cpu_data + CPU_DATA - 8192;
	c->flags = 0x202;
	memcpy(c->vectors, (const uint16_t[]){ 0x37f }, 2);
	memcpy(c->vectors + 24, (const uint32_t[]){ 0x1f80 }, 4);
	memcpy(c->vectors + 512, &parts, 8);
}

uint32_t cpu_end(uint8_t *at)
{
	uint64_t back = (uint64_t)(uintptr_t)cpu_back;

	memcpy(at, (const uint8_t[]){ 0xff, 0x25, 0, 0, 0, 0 }, 6);
	memcpy(at + 6, &back, 8);
	return 14;
}

/* --- runs ------------------------------------------------------------------------------- */

static void run(struct cpu *c, uint64_t entry)
{
	memcpy(cpu_state.reg, c->reg, sizeof cpu_state.reg);
	cpu_state.flags = c->flags;
	memcpy(cpu_state.vectors, c->vectors, CPU_VECTORS);
	memcpy(cpu_data, c->data, CPU_DATA);
	cpu_entry = entry;
	last_signal = 0;
	last_ip = 0;
	mprotect(cpu_code, CPU_CODE, PROT_READ | PROT_EXEC);     /* code that writes there faults */
	cpu_enter();
	mprotect(cpu_code, CPU_CODE, PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy(c->reg, cpu_state.reg, sizeof cpu_state.reg);
	c->flags = cpu_state.flags;
	memcpy(c->vectors, cpu_state.vectors, CPU_VECTORS);
	memcpy(c->data, cpu_data, CPU_DATA);
	c->signal = last_signal;
	c->ip = last_ip;
}

void cpu_run(struct cpu *c, const uint8_t *entry)
{
	translated = false;
	run(c, (uint64_t)entry);
}

void cpu_burst(struct cpu *c, uint32_t block, uint64_t words)
{
	struct burst_thread *t = burst_mine->thread;

	t->first = BURST_WORDS_END - 8 * words;
	atomic_store(&t->offset, t->first);
	atomic_store(&t->status, BURST_RECORDING);
	translated = true;
	run(c, (uint64_t)burst_mine->run + burst_mine->blocks[block].code);
	translated = false;
}

bool cpu_run_translated(struct cpu *c, const uint8_t *entry)
{
	enum burst_status why;
	uint32_t block = burst_block_at(burst_mine, (uint64_t)entry, &why);

	if (block != 0)
		cpu_burst(c, block, BURST_MAX_WORDS);
	return block != 0;
}

bool cpu_run_interrupted(struct cpu *c, const uint8_t *entry, uint32_t steps)
{
	enum { STEPS_TO_ENTRY = 17 };
	bool done;

	c->flags |= TRAP_FLAG;
	steps_left = steps + STEPS_TO_ENTRY;
	cpu_interrupted = CPU_IN_OWN;
	done = cpu_run_translated(c, entry);
	steps_left = 0;
	c->flags &= ~(uint64_t)TRAP_FLAG;
	return done;
}

/* --- comparison ------------------------------------------------------------------------- */

static bool vectors_differ(const uint8_t *a, const uint8_t *b)
{
	/* x87's last opcode, instruction and operand are at 6 to 23 */
	return memcmp(a, b, 6) != 0 || memcmp(a + 24, b + 24, 4) != 0 ||
		memcmp(a + 32, b + 32, 384) != 0 ||
		memcmp(a + 576, b + 576, CPU_VECTORS - 576) != 0;
}

const char *cpu_difference(const struct cpu *a, const struct cpu *b)
{
	enum { FLAGS = 0xcd5 };
	static char text[160];

	if (a->signal != b->signal || a->ip != b->ip) {
		snprintf(text, sizeof text, "signal %d at %#llx, translated %d at %#llx", a->signal,
			(unsigned long long)a->ip, b->signal, (unsigned long long)b->ip);
		return text;
	}
	for (int k = 0; k < REGISTERS; k++)
		if (a->reg[k] != b->reg[k]) {
			snprintf(text, sizeof text, "register %d is %#llx, translated %#llx", k,
				(unsigned long long)a->reg[k], (unsigned long long)b->reg[k]);
			return text;
		}
	if ((a->flags & FLAGS) != (b->flags & FLAGS)) {
		snprintf(text, sizeof text, "flags are %#llx, translated %#llx",
			(unsigned long long)a->flags, (unsigned long long)b->flags);
		return text;
	}
	if (memcmp(a->data, b->data, CPU_DATA) != 0)
		return "memory differs";
	return vectors_differ(a->vectors, b->vectors) ? "vector registers differ" : NULL;
}
