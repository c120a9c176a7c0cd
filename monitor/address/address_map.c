/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers what an address belongs to.
 *
 * The answer is one ascending array of disjoint spans: data objects, and where there is none the
 * kernel's mappings.  A rebuild fills the array that is not in use and then swaps the two.  A
 * reader that overlaps a rebuild notices and searches again under the lock. */
#include "config.h"
#include "monitor/address/address_map.h"
#include "monitor/address/heap.h"
#include "monitor/address/objects.h"
#include "monitor/address/page_numbers.h"
#include "monitor/address/shared_tables.h"
#include "monitor/host/descriptors.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { REFRESHES = 32, MAPPINGS = 16384, SPANS = 1 << 18, OBJECT_SPANS = 1 << 17,
	UNLOADED = 64 };             /* images unloaded last that are remembered */

struct mapping {
	uint64_t lo, hi, shift;
	uint64_t id;                    /* hash of the file's device and inode */
	uint32_t cause;                 /* MON_OBJ_*; object number of a mapped data file */
	uint32_t name;                  /* string: the file's name without directories */
	uint64_t offset;                /* in the file */
	bool file, readable, code, bss;
};

static struct {
	pthread_mutex_t lock;
	struct mapping *mappings;
	size_t nmappings;
	struct pscm_span *objects;
	struct pscm_span *buffer[2];
	_Atomic size_t count[2];
	_Atomic uint32_t builds;        /* rebuilds; the low bit selects the array in use */
	_Atomic uint32_t stale;
	/* re-reads left in this execution: a limit, because memory that is mapped and unmapped
	 * again and again would cause one each time */
	_Atomic int refreshes;
	struct pscm_fd text, memory;    /* /proc/self/maps, /proc/self/mem */
	struct image { uint64_t lo, hi; } unloaded[UNLOADED];
	uint32_t nunloaded;
} address_map = { .lock = PTHREAD_MUTEX_INITIALIZER, .text.fd = -1, .memory.fd = -1 };

extern void *__libc_stack_end;

