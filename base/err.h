/* SPDX-License-Identifier: BSD-3-Clause */
/* One error, as text of fixed size: describing a failure cannot itself fail.
 * The function that decides the error describes it ("file:line: what"); callers add context
 * only at a boundary, with err_prefix().  Every function here accepts err == NULL. */
#ifndef PSC_BASE_ERR_H
#define PSC_BASE_ERR_H

#if defined(__GNUC__)
#define PSC_PRINTF(f, a) __attribute__((format(printf, f, a)))
/* Of a function that can return without filling the text that it is given: callers
 * look at what it returns. */
#define PSC_CHECKED __attribute__((warn_unused_result))
#else
#define PSC_PRINTF(f, a)
#define PSC_CHECKED
#endif

struct err {
	char text[1024];
};

/* Describes a failure.  Always returns -1, so that `return err_set(…)` reads well. */
int err_set(struct err *err, const char *fmt, ...) PSC_PRINTF(2, 3);
/* Puts "context: " before the text.  Returns -1. */
int err_prefix(struct err *err, const char *fmt, ...) PSC_PRINTF(2, 3);
/* Describes a failed system call: "what: strerror(errno)".  Returns -1. */
int err_sys(struct err *err, const char *fmt, ...) PSC_PRINTF(2, 3);
/* Describes a failed allocation.  Returns -1. */
int err_nomem(struct err *err);

#endif
