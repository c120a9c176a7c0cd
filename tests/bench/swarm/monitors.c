/* SPDX-License-Identifier: BSD-3-Clause */
/* Plays monitors towards a node agent. */
#include <config.h>

#include "tests/bench/swarm/monitors.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "monitor/shared/shm.h"

enum { WELCOME_MS = 60000, LEAF_NS = 400000, LEAF_ACCESSES = 300000, TOUCHED = 3 };

static uint32_t mix(uint64_t seed, uint64_t a, uint64_t b)
{
	uint64_t x = seed + a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(x >> 32);
}

/* --- what every process does ------------------------------------------------------------------ */

static int add_context(struct script *s, uint32_t region, uint32_t parent)
{
	const struct sir_region *r = &s->sir->regions[region];
	uint32_t own = s->ncontexts;

	if (own == s->most)
		return 0;
	s->context[own] = (struct script_context){ region, parent, true };
	s->ncontexts++;
	if (parent != MON_ANY)
		s->context[parent].leaf = false;
	if (r->type == REGION_CALL) {
		uint32_t unit = sir_find_unit(s->sir, r->name);

		if (unit != SIR_NONE && s->sir->regions[unit].nat)
			add_context(s, unit, own);
	}
	for (uint32_t c = r->child; c != SIR_NONE; c = s->sir->regions[c].next)
		if (s->sir->regions[c].nat)
			add_context(s, c, own);
	return 0;
}

int script_make(struct script *s, const struct sir *sir, uint32_t phase, struct err *err)
{
	s->sir = sir;
	s->context = calloc(s->most, sizeof *s->context);
	if (!s->context)
		return err_nomem(err);
	add_context(s, phase, MON_ANY);
	return s->ncontexts > 1 ? 0 : err_set(err, "the phase has no regions");
}

void script_free(struct script *s)
{
	free(s->context);
}

/* --- tables ----------------------------------------------------------------------------------- */

static uint32_t add_string(struct mon_shm *m, const char *text)
{
	uint32_t at = m->nstrings ? m->nstrings : 1;
	size_t n = strlen(text) + 1;

	memcpy(m->strings + at, text, n);
	m->nstrings = at + (uint32_t)n;
	return at;
}

static uint32_t find_unit(struct mon_shm *m, const struct sir *sir, uint32_t region)
{
	const struct sir_hook *at = &sir->regions[region].at[0];
	uint32_t i = 0;

	while (i < m->nunits && m->units[i].hash != at->hash)
		i++;
	if (i == m->nunits) {
		m->units[i] = (struct mon_unit){ at->hash, 0, add_string(m, sir->regions[region].file) };
		m->nunits = i + 1;
	}
	if (m->units[i].nregions <= at->index)
		m->units[i].nregions = at->index + 1;
	return i;
}

static void fill_tables(struct mon_shm *m, const struct script *s)
{
	for (uint32_t i = 0; i < s->sir->nregions; i++)
		if (s->sir->regions[i].nat)
			find_unit(m, s->sir, i);
	for (uint32_t i = 0; i < s->ncontexts; i++) {
		uint32_t up = s->context[i].parent;

		m->contexts[i] = (struct mon_context){ up, find_unit(m, s->sir, s->context[i].region),
			s->sir->regions[s->context[i].region].at[0].index, up == MON_ANY ? 0 : m->contexts[up].depth + 1 };
	}
	m->ncontexts = s->ncontexts;
	for (uint32_t i = 0; i < SWARM_STRUCTURES; i++) {
		char name[16];

		snprintf(name, sizeof name, "a%u", i);
		m->objects[MON_OBJ_FIRST + i] = (struct mon_object){ .address = UINT64_C(0x10000000) + i * UINT64_C(0x1000000),
			.size = 800000, .name = add_string(m, name), .unit = 0, .region = MON_ANY, .line = i + 1, .elem = 8 };
	}
	m->nobjects = MON_OBJ_FIRST + SWARM_STRUCTURES;
	m->threads = 1;
	m->placement = MON_PLACE_ONE_NODE;
}

/* --- results ---------------------------------------------------------------------------------- */

/* Is the k-th structure of a leaf one that misses in this process?  `common` places are the same in all processes; the
 * others are drawn by rank. */
