/* SPDX-License-Identifier: BSD-3-Clause */
/* The agent's side.  The application owns the memory and may scribble over it: every count is
 * clamped, every index checked, every row copied before it is looked at. */
#include "config.h"
#include "monitor/mon.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { HELLO_MS = 20, HALF_OPEN = 64 };

struct mon_peer {
	int fd;
	struct mon_shm *shm;            /* mapped, shared */
	struct mon_hello hello;
	bool gone;
	uint32_t nvariants[MON_SLOTS];  /* asked for */
	char text[2][1024];             /* name and scope last asked for */
	char source[1024];
};

/* Connected, hello not yet here. */
static struct { int listener, fd; } half_open[HALF_OPEN];
static int nhalf_open;

int mon_listen(const char *path, struct err *err)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	mode_t old;
	int fd, bad;

	if (strlen(path) >= sizeof a.sun_path)
		return err_set(err, "%s: too long for a socket's name", path);
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

/* One packet with the memory's descriptor; *memory is -1 when it brought none. */
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
		err_set(err, "process %u sent no memory", h->pid);
		return NULL;
	}
	seals = fcntl(fd, F_GET_SEALS);
	if (fstat(fd, &st) || seals < 0 || (seals & need) != need ||
	    st.st_size != (off_t)sizeof *shm || h->bytes != sizeof *shm) {
		err_set(err, "process %u: its memory has not the size or the seals agreed on",
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
		err_set(err, "process %u: its memory is none of a monitor's", h->pid);
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
	if (n != (ssize_t)sizeof p->hello || p->hello.kind != MON_HELLO) {
		err_set(err, "a connection that is no monitor's");
		goto fail;
	}
	p->hello.executable[sizeof p->hello.executable - 1] = '\0';
	if (p->hello.version != MON_VERSION) {
		err_set(err, "process %u: its monitor speaks version %u, we speak %u", p->hello.pid,
			p->hello.version, (unsigned)MON_VERSION);
		goto fail;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) || cred.uid != geteuid()) {
		err_set(err, "process %u belongs to another user", p->hello.pid);
		goto fail;
	}
	p->shm = memory_map(memory, &p->hello, err);
	if (!p->shm)
		goto fail;
	close(memory);
	return p;
fail:
	if (memory >= 0)
		close(memory);
	close(fd);
	free(p);
	return NULL;
}

/* A connection of this listener whose hello has arrived; -1 none. */
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
		/* It follows the connection at once; a moment's patience saves a turn. */
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

