/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of characters: points, bars, heights; in Unicode's blocks, or in ASCII. */
#ifndef PSC_REPORT_PLOT_H
#define PSC_REPORT_PLOT_H

#include <stdbool.h>
#include "base/buf.h"

/* A grid of points, two columns and two rows a character. */
struct plot {
	unsigned char *on;              /* by row * columns + column; owned */
	int columns, rows;              /* even */
};
/* Of `chars` by `lines` characters.  0 / -1 (memory). */
int plot_new(struct plot *p, int chars, int lines);
void plot_free(struct plot *p);
void plot_set(struct plot *p, int column, int row);
/* Appends a line of it. */
void plot_line(struct buf *out, const struct plot *p, int line, bool unicode);

/* A bar of at most `chars` characters, filled with spaces to that; a share above 0 is seen. */
void plot_bar(struct buf *out, double share, int chars, bool unicode);
/* One character whose height is the share: "▁".."█", "1".."8"; of 0 "·", ".". */
void plot_height(struct buf *out, double share, bool unicode);

#endif
