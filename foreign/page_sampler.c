/* SPDX-License-Identifier: BSD-3-Clause */
/* Arms pages, and counts what is seen of them.
 *
 * The budget buys faults: a thread's fault at an armed page costs what was measured at the start,
 * and dropping the entries what the recorder measures.  A group of pages is armed as a whole, and
 * groups are drawn at random, unless the budget allows all. */
#include "config.h"
#include "foreign/page_sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "foreign/page_code.h"

#define INTERVAL_NS UINT64_C(40000000)
#define CREDIT_MOST_NS 1e9      /* of the program's processor time: what was not spent before then
				 * is lost */
#define HIT_LEAST (1.0 / 16)    /* a program that touches few of its pages may touch all of them at
				 * once */
enum { PAGE = BURST_PAGE, GROUP = 16, CODES = 1 << 14, PAGES = BURST_TRACKED_BYTES / BURST_PAGE };

/* What an instruction does; open hash. */
struct page_code {
	uint64_t ip;            /* 0: free */
	uint8_t does;
	bool copies;
};

/* --- faults ----------------------------------------------------------------------------------- */

/* Code that is in no file is read from the program. */
static bool read_code(const struct page_sampler *s, uint64_t ip, uint8_t *out)
{
	struct iovec to = { out, PAGE_CODE_BYTES }, from = { (void *)(uintptr_t)ip,
		PAGE_CODE_BYTES };

	return images_code(s->objects->images, ip, out, PAGE_CODE_BYTES) ||
		process_vm_readv((pid_t)s->pid, &to, 1, &from, 1, 0) == PAGE_CODE_BYTES;
}

