/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the names of the hosts. */
#include <config.h>

#include "frontend/hosts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

enum { HOSTS_MOST = 65536, SLOTS_MOST = 65536 };

static const char blanks[] = " \t\r\n";

static bool is_name(const char *s, size_t n)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

	return n && n < 256 && s[0] != '-' && strspn(s, allowed) >= n;
}

static int parse_slots(const char *text, uint32_t *slots)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	if (end == text || *end || *text < '0' || *text > '9' || v < 1 || v > SLOTS_MOST)
		return -1;
	*slots = (uint32_t)v;
	return 0;
}

static int add(struct hosts *h, const char *name, size_t n, uint32_t slots, struct err *err)
{
	struct host *grown;

	for (int i = 0; i < h->n; i++)
		if (strlen(h->list[i].name) == n && memcmp(h->list[i].name, name, n) == 0) {
			h->list[i].slots = (h->list[i].slots ? h->list[i].slots : 1) +
				(slots ? slots : 1);
			return 0;
		}
	if (h->n == HOSTS_MOST)
		return err_set(err, "more than %d hosts", HOSTS_MOST);
	grown = realloc(h->list, ((size_t)h->n + 1) * sizeof *grown);
	if (!grown)
		return err_nomem(err);
	h->list = grown;
	grown[h->n] = (struct host){ strndup(name, n), slots };
	return grown[h->n].name ? (h->n++, 0) : err_nomem(err);
}

static int read_list(struct hosts *h, const char *list, struct err *err)
{
	for (const char *word = list;; word++) {
		size_t n = strcspn(word, ","), name = strcspn(word, ",:");
		char slots[16] = "";
		uint32_t s = 0;

		if (name < n)
			snprintf(slots, sizeof slots, "%.*s", (int)(n - name - 1), word + name + 1);
		if (!is_name(word, name) || (name < n && parse_slots(slots, &s)))
			return err_set(err,
				"--hosts takes names with commas between them, each perhaps with its slots, as "
				"in node1:4,node2:4; not '%.*s'", (int)n, word);
		if (add(h, word, name, s, err))
			return -1;
		word += n;
		if (!*word)
			return 0;
	}
}

/* One line of a hostfile: NAME [slots=N] [max_slots=N]; the rest of the
 * line after # is a comment. */
static int read_line(struct hosts *h, char *line, const char *path, int number, struct err *err)
{
	char *rest = NULL, *name, *word;
	uint32_t slots = 0, ignored;

	line[strcspn(line, "#")] = '\0';
	name = strtok_r(line, blanks, &rest);
	if (!name)
		return 0;
	if (!is_name(name, strlen(name)))
		return err_set(err, "%s:%d: '%s' is no host's name", path, number, name);
	while ((word = strtok_r(NULL, blanks, &rest)))
		if (strncmp(word, "slots=", 6) == 0 ? parse_slots(word + 6, &slots) :
			strncmp(word, "max_slots=", 10) != 0 || parse_slots(word + 10, &ignored))
			return err_set(err, "%s:%d: '%s' is not understood: a line is NAME slots=N",
				path, number, word);
	return add(h, name, strlen(name), slots, err);
}

static int read_lines(struct hosts *h, FILE *in, const char *path, struct err *err)
{
	char *line = NULL;
	size_t room = 0;
	int rc = 0;

	for (int number = 1; !rc && getline(&line, &room, in) >= 0; number++)
		rc = read_line(h, line, path, number, err);
	if (!rc && ferror(in))
		rc = err_sys(err, "%s", path);
	free(line);
	return rc;
}

static int read_file(struct hosts *h, const char *path, struct err *err)
{
	FILE *in = fopen(path, "re");
	int rc;

	if (!in)
		return err_sys(err, "--hostfile %s", path);
	rc = read_lines(h, in, path, err);
	fclose(in);
	if (!rc && !h->n)
		rc = err_set(err, "--hostfile %s: no host is named there", path);
	return rc;
}

/* The nodes of the Slurm job that we are in; scontrol knows the short form of their list. */
static int read_slurm(struct hosts *h, struct err *err)
{
	static const char command[] = "scontrol show hostnames \"$SLURM_JOB_NODELIST\"";
	const char *nodes = getenv("SLURM_JOB_NUM_NODES"), *list = getenv("SLURM_JOB_NODELIST");
	FILE *in;
	int rc, status;

	if (!nodes || atoi(nodes) < 2 || !list || !*list)
		return 0;
	in = popen(command, "re");
	if (!in)
		return err_sys(err, "scontrol");
	rc = read_lines(h, in, "scontrol show hostnames", err);
	status = pclose(in);
	if (!rc && (status || h->n != atoi(nodes)))
		rc = err_set(err,
			"scontrol does not name the %s nodes of this Slurm job: use --hosts",
			nodes);
	h->allocated = !rc;
	return rc;
}

/* Is it a name of this host?  Domains are not compared: a list has them or has not. */
static bool is_here(const char *name)
{
	struct utsname u;
	size_t n = strcspn(name, ".");

	if (strcmp(name, "localhost") == 0)
		return true;
	return uname(&u) == 0 && strcspn(u.nodename, ".") == n && strncmp(u.nodename, name, n) == 0;
}

static void put_here_first(struct hosts *h)
{
	for (int i = 0; i < h->n; i++)
		if (is_here(h->list[i].name)) {
			struct host here = h->list[i];

			memmove(h->list + 1, h->list, (size_t)i * sizeof *h->list);
			h->list[0] = here;
			h->here = true;
			return;
		}
}

int hosts_read(struct hosts *h, const char *list, const char *file, struct err *err)
{
	int rc;

	*h = (struct hosts){ 0 };
	if (list && file)
		return err_set(err, "--hosts and --hostfile cannot be used together");
	rc = list ? read_list(h, list, err) : file ? read_file(h, file, err) : read_slurm(h, err);
	if (rc)
		hosts_free(h);
	else
		put_here_first(h);
	if (!rc && h->n == 1 && h->here)
		hosts_free(h);
	return rc;
}

void hosts_free(struct hosts *h)
{
	for (int i = 0; i < h->n; i++)
		free(h->list[i].name);
	free(h->list);
	*h = (struct hosts){ 0 };
}

int hosts_write(const struct hosts *h, const char *path, struct err *err)
{
	FILE *out = fopen(path, "we");
	int bad;

	if (!out)
		return err_sys(err, "%s", path);
	fprintf(out, "localhost slots=%d\n", h->here ? 2 : 1);
	for (int i = h->here; i < h->n; i++)
		fprintf(out, "%s slots=1\n", h->list[i].name);
	bad = ferror(out);
	return fclose(out) || bad ? err_sys(err, "%s", path) : 0;
}
