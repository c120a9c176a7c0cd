/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes the kernel's word of where data came from. */
#ifndef PSC_SAMPLES_DATA_SOURCE_H
#define PSC_SAMPLES_DATA_SOURCE_H

#include "samples/sample.h"

/* word: PERF_SAMPLE_DATA_SRC. */
struct data_source data_source_decode(uint64_t word);
/* The level's name, for messages and tests; borrowed. */
const char *sample_level_name(enum sample_level level);

#endif
