/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds our own data files: property files, machine models, schemas. */
#ifndef PSC_BASE_DATA_DIR_H
#define PSC_BASE_DATA_DIR_H

/* The directory that holds properties/, machine/ and sir/: the source tree for a program that
 * runs in the tree it was built in, else `../share/periscope-c` beside the program (a copied
 * installation), else the configured one.  Borrowed; the same for the life of the process. */
const char *place_data_dir(void);
/* The directory of the running program; "." when that is not known.  Borrowed. */
const char *place_program_dir(void);

#endif
