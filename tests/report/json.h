/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_REPORT_JSON_H
#define TESTS_REPORT_JSON_H

#include <stddef.h>

/* NULL when text is one valid JSON value (RFC 8259) and nothing else; else where it is not. */
const char *json_fault(const char *text, size_t len);

#endif
