/* SPDX-License-Identifier: BSD-3-Clause */
/* BY(field) stands in a function that compares the rows x and y for qsort(): it
 * returns if their fields differ. */
#ifndef PSC_BASE_BY_FIELD_H
#define PSC_BASE_BY_FIELD_H

#define BY(field) \
	do { \
		if (x->field != y->field) \
			return x->field < y->field ? -1 : 1; \
	} while (0)

#endif
