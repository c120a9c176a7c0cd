/* SPDX-License-Identifier: BSD-3-Clause */
/* How the instructions of blocks depend on one another, from the blocks that bursts execute: what
 * their longest recurrence takes, and which loads are chained.  The loads of a recurrence are: the
 * address of each stems from what it loaded before.  So are other loads from the address that such
 * a load has given: of a list's node, whichever comes first has the miss.  Instructions are
 * executed on registers that hold when their value is ready, and which loads it stems from, by a
 * processor that never waits for anything else. */
#ifndef PSC_FOREIGN_BLOCK_FLOW_H
#define PSC_FOREIGN_BLOCK_FLOW_H

#include <stdbool.h>
#include <stdint.h>

enum {
	FLOW_REGISTERS = 64,    /* general, vector and mask registers, flags */
	FLOW_ORIGINS = 8,       /* loads that are remembered of a value */
	FLOW_SOURCES = 6,
	FLOW_ENOUGH = 64        /* executions of a block from which its dependences are known */
};

struct flow_instruction {
	uint64_t load;          /* ip, of an instruction that loads; 0: none */
	uint8_t source[FLOW_SOURCES], address[2];       /* registers + 1; 0 ends */
	uint8_t target[3];
	uint8_t latency;        /* cycles, without the load */
};

/* Instructions of a block that compete for the same units of a core. */
struct flow_mix {
	uint16_t loads, stores, floating, divisions;
};

/* How a block ends. */
enum flow_end { FLOW_GOES_ON, FLOW_CONDITIONAL, FLOW_INDIRECT };

struct executed_block {
	struct flow_instruction *instruction;   /* owned; NULL: its code could not be read */
	uint16_t n;
	uint16_t executions;    /* seen, at most FLOW_ENOUGH */
	uint8_t end;            /* enum flow_end */
	struct flow_mix mix;
	uint32_t cycles;        /* by which they made the last value later, in sum */
	uint16_t *chained;      /* of each instruction: executions in which its load was; owned,
				 * with `instruction` */
};

/* Registers of a thread. */
struct flow_registers {
	uint32_t ready[FLOW_REGISTERS];
	uint64_t origin[FLOW_REGISTERS][FLOW_ORIGINS];
	bool linked[FLOW_REGISTERS];    /* computed from what a load of a recurrence gave, without a
					 * load in between */
	uint32_t last;          /* the latest of `ready` */
};

/* Decodes the code of a block, which begins at ip.  0 / -1: no memory, or no instructions. */
int flow_block_make(struct executed_block *b, uint64_t ip, const uint8_t *code, uint32_t bytes);
void flow_block_free(struct executed_block *b);
/* Executes the block. */
void flow_block_run(struct executed_block *b, struct flow_registers *r);
/* What an execution takes along the longest recurrence, in cycles / unit. */
uint32_t flow_block_carried(const struct executed_block *b, uint32_t unit);
/* What an execution takes where nothing waits, in cycles / unit: by what a core starts in a cycle,
 * as the plugin has it (instrument/core_cost.cc). */
uint32_t flow_block_throughput(const struct executed_block *b, uint32_t unit);
/* Is the load at this ip chained? */
bool flow_block_chained(const struct executed_block *b, uint64_t ip);

#endif
