/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a program has read from standard input is known of files, terminals and pipes. */
#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/input_watch.h"

/* A program that has the descriptor as standard input, and reads so many bytes from it. */
static void run_program(int fd, size_t bytes)
{
	pid_t pid = fork();
	char text[64];
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(fd, STDIN_FILENO);
		_exit(bytes && read(STDIN_FILENO, text, bytes) != (ssize_t)bytes);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static enum input_use use_of(int fd, size_t bytes)
{
	struct input_watch w;

	input_watch_begin(&w, fd);
	run_program(fd, bytes);
	return input_watch_end(&w);
}

static void a_file_whose_position_moves_is_read(void **state)
{
	char name[] = "/tmp/input-XXXXXX";
	int fd = mkstemp(name);

	(void)state;
	assert_true(fd >= 0);
	unlink(name);
	assert_int_equal(write(fd, "text", 4), 4);
	assert_int_equal(lseek(fd, 1, SEEK_SET), 1);
	assert_int_equal(use_of(fd, 0), INPUT_UNREAD);
	assert_int_equal(use_of(fd, 1), INPUT_READ);
	close(fd);
}

/* A kernel that reports no reads leaves it unknown: never unread. */
static void reads_of(int from, int to)
{
	enum input_use unread;

	assert_int_equal(write(to, "a\nb\n", 4), 4);
	unread = use_of(from, 0);
	if (unread == INPUT_USE_UNKNOWN) {
		print_message("# this kernel does not report reads\n");
		assert_int_equal(use_of(from, 2), INPUT_USE_UNKNOWN);
		return;
	}
	assert_int_equal(unread, INPUT_UNREAD);
	assert_int_equal(use_of(from, 2), INPUT_READ);
	assert_int_equal(use_of(from, 0), INPUT_UNREAD);
}

static void a_pipe_tells_each_read(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	reads_of(ends[0], ends[1]);
	close(ends[0]);
	close(ends[1]);
}

static void a_terminal_tells_each_read(void **state)
{
	const int keys = posix_openpt(O_RDWR | O_NOCTTY);
	int terminal = -1;

	(void)state;
	if (keys >= 0 && grantpt(keys) == 0 && unlockpt(keys) == 0)
		terminal = open(ptsname(keys), O_RDWR | O_NOCTTY);
	if (terminal < 0)
		skip();
	reads_of(terminal, keys);
	close(terminal);
	close(keys);
}

/* The pipe has ended before the program reads: it reads nothing. */
static void an_end_is_no_read(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	close(ends[1]);
	assert_int_not_equal(use_of(ends[0], 0), INPUT_READ);
	close(ends[0]);
}

static void the_null_device_has_nothing_to_read(void **state)
{
	int fd = open("/dev/null", O_RDONLY);

	(void)state;
	assert_int_equal(use_of(fd, 0), INPUT_UNREAD);
	close(fd);
	assert_int_equal(use_of(-1, 0), INPUT_UNREAD);          /* it is closed */
}

static void of_others_nothing_is_known(void **state)
{
	int ends[2], zero = open("/dev/zero", O_RDONLY);

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_int_equal(use_of(ends[0], 0), INPUT_USE_UNKNOWN);
	assert_int_equal(use_of(zero, 0), INPUT_USE_UNKNOWN);
	close(ends[0]);
	close(ends[1]);
	close(zero);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_whose_position_moves_is_read),
		cmocka_unit_test(a_pipe_tells_each_read),
		cmocka_unit_test(a_terminal_tells_each_read),
		cmocka_unit_test(an_end_is_no_read),
		cmocka_unit_test(the_null_device_has_nothing_to_read),
		cmocka_unit_test(of_others_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
