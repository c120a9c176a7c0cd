/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of our CSV files, all of one form: comma, quotes (doubled inside) only where a cell needs
 * them, a point in numbers, nothing in a cell whose value is not known, "\n" at a row's end. */
#ifndef PSC_BASE_CSV_TEXT_H
#define PSC_BASE_CSV_TEXT_H

#include "base/buf.h"

void csv_text(struct buf *out, const char *s);  /* NULL: an empty cell */
void csv_real(struct buf *out, double v);       /* NaN: an empty cell; as few digits as read back as
						 * v */
/* The same cells behind another one of the row. */
void csv_next_text(struct buf *out, const char *s);
void csv_next_real(struct buf *out, double v);
void csv_end(struct buf *out);                  /* of a row */

#endif
