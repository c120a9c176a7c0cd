/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether pages can be sampled on this host. */
#ifndef PSC_SAMPLES_PAGE_HOST_H
#define PSC_SAMPLES_PAGE_HOST_H

#include "base/err.h"

/* 0; -1: err says what forbids it. */
int page_host_check(struct err *err);

/* How the kernel tells which pages were written. */
enum page_writes_by {
	PAGE_WRITES_NOT_TOLD,
	PAGE_WRITES_SCANNED,    /* page_scan.h: any part of the memory can be protected */
	PAGE_WRITES_SOFT_DIRTY  /* soft_dirty.h: all of it at once */
};
enum page_writes_by page_host_writes(void);
/* As page_host_check(), where it does not tell. */
int page_host_check_writes(struct err *err);

#endif
