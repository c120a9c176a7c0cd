/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads SIR fragments from ELF files: executables, shared libraries, objects, archives.  With an
 * executable or shared library it reads the libraries that the dynamic linker would load, found as
 * ld.so(8) finds them, except that its cache is not read: no instrumented library is expected in
 * directories that only the cache lists. */
#include "sir/model.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/abi.h"

#define MAX_OBJECTS 1000

struct file_seen {
	dev_t dev;
	ino_t ino;
};

struct scan {
	struct sir_model *model;
	struct file_seen *seen;
	uint32_t nseen;
	int class, machine;     /* of the first object: a library must match it */
	struct err *err;
};

/* A dynamic object and the one that needs it: DT_RPATH is inherited, DT_RUNPATH is not. */
struct elf_object {
	const char *path;
	const struct elf_object *loader;
	const char *origin, *rpath, *runpath;
	const char **needed;
	uint32_t nneeded;
};

/* --- the section ----------------------------------------------------------------------------- */
static int read_sections(struct scan *scan, const char *where, Elf *elf)
{
	char *ident = elf_getident(elf, NULL);
	const uint16_t one = 1;
	bool little = *(const unsigned char *)&one == 1;
	Elf_Scn *scn = NULL;
	size_t names;

	if (!ident || elf_getshdrstrndx(elf, &names) < 0)
		return err_set(scan->err, "%s: broken ELF file: %s", where, elf_errmsg(-1));
	while ((scn = elf_nextscn(elf, scn))) {
		struct sir_section sec = { .where = where,
			.swap = (ident[EI_DATA] == ELFDATA2LSB) != little };
		GElf_Shdr shdr;
		Elf_Data *d;
		const char *name;

		if (!gelf_getshdr(scn, &shdr))
			return err_set(scan->err, "%s: broken ELF file: %s", where, elf_errmsg(-1));
		name = elf_strptr(elf, names, shdr.sh_name);
		if (!name || strcmp(name, PSC_SIR_SECTION) != 0 || shdr.sh_type == SHT_NOBITS
		    || shdr.sh_size == 0)
			continue;
		d = elf_rawdata(scn, NULL);
		if (!d || !d->d_buf)
			return err_set(scan->err, "%s: section %s: %s", where, PSC_SIR_SECTION,
				elf_errmsg(-1));
		sec.data = d->d_buf;
		sec.size = d->d_size;
		if (fragment_read(scan->model, &sec, scan->err) < 0)
			return -1;
	}
	return 0;
}

static int read_archive(struct scan *scan, const char *path, int fd, Elf *archive)
{
	Elf_Cmd cmd = ELF_C_READ;
	int ret = 0;
	Elf *elf;

	while (ret == 0 && (elf = elf_begin(fd, cmd, archive))) {
		const Elf_Arhdr *h = elf_getarhdr(elf);

		if (elf_kind(elf) == ELF_K_ELF && h && h->ar_name) {
			const char *where = arena_printf(scan->model->arena, "%s(%s)", path,
				h->ar_name);

			ret = where ? read_sections(scan, where, elf) : err_nomem(scan->err);
		}
		cmd = elf_next(elf);
		elf_end(elf);
	}
	return ret;
}

/* --- needed libraries ------------------------------------------------------------------------ */

static int add_needed(struct scan *scan, struct elf_object *o, const char *name)
{
	const char **p = arena_grow(scan->model->arena, o->needed, o->nneeded * sizeof *p,
		(o->nneeded + 1) * sizeof *p);

	if (!p)
		return err_nomem(scan->err);
	o->needed = p;
	o->needed[o->nneeded] = arena_strdup(scan->model->arena, name);
	if (!o->needed[o->nneeded])
		return err_nomem(scan->err);
	o->nneeded++;
	return 0;
}

static int read_dynamic(struct scan *scan, Elf *elf, struct elf_object *o)
{
	struct arena *a = scan->model->arena;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	GElf_Dyn dyn;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *d;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_DYNAMIC)
			continue;
		d = elf_getdata(scn, NULL);
		for (int i = 0; d && gelf_getdyn(d, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
			const char *s, **to = dyn.d_tag == DT_RPATH ? &o->rpath
				: dyn.d_tag == DT_RUNPATH ? &o->runpath : NULL;

			if (!to && dyn.d_tag != DT_NEEDED)
				continue;
			s = elf_strptr(elf, shdr.sh_link, dyn.d_un.d_val);
			if (!s)
				continue;
			if (!to && add_needed(scan, o, s) < 0)
				return -1;
			if (to && !(*to = arena_strdup(a, s)))
				return err_nomem(scan->err);
		}
	}
	return 0;
}

/* Sets $ORIGIN: the directory of the file after all symbolic links are resolved. */
static int set_origin(struct scan *scan, struct elf_object *o)
{
	char *real = realpath(o->path, NULL), *slash = real ? strrchr(real, '/') : NULL;

	if (!slash)
		o->origin = ".";
	else
		o->origin = slash == real ? "/"
			: arena_strndup(scan->model->arena, real, (size_t)(slash - real));
	free(real);
	return o->origin ? 0 : err_nomem(scan->err);
}

/* Expands $ORIGIN in one entry of a search path; NULL: out of memory.  $LIB and $PLATFORM are not
 * expanded, so nothing is found there: they are used for system directories only. */
