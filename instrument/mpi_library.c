/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells implementations of MPI apart, by what their compilers say of themselves. */
#include "instrument/mpi_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/gcc_compiler.h"

enum { SAID = 4096 };

/* Reads what "COMPILER OPTION" prints.  false: it fails. */
static PSC_CHECKED bool said(const char *compiler, const char *option, char text[SAID])
{
	char *name = shell_quoted(compiler), command[SAID];
	FILE *pipe = NULL;
	size_t n;

	if (name && snprintf(command, sizeof command, "%s %s 2>/dev/null", name, option) <
	    (int)sizeof command)
		pipe = popen(command, "r");
	free(name);
	if (!pipe)
		return false;
	n = fread(text, 1, SAID - 1, pipe);
	text[n] = '\0';
	return pclose(pipe) == 0;
}

static const char *of_wrapper(const char *compiler)
{
	char text[SAID];

	if (said(compiler, "--showme:link", text) && strstr(text, "-lmpi"))
		return "openmpi";
	return said(compiler, "-show", text) && (strstr(text, "-lmpich") ||
		strstr(text, "-lmpifort") || strstr(text, "-lmpi ") || strstr(text, "-lmpi\n")) ?
		"mpich" : NULL;
}

const char *mpi_library_name(const char *compiler, const struct compiler_job *job,
	char *const *argv)
{
	const char *slash = strrchr(compiler, '/'), *name = slash ? slash + 1 : compiler, *arg;

	if (strncmp(name, "mpi", 3) == 0)
		return of_wrapper(compiler);
	if (!job->mpi)
		return NULL;
	arg = argv[job->mpi - 1];
	if (strstr(arg, "mpich") || strstr(arg, "mpifort"))
		return "mpich";
	return strstr(arg, "openmpi") || strstr(arg, "mpi_") ? "openmpi" : NULL;
}
