/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of machine/ share. */
#ifndef PSC_MACHINE_LOCAL_H
#define PSC_MACHINE_LOCAL_H

#include "machine/machine.h"

#define MACHINE_FALLBACK "x86-server"

/* find.c: the file that NAME means, into path[size].  0 / -1 with what there is. */
int machine_find(const char *name, char *path, size_t size, struct err *err);

/* "cpu", "core", "socket", "all", by enum machine_shared. */
extern const char *const machine_shared_names[4];
/* By their enums. */
extern const char *const machine_replacement_names[3], *const machine_inclusion_names[3];
extern const char *const machine_prefetch_names[3], *const machine_write_names[2];

/* Parts of machine_check(), for complaints where the element stands. */
int machine_check_tlbs(const struct machine_flat *f, struct err *err);
int machine_check_nodes(const struct machine_flat *f, struct err *err);
/* One node of all CPUs. */
void machine_one_node(struct machine_flat *f);

#endif
