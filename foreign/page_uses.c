/* SPDX-License-Identifier: BSD-3-Clause */
/* The pages of an interval, and their rows as CSV (docs/pages.md describes the columns). */
#include "config.h"
#include "foreign/page_uses.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 12, MOST_ROOM = 1 << 22 };

void page_uses_end(struct page_uses *u)
{
	free(u->use);
	free(u->task);
	*u = (struct page_uses){ 0 };
}

uint32_t page_uses_task(struct page_uses *u, uint32_t tid)
{
	for (uint32_t i = u->ntasks; i-- > 0; )
		if (u->task[i] == tid)
			return i;
	if (!u->task)
		u->task = calloc(PAGE_TASKS, sizeof *u->task);
	if (!u->task || u->ntasks == PAGE_TASKS)
		return PAGE_TASKS;
	u->task[u->ntasks] = tid;
	return u->ntasks++;
}

/* --- the table -------------------------------------------------------------------------------- */

static struct page_use *slot_of(const struct page_uses *u, uint64_t page, uint32_t task)
{
	uint32_t at = (uint32_t)((page / 4096 + task * UINT64_C(0x9e3779b9)) *
		UINT64_C(0x9e3779b97f4a7c15) >> 32) & (u->room - 1);

	while (u->use[at].page && (u->use[at].page != page || u->use[at].task != task))
		at = (at + 1) & (u->room - 1);
	return &u->use[at];
}

static int make_room(struct page_uses *u)
{
	struct page_uses grown = *u;

	if (u->n < u->room / 4 * 3)
		return 0;
	grown.room = u->room ? 2 * u->room : FIRST_ROOM;
	grown.use = grown.room <= MOST_ROOM ? calloc(grown.room, sizeof *grown.use) : NULL;
	if (!grown.use)
		return -1;
	for (uint32_t i = 0; i < u->room; i++)
		if (u->use[i].page)
			*slot_of(&grown, u->use[i].page, u->use[i].task) = u->use[i];
	free(u->use);
	*u = grown;
	return 0;
}

struct page_use *page_uses_at(struct page_uses *u, uint64_t page, uint32_t task)
{
	struct page_use *e;

	if (task >= PAGE_TASKS || make_room(u)) {
		u->overflow++;
		return NULL;
	}
	e = slot_of(u, page, task);
	if (!e->page) {
		e->page = page;
		e->task = task;
		u->n++;
	}
	return e;
}

/* A table that one interval has made large would cost each later one the time to clear it. */
static void shrink(struct page_uses *u)
{
	uint32_t room = u->room;

	while (room > FIRST_ROOM && u->n < room / 16)
		room /= 2;
	if (room == u->room)
		return;
	free(u->use);
	u->use = calloc(room, sizeof *u->use);
	u->room = u->use ? room : 0;
}

void page_uses_next(struct page_uses *u, uint64_t begin)
{
	shrink(u);
	if (u->room)
		memset(u->use, 0, u->room * sizeof *u->use);
	memset(u->cpus, 0, sizeof u->cpus);
	u->n = 0;
	u->begin = begin;
	u->interval++;
}

/* --- rows ------------------------------------------------------------------------------------- */

void page_uses_head(FILE *f)
{
	fputs("task,thread,interval,begin_ns,end_ns,armed,interval_cpus,page,physical,reads,writes,cpus,structure,offset,place\n", f);
}

static int by_task_and_page(const void *x, const void *y)
{
	const struct page_use *a = x, *b = y;

	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return a->page < b->page ? -1 : a->page > b->page;
}

/* Makes the table a sorted list. */
static void sort(struct page_uses *u)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < u->room; i++)
		if (u->use[i].page)
			u->use[n++] = u->use[i];
	if (n)
		qsort(u->use, n, sizeof *u->use, by_task_and_page);
}

/* A mask of processors as one hexadecimal number. */
static void put_mask(FILE *f, const uint64_t *cpus)
{
	int top = PAGE_CPUS / 64 - 1;

	while (top > 0 && !cpus[top])
		top--;
	fprintf(f, ",0x%" PRIx64, cpus[top]);
	while (top-- > 0)
		fprintf(f, "%016" PRIx64, cpus[top]);
}

/* A field that may have commas or quotes. */
static void put_text(FILE *f, const char *s)
{
	fputs(",\"", f);
	for (; *s; s++) {
		if (*s == '"')
			putc('"', f);
		putc(*s, f);
	}
	putc('"', f);
}

static void put_place(FILE *f, const struct images *images, uint64_t ip)
{
	const struct image *image = images_find(images, ip);
	struct binary_place at;
	char text[4200] = "";

	if (image && image->file && image->file->binary && binary_place_at(image->file->binary,
	    ip - image->file->base, &at))
		snprintf(text, sizeof text, "%s:%d", at.file && *at.file ? at.file :
			at.function->name, at.line);
	else if (image && image->file)
		snprintf(text, sizeof text, "%s+0x%" PRIx64, image->file->path,
			ip - image->lo + image->offset);
	put_text(f, text);
}

static const char *name_of(const struct shm_tables *names, uint32_t object)
{
	return object < atomic_load(&names->shm->nobjects) ? names->shm->strings +
		names->shm->objects[object].name : "";
}

void page_uses_write(struct page_uses *u, FILE *f, const struct page_interval *i,
	const struct shm_tables *names, const struct images *images)
{
	sort(u);
	for (uint32_t k = 0; k < u->n; k++) {
		const struct page_use *e = &u->use[k];

		fprintf(f, "%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.4g", e->task,
			u->task[e->task], u->interval, u->begin - i->origin, i->end - i->origin,
			i->armed);
		put_mask(f, u->cpus);
		fprintf(f, ",0x%" PRIx64 ",", e->page);
		if (e->physical)
			fprintf(f, "0x%" PRIx64, e->physical);
		fprintf(f, ",%u,%u", e->reads, e->writes);
		put_mask(f, e->cpus);
		put_text(f, name_of(names, e->object));
		fprintf(f, ",%" PRIu64, e->offset);
		put_place(f, images, e->ip);
		putc('\n', f);
	}
}
