/* SPDX-License-Identifier: BSD-3-Clause */
/* The agent's side of the shared memory: sockets, requests, copies of the tables.
 *
 * The application owns the memory and may write anything there at any time.  So every count is read
 * once and clamped, and never decreases; every index is checked; every row is copied before it is
 * examined. */
#include "config.h"
#include "monitor/client/peer.h"
#include "base/clock.h"
#include "base/err.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { HELLO_MS = 20, HALF_OPEN = 64 };

/* Connections whose hello has not arrived yet. */
static struct { int listener, fd; } half_open[HALF_OPEN];
static int nhalf_open;

/* Number of rows in a table.  Tables only grow: a smaller count would remove rows that callers have
 * seen. */
static uint32_t table_size(const struct mon_peer *p, enum table table, uint32_t now, uint32_t max)
{
	uint32_t *seen = (uint32_t *)(uintptr_t)&p->seen[table];

	now = at_most(now, max);
	if (*seen < now)
		*seen = now;
	return *seen;
}

int mon_listen(const char *path, struct err *err)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	mode_t old;
	int fd, bad;

	if (strlen(path) >= sizeof a.sun_path)
		return err_set(err, "%s: too long for the path of a socket", path);
	strcpy(a.sun_path, path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return err_sys(err, "socket");
	old = umask(0177);
	bad = bind(fd, (struct sockaddr *)&a, sizeof a);
	umask(old);
	if (bad || listen(fd, 1024)) {
		err_sys(err, "%s", path);
		close(fd);
		return -1;
	}
	return fd;
}

/* Reads one packet and the memory's descriptor; *memory is -1 without one. */
static ssize_t hello_read(int fd, struct mon_hello *h, int *memory)
{
	struct iovec v = { h, sizeof *h };
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(sizeof(int) * 4)];
	} control;
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = control.space,
		.msg_controllen = sizeof control.space };
	ssize_t n = recvmsg(fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	*memory = -1;
	if (n < 0)
		return n;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
		size_t nfds;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		nfds = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < nfds; i++) {
			int got;

			memcpy(&got, CMSG_DATA(c) + i * sizeof got, sizeof got);
			if (*memory < 0)
				*memory = got;
			else
				close(got);
		}
	}
	return n;
}

static struct mon_shm *memory_map(int fd, const struct mon_hello *h, struct err *err)
{
	const int need = F_SEAL_SHRINK | F_SEAL_GROW;
	struct stat st;
	struct mon_shm *shm;
	int seals;

	if (fd < 0) {
		err_set(err, "process %u sent no shared memory", h->pid);
		return NULL;
	}
	seals = fcntl(fd, F_GET_SEALS);
	if (fstat(fd, &st) || seals < 0 || (seals & need) != need ||
	    st.st_size != (off_t)sizeof *shm || h->bytes != sizeof *shm) {
		err_set(err, "process %u: its shared memory has the wrong size or lacks seals",
			h->pid);
		return NULL;
	}
	shm = mmap(NULL, sizeof *shm, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (shm == MAP_FAILED) {
		err_sys(err, "mmap of process %u's memory", h->pid);
		return NULL;
	}
	if (shm->magic != MON_MAGIC || shm->version != MON_VERSION) {
		munmap(shm, sizeof *shm);
		err_set(err, "process %u: its shared memory is not of a monitor of this version",
			h->pid);
		return NULL;
	}
	return shm;
}

static struct mon_peer *peer_open(int fd, struct err *err)
{
	struct mon_peer *p = calloc(1, sizeof *p);
	struct ucred cred;
	socklen_t len = sizeof cred;
	int memory = -1;
	ssize_t n;

