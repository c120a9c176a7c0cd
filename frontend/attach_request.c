/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks running processes to connect to the agents (monitor/shared/attach_message.h). */
#include <config.h>

#include "frontend/attach_request.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "frontend/running.h"
#include "base/clock.h"
#include "monitor/shared/attach_message.h"
#include "monitor/shared/shm.h"
#include "sir/sir.h"

enum { MOST = 256 };            /* as a node agent takes */
/* psc_frontend waits so long for a thread that runs, for the handler, before it says that no marker
 * is met, and for the agent's welcome. */
#define RUNS_NS UINT64_C(5000000000)
#define ANSWER_NS UINT64_C(3000000000)
#define TELL_NS UINT64_C(3000000000)
#define WELCOME_NS UINT64_C(15000000000)
/* A signal that is blocked, or meant for a thread that does not come to run, is waited for so long
 * before the time for the handler's answer begins. */
#define TAKEN_NS UINT64_C(60000000000)
/* The monitor of a process that is analysed blocks signals now and then.  A program that blocks
 * SIGURG itself does so at each of so many looks, in ANSWER_NS or more. */
enum { BLOCKED_LOOKS = 100 };
/* A process whose analysis has just ended leaves it at its next boundary, which takes longer on a
 * busy machine.  So one that answers that it is being analysed is asked again
 * for so long, with pauses. */
#define LEAVING_NS UINT64_C(5000000000)
#define PAUSE_NS UINT64_C(200000000)

struct attached_process {
	struct running is;
	struct mon_attach *ask;         /* shared with its monitor; NULL: not asked yet */
	int fd;                         /* of it; -1 */
	bool sent;                      /* the signal */
	pid_t thread;                   /* to which it was sent */
	uint64_t queued;                /* when */
	uint64_t since;                 /* time of the last change of its state */
	int looks;                      /* in a row, that found the signal blocked in all threads */
	uint64_t blocks;                /* time of the first of them */
	uint64_t refused;               /* time when it first answered that it is being analysed; 0:
					 * it has not */
	uint32_t state;                 /* enum mon_attach_state, as seen last */
};

/* --- which processes -------------------------------------------------------------------------- */

struct finding {
	struct attach *attach;
	struct err *err;
	int rc, found;
};

/* Is the executable instrumented?  Ranks have the same one. */
static bool instrumented(const struct running *r)
{
	static dev_t device;
	static ino_t inode;
	static int known = -1;
	struct err err;
	struct sir *s;

	if (known >= 0 && r->device == device && r->inode == inode)
		return known;
	s = sir_read(r->executable, &err);
	known = s && s->nregions;
	device = r->device;
	inode = r->inode;
	sir_free(s);
	return known;
}

static int take(struct attach *a, const struct running *r, struct err *err)
{
	const struct running *first = a->n ? &a->list[0].is : NULL;
	struct attached_process *more;

	for (int i = 0; i < a->n; i++)
		if (a->list[i].is.pid == r->pid)
			return 0;
	if (first && (first->device != r->device || first->inode != r->inode))
		return err_set(err,
			"processes %ld (%s) and %ld (%s) execute different programs: one analysis is of one program", (long)first->pid, first->name, (long)r->pid, r->name);
	if (a->n == MOST)
		return err_set(err, "more than %d processes", MOST);
	more = realloc(a->list, ((size_t)a->n + 1) * sizeof *more);
	if (!more)
		return err_nomem(err);
	a->list = more;
	a->list[a->n++] = (struct attached_process){ .is = *r, .fd = -1 };
	return 0;
}

static void take_child(void *arg, pid_t pid)
{
	struct finding *f = arg;
	struct running r;
	struct err ignored;

	if (f->rc || pid == getpid() || running_read(&r, pid, &ignored) || !instrumented(&r))
		return;
	f->found++;
	f->rc = take(f->attach, &r, f->err);
}

