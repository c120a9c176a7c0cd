/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes numbers as all forms of a report do. */
#include "report/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
