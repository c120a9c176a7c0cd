/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes that are figures of a subject's counts and estimates. */
#ifndef PSC_MEASURE_ATTRIBUTE_FIGURES_H
#define PSC_MEASURE_ATTRIBUTE_FIGURES_H

#include "analysis/measure/attribute_names.h"
#include "analysis/measure/attributes.h"

/* Computes an attribute of a subject that is counted.  NAN: not measured. */
double attribute_count(const struct subject *s, const struct attribute *a);

#endif
