/* SPDX-License-Identifier: BSD-3-Clause */
/* The libraries of a program whose code is analysed like its own: all that the dynamic loader loads
 * at its start, but the run-time systems of languages, threads and MPI. */
#ifndef PSC_FRONTEND_CODE_FILES_H
#define PSC_FRONTEND_CODE_FILES_H

/* Their absolute paths, one a line; "": none, or the loader does not say.  The
 * caller frees; NULL: no memory. */
char *code_files(const char *program);
/* The path in a line of what the dynamic loader prints, if it is such a library;
 * NULL.  Ends it with NUL. */
char *code_file_of_line(char *line);

#endif
