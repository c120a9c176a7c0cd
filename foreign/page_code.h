/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether an instruction of the program that caused a page fault reads or writes there. */
#ifndef PSC_FOREIGN_PAGE_CODE_H
#define PSC_FOREIGN_PAGE_CODE_H

#include <stdint.h>

enum page_access { PAGE_UNKNOWN = 0, PAGE_READ = 1, PAGE_WRITE = 2 };       /* bits */

enum { PAGE_CODE_BYTES = 15 };  /* no instruction is longer */

/* What the instruction does: PAGE_READ, PAGE_WRITE or both.  *copies: it reads at rsi and writes at
 * rdi, or does one of the two.  PAGE_UNKNOWN: it is no instruction that accesses memory. */
unsigned page_code_access(const uint8_t *code, uint32_t bytes, int *copies);
/* Of an instruction that copies: what it does at this address. */
unsigned page_code_side(uint64_t address, uint64_t rsi, uint64_t rdi);

#endif