void mon_peer_free(struct mon_peer *p)
{
	if (!p)
		return;
	munmap(p->shm, sizeof *p->shm);
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

static int say(struct mon_peer *p, uint32_t kind)
{
	return send(p->fd, &kind, sizeof kind, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -1 : 0;
}

int mon_peer_welcome(struct mon_peer *p, const struct mon_setup *s, struct err *err)
{
	if (s->nphase > MON_HOOKS)
		return err_set(err, "the phase has %u names, %u can be passed on", s->nphase,
			(unsigned)MON_HOOKS);
	for (uint32_t i = 0; i < s->nphase; i++) {
		p->shm->phase[i].hash = s->phase[i].hash;
		p->shm->phase[i].index = s->phase[i].index;
	}
	p->shm->nphase = s->nphase;
	if (s->nrivals > MON_RIVALS)
		return err_set(err, "%u loops cannot be counted, %u can", s->nrivals,
			(unsigned)MON_RIVALS);
	for (uint32_t i = 0; i < s->nrivals; i++) {
		p->shm->rival[i].hash = s->rival[i].hash;
		p->shm->rival[i].index = s->rival[i].index;
	}
	p->shm->nrivals = s->nrivals;
	p->shm->lockstep = s->lockstep;
	p->shm->no_faults = s->no_faults;
	p->shm->batch = s->batch;
	p->shm->turn = s->turn;
	p->shm->machine = s->machine;
	atomic_thread_fence(memory_order_release);
	if (say(p, MON_WELCOME))
		return err_sys(err, "welcome to process %u", p->hello.pid);
	return 0;
}

void mon_peer_refuse(struct mon_peer *p)
{
	say(p, MON_REFUSE);
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
	say(p, MON_GO);
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
	uint32_t n = atomic_load(&p->shm->threads);

	return n < MON_THREADS ? n : MON_THREADS;
}

uint32_t mon_peer_rival_runs(const struct mon_peer *p, uint32_t rival, bool *all)
{
	uint32_t n = rival < MON_RIVALS ? atomic_load(&p->shm->rival_runs[rival]) : 0;

	*all = n < MON_RIVAL_MOST && atomic_load(&p->shm->rival_calls) < MON_RIVAL_CALLS;
	return n < MON_RIVAL_MOST ? n : MON_RIVAL_MOST;
}

uint64_t mon_peer_foreign(const struct mon_peer *p)
{
	return atomic_load(&p->shm->foreign);
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

/* --- requests ------------------------------------------------------------------------------------ */

static bool variants_ok(const struct mon_want *w)
{
	if (w->nvariants > MON_VARIANTS || (w->nvariants && w->kind != MON_SIM))
		return false;
	for (uint32_t i = 0; i < w->nvariants; i++) {
		const struct mon_variant *v = &w->variants[i];

		if (!v->fix || v->fix >= MON_FIXES || v->object < MON_OBJ_FIRST ||
		    v->parameter > MON_FIX_MAX || (v->fix <= MON_FIX_SPREAD && !v->parameter))
			return false;
	}
	return true;
}

int mon_peer_request(struct mon_peer *p, const struct mon_want *want, struct err *err)
{
	struct mon_request *r = NULL;
	int slot;

	if (want->kind < MON_TIME || want->kind > MON_RECORD || !want->first || !want->count ||
	    want->count > MON_EXECUTIONS || want->nfilters > MON_FILTERS || !variants_ok(want))
		return err_set(err, "malformed request");
	for (slot = 0; slot < MON_SLOTS && !r; slot++)
		if (atomic_load(&p->shm->request[slot].state) == MON_EMPTY)
			r = &p->shm->request[slot];
	if (!r)
		return err_set(err, "process %u has no free request slot", p->hello.pid);
	slot--;
	r->kind = want->kind;
	r->first = want->first;
	r->warm = want->warm;
	r->sample = want->sample;
	r->count = want->count;
	r->nfilters = want->nfilters;
	if (want->nfilters)
		memcpy(r->filter, want->filters, want->nfilters * sizeof *want->filters);
	r->nlines = 0;
	r->nvariants = want->nvariants;
	if (want->nvariants)
		memcpy(r->variant, want->variants, want->nvariants * sizeof *want->variants);
	p->nvariants[slot] = want->nvariants;
	r->ntime = r->ncount = r->executions = r->reason = 0;
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

static uint32_t at_most(uint32_t n, uint32_t max)
{
	return n < max ? n : max;
}

static uint32_t take_times(const struct mon_peer *p, int slot, uint32_t n, struct mon_result *out)
{
	uint32_t ncontexts = mon_peer_ncontexts(p), kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct mon_time_row r = p->shm->time_rows[slot][i];

		if (r.context < ncontexts && r.execution < out->executions)
			out->times[kept++] = r;
	}
	out->ntimes = kept;
	return n - kept;
}

static uint32_t take_counts(const struct mon_peer *p, int slot, uint32_t n, struct mon_result *out)
{
	uint32_t ncontexts = mon_peer_ncontexts(p), nobjects = mon_peer_nobjects(p), kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct mon_count_row r = p->shm->count_rows[slot][i];

		if (r.context >= ncontexts || r.object >= nobjects || r.variant > out->nvariants)
			continue;
		kept++;
		if (r.variant)
			out->varied[out->nvaried++] = r;
		else
			out->counts[out->ncounts++] = r;
	}
	return n - kept;
}

static uint32_t take_lines(const struct mon_peer *p, int slot, uint32_t n, struct mon_result *out)
{
	uint32_t nobjects = mon_peer_nobjects(p), kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct mon_line l = p->shm->lines[slot][i];
		bool ok = l.object < nobjects && l.bytes >= 8 && l.bytes <= 4096 && l.nthreads &&
			l.nthreads <= MON_THREADS;

		for (uint32_t k = 0; ok && k < l.nthreads && k < MON_LINE_THREADS; k++)
			ok = l.thread[k] < MON_THREADS;
		if (ok)
			out->lines[kept++] = l;
	}
	out->nlines = kept;
	return n - kept;
}

static int take_sample(const struct mon_request *r, struct mon_sample *out)
{
	*out = (struct mon_sample){ r->classes, r->sampled, r->groups };
	if (!out->classes)
		return 0;
	return out->chosen > out->classes || out->groups < 2 || out->groups > MON_GROUPS ||
		out->chosen < out->groups ? -1 : 0;
}

int mon_peer_take(struct mon_peer *p, int slot, struct mon_result *out, struct err *err)
{
	enum mon_state state = mon_peer_state(p, slot);
	struct mon_result res = { .state = state };
	struct mon_request *r;
	uint32_t kind, ntimes, ncounts, nlines;

	if (state != MON_DONE && state != MON_MISSED && state != MON_DROPPED)
		return err_set(err, "slot %d holds no result yet", slot);
	r = &p->shm->request[slot];
	kind = r->kind;
	res.kind = kind == MON_TIME ? MON_TIME : kind == MON_RECORD ? MON_RECORD : MON_SIM;
	res.reason = r->reason;
	if (state == MON_DONE) {
		res.executions = at_most(r->executions, MON_EXECUTIONS);
		res.ran_first = r->ran_first;
		res.records = r->records;
		if (take_sample(r, &res.sample))
			return err_set(err, "process %u says nothing sensible of its sample", p->hello.pid);
		res.lost = r->lost;
		res.unhandled = r->unhandled;
		res.unshared = r->unshared;
		memcpy(res.phase_ns, r->phase_ns, sizeof res.phase_ns);
		ntimes = at_most(r->ntime, MON_TIME_ROWS);
		ncounts = at_most(r->ncount, MON_COUNT_ROWS);
		nlines = res.kind == MON_SIM ? at_most(r->nlines, MON_LINES) : 0;
		res.lines = calloc(nlines + 1, sizeof *res.lines);
		res.times = calloc(ntimes + 1, sizeof *res.times);
		res.counts = calloc(ncounts + 1, sizeof *res.counts);
		res.nvariants = p->nvariants[slot];
		res.varied = calloc(res.nvariants ? ncounts + 1 : 1, sizeof *res.varied);
		if (!res.times || !res.counts || !res.varied || !res.lines) {
			mon_result_free(&res);
			return err_nomem(err);
		}
		res.rejected = take_times(p, slot, ntimes, &res);
		res.rejected += take_counts(p, slot, ncounts, &res);
		res.rejected += take_lines(p, slot, nlines, &res);
	}
	atomic_fetch_and(&p->shm->doorbell, ~(1u << slot));
	atomic_store_explicit(&r->state, MON_EMPTY, memory_order_release);
	*out = res;
	return 0;
}

void mon_result_free(struct mon_result *r)
{
	free(r->times);
	free(r->counts);
	free(r->varied);
	free(r->lines);
	r->times = NULL;
	r->counts = r->varied = NULL;
	r->lines = NULL;
	r->ntimes = r->ncounts = r->nvaried = r->nlines = 0;
}

/* --- tables ----------------------------------------------------------------------------------------- */

/* Copies the string at an offset; false when it does not end within the table or is too long. */
static bool string_at(const struct mon_peer *p, uint32_t offset, char *out, size_t size)
{
	uint32_t n = at_most(atomic_load(&p->shm->nstrings), MON_STRINGS);

	for (size_t i = 0; i < size && offset + i < n; i++) {
		out[i] = p->shm->strings[offset + i];
		if (!out[i])
			return true;
	}
	return false;
}

static bool unit_at(const struct mon_peer *p, uint32_t n, struct mon_unit *out)
{
	if (n >= at_most(atomic_load(&p->shm->nunits), MON_UNITS))
		return false;
	*out = p->shm->units[n];
	return true;
}

uint32_t mon_peer_ncontexts(const struct mon_peer *p)
{
	return at_most(atomic_load(&p->shm->ncontexts), MON_CONTEXTS);
}

bool mon_peer_context(const struct mon_peer *p, uint32_t n, struct mon_context *out,
	uint64_t *unit_hash)
{
	struct mon_context c;
	struct mon_unit u;

	if (n >= mon_peer_ncontexts(p))
		return false;
	c = p->shm->contexts[n];
	/* A parent comes first: so the tree has no cycles, whatever was scribbled. */
	if ((n ? c.parent >= n : c.parent != MON_ANY) || !unit_at(p, c.unit, &u) ||
	    c.region >= u.nregions)
		return false;
	*out = c;
	*unit_hash = u.hash;
	return true;
}

uint32_t mon_peer_nobjects(const struct mon_peer *p)
{
	return at_most(atomic_load(&p->shm->nobjects), MON_OBJECTS);
}

bool mon_peer_object(const struct mon_peer *cp, uint32_t n, struct mon_object *out,
	const char **name, const char **scope, uint64_t *unit_hash, const char **source)
{
	struct mon_peer *p = (struct mon_peer *)(uintptr_t)cp; /* its text buffers only */
	struct mon_object o;
	struct mon_unit u;

	if (n < MON_OBJ_FIRST || n >= mon_peer_nobjects(p))
		return false;
	o = p->shm->objects[n];
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

uint32_t mon_peer_naliases(const struct mon_peer *p)
{
	return at_most(atomic_load(&p->shm->naliases), MON_ALIASES);
}

bool mon_peer_alias(const struct mon_peer *cp, uint32_t n, uint64_t *unit_hash, uint32_t *region,
	uint32_t *object, uint32_t *context, const char **name)
{
	struct mon_peer *p = (struct mon_peer *)(uintptr_t)cp;
	struct mon_alias a;
	struct mon_unit u;

	if (n >= mon_peer_naliases(p))
		return false;
	a = p->shm->aliases[n];
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

void mon_peer_detach(struct mon_peer *p)
{
	atomic_store(&p->shm->detached, 1);
	atomic_fetch_or(&p->shm->doorbell, MON_BELL_DETACHED);
	say(p, MON_GO);
}