static bool misses(const struct script *s, uint32_t context, uint32_t k, int rank)
{
	uint32_t places = s->ncontexts * TOUCHED, place = context * TOUCHED + k;
	uint32_t each = places / (SWARM_FINDINGS + 1);

	for (int i = 0; i < SWARM_FINDINGS; i++) {
		uint32_t at = i < s->common ? (uint32_t)i * each : mix(s->seed, (uint64_t)rank, (uint64_t)i) % places;

		while (!s->context[at / TOUCHED].leaf)
			at = (at + 1) % places;
		if (at == place)
			return true;
	}
	return false;
}

/* The processes differ by up to 2 %. */
static uint64_t about(const struct script *s, uint64_t n, int rank, uint32_t what)
{
	return n * 98 / 100 + n * (mix(s->seed, (uint64_t)rank << 20 | what, 77) % 1000) / 50000;
}

static uint64_t leaf_ns(const struct script *s, uint32_t context, int rank)
{
	uint64_t ns = LEAF_NS;

	for (uint32_t k = 0; k < TOUCHED; k++)
		ns += misses(s, context, k, rank) ? 3 * LEAF_NS : 0;
	return about(s, ns, rank, context);
}

static uint64_t fill_times(struct mon_shm *m, int slot, const struct script *s, int rank, uint32_t executions)
{
	uint64_t *ns = calloc(s->ncontexts, sizeof *ns), all;
	uint32_t n = 0;

	for (uint32_t c = s->ncontexts; c-- > 0 && ns;) {
		if (s->context[c].leaf)
			ns[c] = leaf_ns(s, c, rank);
		if (c)
			ns[s->context[c].parent] += ns[c];
	}
	for (uint32_t e = 0; e < executions && ns; e++)
		for (uint32_t c = 0; c < s->ncontexts; c++)
			m->times[slot][n++] = (struct mon_time_row){ .context = c, .execution = e, .wall_ns = ns[c] + e * 100,
				.cpu_ns = ns[c] + e * 100, .calls = 1 };
	m->request[slot].rows.times = n;
	all = ns ? ns[0] : 1;
	free(ns);
	return all;
}

static void count_row(struct mon_count_row *r, const struct script *s, int rank, uint32_t context, uint32_t k)
{
	bool bad = misses(s, context, k, rank);
	uint64_t loads = about(s, LEAF_ACCESSES, rank, context * TOUCHED + k + 1), missed = bad ? loads / 4 : loads / 2000;

	*r = (struct mon_count_row){ .context = context, .object = MON_OBJ_FIRST + (context * 7 + k * 5) % SWARM_STRUCTURES,
		.loads = loads, .stores = loads / 4, .bytes = (loads + loads / 4) * 8 };
	for (int l = 0; l < MACHINE_LEVELS; l++) {
		r->load_miss[l] = r->fetched[l] = missed >> l;
		if (bad && k == 1)
			r->strided_load[l] = missed >> l;
		else if (k == 0)
			r->stream_load[l] = missed >> l;
	}
}

static void fill_counts(struct mon_shm *m, int slot, const struct script *s, int rank)
{
	uint32_t n = 0, nsites = 0;
	uint64_t records = 0;

	for (uint32_t c = 0; c < s->ncontexts; c++) {
		if (!s->context[c].leaf)
			continue;
		for (uint32_t k = 0; k < TOUCHED; k++) {
			struct mon_count_row *r = &m->counts[slot][n++];

			count_row(r, s, rank, c, k);
			records += r->loads + r->stores;
			m->sites[slot][nsites++] = (struct mon_site){ c, r->object, 1 + (uint32_t)
				s->sir->regions[s->context[c].region].line, 0, r->load_miss[0], r->load_miss[MACHINE_LEVELS - 1] };
		}
		m->counts[slot][n++] = (struct mon_count_row){ .context = c, .object = MON_OBJ_WORK,
			.statements = LEAF_ACCESSES, .core_low = LEAF_ACCESSES * 4, .core_high = LEAF_ACCESSES * 8 };
	}
	m->request[slot].rows.counts = n;
	m->request[slot].rows.sites = nsites;
	m->request[slot].records = m->request[slot].words = records;
}

