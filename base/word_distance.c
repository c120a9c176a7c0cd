/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the edit distance of two words (Damerau and Levenshtein,
 * neighbours swapped at most once). */
#include "base/word_distance.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 64 };

static int lower(char ch)
{
	return tolower((unsigned char)ch);
}

int word_distance(const char *a, const char *b, int limit)
{
	size_t n = strlen(a), m = strlen(b);
	int rows[3][LONGEST + 1];

	if (n > LONGEST || m > LONGEST)
		return strcmp(a, b) ? limit + 1 : 0;
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = (int)j;
	for (size_t i = 1; i <= n; i++) {
		int *row = rows[i % 3], *up = rows[(i - 1) % 3], *up2 = rows[(i + 1) % 3];

		row[0] = (int)i;
		for (size_t j = 1; j <= m; j++) {
			int d = up[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));

			if (up[j] + 1 < d)
				d = up[j] + 1;
			if (row[j - 1] + 1 < d)
				d = row[j - 1] + 1;
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2])
					&& lower(a[i - 2]) == lower(b[j - 1]) && up2[j - 2] + 1 < d)
				d = up2[j - 2] + 1;
			row[j] = d;
		}
	}
	return rows[n % 3][m];
}
