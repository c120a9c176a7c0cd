/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands before the C library's functions about signals.
 *
 * Each handler of the program's is installed behind one of the library's, which first puts the
 * interrupted thread back into the program's own code (native.h).  Then a handler may do all that
 * it may do without the recorder. */
#define _GNU_SOURCE
#include "burst/signal_calls.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>

#include "burst/expiry.h"
#include "burst/native.h"
#include "burst/next.h"

NEXT(int, sigaction, int, const struct sigaction *, struct sigaction *)
NEXT(int, sigprocmask, int, const sigset_t *, sigset_t *)
NEXT(int, pthread_sigmask, int, const sigset_t *, sigset_t *)
NEXT(int, sigwait, const sigset_t *, int *)
NEXT(int, sigwaitinfo, const sigset_t *, siginfo_t *)
NEXT(int, sigtimedwait, const sigset_t *, siginfo_t *, const struct timespec *)
NEXT(int, signalfd, int, const sigset_t *, int)

enum { SIGNALS = 65 };

typedef void handler_function(int, siginfo_t *, void *);

/* What the program asked for: its handler, and whether it said SA_SIGINFO. */
static struct {
	_Atomic(handler_function *) handler;
	_Atomic int flags;
	sigset_t mask;          /* of BURST_SIGNAL alone */
} asked[SIGNALS];

static void call_handler(int number, siginfo_t *info, void *context)
{
	handler_function *handler = atomic_load(&asked[number].handler);

	if (handler != NULL && (uintptr_t)handler != (uintptr_t)SIG_IGN)
		handler(number, info, context);
}

/* The recorder's signal, sent by somebody to a program that does not handle it: it ends the
 * process, as without. */
static void by_default(int number)
{
	struct sigaction act = { .sa_handler = SIG_DFL };

	next_sigaction()(number, &act, NULL);
	raise(number);
}

/* What the kernel calls instead of the program's handler. */
static void on_signal(int number, siginfo_t *info, void *context)
{
	struct slot *s = burst_header() == NULL ? NULL : burst_mine;
	const ucontext_t *u = context;

	if (s != NULL)
		burst_leave_for_signal(s, context);
	call_handler(number, info, context);
	if (s != NULL && u->uc_mcontext.gregs[REG_RAX] == -EINTR)
		s->restart_sp = (uint64_t)u->uc_mcontext.gregs[REG_RSP];
}

void burst_forward_signal(int number, siginfo_t *info, void *context)
{
	if (atomic_load(&asked[number].handler) == NULL)
		by_default(number);
	call_handler(number, info, context);
}

int burst_signals_start(void)
{
	struct sigaction act = {
		.sa_sigaction = burst_expiry, .sa_flags = SA_SIGINFO | SA_RESTART
	};

	sigfillset(&act.sa_mask);
	return next_sigaction()(BURST_SIGNAL, &act, NULL);
}

static bool is_handler(const struct sigaction *act)
{
	return act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN;
}

static void remember(int number, const struct sigaction *act)
{
	atomic_store(&asked[number].flags, act->sa_flags);
	atomic_store(&asked[number].handler, act->sa_sigaction);
}

/* The program asks about a signal whose handler is on_signal: it reads what it asked for. */
static void as_asked(int number, struct sigaction *old, handler_function *handler, int flags)
{
	if (number != BURST_SIGNAL && old->sa_sigaction != on_signal)
		return;
	old->sa_sigaction = handler;
	old->sa_flags = number == BURST_SIGNAL
		? flags
		: (old->sa_flags & ~SA_SIGINFO) | (flags & SA_SIGINFO);
}

/* The recorder's signal keeps its handler, which calls the program's for what is not the
 * recorder's. */
static int own_signal(const struct sigaction *act, struct sigaction *old)
{
	if (old != NULL) {
		*old = (struct sigaction){ .sa_mask = asked[BURST_SIGNAL].mask };
		as_asked(BURST_SIGNAL, old, atomic_load(&asked[BURST_SIGNAL].handler),
			atomic_load(&asked[BURST_SIGNAL].flags));
	}
	if (act != NULL) {
		asked[BURST_SIGNAL].mask = act->sa_mask;
		remember(BURST_SIGNAL, act);
	}
	return 0;
}

EXPORT int sigaction(
	int number, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	handler_function *handler;
	struct sigaction behind;
	int flags, result;

	if (number <= 0 || number >= SIGNALS || (burst_header() == NULL && number == BURST_SIGNAL))
		return next_sigaction()(number, act, old);
	if (number == BURST_SIGNAL)
		return own_signal(act, old);
	handler = atomic_load(&asked[number].handler);
	flags = atomic_load(&asked[number].flags);
	/* A child of fork() has no recorder, but the handlers from before. */
	if (burst_header() != NULL && act != NULL && is_handler(act)) {
		remember(number, act);
		behind = *act;
		behind.sa_sigaction = on_signal;
		behind.sa_flags |= SA_SIGINFO;
		act = &behind;
	}
	result = next_sigaction()(number, act, old);
	if (result == 0 && old != NULL)
		as_asked(number, old, handler, flags);
	return result;
}

/* signal() of the C library calls its own sigaction(). */
static sighandler_t as_signal(int number, sighandler_t handler, int flags)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags }, old;

	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	if ((flags & SA_NODEFER) == 0 && number > 0 && number < SIGNALS)
		sigaddset(&act.sa_mask, number);
	return sigaction(number, &act, &old) == 0 ? old.sa_handler : SIG_ERR;
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	return as_signal(number, handler, SA_RESTART);
}
EXPORT sighandler_t bsd_signal(int number, sighandler_t handler);
EXPORT sighandler_t bsd_signal(int number, sighandler_t handler)
{
	return as_signal(number, handler, SA_RESTART);
}

EXPORT sighandler_t sysv_signal(int number, sighandler_t handler)
{
	return as_signal(number, handler, (int)SA_RESETHAND | SA_NODEFER);
}

EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler)
{
	return as_signal(number, handler, (int)SA_RESETHAND | SA_NODEFER);
}

/* --- masks: the recorder's signal is in none -------------------------------------------- */

static const sigset_t *without_own(const sigset_t *set, sigset_t *room)
{
	if (burst_header() == NULL || set == NULL || !sigismember(set, BURST_SIGNAL))
		return set;
	*room = *set;
	sigdelset(room, BURST_SIGNAL);
	return room;
}

EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	sigset_t room;

	return next_sigprocmask()(how, how == SIG_UNBLOCK ? set : without_own(set, &room), old);
}

EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	sigset_t room;

	return next_pthread_sigmask()(how, how == SIG_UNBLOCK ? set : without_own(set, &room), old);
}

EXPORT int sigwait(const sigset_t *restrict set, int *restrict number)
{
	sigset_t room;

	return next_sigwait()(without_own(set, &room), number);
}

EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	sigset_t room;

	return next_sigwaitinfo()(without_own(set, &room), info);
}

EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
	const struct timespec *restrict time)
{
	sigset_t room;

	return next_sigtimedwait()(without_own(set, &room), info, time);
}

EXPORT int signalfd(int descriptor, const sigset_t *set, int flags)
{
	sigset_t room;

	return next_signalfd()(descriptor, without_own(set, &room), flags);
}