int monitor_prepare(struct monitor *mon, const struct script *s)
{
	struct mon_shm *m = mon->shm;
	int n = 0;

	for (int slot = 0; slot < MON_SLOTS; slot++) {
		struct mon_request *r = &m->request[slot];
		uint64_t ns;

		if (atomic_load(&r->state) != MON_READY)
			continue;
		ns = fill_times(m, slot, s, mon->rank, r->count);
		if (r->kind == MON_SIM)
			fill_counts(m, slot, s, mon->rank);
		r->executions = r->count;
		r->ran_first = r->first + r->warm;
		for (uint32_t e = 0; e < r->count; e++)
			r->phase_ns[e] = ns;
		if (r->ran_first + r->count > mon->executions)
			mon->executions = r->ran_first + r->count;
		atomic_store(&r->state, MON_ARMED);
		n++;
	}
	return n;
}

void monitor_publish(struct monitor *mon)
{
	const uint32_t kind = MON_EVENT;
	bool any = false;

	atomic_store(&mon->shm->phase_begun, mon->executions);
	atomic_store(&mon->shm->phase_finished, mon->executions - 1);
	for (int slot = 0; slot < MON_SLOTS; slot++)
		if (atomic_load(&mon->shm->request[slot].state) == MON_ARMED) {
			atomic_store(&mon->shm->request[slot].state, MON_DONE);
			any = true;
		}
	if (any)
		(void)!send(mon->fd, &kind, sizeof kind, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* --- the connection --------------------------------------------------------------------------- */

static int send_hello(int fd, int memory, int rank)
{
	struct mon_hello h = { .kind = MON_HELLO, .version = MON_VERSION, .pid = (uint32_t)getpid(), .rank = rank,
		.bytes = sizeof(struct mon_shm), .executable = "swarm" };
	struct iovec v = { &h, sizeof h };
	union { struct cmsghdr align; char space[CMSG_SPACE(sizeof(int))]; } control = { .space = { 0 } };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = control.space,
		.msg_controllen = sizeof control.space };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &memory, sizeof memory);
	return sendmsg(fd, &m, MSG_NOSIGNAL) == (ssize_t)sizeof h ? 0 : -1;
}

static struct mon_shm *make_memory(int *memory)
{
	struct mon_shm *shm;

	*memory = memfd_create("swarm", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*memory < 0 || ftruncate(*memory, sizeof *shm) || fcntl(*memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return NULL;
	shm = mmap(NULL, sizeof *shm, PROT_READ | PROT_WRITE, MAP_SHARED, *memory, 0);
	return shm == MAP_FAILED ? NULL : shm;
}

int monitor_connect(struct monitor *mon, const struct script *s, int rank, const char *socket_path, struct err *err)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct pollfd p;
	uint32_t kind = 0;
	int memory;

	*mon = (struct monitor){ socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), rank, make_memory(&memory), 0 };
	snprintf(a.sun_path, sizeof a.sun_path, "%s", socket_path);
	if (mon->fd < 0 || !mon->shm)
		return err_sys(err, "process %d", rank);
	mon->shm->magic = MON_MAGIC;
	mon->shm->version = MON_VERSION;
	mon->shm->pid = (uint32_t)getpid();
	mon->shm->started_ns = clock_ns();
	fill_tables(mon->shm, s);
	if (connect(mon->fd, (struct sockaddr *)&a, sizeof a) || send_hello(mon->fd, memory, rank))
		return err_sys(err, "%s", socket_path);
	close(memory);
	p = (struct pollfd){ mon->fd, POLLIN, 0 };
	if (poll(&p, 1, WELCOME_MS) <= 0 || recv(mon->fd, &kind, sizeof kind, 0) != (ssize_t)sizeof kind || kind != MON_WELCOME)
		return err_set(err, "process %d: no welcome from %s", rank, socket_path);
	return 0;
}

bool monitor_detached(const struct monitor *m)
{
	return atomic_load(&m->shm->detached);
}

void monitor_close(struct monitor *m)
{
	if (m->shm)
		munmap(m->shm, sizeof *m->shm);
	if (m->fd >= 0)
		close(m->fd);
	*m = (struct monitor){ .fd = -1 };
}