static const char *expand(struct scan *scan, const struct elf_object *o, const char *entry,
	size_t len)
{
	static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };
	struct buf b = BUF_INIT;
	const char *dir;

	for (size_t i = 0; i < len;) {
		size_t word = 0;

		for (size_t w = 0; w < 2; w++)
			if (strlen(words[w]) <= len - i
			    && memcmp(entry + i, words[w], strlen(words[w])) == 0)
				word = strlen(words[w]);
		if (word)
			buf_puts(&b, o->origin);
		else
			buf_add(&b, entry + i, 1);
		i += word ? word : 1;
	}
	/* An empty entry is the current directory. */
	dir = b.failed ? NULL : arena_strdup(scan->model->arena, len ? buf_str(&b) : ".");
	buf_free(&b);
	if (!dir)
		err_nomem(scan->err);
	return dir;
}

static int read_object(struct scan *scan, const char *path, int fd,
	const struct elf_object *loader);

/* 1: found and read; 0: not found; -1: found, but broken. */
static int try_library(struct scan *scan, const struct elf_object *o, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return read_object(scan, path, fd, o);
	close(fd);
	return 0;
}

static int try_path(struct scan *scan, const struct elf_object *o, const struct elf_object *owner,
	const char *list, const char *name)
{
	for (const char *p = list; p; p = *p ? p + 1 : NULL) {
		size_t len = strcspn(p, ":;");
		const char *dir = expand(scan, owner, p, len);
		const char *path = dir ? arena_printf(scan->model->arena, "%s/%s", dir, name) :
			NULL;
		int ret = path ? try_library(scan, o, path) : err_nomem(scan->err);

		if (ret)
			return ret;
		p += len;
	}
	return 0;
}

static int find_library(struct scan *scan, const struct elf_object *o, const char *name)
{
	const char *env = getenv("LD_LIBRARY_PATH");
	struct utsname u;
	char system[256];
	int ret = 0;

	if (strchr(name, '/')) {
		const char *path = expand(scan, o, name, strlen(name));

		return path ? try_library(scan, o, path) : -1;
	}
	if (!o->runpath)
		for (const struct elf_object *l = o; l && ret == 0; l = l->loader)
			if (l->rpath && !l->runpath)
				ret = try_path(scan, o, l, l->rpath, name);
	if (ret == 0 && env && *env)
		ret = try_path(scan, o, o, env, name);
	if (ret == 0 && o->runpath)
		ret = try_path(scan, o, o, o->runpath, name);
	if (ret == 0 && uname(&u) == 0) {
		snprintf(system, sizeof system, "/usr/local/lib:/lib/%.64s-linux-gnu:"
			"/usr/lib/%.64s-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib",
			u.machine, u.machine);
		ret = try_path(scan, o, o, system, name);
	}
	return ret;
}

/* 2: a new object; 1: read before; 0: of another class or machine; -1: broken. */
static int note_object(struct scan *scan, const char *path, int fd, Elf *elf, bool first)
{
	struct file_seen *p;
	GElf_Ehdr ehdr;
	struct stat st;

	if (!gelf_getehdr(elf, &ehdr) || fstat(fd, &st) < 0)
		return first ? err_set(scan->err, "%s: broken ELF file: %s", path, elf_errmsg(-1)) :
			0;
	if (first) {
		scan->class = gelf_getclass(elf);
		scan->machine = ehdr.e_machine;
	} else if (gelf_getclass(elf) != scan->class || ehdr.e_machine != scan->machine) {
		return 0;
	}
	for (uint32_t i = 0; i < scan->nseen; i++)
		if (scan->seen[i].dev == st.st_dev && scan->seen[i].ino == st.st_ino)
			return 1;
	if (scan->nseen == MAX_OBJECTS)
		return err_set(scan->err, "%s: one of more than %d shared libraries", path,
			MAX_OBJECTS);
	p = realloc(scan->seen, (scan->nseen + 1) * sizeof *p);
	if (!p)
		return err_nomem(scan->err);
	scan->seen = p;
	p[scan->nseen++] = (struct file_seen){ st.st_dev, st.st_ino };
	return 2;
}

/* Reads an object and closes fd.  1: read, now or before; 0: of another class or machine; -1:
 * broken. */
static int read_object(struct scan *scan, const char *path, int fd, const struct elf_object *loader)
{
	struct elf_object o = { .path = path, .loader = loader };
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	int ret = 0;

	if (elf && elf_kind(elf) == ELF_K_AR && !loader) {
		ret = read_archive(scan, path, fd, elf);
	} else if (elf && elf_kind(elf) == ELF_K_ELF) {
		ret = note_object(scan, path, fd, elf, !loader);
		if (ret == 2 && read_sections(scan, path, elf) < 0)
			ret = -1;
		if (ret == 2 && read_dynamic(scan, elf, &o) < 0)
			ret = -1;
	} else if (!loader) {
		ret = err_set(scan->err, "%s: broken ELF file", path);
	}
	elf_end(elf);
	close(fd);
	if (ret != 2)
		return ret;
	if (set_origin(scan, &o) < 0)
		return -1;
	for (uint32_t i = 0; i < o.nneeded; i++)
		if (find_library(scan, &o, o.needed[i]) < 0)
			return -1;
	return 1;
}

int elf_read(struct sir_model *m, const char *path, int fd, struct err *err)
{
	struct scan scan = { .model = m, .err = err };
	int ret;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return err_set(err, "libelf: %s", elf_errmsg(-1));
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return err_sys(err, "%s", path);
	ret = read_object(&scan, path, fd, NULL);
	free(scan.seen);
	return ret < 0 ? -1 : 0;
}