static const struct page_code *code_at(struct page_sampler *s, uint64_t ip)
{
	uint32_t at = (uint32_t)(ip * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (CODES - 1);
	uint8_t bytes[PAGE_CODE_BYTES];
	int copies = 0;

	while (s->code[at].ip && s->code[at].ip != ip)
		at = (at + 1) & (CODES - 1);
	if (s->code[at].ip)
		return &s->code[at];
	if (s->ncodes > CODES / 2) {    /* a just-in-time compiler makes new code */
		memset(s->code, 0, CODES * sizeof *s->code);
		s->ncodes = 0;
		return code_at(s, ip);
	}
	s->code[at].ip = ip;
	s->code[at].does = (uint8_t)(read_code(s, ip, bytes) ? page_code_access(bytes, sizeof bytes,
		&copies) : 0);
	s->code[at].copies = copies;
	s->ncodes++;
	return &s->code[at];
}

static unsigned access_of(struct page_sampler *s, const struct page_fault *f)
{
	const struct page_code *c = code_at(s, f->ip);

	return c->copies ? page_code_side(f->address, f->rsi, f->rdi) : c->does;
}

/* Pages are known once they have been touched: others have nothing to arm. */
static void note_page(struct page_sampler *s, uint64_t number)
{
	const uint32_t group = (uint32_t)(number / GROUP);
	bool new = true;

	if (s->known[number]) {
		s->in_interval++;
		return;
	}
	for (uint64_t k = group * (uint64_t)GROUP; k < (group + UINT64_C(1)) * GROUP; k++)
		new = new && !s->known[k];
	s->known[number] = 1;
	s->first++;
	if (new && s->nwindows == s->room) {
		const uint32_t room = s->room ? 2 * s->room : 4096;
		uint32_t *more = realloc(s->window, room * sizeof *more);

		if (!more)
			return;
		s->window = more;
		s->room = room;
	}
	if (new)
		s->window[s->nwindows++] = group;
}

static void fill(struct page_use *u, const struct page_fault *f, const struct memory_span *span)
{
	if (!u->reads && !u->writes) {
		u->object = span->object;
		u->offset = f->address - span->lo;
		u->ip = f->ip;
	}
	if (f->physical)
		u->physical = f->physical & ~(uint64_t)(PAGE - 1);
}

/* Keeps the access for the timeline.  Code that belongs to whoever calls it
 * counts to the whole run. */
static void keep(struct page_sampler *s, const struct page_fault *f, const struct page_use *u,
	const struct memory_span *span)
{
	const uint32_t context = places_at(s->places, f->ip).context;
	const uint64_t page = f->address & ~(uint64_t)(PAGE - 1);
	const unsigned does = access_of(s, f);
	const struct page_seen seen = { .block = span->lo, .bytes = span->hi - span->lo,
		.task = u->task, .context = context == PLACE_CALLER ? 0 : context,
		.object = span->object, .reads = !does || does & PAGE_READ,
		.writes = (does & PAGE_WRITE) != 0 };

	if (u->task < MON_THREADS && span->lo)
		page_history_add(&s->history, &seen, page > span->lo ? page - span->lo : 0,
			f->time > s->origin ? (f->time - s->origin) / 1000 : 0);
}

static void count(struct page_sampler *s, const struct page_fault *f)
{
	struct page_use *u = page_uses_at(&s->uses, f->address & ~(uint64_t)(PAGE - 1),
		page_uses_task(&s->uses, f->tid));
	const unsigned does = access_of(s, f);
	struct memory_span span;

	if (!u)
		return;
	memory_objects_find(s->objects, f->address, &span);
	fill(u, f, &span);
	keep(s, f, u, &span);
	s->undecoded += !does;
	u->reads += !does || does & PAGE_READ;
	u->writes += (does & PAGE_WRITE) != 0;
	if (f->cpu < PAGE_CPUS) {
		u->cpus[f->cpu / 64] |= UINT64_C(1) << f->cpu % 64;
		s->uses.cpus[f->cpu / 64] |= UINT64_C(1) << f->cpu % 64;
	}
}

/* Where the address is in tracked memory; UINT64_MAX: it is not there. */
static uint64_t offset_of(const struct burst_tracked *t, uint64_t address)
{
	const uint64_t low = atomic_load(&t->low);

	if (!low)
		return UINT64_MAX;
	if (address - low < BURST_TRACKED_BYTES)
		return address - low;
	for (uint32_t k = 0; k < t->nplaced && k < BURST_PLACED; k++) {
		const struct burst_placed p = t->placed[k];

		if (address - p.address < p.bytes && p.offset < BURST_TRACKED_BYTES &&
		    p.bytes <= BURST_TRACKED_BYTES - p.offset)
			return p.offset + (address - p.address);
	}
	return UINT64_MAX;
}

/* A fault at a page that was not protected is its first touch, or a read. */
static void take_write_fault(void *with, const struct page_fault *f)
{
	struct page_sampler *s = with;

	if (!s->writes.page || f->pid != (uint32_t)s->pid ||
	    !page_writes_wants(s->objects->images, f->address))
		return;
	s->faults++;
	if (page_writes_take(&s->writes, f->address & ~(uint64_t)(PAGE - 1)))
		s->in_interval++;
	else
		s->first++;
	if (access_of(s, f) & PAGE_WRITE)
		count(s, f);
}

static void take_fault(void *with, const struct page_fault *f)
{
	struct page_sampler *s = with;
	const uint64_t offset = offset_of(&s->recorder->head->tracked, f->address);

	if (offset == UINT64_MAX || f->pid != (uint32_t)s->pid)
		return;
	s->faults++;
	note_page(s, offset / PAGE);
	count(s, f);
}

/* --- the budget ------------------------------------------------------------------------------- */

static uint64_t program_cpu(const struct page_sampler *s)
{
	struct timespec t;

	if (clock_gettime(s->clock, &t))
		return s->cpu;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* What the program's processor time has earned, less what its faults and the arming have taken. */
static void settle(struct page_sampler *s)
{
	const uint64_t cpu = program_cpu(s),
		arm_ns = atomic_load(&s->recorder->head->tracked.arm_ns);
	const double spent = s->cost * (double)s->in_interval + (double)(arm_ns - s->arm_ns);

	s->spent += spent;
	s->credit += s->setup->budget * (double)(cpu - s->cpu) - spent;
	if (s->credit > s->setup->budget * CREDIT_MOST_NS)
		s->credit = s->setup->budget * CREDIT_MOST_NS;
	s->cpu = cpu;
	s->arm_ns = arm_ns;
	if (s->armed)
		s->hit = s->hit / 2 + (double)s->in_interval / (double)s->armed / 2;
	s->in_interval = 0;
}

/* --- arming ----------------------------------------------------------------------------------- */

static uint64_t draw(struct page_sampler *s, uint64_t n)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return s->random % n;
}

/* Draws one of the groups from number k on, and puts it at k. */
static uint32_t draw_group(struct page_sampler *s, uint32_t k)
{
	const uint32_t at = k + (uint32_t)draw(s, s->nwindows - k), group = s->window[at];

	s->window[at] = s->window[k];
	s->window[k] = group;
	return group;
}

/* The pages that the budget buys now. */
static uint64_t affordable(const struct page_sampler *s)
{
	const double hit = s->hit > HIT_LEAST ? s->hit : HIT_LEAST;

	return s->credit > 0 ? (uint64_t)(s->credit / (s->cost * hit)) : 0;
}

/* Soft-dirty bits need nothing of the program. */
static bool writes_are_told(const struct page_sampler *s)
{
	return s->uffd >= 0 || s->writes_by == PAGE_WRITES_SOFT_DIRTY;
}

/* The pages that are known are those of the program that is executed: not before. */
static void protect(struct page_sampler *s)
{
	if (!s->writes.page && page_writes_open(&s->writes, s->pid, s->writes_by))
		return;
	page_writes_register(&s->writes, s->uffd, s->objects->images);
	s->armed = page_writes_protect(&s->writes, affordable(s));
	s->part = s->writes.part;
}

static void arm(struct page_sampler *s)
{
	struct burst_tracked *t = &s->recorder->head->tracked;
	const uint64_t pages = affordable(s);
	uint32_t n = 0;

	if (pages >= (uint64_t)s->nwindows * GROUP)
		t->window[n++] = (struct burst_window){ 0, atomic_load(&t->top) };
	else
		for (; n < pages / GROUP && n < BURST_WINDOWS; n++)
			t->window[n] = (struct burst_window){ draw_group(s, n) * (uint64_t)GROUP *
				PAGE, GROUP * PAGE };
	s->armed = n == 1 && t->window[0].bytes > GROUP * PAGE ? s->nwindows * (uint64_t)GROUP :
		n * (uint64_t)GROUP;
	s->part = (double)s->armed / GROUP / s->nwindows;
	if (!n)
		return;
	t->windows = n;
	s->windows += n;
	atomic_fetch_add_explicit(&t->arm_wanted, 1, memory_order_release);
}

/* --- intervals -------------------------------------------------------------------------------- */

/* What the file holds is known when it is closed. */
static void end_file(struct page_sampler *s)
{
	const bool failed = ferror(s->file);

	errno = 0;
	if (fclose(s->file) || failed)
		s->file_error = errno ? errno : EIO;
	s->file = NULL;
}

static void end_interval(struct page_sampler *s, uint64_t now)
{
	const struct page_interval i = { now, s->origin, s->part };

	if (s->file)
		page_uses_write(&s->uses, s->file, &i, s->objects->tables, s->objects->images);
	s->intervals += s->uses.n != 0;
	page_uses_next(&s->uses, now);
}

/* The descriptor comes with the first message. */
static void receive_uffd(struct page_sampler *s)
{
	char byte, room[CMSG_SPACE(sizeof s->uffd)] = "";
	struct iovec data = { &byte, 1 };
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = room,
		.msg_controllen = sizeof room };
	const struct cmsghdr *c;

	if (s->socket < 0 || recvmsg(s->socket, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
		return;
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(&s->uffd, CMSG_DATA(c), sizeof s->uffd);
	close(s->socket);
	s->socket = -1;
}

void page_sampler_mark(struct page_sampler *s)
{
	if (s->on)
		page_events_mark(&s->events);
}

void page_sampler_take_until(struct page_sampler *s, uint64_t time)
{
	if (s->on)
		page_events_take(&s->events, time, s->setup->writes ? take_write_fault :
			take_fault, s);
}

void page_sampler_take(struct page_sampler *s, bool last)
{
	const struct burst_tracked *t = &s->recorder->head->tracked;
	const uint64_t now = clock_ns();

	if (!s->on)
		return;
	receive_uffd(s);
	page_sampler_take_until(s, UINT64_MAX);
	if (!last && (now - s->uses.begin < INTERVAL_NS ||
	    atomic_load_explicit(&t->arm_done, memory_order_acquire) !=
	    atomic_load(&t->arm_wanted)))
		return;
	end_interval(s, now);
	if (last && s->file)
		end_file(s);
	settle(s);
	if (!last && s->setup->writes && writes_are_told(s))
		protect(s);
	else if (!last && s->nwindows)
		arm(s);
}

void page_sampler_describe(const struct page_sampler *s, struct mon_pages *out)
{
	const struct burst_tracked *t = &s->recorder->head->tracked;

	*out = (struct mon_pages){ .asked = s->setup->on, .sampled = s->on && (s->setup->writes ?
		writes_are_told(s) : atomic_load(&t->low) != 0), .writes = s->setup->writes,
		.groups = !s->setup->writes && !t->exact, .faults = s->faults, .first = s->first,
		.intervals = s->intervals, .lost = s->events.lost + s->events.damaged +
		s->uses.overflow + s->history.lost, .undecoded = s->undecoded,
		.fault_ns = (uint64_t)s->cost, .spent_ns = (uint64_t)s->spent,
		.not_armed = atomic_load(&t->arm_failed), .file_error = (uint32_t)s->file_error,
		.known = s->first * PAGE, .no_blocks = t->no_blocks,
		.other_maps = atomic_load(&t->other_maps),
		.other_bytes = atomic_load(&t->other_bytes) };
}

/* --- begin and end ---------------------------------------------------------------------------- */

int page_sampler_begin(struct page_sampler *s, const struct page_setup *setup, long pid, int socket,
	struct err *err)
{
	*s = (struct page_sampler){ .setup = setup, .pid = pid, .socket = socket, .uffd = -1,
		.hit = 1, .random = UINT64_C(88172645463325252) };
	if (!setup->on)
		return 0;
	s->cost = page_events_cost();
	s->writes_by = setup->writes ? page_host_writes() : PAGE_WRITES_NOT_TOLD;
	s->known = mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
		MAP_NORESERVE, -1, 0);
	if (s->known == MAP_FAILED)
		s->known = NULL;
	s->code = calloc(CODES, sizeof *s->code);
	if (!s->known || !s->code)
		return err_nomem(err);
	if (clock_getcpuclockid((pid_t)pid, &s->clock) || !(s->cost > 0))
		return err_set(err, "no clock of the program's processor time");
	if (page_events_open(&s->events, pid, err))
		return -1;
	s->on = true;
	return 0;
}

void page_sampler_use(struct page_sampler *s, struct recorder *r, struct memory_objects *objects,
	struct code_contexts *places)
{
	s->recorder = r;
	s->objects = objects;
	s->places = places;
	s->origin = s->uses.begin = clock_ns();
	s->cpu = program_cpu(s);
	if (s->on && s->setup->file >= 0)
		s->file = fdopen(s->setup->file, "w");
	if (s->file)
		page_uses_head(s->file);
}

void page_sampler_end(struct page_sampler *s)
{
	page_events_close(&s->events);
	page_uses_end(&s->uses);
	page_history_free(&s->history);
	if (s->writes.page)
		page_writes_close(&s->writes);
	if (s->file)
		end_file(s);
	if (s->known)
		munmap(s->known, PAGES);
	free(s->code);
	free(s->window);
	if (s->uffd >= 0)
		close(s->uffd);
	if (s->socket >= 0)
		close(s->socket);
	*s = (struct page_sampler){ .uffd = -1, .socket = -1 };
}
