/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a program's structure from executables, shared libraries and .sir files. */
#include "sir/model.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DOCUMENT ((size_t)1 << 30)

/* The kind of a file, by its first bytes. */
enum content { CONTENT_ELF, CONTENT_XML, CONTENT_OTHER };

static enum content classify(const char *head, size_t n)
{
	size_t i = 0;

	if (n >= 4 && memcmp(head, "\177ELF", 4) == 0)
		return CONTENT_ELF;
	if (n >= 7 && memcmp(head, "!<arch>", 7) == 0)
		return CONTENT_ELF;
	if (n >= 3 && memcmp(head, "\357\273\277", 3) == 0)
		i = 3;
	while (i < n && strchr(" \t\r\n", head[i]) && head[i])
		i++;
	return i < n && head[i] == '<' ? CONTENT_XML : CONTENT_OTHER;
}

static int slurp(const char *path, int fd, struct buf *b, struct err *err)
{
	char block[8192];

	for (;;) {
		ssize_t n = read(fd, block, sizeof block);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, "%s", path);
		if (n == 0)
			break;
		if (b->len + (size_t)n > MAX_DOCUMENT)
			return err_set(err, "%s: longer than %zu bytes", path, MAX_DOCUMENT);
		buf_add(b, block, (size_t)n);
	}
	return b->failed ? err_nomem(err) : 0;
}

static int add_document(struct sir_model *m, const char *path, int fd, struct err *err)
{
	struct buf b = BUF_INIT;
	int ret = slurp(path, fd, &b, err);

	if (ret == 0 && classify(b.data ? b.data : "", b.len) != CONTENT_XML)
		ret = err_set(err, "%s: neither an ELF file nor a .sir (XML) document", path);
	if (ret == 0)
		ret = xml_read(m, path, b.data, b.len, NULL, err);
	buf_free(&b);
	return ret;
}

static int add_file(struct sir_model *m, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;
	char head[64];
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return err_sys(err, "%s", path);
	if (fstat(fd, &st) < 0) {
		ret = err_sys(err, "%s", path);
	} else if (S_ISDIR(st.st_mode)) {
		ret = err_set(err, "%s: is a directory", path);
	} else {
		n = S_ISREG(st.st_mode) ? pread(fd, head, sizeof head, 0) : 0;
		if (n > 0 && classify(head, (size_t)n) == CONTENT_ELF)
			ret = elf_read(m, path, fd, err);
		else
			ret = add_document(m, path, fd, err);
	}
	close(fd);
	return ret;
}

struct sir *sir_read_all(const char *const *paths, uint32_t npaths, struct err *err)
{
	struct sir_model m;

	if (model_init(&m) < 0) {
		err_nomem(err);
		return NULL;
	}
	for (uint32_t i = 0; i < npaths; i++)
		if (add_file(&m, paths[i], err) < 0) {
			model_drop(&m);
			return NULL;
		}
	return model_finish(&m, err);
}

struct sir *sir_read(const char *path, struct err *err)
{
	return sir_read_all(&path, 1, err);
}

void sir_free(struct sir *s)
{
	/* The struct itself is allocated from its arena. */
	if (s)
		arena_free(((struct sir_priv *)s->priv)->arena);
}

uint32_t sir_find_hook(const struct sir *s, uint64_t hash, uint32_t index)
{
	const struct sir_priv *p = s->priv;
	uint32_t lo = 0, hi = p->nhooks;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct sir_hook *h = &p->hooks[mid].hook;

		if (h->hash < hash || (h->hash == hash && h->index < index))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < p->nhooks && p->hooks[lo].hook.hash == hash && p->hooks[lo].hook.index == index)
		return p->hooks[lo].region;
	return SIR_NONE;
}

bool sir_is_fortran(const struct sir *s, const struct sir_region *r)
{
	const char *l = r->source < s->nsources ? s->sources[r->source].language : NULL;

	return l && strncasecmp(l, "fortran", 7) == 0;
}

/* How well a unit matches the name: an exact match beats one that differs in case (Fortran only),
 * and among equals a unit of the same source wins. */
static int match(const struct sir *s, const struct sir_unit_entry *e, const char *name,
	uint32_t from)
{
	const struct sir_region *r = &s->regions[e->region];
	int quality;

	if (strcmp(e->name, name) == 0)
		quality = 4;
	else if (sir_is_fortran(s, r))
		quality = 2;
	else
		return 0;
	return quality + (from == r->source);
}

uint32_t sir_callee(const struct sir *s, const char *name, uint32_t from)
{
	const struct sir_priv *p = s->priv;
	uint32_t lo = 0, hi = p->nunits, found = SIR_NONE;
	int best = 0;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (strcasecmp(p->units[mid].name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < p->nunits && strcasecmp(p->units[lo].name, name) == 0; lo++) {
		int q = match(s, &p->units[lo], name, from);

		if (q > best) {
			best = q;
			found = p->units[lo].region;
		}
	}
	return found;
}

uint32_t sir_find_unit(const struct sir *s, const char *name)
{
	return *name ? sir_callee(s, name, SIR_NONE) : SIR_NONE;
}

uint32_t sir_unit_of(const struct sir *s, uint32_t id)
{
	while (!s->regions[id].unit_type && s->regions[id].parent != SIR_NONE)
		id = s->regions[id].parent;
	return id;
}

void sir_region_label(const struct sir_region *r, struct buf *out)
{
	buf_printf(out, "%s( %s, %s, %d )", r->name, region_type_name(r->type), r->file, r->line);
}