/* own: --exe tells the instrumented file. */
static int find_one(struct attach *a, pid_t pid, bool own, struct err *err)
{
	struct finding f = { a, err, 0, 0 };
	struct running r;

	if (running_read(&r, pid, err))
		return -1;
	if (own || instrumented(&r))
		return take(a, &r, err);
	running_below(pid, take_child, &f);
	if (f.rc || f.found)
		return f.rc;
	return err_set(err,
		"process %ld (%s): not instrumented, nor is a process that it started (an instrumented library is named "
		"with --exe FILE): build the program with psc_instrument", (long)pid, r.name);
}

/* The command as in the report: the executable, then the arguments of the first process. */
static int take_command(struct attach *a, struct frontend_options *o, struct err *err)
{
	const struct running *r = &a->list[0].is;
	struct buf text = BUF_INIT;
	char path[64], part[4096];
	ssize_t n;
	int nwords = 1;

	running_text(r->pid, "cmdline", &text);
	buf_add(&text, "", 1);
	for (size_t i = 0; i < text.len; i++)
		nwords += !text.data[i];
	o->command = calloc((size_t)nwords + 1, sizeof *o->command);
	if (text.failed || !o->command) {
		buf_free(&text);
		return err_nomem(err);
	}
	n = (ssize_t)text.len;
	a->words = buf_take(&text);
	o->command[o->ncommand++] = a->list[0].is.executable;
	for (const char *w = a->words + strlen(a->words) + 1; w < a->words + n - 1;
	     w += strlen(w) + 1)
		o->command[o->ncommand++] = (char *)(uintptr_t)w;
	snprintf(path, sizeof path, "/proc/%ld/cwd", (long)r->pid);
	n = readlink(path, part, sizeof part - 1);
	if (n > 0)
		a->directory = strndup(part, (size_t)n);
	o->directory = a->directory;
	return 0;
}

int attach_find(struct attach *a, struct frontend_options *o, struct err *err)
{
	*a = (struct attach){ .patience = o->max_time };
	for (int i = 0; i < o->nattach; i++)
		if (find_one(a, (pid_t)o->attach[i], o->executable != NULL, err))
			return -1;
	for (int i = 0; i < a->n; i++)
		if (running_answers(&a->list[i].is, err))
			return -1;
	return take_command(a, o, err);
}

void attach_free(struct attach *a)
{
	attach_cancel(a);
	for (int i = 0; i < a->n; i++) {
		if (a->list[i].ask)
			munmap(a->list[i].ask, sizeof *a->list[i].ask);
		if (a->list[i].fd >= 0)
			close(a->list[i].fd);
	}
	free(a->list);
	free(a->words);
	free(a->directory);
	*a = (struct attach){ 0 };
}

void attach_names(const struct attach *a, struct buf *out)
{
	enum { NAMED = 8 };

	buf_puts(out, a->n == 1 ? "process " : "processes ");
	for (int i = 0; i < a->n && i < NAMED; i++)
		buf_printf(out, "%s%ld", i ? ", " : "", (long)a->list[i].is.pid);
	if (a->n > NAMED)
		buf_printf(out, " and %d more", a->n - NAMED);
}

bool attach_running(const struct attach *a)
{
	for (int i = 0; i < a->n; i++)
		if (running_still(&a->list[i].is))
			return true;
	return false;
}

/* --- asking ----------------------------------------------------------------------------------- */

