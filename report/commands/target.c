/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which files psc_report may overwrite: reports, which can be made again, but no other
 * files. */
#include "report/commands/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text_same.h"

enum { HEAD = 4096 };

/* Reads the beginning of a file as a string; zero bytes become blanks.  0, or -1: it cannot be
 * read. */
static PSC_CHECKED int read_head(const char *path, char head[HEAD + 1])
{
	size_t n = 0;
	ssize_t got = 1;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return -1;
	while (n < HEAD && got > 0) {
		got = read(fd, head + n, HEAD - n);
		n += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	for (size_t i = 0; i < n; i++)
		if (!head[i])
			head[i] = ' ';
	head[n] = '\0';
	return got < 0 ? -1 : 0;
}

/* Does it begin as the output of a writer in this directory: text and its parts, JSON, CSV,
 * HTML, profiles, comparisons, results of limits? */
static bool is_report(const char *head)
{
	static const char *const begins[] = { "Memory behaviour of ", "Periscope/C",
		"Search paths, worst first\n", "periscope placement 1\n# of ",
		"{\"format\": \"periscope-c report ", "rank,property,refines,",
		"cause,accesses,accesses_share,",
		"{\"format\": \"periscope-c comparison ", "{\"format\": \"periscope-c explanation ",
		"Problem   ", "### Memory", "Before    ",
		"\nThe phase\nrun ", "run,when,structure,scope,cpu_time,",
		"process,column,position,time,region,",
		"{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\",\n",
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=" };

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (strncmp(head, begins[i], strlen(begins[i])) == 0)
			return true;
	return (strncmp(head, "<!DOCTYPE html>", 15) == 0 &&
		strstr(head, "<title>Memory behaviour of ")) || (strncmp(head, "# callgrind format",
		18) == 0 && strstr(head, "\ncreator: psc_report ")) || (strncmp(head, "#ParaverCFG",
		11) == 0 && strstr(head,
		"\nRegions, and misses of the structures that miss most.")) || (head[0] == '\n' &&
		(strstr(head, " (time: estimate, of clean executions)") ||
		strstr(head, " (time: references)"))) || (strncmp(head, "[{\"frame\": ", 11) == 0 &&
		strstr(head, ", \"type\": \"region\", "));
}

bool report_target_is_ours(const char *path)
{
	char head[HEAD + 1];

	return read_head(path, head) == 0 && is_report(head);
}

int report_target_check(const char *path, bool force, struct err *err)
{
	char head[HEAD + 1];
	struct stat st;
	bool known;

	if (strcmp(path, "-") == 0 || stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return 0;
	known = read_head(path, head) == 0;
	if (text_ends(path, ".psc") || (known && strstr(head, "<Experiment")))
		return err_set(err,
			"%s exists and is a property file: it is never overwritten. psc_report reads "
			"one property file and writes to the second name", path);
	if (force || (known && is_report(head)))
		return 0;
	return err_set(err, "%s exists and was not made by psc_report: -f overwrites it", path);
}
