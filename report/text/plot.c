/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws points, bars and heights with characters. */
#include "report/text/plot.h"

#include <math.h>
#include <stdlib.h>

int plot_new(struct plot *p, int chars, int lines)
{
	*p = (struct plot){ NULL, 2 * chars, 2 * lines };
	p->on = calloc((size_t)p->columns * (size_t)p->rows + 1, 1);
	return p->on ? 0 : -1;
}

void plot_free(struct plot *p)
{
	free(p->on);
	p->on = NULL;
}

void plot_set(struct plot *p, int column, int row)
{
	if (column >= 0 && column < p->columns && row >= 0 && row < p->rows)
		p->on[(size_t)row * (size_t)p->columns + (size_t)column] = 1;
}

static unsigned at(const struct plot *p, int column, int row)
{
	return p->on[(size_t)row * (size_t)p->columns + (size_t)column];
}

void plot_line(struct buf *out, const struct plot *p, int line, bool unicode)
{
	/* By upper left, upper right, lower left, lower right: bits 0 to 3. */
	static const char *const blocks[16] = { " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚",
		"▐", "▜", "▄", "▙", "▟", "█" };
	static const char ascii[] = " ''^,|/#.\\|#_###";

	for (int x = 0; x < p->columns; x += 2) {
		const unsigned bits = at(p, x, 2 * line) | at(p, x + 1, 2 * line) << 1 | at(p, x,
			2 * line + 1) << 2 | at(p, x + 1, 2 * line + 1) << 3;

		if (unicode)
			buf_puts(out, blocks[bits]);
		else
			buf_add(out, &ascii[bits], 1);
	}
}

void plot_bar(struct buf *out, double share, int chars, bool unicode)
{
	static const char *const eighth[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	const int steps = unicode ? 8 : 1;
	int n = (int)lround(fmin(1, fmax(0, share)) * chars * steps);

	if (share > 0 && n == 0)
		n = 1;
	for (int i = 0; i < chars; i++, n -= steps) {
		if (n >= steps)
			buf_puts(out, unicode ? "█" : "#");
		else
			buf_puts(out, unicode && n > 0 ? eighth[n] : " ");
	}
}

void plot_height(struct buf *out, double share, bool unicode)
{
	static const char *const heights[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	const int n = share >= 1 ? 7 : (int)(share * 8);

	if (!(share > 0))
		buf_puts(out, unicode ? "·" : ".");
	else if (unicode)
		buf_puts(out, heights[n]);
	else
		buf_printf(out, "%d", n + 1);
}
