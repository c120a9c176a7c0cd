/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether pages can be sampled on this host. */
#ifndef PSC_SAMPLES_PAGE_HOST_H
#define PSC_SAMPLES_PAGE_HOST_H

#include "base/err.h"

/* 0; -1: err says what forbids it. */
int page_host_check(struct err *err);

/* Whether the kernel knows which pages were written, as page_writes.h needs it: likewise. */
int page_host_check_writes(struct err *err);

#endif
