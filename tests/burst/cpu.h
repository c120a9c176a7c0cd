/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a piece of code with given registers, by itself and translated, and gives the registers, the
 * memory and the signal with which it ended. */
#ifndef PSC_TESTS_BURST_CPU_H
#define PSC_TESTS_BURST_CPU_H

#include <stdbool.h>
#include "burst/slot.h"
#include "tests/burst/reader.h"

enum { CPU_CODE = 1 << 20, CPU_DATA = 64 << 10, CPU_VECTORS = 8 << 10 };

struct cpu {
	uint64_t reg[REGISTERS];
	uint64_t flags;
	uint64_t ip;            /* of a signal; else 0 */
	int signal;
	_Alignas(64) uint8_t vectors[CPU_VECTORS];      /* as xsave writes them */
	uint8_t data[CPU_DATA];
};

/* Code and data are at places that a relative address reaches. */
extern uint8_t *cpu_code, *cpu_data;
/* The reader of the one slot. */
extern struct reader cpu_reader;

/* Prepares the recorder in this process. */
void cpu_start(uint32_t flags);
/* Anew, where somebody else (cmocka) has handlers of signals. */
void cpu_catch_faults(void);
/* Zero registers but rsp, which is in the upper half of the data; vectors as at a program's
 * start. */
void cpu_clear(struct cpu *c);
/* Appends the end of a piece of code: jmp *0(%rip) to where the test goes on. */
uint32_t cpu_end(uint8_t *at);
/* Code at `entry`; changes *c. */
void cpu_run(struct cpu *c, const uint8_t *entry);
/* The same translated.  false: nothing could be translated. */
bool cpu_run_translated(struct cpu *c, const uint8_t *entry);
/* A burst of so many words that begins at a block. */
void cpu_burst(struct cpu *c, uint32_t block, uint64_t words);
/* Translated until the processor has executed `steps` instructions, those of the recorder included;
 * then a signal comes, and the code goes on by itself. */
bool cpu_run_interrupted(struct cpu *c, const uint8_t *entry, uint32_t steps);
/* Where the last one was interrupted. */
extern enum cpu_interrupted { CPU_IN_OWN, CPU_IN_TRANSLATED, CPU_IN_RECORDER } cpu_interrupted;
/* Where two ends differ: a text, NULL: they are equal. */
const char *cpu_difference(const struct cpu *a, const struct cpu *b);
/* The code in the buffer is new. */
void cpu_new_code(void);

#endif
