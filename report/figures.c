/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats numbers for all forms of a report but text. */
#include "report/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
