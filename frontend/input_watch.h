/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether a program has read anything from standard input.
 *
 *   a file             its position, which the program shares, has moved
 *   terminal, pipe     the kernel reports each read that returned something (inotify, IN_ACCESS),
 * of anybody; where it does
 *                      not, as a terminal or pipe of our own shows before, it is not known
 *   /dev/null, closed  there is nothing to read
 *   others             not known: sockets, other devices
 * Reads from /dev/tty count, too: a program that asks there would ask again. */
#ifndef PSC_FRONTEND_INPUT_WATCH_H
#define PSC_FRONTEND_INPUT_WATCH_H

#include <sys/types.h>

enum input_kind { INPUT_NOTHING, INPUT_FILE, INPUT_EVENTS, INPUT_UNKNOWN };
enum input_use { INPUT_UNREAD, INPUT_READ, INPUT_USE_UNKNOWN };

struct input_watch {
	enum input_kind kind;
	int fd;                 /* of what is watched */
	off_t at;               /* its position when the watch began */
	int events;             /* owned; -1: none */
};

/* Watches the descriptor, which stays open; before the program starts. */
void input_watch_begin(struct input_watch *w, int fd);
/* What was done since.  The watch ends. */
enum input_use input_watch_end(struct input_watch *w);

#endif