	if (!p) {
		err_nomem(err);
		goto fail;
	}
	p->fd = fd;
	n = hello_read(fd, &p->hello, &memory);
	p->memory = memory;
	if (n != (ssize_t)sizeof p->hello || p->hello.kind != MON_HELLO) {
		err_set(err, "a connection that is not from a monitor");
		goto fail;
	}
	p->hello.executable[sizeof p->hello.executable - 1] = '\0';
	if (p->hello.version != MON_VERSION) {
		err_set(err, "process %u: its monitor has version %u, the agent has version %u",
			p->hello.pid, p->hello.version, (unsigned)MON_VERSION);
		goto fail;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) || cred.uid != geteuid()) {
		err_set(err, "process %u belongs to another user", p->hello.pid);
		goto fail;
	}
	p->shm = memory_map(memory, &p->hello, err);
	if (!p->shm)
		goto fail;
	return p;
fail:
	if (memory >= 0)
		close(memory);
	close(fd);
	free(p);
	return NULL;
}

/* A connection of this listener whose hello has arrived; -1: none. */
static int ready_connection(int listener)
{
	int fd;

	while (nhalf_open < HALF_OPEN &&
	       (fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
		half_open[nhalf_open].listener = listener;
		half_open[nhalf_open++].fd = fd;
	}
	for (int i = 0; i < nhalf_open; i++) {
		struct pollfd p = { half_open[i].fd, POLLIN, 0 };

		if (half_open[i].listener != listener)
			continue;
		/* The hello follows the connection at once: a short wait saves another call. */
		if (poll(&p, 1, HELLO_MS) <= 0)
			continue;
		half_open[i] = half_open[--nhalf_open];
		return p.fd;
	}
	return -1;
}

struct mon_peer *mon_peer_accept(int listener, struct err *err)
{
	int fd = ready_connection(listener);

	if (fd < 0) {
		if (err)
			err->text[0] = '\0';
		return NULL;
	}
	return peer_open(fd, err);
}

void mon_peer_forget(struct mon_peer *p)
{
	if (!p->shm)
		return;
	munmap(p->shm, sizeof *p->shm);
	close(p->memory);
	p->shm = NULL;
	p->memory = -1;
}

void mon_peer_free(struct mon_peer *p)
{
	if (!p)
		return;
	if (p->shm && !p->gone)
		mon_peer_detach(p);
	mon_peer_forget(p);
	close(p->fd);
	free(p);
}

int mon_peer_fd(const struct mon_peer *p)
{
	return p->fd;
}

uint32_t mon_peer_pid(const struct mon_peer *p)
{
	return p->hello.pid;
}

int mon_peer_rank(const struct mon_peer *p)
{
	return p->hello.rank;
}

const char *mon_peer_executable(const struct mon_peer *p)
{
	return p->hello.executable;
}

static int peer_send(struct mon_peer *p, uint32_t kind)
{
	return send(p->fd, &kind, sizeof kind, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -1 : 0;
}

static void put_phase(struct mon_peer *p, const struct mon_hook *phase, uint32_t nphase)
{
	for (uint32_t i = 0; i < nphase; i++) {
		p->shm->phase[i].hash = phase[i].hash;
		p->shm->phase[i].index = phase[i].index;
	}
	p->shm->nphase = nphase;
}

static void put_places(struct mon_shm *shm, const struct mon_setup *s)
{
	shm->nplaces = at_most(s->nplaces, MON_PLACES);
	for (uint32_t i = 0; i < shm->nplaces; i++) {
		const struct mon_place_rule *r = &s->places[i];
		struct mon_place *p = &shm->place[i];

		p->action = r->action;
		p->node = r->node;
		p->line = r->line;
		snprintf(p->name, sizeof p->name, "%s", r->name);
		snprintf(p->file, sizeof p->file, "%s", r->file);
	}
}

int mon_peer_welcome(struct mon_peer *p, const struct mon_setup *s, struct err *err)
{
	if (s->nphase > MON_HOOKS)
		return err_set(err, "the phase has %u names; the monitor takes %u", s->nphase,
			(unsigned)MON_HOOKS);
	put_phase(p, s->phase, s->nphase);
	p->shm->ncandidates = at_most(s->ncandidates, MON_CANDIDATES);
	for (uint32_t i = 0; i < p->shm->ncandidates; i++) {
		p->shm->candidate[i].hash = s->candidates[i].hash;
		p->shm->candidate[i].index = s->candidates[i].index;
		if (s->ncandidates - i <= s->nteam)
			atomic_fetch_or(&p->shm->candidate[i].flags, MON_CANDIDATE_TEAM);
	}
	p->ncandidates = p->shm->ncandidates;
	p->shm->nbrief = at_most(s->nbrief, MON_BRIEF);
	for (uint32_t i = 0; i < p->shm->nbrief; i++) {
		p->shm->brief[i].hash = s->brief[i].hash;
		p->shm->brief[i].index = s->brief[i].index;
	}
	p->shm->lockstep = s->lockstep;
	p->shm->timed_ns = s->timed_ns;
	p->shm->check = s->check;
	p->shm->mpi = s->mpi;
	put_places(p->shm, s);
	p->shm->no_faults = s->no_faults;
	p->shm->first_touches = s->touches;
	p->shm->batch = s->batch;
	p->shm->turn = s->turn;
	p->shm->machine = p->machine = s->machine;
	atomic_thread_fence(memory_order_release);
	if (peer_send(p, MON_WELCOME))
		return err_sys(err, "welcome to process %u", p->hello.pid);
	return 0;
}

void mon_peer_refuse(struct mon_peer *p)
{
	peer_send(p, MON_REFUSE);
}

enum mon_news mon_peer_news(struct mon_peer *p)
{
	enum mon_news news = MON_NEWS_NONE;
	uint32_t kind;
	ssize_t n;

	while (!p->gone) {
		n = recv(p->fd, &kind, sizeof kind, MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return news;
		if (n <= 0)
			p->gone = true;
		else if (n == (ssize_t)sizeof kind && kind == MON_WAITING)
			news = MON_NEWS_WAITING;
		else if (news == MON_NEWS_NONE)
			news = MON_NEWS_EVENT;
	}
	return MON_NEWS_GONE;
}

void mon_peer_go(struct mon_peer *p)
{
	peer_send(p, MON_GO);
}

uint64_t mon_peer_begun(const struct mon_peer *p)
{
	return atomic_load(&p->shm->phase_begun);
}

uint64_t mon_peer_finished(const struct mon_peer *p)
{
	return atomic_load(&p->shm->phase_finished);
}

bool mon_peer_exiting(const struct mon_peer *p)
{
	return atomic_load(&p->shm->exiting) != 0;
}

uint32_t mon_peer_threads(const struct mon_peer *p)
{
	return table_size(p, THREADS, atomic_load(&p->shm->threads), MON_THREADS);
}

void mon_peer_elapsed(const struct mon_peer *p, struct mon_elapsed *out)
{
	uint64_t start = p->shm->started_ns, end = atomic_load(&p->shm->ended_ns), now = clock_ns();
	uint64_t paused = atomic_load(&p->shm->paused_ns), stands = atomic_load(&p->shm->stands);

	*out = (struct mon_elapsed){ 0 };
	end = (!end || end > now ? now : end) - paused;
	if (stands && stands < end)
		end = stands;
	if (start && start < end && end <= now)
		*out = (struct mon_elapsed){ end - start, atomic_load(&p->shm->paused_runs),
			atomic_load(&p->shm->surveyed_ns), atomic_load(&p->shm->surveyed_runs) };
}

bool mon_peer_timed(const struct mon_peer *p, uint32_t candidate, struct mon_timed *out)
{
	const struct mon_candidate *c;
	struct mon_elapsed all;
	uint64_t since, first, given_up, now;

	*out = (struct mon_timed){ 0 };
	if (candidate >= p->ncandidates)
		return false;
	mon_peer_elapsed(p, &all);
	c = &p->shm->candidate[candidate];
	since = atomic_load(&c->since);
	now = p->shm->started_ns + all.ns;      /* on the clock of the candidates */
	first = atomic_load(&c->first);
	given_up = atomic_load(&c->given_up);
	*out = (struct mon_timed){ atomic_load(&c->ns), atomic_load(&c->runs),
		atomic_load(&c->entries), first && first < now ? now - first : 0,
		atomic_load(&c->flags), since != 0 };
	if (since && since < now)
		out->ns += now - since;
	else if (first && first < given_up && given_up < now)
		out->ns = (uint64_t)((double)out->ns * (double)(now - first) /
			(double)(given_up - first));
	if (out->ns > all.ns)
		out->ns = all.ns;
	return true;
}

void mon_peer_choose(struct mon_peer *p, const struct mon_hook *phase, uint32_t nphase)
{
	put_phase(p, phase, at_most(nphase, MON_HOOKS));
	p->generation++;
	atomic_store_explicit(&p->shm->generation, p->generation, memory_order_release);
}

bool mon_peer_chosen(struct mon_peer *p)
{
	if (atomic_load(&p->shm->applied) != p->generation)
		return false;
	if (p->begun_anew != p->generation)     /* these tables begin anew, too */
		p->seen[CONTEXTS] = p->seen[ALIASES] = 0;
	p->begun_anew = p->generation;
	return true;
}

void mon_peer_settle(struct mon_peer *p)
{
	atomic_store(&p->shm->settled, 1);
}

uint64_t mon_peer_foreign(const struct mon_peer *p)
{
	return atomic_load(&p->shm->foreign);
}

void mon_peer_placed(const struct mon_peer *p, uint32_t n, struct mon_placed *out)
{
	struct mon_place *place = &p->shm->place[n];
	const uint32_t refusal = atomic_load(&place->refusal);

	*out = (struct mon_placed){ .objects = atomic_load(&place->objects),
		.refusal = refusal < MON_TRIAL_REFUSALS ? (enum mon_trial_refusal)refusal :
		MON_TRIAL_NOT_MOVED, .blocks = atomic_load(&place->blocks),
		.bytes = atomic_load(&place->bytes), .left = atomic_load(&place->left) };
}

enum mon_placement mon_peer_placement(const struct mon_peer *p)
{
	uint32_t n = atomic_load(&p->shm->placement);

	return n <= MON_PLACE_UNKNOWN ? (enum mon_placement)n : MON_PLACE_UNKNOWN;
}

uint64_t mon_peer_unseen_faults(const struct mon_peer *p)
{
	return atomic_load(&p->shm->unseen_faults);
}

/* --- requests ------------------------------------------------------------------------------- */

static bool fix_has_parameter(uint32_t fix)
{
	return fix == MON_FIX_SHIFT || fix == MON_FIX_ROWS || fix == MON_FIX_SPREAD;
}

static bool variants_ok(const struct mon_want *w)
{
	if (w->nvariants > MON_VARIANTS || (w->nvariants && w->kind != MON_SIM))
		return false;
	for (uint32_t i = 0; i < w->nvariants; i++) {
		const struct mon_variant *v = &w->variants[i];

		if (!v->fix || v->fix >= MON_FIXES || v->object < MON_OBJ_FIRST ||
		    v->parameter > MON_FIX_MAX || (fix_has_parameter(v->fix) && !v->parameter))
			return false;
	}
	return true;
}

static bool verify_ok(const struct mon_want *w)
{
	return w->kind != MON_VERIFY || (w->object >= MON_OBJ_FIRST && w->clean_ns &&
		w->clean_ns <= MON_VERIFY_LONGEST);
}

static bool one_cpu_ok(const struct mon_want *w)
{
	return !(w->one_cpu || w->kernel_only) || w->kind == MON_TIME;
}

static bool events_ok(const struct mon_want *w)
{
	if (w->kind != MON_EVENTS)
		return !w->nevents;
	for (uint32_t i = 0; i < w->nevents && i < MON_EVENTS_MOST; i++)
		if (w->events[i].flags & ~(uint32_t)MON_EVENT_FLAGS)
			return false;
	return w->nevents && w->nevents <= MON_EVENTS_MOST;
}

static bool trial_ok(const struct mon_want *w)
{
	uint64_t all = 0;

	if (w->kind != MON_TRIAL)
		return !w->nschedule;
	if (!w->nschedule || w->nschedule > MON_TRIAL_SLOTS || !w->action ||
	    w->action >= MON_ACTIONS)
		return false;
	if ((w->action >= MON_ACTION_LARGE_PAGES && w->action <= MON_ACTION_LOCAL &&
	    w->object < MON_OBJ_FIRST) || w->ncpus > MON_TRIAL_CPUS)
		return false;
	for (uint32_t i = 0; i < w->nschedule; i++)
		all += (uint64_t)w->schedule[i].discard + w->schedule[i].keep;
	return all == w->count && !w->warm;
}

/* The most executions that a request may count. */
static uint32_t most_counted(const struct mon_want *w)
{
	return w->kind == MON_TRIAL ? MON_TRIAL_EXECUTIONS :
		w->kernel_only ? MON_KERNEL_EXECUTIONS : MON_EXECUTIONS;
}

static void put_trial(struct mon_request *r, const struct mon_want *w)
{
	r->action = w->action;
	r->keep = w->keep;
	r->at_once = w->at_once;
	r->nschedule = w->nschedule;
	r->node = w->node;
	r->ncpus = w->ncpus;
	if (w->ncpus)
		memcpy(r->cpu, w->cpu, w->ncpus * sizeof *w->cpu);
	r->trial = (struct mon_trial){ 0 };
	if (w->nschedule)
		memcpy(r->schedule, w->schedule, w->nschedule * sizeof *w->schedule);
}

int mon_peer_request(struct mon_peer *p, const struct mon_want *want, struct err *err)
{
	struct mon_request *r = NULL;
	int slot;

	if (want->kind < MON_TIME || want->kind >= MON_KINDS || !want->first || !want->count ||
	    want->count > most_counted(want) || want->nfilters > MON_FILTERS ||
	    !variants_ok(want) || !verify_ok(want) || !one_cpu_ok(want) || !events_ok(want) ||
	    !trial_ok(want))
		return err_set(err, "malformed request");
	for (slot = 0; slot < MON_SLOTS && !r; slot++)
		if (atomic_load(&p->shm->request[slot].state) == MON_EMPTY)
			r = &p->shm->request[slot];
	if (!r)
		return err_set(err, "process %u has no free request slot", p->hello.pid);
	slot--;
	r->kind = want->kind;
	r->first = want->first;
	r->generation = p->generation;
	r->least_percent = want->least_percent;
	r->warm = want->warm;
	r->sample = want->sample;
	r->maps = want->maps;
	r->overwrites = want->overwrites;
	r->slow_percent = want->slow_percent;
	r->slow_budget = want->slow_budget;
	r->slow_ns = want->slow_ns;
	r->slow_spent = want->slow_spent;
	r->added_ns = 0;
	r->count = want->count;
	r->nfilters = want->nfilters;
	if (want->nfilters)
		memcpy(r->filter, want->filters, want->nfilters * sizeof *want->filters);
	r->object = want->object;
	r->clean_ns = want->clean_ns;
	r->nvariants = want->nvariants;
	if (want->nvariants)
		memcpy(r->variant, want->variants, want->nvariants * sizeof *want->variants);
	r->one_cpu = want->one_cpu;
	r->kernel_only = want->kernel_only;
	r->nevents = want->nevents;
	if (want->nevents)
		memcpy(r->event, want->events, want->nevents * sizeof *want->events);
	put_trial(r, want);
	p->asked[slot] = (struct asked){ want->kind, want->count, want->sample, want->nvariants,
		want->slow_percent || want->slow_ns, want->nevents, want->nschedule };
	r->rows = (struct mon_row_numbers){ 0 };
	r->executions = r->reason = 0;
	atomic_store_explicit(&r->state, MON_READY, memory_order_release);
	atomic_fetch_or(&p->shm->doorbell, 1u << slot);
	return slot;
}

enum mon_state mon_peer_state(const struct mon_peer *p, int slot)
{
	uint32_t state;

	if (slot < 0 || slot >= MON_SLOTS)
		return MON_EMPTY;
	state = atomic_load_explicit(&p->shm->request[slot].state, memory_order_acquire);
	return state <= MON_DROPPED ? (enum mon_state)state : MON_DROPPED;
}

/* --- tables --------------------------------------------------------------------------------- */

/* Copies the string at an offset.  false: it is too long or does not end within the table. */
static PSC_CHECKED bool string_at(const struct mon_peer *p, uint32_t offset, char *out, size_t size)
{
	uint32_t n = table_size(p, STRINGS, atomic_load(&p->shm->nstrings), MON_STRINGS);
	const volatile char *strings = p->shm->strings;

	for (size_t i = 0; i < size && offset + i < n; i++) {
		out[i] = strings[offset + i];
		if (!out[i])
			return true;
	}
	return false;
}

static bool unit_at(const struct mon_peer *p, uint32_t n, struct mon_unit *out)
{
	if (n >= table_size(p, UNITS, atomic_load(&p->shm->nunits), MON_UNITS))
		return false;
	copy_once(out, &p->shm->units[n], sizeof *out);
	return true;
}

uint32_t mon_peer_ncontexts(const struct mon_peer *p)
{
	return table_size(p, CONTEXTS, atomic_load(&p->shm->ncontexts), MON_CONTEXTS);
}

bool mon_peer_context(const struct mon_peer *p, uint32_t n, struct mon_context *out,
	uint64_t *unit_hash)
{
	struct mon_context c;
	struct mon_unit u;

	if (n >= mon_peer_ncontexts(p))
		return false;
	copy_once(&c, &p->shm->contexts[n], sizeof c);
	/* A parent's number is lower, so the tree has no cycles even in overwritten memory. */
	if ((n ? c.parent >= n : c.parent != MON_ANY) || !unit_at(p, c.unit, &u) ||
	    c.region >= u.nregions)
		return false;
	*out = c;
	*unit_hash = u.hash;
	return true;
}

const char *mon_peer_code(const struct mon_peer *cp, uint32_t n)
{
	struct mon_peer *p = (struct mon_peer *)(uintptr_t)cp; /* to write its text buffer only */
	const volatile uint32_t *code = p->shm->code;

	if (n >= at_most(atomic_load(&p->shm->ncode), MON_CODE) ||
	    !string_at(p, code[n], p->source, sizeof p->source))
		return NULL;
	return p->source;
}

uint32_t mon_peer_nobjects(const struct mon_peer *p)
{
	return table_size(p, OBJECTS, atomic_load(&p->shm->nobjects), MON_OBJECTS);
}

bool mon_peer_object(const struct mon_peer *cp, uint32_t n, struct mon_object *out,
	const char **name, const char **scope, uint64_t *unit_hash, const char **source)
{
	struct mon_peer *p = (struct mon_peer *)(uintptr_t)cp; /* to write its text buffers only */
	struct mon_object o;
	struct mon_unit u;

	if (n < MON_OBJ_FIRST || n >= mon_peer_nobjects(p))
		return false;
	copy_once(&o, &p->shm->objects[n], sizeof o);
	if (o.unit == MON_NO_UNIT)
		u = (struct mon_unit){ 0 };
	else if (!unit_at(p, o.unit, &u))
		return false;
	if (!string_at(p, o.name, p->text[0], sizeof p->text[0]) ||
	    !string_at(p, o.scope, p->text[1], sizeof p->text[1]) ||
	    !string_at(p, o.file ? o.file : u.source, p->source, sizeof p->source) ||
	    (o.region != MON_ANY && o.region >= u.nregions))
		return false;
	*out = o;
	*name = p->text[0];
	*scope = p->text[1];
	*unit_hash = u.hash;
	*source = p->source;
	return true;
}

const char *mon_peer_allocated_in(const struct mon_peer *cp, const struct mon_object *o)
{
	struct mon_peer *p = (struct mon_peer *)(uintptr_t)cp; /* to write its text buffer only */

	if (!o->allocated_file || !o->allocated_line || o->allocated_line == MON_ANY)
		return NULL;
	return string_at(p, o->allocated_file, p->source, sizeof p->source) ? p->source : NULL;
}

uint32_t mon_peer_naliases(const struct mon_peer *p)
{
	return table_size(p, ALIASES, atomic_load(&p->shm->naliases), MON_ALIASES);
}

bool mon_peer_alias(const struct mon_peer *cp, uint32_t n, uint64_t *unit_hash, uint32_t *region,
	uint32_t *object, uint32_t *context, const char **name)
{
	struct mon_peer *p = (struct mon_peer *)(uintptr_t)cp;
	struct mon_alias a;
	struct mon_unit u;

	if (n >= mon_peer_naliases(p))
		return false;
	copy_once(&a, &p->shm->aliases[n], sizeof a);
	if (!string_at(p, a.name, p->text[0], sizeof p->text[0]) || !unit_at(p, a.unit, &u) ||
	    (a.region != MON_ANY && a.region >= u.nregions) || a.object < MON_OBJ_FIRST ||
	    a.object >= mon_peer_nobjects(p))
		return false;
	*unit_hash = u.hash;
	*region = a.region;
	*object = a.object;
	*context = a.context;
	*name = p->text[0];
	return true;
}

uint64_t mon_peer_overflow(const struct mon_peer *p)
{
	return atomic_load(&p->shm->lost_contexts) + atomic_load(&p->shm->lost_objects) +
		atomic_load(&p->shm->lost_aliases) + atomic_load(&p->shm->lost_units);
}

void mon_peer_checked(const struct mon_peer *p, struct mon_checked *out)
{
	uint32_t n = atomic_load(&p->shm->nviolations);

	*out = (struct mon_checked){ .more = n > MON_VIOLATIONS };
	out->records = atomic_load(&p->shm->checked_records);
	out->accesses = atomic_load(&p->shm->checked_accesses);
	out->gone = atomic_load(&p->shm->checked_gone);
	for (uint32_t i = 0; i < at_most(n, MON_VIOLATIONS); i++) {
		struct mon_violation v;
		struct mon_unit u;
		uint32_t kind = atomic_load_explicit(&p->shm->violation[i].kind,
			memory_order_acquire);

		if (kind == MON_CHECK_NONE || kind > MON_CHECK_SITES)
			continue;
		copy_once(&v, &p->shm->violation[i], sizeof v);
		out->v[out->n].kind = kind;
		out->v[out->n].known = unit_at(p, v.unit, &u) && v.region < u.nregions;
		out->v[out->n].unit_hash = out->v[out->n].known ? u.hash : 0;
		out->v[out->n].region = v.region;
		out->v[out->n].line = v.line;
		out->v[out->n].found = v.found;
		out->v[out->n++].wanted = v.wanted;
	}
}

void mon_peer_conclude(struct mon_peer *p)
{
	atomic_store(&p->shm->conclude, 1);
}

void mon_peer_detach(struct mon_peer *p)
{
	atomic_store(&p->shm->detached, 1);
	atomic_fetch_or(&p->shm->doorbell, MON_BELL_DETACHED);
	peer_send(p, MON_GO);
}
