/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves static variables to tracked memory before main().
 *
 * Not those of the C library and of the dynamic linker, which this code itself uses, nor this
 * library's own; nor what becomes read-only (RELRO). */
#define _GNU_SOURCE
#include "burst/statics.h"

#include <dlfcn.h>
#include <link.h>
#include <linux/userfaultfd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "burst/sys.h"
#include "burst/tracked.h"

enum { PAGE = 4096, PART = 1 << 20 };

static struct {
	struct burst_placed at[BURST_PLACED];
	uint32_t n;
} statics;

static uint64_t down(uint64_t at) { return at & ~(uint64_t)(PAGE - 1); }
static uint64_t up(uint64_t at) { return down(at + PAGE - 1); }

/* --- which memory ------------------------------------------------------------------------ */

/* What the dynamic linker makes read-only after relocation. */
static uint64_t read_only_end(const struct dl_phdr_info *info)
{
	for (int k = 0; k < info->dlpi_phnum; k++)
		if (info->dlpi_phdr[k].p_type == PT_GNU_RELRO)
			return up(info->dlpi_addr + info->dlpi_phdr[k].p_vaddr +
				info->dlpi_phdr[k].p_memsz);
	return 0;
}

/* The part of a segment that stays writable; low >= high: none. */
static struct burst_data data_in(const ElfW(Phdr) *p, uint64_t base, uint64_t read_only)
{
	const uint64_t at = base + p->p_vaddr;
	struct burst_data d = { down(at), up(at + p->p_filesz), up(at + p->p_memsz) };

	if (p->p_type != PT_LOAD || (p->p_flags & (PF_W | PF_X)) != PF_W)
		return (struct burst_data){ 0, 0, 0 };
	if (read_only > d.low && read_only <= d.high)
		d.low = read_only;
	if (d.file_end < d.low)
		d.file_end = d.low;
	return d;
}

/* The largest data of an object. */
static struct burst_data data_of(const struct dl_phdr_info *info)
{
	const uint64_t read_only = read_only_end(info);
	struct burst_data most = { 0, 0, 0 };

	for (int k = 0; k < info->dlpi_phnum; k++) {
		const struct burst_data d = data_in(&info->dlpi_phdr[k], info->dlpi_addr,
			read_only);

		if (d.high - d.low > most.high - most.low)
			most = d;
	}
	return most;
}

static bool is_of(const struct dl_phdr_info *info, const void *base)
{
	for (int k = 0; k < info->dlpi_phnum; k++)
		if (info->dlpi_phdr[k].p_type == PT_LOAD && info->dlpi_addr +
		    down(info->dlpi_phdr[k].p_vaddr) == (uint64_t)base)
			return true;
	return false;
}

static bool is_needed_here(const struct dl_phdr_info *info)
{
	Dl_info own, libc, loader;

	return dladdr((void *)(uintptr_t)burst_statics_start, &own) == 0 ||
		dladdr((void *)abort, &libc) == 0 ||
		dladdr((void *)&_r_debug, &loader) == 0 ||
		is_of(info, own.dli_fbase) || is_of(info, libc.dli_fbase) ||
		is_of(info, loader.dli_fbase);
}

/* --- the move ---------------------------------------------------------------------------- */

/* Memory behind a file's data that has not been touched stays without pages. */
static void copy(char *to, const struct burst_data *d)
{
	unsigned char here[PART / PAGE];

	memcpy(to, (char *)d->low, d->file_end - d->low);
	for (uint64_t at = d->file_end; at < d->high; at += PART) {
		const uint64_t bytes = d->high - at < PART ? d->high - at : PART;

		if (SYS_3(SYS_mincore, at, bytes, here) != 0)
			memset(here, 1, sizeof here);
		for (uint64_t k = 0; k < bytes / PAGE; k++)
			if (here[k] & 1)
				memcpy(to + (at - d->low) + k * PAGE, (char *)at + k * PAGE, PAGE);
	}
}

void burst_statics_move(int file, struct burst_header *h, const struct burst_data *d)
{
	const uint64_t bytes = d->high - d->low, offset = burst_tracked_offset(bytes);
	long to;

	if (offset == UINT64_MAX || statics.n == BURST_PLACED)
		return;
	to = sys_call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
		file, (long)(BURST_BYTES + offset));
	if (to < 0 && to > -4096)
		return;
	copy((char *)to, d);
	if (sys_call(SYS_mremap, to, (long)bytes, (long)bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
	    (long)d->low, 0) != (long)d->low)
		return;
	/* The program's first access is seen, too. */
	SYS_3(SYS_madvise, d->low, bytes, MADV_DONTNEED);
	statics.at[statics.n++] = (struct burst_placed){ d->low, bytes, offset };
	h->tracked.placed[h->tracked.nplaced] = (struct burst_placed){ d->low, bytes, offset };
	h->tracked.nplaced++;
}

struct mover {
	int file;
	struct burst_header *header;
};

static int move_object(struct dl_phdr_info *info, size_t size, void *with)
{
	const struct mover *m = with;
	const struct burst_data d = data_of(info);

	(void)size;
	if (d.high - d.low >= m->header->tracked.least && !is_needed_here(info))
		burst_statics_move(m->file, m->header, &d);
	return 0;
}

/* Another library may have started threads in its constructor. */
static bool one_thread(void)
{
	struct stat tasks;

	return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

void burst_statics_start(int file, struct burst_header *h)
{
	struct mover m = { file, h };

	if (one_thread())
		dl_iterate_phdr(move_object, &m);
}

int burst_statics_register(int uffd)
{
	for (uint32_t k = 0; k < statics.n; k++) {
		struct uffdio_register range = {
			.range = { statics.at[k].address, statics.at[k].bytes },
			.mode = UFFDIO_REGISTER_MODE_WP };

		if (SYS_3(SYS_ioctl, uffd, UFFDIO_REGISTER, &range) != 0)
			return -1;
	}
	return 0;
}

/* --- afterwards -------------------------------------------------------------------------- */

bool burst_statics_have(const void *at)
{
	for (uint32_t k = 0; k < statics.n; k++)
		if ((uint64_t)at - statics.at[k].address < statics.at[k].bytes)
			return true;
	return false;
}

uint64_t burst_statics_bytes(const void *at)
{
	for (uint32_t k = 0; k < statics.n; k++)
		if ((uint64_t)at == statics.at[k].address)
			return statics.at[k].bytes;
	return 0;
}

uint32_t burst_statics_windows(const struct burst_window *w, struct iovec *to)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < statics.n; k++) {
		const struct burst_placed *p = &statics.at[k];
		const uint64_t from = w->offset > p->offset ? w->offset : p->offset,
			window_end = w->offset + w->bytes, place_end = p->offset + p->bytes,
			end = window_end < place_end ? window_end : place_end;

		if (from < end)
			to[n++] = (struct iovec){ (char *)p->address + (from - p->offset),
				end - from };
	}
	return n;
}

bool burst_statics_leave(bool (*make_private)(char *at, uint64_t bytes))
{
	bool made = true;

	for (uint32_t k = 0; k < statics.n; k++)
		made = made && make_private((char *)statics.at[k].address, statics.at[k].bytes);
	statics.n = 0;
	return made;
}