static int make_ask(struct attached_process *p, const char *socket, struct err *err)
{
	bool same = running_same_files(&p->is);
	struct mon_attach *m;
	int n;

	p->fd = memfd_create("psc-attach", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (p->fd < 0 || ftruncate(p->fd, (off_t)sizeof *m) ||
	    fcntl(p->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return err_sys(err, "memory to ask process %ld", (long)p->is.pid);
	m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED, p->fd, 0);
	if (m == MAP_FAILED)
		return err_sys(err, "memory to ask process %ld", (long)p->is.pid);
	p->ask = m;
	m->magic = MON_ATTACH_MAGIC;
	m->version = MON_VERSION;
	m->pid = (uint32_t)p->is.pid;
	/* In a container with files of its own, the socket is below our root. */
	n = same ? snprintf(m->socket, sizeof m->socket, "%s", socket) :
		snprintf(m->socket, sizeof m->socket, "/proc/%ld/root%s", (long)getpid(), socket);
	if (n < 0 || (size_t)n >= sizeof m->socket)
		return err_set(err, "%s: too long for the path of a socket", socket);
	p->since = clock_ns();
	return 0;
}

int attach_begin(struct attach *a, const char *socket, struct err *err)
{
	a->began = clock_ns();
	for (int i = 0; i < a->n; i++)
		if (make_ask(&a->list[i], socket, err))
			return -1;
	return 0;
}

void attach_cancel(struct attach *a)
{
	for (int i = 0; i < a->n; i++) {
		uint32_t sent = MON_ATTACH_SENT, seen = MON_ATTACH_SEEN;
		struct mon_attach *m = a->list[i].ask;

		if (m && !atomic_compare_exchange_strong(&m->state, &seen, MON_ATTACH_CANCELLED))
			atomic_compare_exchange_strong(&m->state, &sent, MON_ATTACH_CANCELLED);
	}
}

static int queue_signal(const struct attached_process *p, pid_t thread)
{
	siginfo_t info;

	memset(&info, 0, sizeof info);
	info.si_code = SI_QUEUE;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_ptr = (void *)(uintptr_t)(MON_ATTACH_VALUE << 32 | (uint32_t)p->fd);
	return (int)syscall(SYS_rt_tgsigqueueinfo, p->is.pid, thread, MON_ATTACH_SIGNAL, &info);
}

void attach_leave(struct attach *a)
{
	const struct timespec tick = { 0, 10000000 };

	for (int i = 0; i < a->n; i++) {
		struct attached_process *p = &a->list[i];

		p->sent = !p->ask || atomic_load(&p->ask->state) != MON_ATTACH_DONE ||
			!running_still(&p->is);
		if (!p->sent)
			atomic_store(&p->ask->state, MON_ATTACH_LEAVE);
	}
	for (int tries = 0; tries < 100; tries++) {
		bool waits = false;

		for (int i = 0; i < a->n; i++) {
			struct attached_process *p = &a->list[i];
			pid_t thread = p->sent ? 0 : running_thread(&p->is, tries > 50);

			if (thread > 0)
				p->sent = queue_signal(p, thread) == 0;
			waits |= !p->sent ||
				(p->ask && atomic_load(&p->ask->state) == MON_ATTACH_LEAVE);
		}
		if (!waits)
			return;
		nanosleep(&tick, NULL);
	}
}

/* It answered that it is being analysed: is it asked again, after a pause?  Its monitor has let go
 * of the memory of the request, so this is used again. */
static bool ask_again(struct attached_process *p, uint64_t now)
{
	if (!p->refused)
		p->refused = now;
	if (now - p->refused >= LEAVING_NS)
		return false;
	if (now - p->since >= PAUSE_NS) {
		p->ask->reason = MON_ATTACH_NO_REASON;
		atomic_store(&p->ask->state, MON_ATTACH_SENT);
		p->state = MON_ATTACH_SENT;
		p->sent = false;
		p->since = now;
	}
	return true;
}

/* Queues the signal once a thread runs that takes it. */
static int send_signal(struct attached_process *p, struct err *err)
{
	bool any = clock_ns() - p->since >= RUNS_NS;
	pid_t thread = running_thread(&p->is, any);

	if (!running_still(&p->is))
		return err_set(err, "process %ld (%s) has ended", (long)p->is.pid, p->is.name);
	if (thread >= 0)
		p->looks = 0;
	else if (!p->looks++)
		p->blocks = clock_ns();
	if (p->looks >= BLOCKED_LOOKS && clock_ns() - p->blocks >= ANSWER_NS)
		return err_set(err,
			"process %ld (%s): all its threads block SIGURG, the signal by which its monitor is asked", (long)p->is.pid, p->is.name);
	if (thread <= 0)
		return 0;
	if (queue_signal(p, thread)) {
		if (errno == ESRCH)
			return 0;       /* the thread has ended meanwhile */
		return err_sys(err, "process %ld (%s): the signal cannot be sent", (long)p->is.pid,
			p->is.name);
	}
	p->sent = true;
	p->thread = thread;
	p->since = p->queued = clock_ns();
	return 0;
}

static int failed(const struct attached_process *p, struct err *err)
{
	switch (p->ask->reason) {
	case MON_ATTACH_VERSION:
		return err_set(err,
			"process %ld (%s): its monitor is of another version of Periscope/C",
			(long)p->is.pid, p->is.name);
	case MON_ATTACH_AGAIN:
		return err_set(err,
			"process %ld (%s) is being analysed already, or was made by fork() of one that was", (long)p->is.pid, p->is.name);
	case MON_ATTACH_GUARDED:
		return err_set(err,
			"process %ld (%s) has other rights than its user, or does not let itself be inspected: it is not "
			"analysed", (long)p->is.pid, p->is.name);
	case MON_ATTACH_OTHER:
		return err_set(err, "process %ld (%s): another psc_frontend attaches to it",
			(long)p->is.pid, p->is.name);
	default:
		return err_set(err,
			"process %ld (%s) could not connect to the agent, or has no memory for it",
			(long)p->is.pid, p->is.name);
	}
}

/* -1: a process that has not answered yet cannot answer any more, and err says why. */
static int no_answer(const struct attached_process *p, struct err *err)
{
	if (!running_still(&p->is))
		return err_set(err, "process %ld (%s) has ended", (long)p->is.pid, p->is.name);
	if (running_stopped(&p->is))
		return err_set(err, "process %ld (%s) was stopped before it answered",
			(long)p->is.pid, p->is.name);
	return 0;
}

/* 1: it has connected; 0: not yet; -1. */
static int step_one(struct attach *a, struct attached_process *p, bool *waits, struct err *err)
{
	uint32_t state = atomic_load(&p->ask->state);
	uint64_t now = clock_ns();

	if (state == MON_ATTACH_DONE)
		return 1;
	if (state == MON_ATTACH_FAILED)
		return p->ask->reason == MON_ATTACH_AGAIN && ask_again(p, now) ? 0 : failed(p, err);
	if (!p->sent)
		return send_signal(p, err);
	if (state != p->state) {
		p->state = state;
		p->since = now;
	}
	if (no_answer(p, err))
		return -1;
	if (state == MON_ATTACH_SENT && now - p->queued < TAKEN_NS &&
	    running_pending(&p->is, p->thread))
		p->since = now;
	if (state == MON_ATTACH_SENT && now - p->since > ANSWER_NS)
		return err_set(err,
			"process %ld (%s) does not answer SIGURG: the program has a handler of its own for it", (long)p->is.pid, p->is.name);
	if (state == MON_ATTACH_CONNECTING && now - p->since > WELCOME_NS)
		return err_set(err, "process %ld (%s) does not get through to the agent",
			(long)p->is.pid, p->is.name);
	if (state != MON_ATTACH_SEEN)
		return 0;
	if (a->patience > 0 && (double)(now - a->began) > a->patience * 1e9)
		return err_set(err,
			"process %ld (%s) has come to no marker in the time given with --max-time: it waits, or executes "
			"code that is not instrumented", (long)p->is.pid, p->is.name);
	*waits |= now - p->since > TELL_NS && !a->told;
	return 0;
}

int attach_step(struct attach *a, bool *waits, struct err *err)
{
	int connected = 0;

	*waits = false;
	for (int i = 0; i < a->n; i++) {
		int rc = step_one(a, &a->list[i], waits, err);

		if (rc < 0)
			return -1;
		connected += rc;
	}
	a->told |= *waits;
	return connected == a->n;
}
