/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends and receives framed messages over Unix sockets. */
#include <config.h>

#include "agents/link.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

void link_init(struct link *l, int fd)
{
	*l = (struct link){ fd, BUF_INIT, BUF_INIT };
}

void link_close(struct link *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	buf_free(&l->in);
	buf_free(&l->out);
}

static void drop_front(struct buf *b, size_t n)
{
	memmove(b->data, b->data + n, b->len - n);
	b->len -= n;
	b->data[b->len] = '\0';
}

int link_flush(struct link *l)
{
	size_t done = 0;

	if (l->fd < 0)
		return -1;
	while (done < l->out.len) {
		ssize_t n = send(l->fd, l->out.data + done, l->out.len - done,
			MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n > 0) {
			done += (size_t)n;
		} else if (n < 0 && errno == EINTR) {
			continue;
		} else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			break;
		} else {
			return -1;
		}
	}
	if (done)
		drop_front(&l->out, done);
	return 0;
}

int link_send(struct link *l, enum msg_type type, const struct buf *body)
{
	size_t len = body ? body->len : 0;

	if (l->fd < 0 || len > LINK_MAX || (body && body->failed))
		return -1;
	buf_u32(&l->out, (uint32_t)len);
	buf_u8(&l->out, (uint8_t)type);
	buf_u8(&l->out, LINK_VERSION);
	buf_u8(&l->out, 0);
	buf_u8(&l->out, 0);
	if (len)
		buf_add(&l->out, body->data, len);
	return l->out.failed ? -1 : link_flush(l);
}

bool link_pending(const struct link *l)
{
	return l->fd >= 0 && l->out.len > 0;
}

int link_fill(struct link *l, struct err *err)
{
	char chunk[65536];

	for (;;) {
		ssize_t n = recv(l->fd, chunk, sizeof chunk, MSG_DONTWAIT);

		if (n > 0) {
			buf_add(&l->in, chunk, (size_t)n);
			if (l->in.failed)
				return err_nomem(err);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		return n == 0 ? err_set(err, "the other side has closed the connection")
			      : err_sys(err, "connection");
	}
}

int link_next(struct link *l, enum msg_type *type, struct buf *body, struct err *err)
{
	struct cursor c = { (const uint8_t *)l->in.data, l->in.len, 0, false };
	uint32_t len;
	uint8_t kind, version;
	int zero;

	if (l->in.len < LINK_HEADER)
		return 0;
	len = cur_u32(&c);
	kind = cur_u8(&c);
	version = cur_u8(&c);
	zero = cur_u8(&c) | cur_u8(&c);
	if (!zero && version != LINK_VERSION)
		return err_set(err,
			"the other side speaks version %u of the agents' protocol, this side version %u: they "
			"are of different builds of Periscope/C", version, LINK_VERSION);
	if (zero || len > LINK_MAX)
		return err_set(err, "malformed message (type %u, %u bytes)", kind, len);
	if (l->in.len - LINK_HEADER < len)
		return 0;
	*body = (struct buf)BUF_INIT;
	buf_add(body, l->in.data + LINK_HEADER, len);
	if (body->failed)
		return err_nomem(err);
	drop_front(&l->in, LINK_HEADER + len);
	*type = (enum msg_type)kind;
	return 1;
}

static int unix_socket(const char *path, struct sockaddr_un *addr, struct err *err)
{
	int fd;

	*addr = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof addr->sun_path)
		return err_set(err, "%s: too long for a socket's name (set TMPDIR to a shorter "
			"path)", path);
	strcpy(addr->sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return fd >= 0 ? fd : err_sys(err, "socket");
}

int link_listen(const char *path, struct err *err)
{
	struct sockaddr_un addr;
	int fd = unix_socket(path, &addr, err);

	if (fd < 0)
		return -1;
	/* chmod() is in time: no process can connect before listen(). */
	if (bind(fd, (struct sockaddr *)&addr, sizeof addr) || chmod(path, 0600) || listen(fd, 4)) {
		err_sys(err, "%s", path);
		close(fd);
		return -1;
	}
	return fd;
}

int link_accept(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct ucred peer;
	socklen_t size = sizeof peer;

	if (fd < 0)
		return -1;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.uid != geteuid()) {
		close(fd);
		return -1;
	}
	return fd;
}

int link_connect(const char *path, struct err *err)
{
	struct sockaddr_un addr;
	int fd = unix_socket(path, &addr, err);

	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *)&addr, sizeof addr)) {
		err_sys(err, "%s", path);
		close(fd);
		return -1;
	}
	return fd;
}
