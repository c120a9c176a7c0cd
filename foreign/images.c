/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the program's mappings, and opens the ELF files among them. */
#include "config.h"
#include "foreign/images.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "burst/shared/burst.h"

void images_begin(struct images *m, long pid)
{
	*m = (struct images){ .pid = pid };
}

void images_end(struct images *m)
{
	while (m->files) {
		struct image_file *f = m->files;

		m->files = f->next;
		binary_close(f->binary);
		if (f->fd >= 0)
			close(f->fd);
		free((char *)(uintptr_t)f->path);
		free(f);
	}
	free(m->list);
	*m = (struct images){ 0 };
}

/* The file of a path, opened if it is new; NULL: no memory. */
static struct image_file *file_of(struct images *m, const char *path)
{
	struct image_file *f;
	struct stat st;

	for (f = m->files; f; f = f->next)
		if (strcmp(f->path, path) == 0)
			return f;
	f = calloc(1, sizeof *f);
	if (!f || !(f->path = strdup(path))) {
		free(f);
		return NULL;
	}
	f->fd = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	f->binary = binary_open(path, NULL);
	f->next = m->files;
	m->files = f;
	return f;
}

static int add(struct images *m, const struct image *image)
{
	if (m->n == m->room) {
		const uint32_t room = m->room ? 2 * m->room : 256;
		struct image *more = realloc(m->list, room * sizeof *more);

		if (!more)
			return -1;
		m->list = more;
		m->room = room;
	}
	m->list[m->n++] = *image;
	return 0;
}

/* Static variables that the recorder has moved to tracked memory, which is a part of this file. */
static bool is_tracked(const char *path)
{
	return strncmp(path, "/memfd:" BURST_FILE " ", sizeof "/memfd:" BURST_FILE) == 0;
}

/* Anonymous memory that begins where a file's data ends is the file's, too: its bss. */
static void continue_file(const struct images *m, struct image *image)
{
	const struct image *before = m->n ? &m->list[m->n - 1] : NULL;

	if (before && before->file && before->hi == image->lo && before->file->binary)
		image->file = before->file;
}

/* The difference between addresses in the program and in the file is that of
 * its first mapping of code. */
static void find_base(const struct image *image)
{
	uint64_t address;

	if (image->file->binary && image->executable && binary_code_address(image->file->binary,
	    image->offset, &address))
		image->file->base = image->lo - address;
}

static int line_read(struct images *m, const char *line)
{
	unsigned long long lo, hi, offset;
	char rights[5];
	int path = 0;
	struct image image = { .kind = IMAGE_ANONYMOUS };

	if (sscanf(line, "%llx-%llx %4s %llx %*s %*s %n", &lo, &hi, rights, &offset, &path) < 4 ||
	    !path)
		return 0;
	image.lo = lo;
	image.hi = hi;
	image.offset = offset;
	image.executable = rights[2] == 'x';
	image.writable = rights[1] == 'w';
	image.shared = rights[3] == 's';
	if (is_tracked(line + path) && !image.executable) {
		continue_file(m, &image);
	} else if (line[path] == '/') {
		image.kind = IMAGE_FILE;
		image.file = file_of(m, line + path);
		if (!image.file)
			return -1;
		find_base(&image);
	} else if (strcmp(line + path, "[stack]") == 0) {
		image.kind = IMAGE_STACK;
	} else if (strcmp(line + path, "[vdso]") == 0) {
		image.kind = IMAGE_VDSO;
	} else if (line[path] != '[') {
		continue_file(m, &image);
	}
	return add(m, &image);
}

static bool same_list(const struct images *a, const struct images *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct image *x = &a->list[i], *y = &b->list[i];

		if (x->lo != y->lo || x->hi != y->hi || x->offset != y->offset ||
		    x->file != y->file || x->executable != y->executable)
			return false;
	}
	return true;
}

int images_read(struct images *m)
{
	char name[64], *line = NULL;
	size_t room = 0;
	struct images next = { .pid = m->pid, .files = m->files };
	ssize_t length;
	FILE *f;
	int rc = 0;

	snprintf(name, sizeof name, "/proc/%ld/maps", m->pid);
	f = fopen(name, "re");
	if (!f)
		return -1;
	while (rc == 0 && (length = getline(&line, &room, f)) > 0) {
		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		rc = line_read(&next, line);
	}
	free(line);
	fclose(f);
	m->files = next.files;
	if (rc || !next.n || same_list(m, &next)) {     /* a process that has ended has no
							 * mappings */
		free(next.list);
		return rc || !next.n ? -1 : 0;
	}
	free(m->list);
	next.generation = m->generation + 1;
	*m = next;
	return 0;
}

const struct image *images_find(const struct images *m, uint64_t address)
{
	uint32_t lo = 0, hi = m->n;

	while (lo < hi) {
		const uint32_t middle = lo + (hi - lo) / 2;

		if (m->list[middle].hi <= address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < m->n && m->list[lo].lo <= address ? &m->list[lo] : NULL;
}

bool images_code(const struct images *m, uint64_t address, uint8_t *out, uint32_t bytes)
{
	const struct image *image = images_find(m, address);

	return image && image->executable && image->file && image->file->fd >= 0 &&
		bytes <= image->hi - address &&
		pread(image->file->fd, out, bytes,
		(off_t)(image->offset + (address - image->lo))) == (ssize_t)bytes;
}