static int proc_open(const char *path)
{
	return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

/* Keeps the descriptor only if it can have a high number, out of the program's way. */
static void proc_file_open(struct pscm_fd *f, const char *path)
{
	int fd = proc_open(path), high = pscm_fd_high(fd);

	if (high == fd && fd >= 0) {
		syscall(SYS_close, fd);
		high = -1;
	}
	pscm_fd_keep(f, high);
}

/* The kept descriptor, or a new one for this use. */
static int proc_file_get(struct pscm_fd *f, const char *path)
{
	int fd = pscm_fd_get(f);

	return fd < 0 ? proc_open(path) : fd;
}

static void proc_file_put(const struct pscm_fd *f, int fd)
{
	if (fd >= 0 && fd != f->fd)
		syscall(SYS_close, fd);
}

void pscm_address_map_stop(void)
{
	pscm_fd_close(&address_map.text);
	pscm_fd_close(&address_map.memory);
}

/* --- the kernel's maps ---------------------------------------------------------------------- */

struct maps_line {
	uint64_t lo, hi;
	char perms[4];
	char path[16];          /* its first bytes */
	size_t npath;
	char name[64];          /* what follows the last slash */
	size_t nname;
	uint64_t id, offset;
};

/* Stack addresses count from the stack's top.  Each stack has its own range above all real
 * addresses. */
static uint64_t stack_shift(uint32_t thread, uint64_t top)
{
	return PSCM_STACKS + ((uint64_t)(thread + 1) << 34) - top;
}

/* A deleted file is named "name (deleted)": drop the suffix. */
static uint32_t file_name(struct maps_line *l)
{
	static const char gone[] = " (deleted)";
	size_t n = sizeof gone - 1;
	uint32_t string;

	if (l->nname > n && !memcmp(l->name + l->nname - n, gone, n))
		l->nname -= n;
	l->name[l->nname] = '\0';
	pscm_lock(&pscm_tables_lock);
	string = pscm_string(l->name);
	pscm_unlock(&pscm_tables_lock);
	return string;
}

/* Shared memory without a file: anonymous, or the monitor's own. */
static bool no_file(const struct maps_line *l)
{
	return !memcmp(l->path, "/dev/zero", 9) || !memcmp(l->path, "/memfd:perisco", 14);
}

static void mapping_add(struct maps_line *l)
{
	struct mapping *m, *before = address_map.nmappings ?
		&address_map.mappings[address_map.nmappings - 1] : NULL;

	if (address_map.nmappings == MAPPINGS)
		return;
	m = &address_map.mappings[address_map.nmappings++];
	*m = (struct mapping){ .lo = l->lo, .hi = l->hi, .cause = MON_OBJ_OTHER,
		.readable = l->perms[0] == 'r', .code = l->perms[2] == 'x', .id = l->id,
		.offset = l->offset };
	if (l->path[0] == '/' && !no_file(l))
		m->name = file_name(l);
	if (l->path[0] == '/' && l->perms[3] == 'p') {
		m->cause = MON_OBJ_IMAGE;
		m->file = true;
	} else if (!memcmp(l->path, "[stack]", 8)) {
		struct rlimit r;
		uint64_t limit = UINT64_C(1) << 30;

		m->cause = MON_OBJ_STACK;
		m->shift = stack_shift(0, (uint64_t)(uintptr_t)__libc_stack_end);
		if (!getrlimit(RLIMIT_STACK, &r) && r.rlim_cur != RLIM_INFINITY)
			limit = r.rlim_cur;
		if (limit < m->hi - m->lo)
			limit = m->hi - m->lo;
		m->lo = before && before->hi > m->hi - limit ? before->hi : m->hi - limit;
	} else if (!l->npath && before && before->hi == l->lo && before->cause == MON_OBJ_IMAGE) {
		m->cause = MON_OBJ_IMAGE;       /* .bss directly follows the image's data */
		m->bss = true;
	} else if (!l->npath || !memcmp(l->path, "[heap]", 7) || !memcmp(l->path, "[anon", 5)) {
		m->cause = MON_OBJ_HEAP;
	}
}

/* Parses lines byte by byte: lo-hi perms offset dev inode path. */
struct maps_parser {
	struct maps_line line;
	uint32_t field;
	uint32_t nperms;
};

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void maps_parse_char(struct maps_parser *p, char c)
{
	if (c == '\n') {
		if (p->line.hi > p->line.lo)
			mapping_add(&p->line);
		memset(p, 0, sizeof *p);
		return;
	}
	switch (p->field) {
	case 0:
		if (c == '-')
			p->field++;
		else
			p->line.lo = p->line.lo << 4 | (uint64_t)(hex(c) & 15);
		break;
	case 1:
		if (c == ' ')
			p->field++;
		else
			p->line.hi = p->line.hi << 4 | (uint64_t)(hex(c) & 15);
		break;
	case 2:
		if (c == ' ')
			p->field++;
		else if (p->nperms < 4)
			p->line.perms[p->nperms++] = c;
		break;
	case 3: case 4: case 5:
		if (c == ' ')
			p->field++;
		else if (p->field > 3)
			p->line.id = p->line.id * 31 + (uint8_t)c;
		else
			p->line.offset = p->line.offset << 4 | (uint64_t)(hex(c) & 15);
		break;
	default:
		if (c == ' ' && !p->line.npath)
			break;
		if (p->line.npath < sizeof p->line.path - 1)
			p->line.path[p->line.npath] = c;
		p->line.npath++;
		if (c == '/')
			p->line.nname = 0;
		else if (p->line.nname < sizeof p->line.name - 1)
			p->line.name[p->line.nname++] = c;
	}
}

/* A mapped file of which no part is executable is data: it becomes an object. */
static void file_classify(struct mapping *m)
{
	struct mon_object row = { .address = m->lo, .size = m->hi - m->lo, .name = m->name,
		.unit = MON_NO_UNIT, .region = MON_ANY, .kind = MON_KIND_FILE };
	uint32_t n;

	for (size_t i = 0; i < address_map.nmappings; i++) {
		const struct mapping *other = &address_map.mappings[i];

		if (other->name && other->id == m->id && other->code)
			return;
	}
	pscm_lock(&pscm_tables_lock);
	n = pscm_object_of(&row);
	pscm_unlock(&pscm_tables_lock);
	m->cause = n == MON_ANY ? MON_OBJ_OTHER : n;
	m->file = false;
	if (m + 1 < address_map.mappings + address_map.nmappings && m[1].bss)
		m[1].cause = MON_OBJ_HEAP;      /* adjacent by accident, not .bss */
}

static int mapping_compare(const struct mapping *a, uint64_t address)
{
	return address < a->lo ? 1 : address >= a->hi ? -1 : 0;
}

static struct mapping *mapping_at(uint64_t address)
{
	size_t lo = 0, hi = address_map.nmappings;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = mapping_compare(&address_map.mappings[mid], address);

		if (!c)
			return &address_map.mappings[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* The addresses that an image's segments have in its file: of the first
 * page's begin, and of the end. */
struct extent {
	uint64_t first, end;
};

static void extent_add(struct extent *x, const ElfW(Phdr) *p)
{
	if (p->p_type != PT_LOAD)
		return;
	if (x->first == UINT64_MAX)
		x->first = p->p_vaddr & ~UINT64_C(4095);
	x->end = p->p_vaddr + p->p_memsz;
}

/* End of the image that begins in this mapping; 0: no image begins there.  Reads through `mem`
 * (/proc/self/mem), because the image may be unmapped at any time. */
static uint64_t image_end(const struct mapping *m, int mem)
{
	enum { AT_ONCE = 16 };
	ElfW(Ehdr) e;
	ElfW(Phdr) p[AT_ONCE];
	struct extent x = { UINT64_MAX, 0 };

	if (!m->file || !m->readable || m->offset ||
	    syscall(SYS_pread64, mem, &e, sizeof e, (off_t)m->lo) != (long)sizeof e ||
	    memcmp(e.e_ident, ELFMAG, SELFMAG) || e.e_phentsize != sizeof *p)
		return 0;
	for (uint32_t i = 0; i < e.e_phnum; i += AT_ONCE) {
		uint32_t n = e.e_phnum - i < AT_ONCE ? e.e_phnum - i : AT_ONCE;

		if (syscall(SYS_pread64, mem, p, n * sizeof *p,
		    (off_t)(m->lo + e.e_phoff + i * sizeof *p)) != (long)(n * sizeof *p))
			return 0;
		for (uint32_t k = 0; k < n; k++)
			extent_add(&x, &p[k]);
	}
	return x.first < x.end ? m->lo + ((x.end - x.first + 4095) & ~UINT64_C(4095)) : 0;
}

/* Finds .bss that does not directly follow the image's data, which happens when it is large or
 * aligned.  The kernel may have merged it with the heap into one mapping: split that.  Anonymous
 * memory between an image's begin and end is always .bss. */
static void image_classify(size_t i, int mem)
{
	uint64_t end = image_end(&address_map.mappings[i], mem), id = address_map.mappings[i].id;
	bool code = false;

	for (size_t k = i; k < address_map.nmappings && address_map.mappings[k].lo < end; k++)
		code |= address_map.mappings[k].code && address_map.mappings[k].id == id;
	if (!code)      /* an ELF file mapped as data */
		return;
	while (++i < address_map.nmappings && address_map.mappings[i].lo < end) {
		struct mapping *m = &address_map.mappings[i];

		if (m->cause != MON_OBJ_HEAP)
			continue;
		if (m->hi > end) {
			if (address_map.nmappings == MAPPINGS)
				return;
			memmove(m + 1, m, (address_map.nmappings++ - i) * sizeof *m);
			m->hi = m[1].lo = end;
		}
		m->cause = MON_OBJ_IMAGE;
		m->bss = true;
	}
}

/* Reads the kernel's maps.  false: they cannot be read; the mappings of the last successful read
 * remain. */
static bool maps_parse(void)
{
	struct maps_parser p;
	char text[4096];
	long n, at = 0;
	int fd = proc_file_get(&address_map.text, "/proc/self/maps");

	memset(&p, 0, sizeof p);
	while ((n = syscall(SYS_pread64, fd, text, sizeof text, (off_t)at)) > 0) {
		if (!at)
			address_map.nmappings = 0;
		for (long i = 0; i < n; i++)
			maps_parse_char(&p, text[i]);
		at += n;
	}
	proc_file_put(&address_map.text, fd);
	return at > 0;
}

static void maps_read(void)
{
	int fd;

	if (!maps_parse())
		return;
	for (size_t i = 0; i < address_map.nmappings; i++)
		if (address_map.mappings[i].name)
			file_classify(&address_map.mappings[i]);
	fd = proc_file_get(&address_map.memory, "/proc/self/mem");
	for (size_t i = 0; i < address_map.nmappings && fd >= 0; i++)
		if (address_map.mappings[i].file)
			image_classify(i, fd);
	proc_file_put(&address_map.memory, fd);
	for (uint32_t i = 0; i < pscm_thread_count(); i++) {
		struct pscm_thread *t = pscm_thread_at(i);
		struct mapping *m = atomic_load(&t->used) ? mapping_at(t->stack) : NULL;

		if (m && m->cause != MON_OBJ_STACK) {
			m->cause = MON_OBJ_STACK;
			m->shift = stack_shift(t->index + 1, t->stack_top);
		}
	}
}

int pscm_address_map_start(void)
{
	address_map.mappings = pscm_map(MAPPINGS * sizeof *address_map.mappings);
	address_map.objects = pscm_map(OBJECT_SPANS * sizeof *address_map.objects);
	address_map.buffer[0] = pscm_map(SPANS * sizeof *address_map.buffer[0]);
	address_map.buffer[1] = pscm_map(SPANS * sizeof *address_map.buffer[1]);
	proc_file_open(&address_map.text, "/proc/self/maps");
	proc_file_open(&address_map.memory, "/proc/self/mem");
	if (address_map.mappings)
		maps_parse();   /* for programs that later forbid themselves to read it */
	return address_map.mappings && address_map.objects && address_map.buffer[0] &&
		address_map.buffer[1] ? 0 : -1;
}

/* --- spans ---------------------------------------------------------------------------------- */

/* Atomic, because a reader overtaken by a rebuild may still read here; it discards what it read. */
static void span_store(struct pscm_span *out, struct pscm_span s)
{
	__atomic_store_n(&out->lo, s.lo, __ATOMIC_RELAXED);
	__atomic_store_n(&out->hi, s.hi, __ATOMIC_RELAXED);
	__atomic_store_n(&out->shift, s.shift, __ATOMIC_RELAXED);
	__atomic_store_n(&out->area, s.area, __ATOMIC_RELAXED);
	__atomic_store_n(&out->object, s.object, __ATOMIC_RELAXED);
}

static struct pscm_span span_load(const struct pscm_span *s)
{
	return (struct pscm_span){ __atomic_load_n(&s->lo, __ATOMIC_RELAXED),
		__atomic_load_n(&s->hi, __ATOMIC_RELAXED),
		__atomic_load_n(&s->shift, __ATOMIC_RELAXED),
		__atomic_load_n(&s->area, __ATOMIC_RELAXED),
		__atomic_load_n(&s->object, __ATOMIC_RELAXED) };
}

static size_t spans_merge(struct pscm_span *out, size_t nobjects)
{
	size_t n = 0, o = 0;

	for (size_t i = 0; i < address_map.nmappings; i++) {
		const struct mapping *m = &address_map.mappings[i];
		uint64_t at = m->lo;

		/* An object may begin before the mapping, or lie in no mapping (unmapped
		 * meanwhile). */
		for (; o < nobjects && address_map.objects[o].hi <= at && n + 3 < SPANS; o++)
			;
		for (; o < nobjects && address_map.objects[o].lo < m->hi && n + 3 < SPANS; o++) {
			struct pscm_span s = address_map.objects[o];

			s.area = m->cause == MON_OBJ_IMAGE ? m->lo : s.lo;
			if (s.lo < at)
				s.lo = at;
			if (s.lo > at)
				span_store(&out[n++],
					(struct pscm_span){ at, s.lo, m->shift, m->lo, m->cause });
			at = s.hi;
			if (s.hi > m->hi)
				s.hi = m->hi;
			s.shift = m->shift;
			span_store(&out[n++], s);
			if (at > m->hi)
				break;          /* continues in the next mapping */
		}
		if (at < m->hi && n < SPANS)
			span_store(&out[n++],
				(struct pscm_span){ at, m->hi, m->shift, m->lo, m->cause });
	}
	return n;
}

int pscm_address_map_build(bool read_maps)
{
	uint32_t builds, next;
	size_t n;

	pscm_lock(&address_map.lock);
	if (read_maps || !address_map.nmappings) {
		atomic_store(&address_map.stale, 0);
		maps_read();
	} else {
		atomic_store(&address_map.refreshes, REFRESHES);
	}
	n = pscm_objects_spans(address_map.objects, OBJECT_SPANS);
	builds = atomic_load(&address_map.builds);
	next = (builds + 1) & 1;
	address_map.count[next] = spans_merge(address_map.buffer[next], n);
	atomic_store(&address_map.builds, builds + 1);
	atomic_fetch_add(&pscm_translation_generation, 1);
	pscm_unlock(&address_map.lock);
	return 0;
}

void pscm_address_map_mark_stale(void)
{
	atomic_store_explicit(&address_map.stale, 1, memory_order_relaxed);
}

void pscm_address_map_refresh(void)
{
	if (unlikely(atomic_load_explicit(&address_map.stale, memory_order_relaxed)) &&
	    atomic_fetch_sub(&address_map.refreshes, 1) > 0)
		pscm_address_map_build(true);
}

static bool span_search(uint32_t which, uint64_t address, struct pscm_span *out)
{
	const struct pscm_span *s = address_map.buffer[which];
	size_t n = atomic_load_explicit(&address_map.count[which], memory_order_relaxed);
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (__atomic_load_n(&s[mid].hi, __ATOMIC_RELAXED) <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	*out = lo < n ? span_load(&s[lo]) : (struct pscm_span){ .lo = UINT64_MAX };
	if (out->lo <= address)
		return true;
	/* Mapped after the last read: most likely heap. */
	out->hi = out->lo;
	out->lo = lo ? span_load(&s[lo - 1]).hi : 0;
	out->area = out->lo;
	out->shift = 0;
	out->object = MON_OBJ_HEAP;
	return false;
}

void pscm_address_map_find(uint64_t address, struct pscm_span *out)
{
	uint32_t builds = atomic_load_explicit(&address_map.builds, memory_order_acquire);
	bool found = span_search(builds & 1, address, out);

	atomic_thread_fence(memory_order_acquire);
	if (unlikely(atomic_load_explicit(&address_map.builds, memory_order_relaxed) != builds)) {
		pscm_lock(&address_map.lock);
		found = span_search(atomic_load(&address_map.builds) & 1, address, out);
		pscm_unlock(&address_map.lock);
	}
	if (pscm_heap_find(address, out))
		found = true;
	if (!found)
		pscm_address_map_mark_stale();
}

uint64_t pscm_address_map_unshift(uint64_t shifted)
{
	uint64_t address = 0;

	pscm_lock(&address_map.lock);
	for (size_t i = 0; i < address_map.nmappings && !address; i++) {
		const struct mapping *m = &address_map.mappings[i];

		if (m->shift && shifted - m->shift >= m->lo && shifted - m->shift < m->hi)
			address = shifted - m->shift;
	}
	pscm_unlock(&address_map.lock);
	return address;
}

static bool in_image(const struct image *i, uint64_t address)
{
	return address - i->lo < i->hi - i->lo;
}

static bool is_unloaded(uint64_t address)
{
	for (uint32_t i = 0; i < UNLOADED; i++)
		if (in_image(&address_map.unloaded[i], address))
			return true;
	return false;
}

/* Remembers the adjacent mappings of the image's file as unloaded. */
void pscm_address_map_unload(uint64_t address)
{
	uint32_t at;
	struct mapping *m, *last, *end;

	pscm_lock(&address_map.lock);
	end = address_map.mappings + address_map.nmappings;
	m = last = mapping_at(address);
	if (m && m->file) {
		while (m > address_map.mappings && m[-1].id == m->id && m[-1].hi == m->lo)
			m--;
		while (last + 1 < end && last[1].id == m->id && last[1].lo == last->hi)
			last++;
		at = address_map.nunloaded++ % UNLOADED;
		address_map.unloaded[at].lo = m->lo;
		address_map.unloaded[at].hi = last->hi;
		atomic_fetch_add(&pscm_translation_generation, 1);
	}
	pscm_unlock(&address_map.lock);
}

void pscm_address_map_load(uint64_t address)
{
	pscm_lock(&address_map.lock);
	for (uint32_t i = 0; i < UNLOADED; i++)
		if (in_image(&address_map.unloaded[i], address))
			address_map.unloaded[i].lo = address_map.unloaded[i].hi = 0;
	pscm_unlock(&address_map.lock);
}

bool pscm_address_map_image(uint64_t address, uint64_t *lo, uint64_t *len)
{
	struct mapping *m;
	bool ok = false;

	pscm_lock(&address_map.lock);
	m = is_unloaded(address) ? NULL : mapping_at(address);
	if (m && m->file && m->readable) {
		*lo = m->lo;
		*len = m->hi - m->lo;
		ok = true;
	}
	pscm_unlock(&address_map.lock);
	if (!ok)
		pscm_address_map_mark_stale();
	return ok;
}
