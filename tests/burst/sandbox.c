/* SPDX-License-Identifier: BSD-3-Clause */
/* Forbids itself all system calls but three, works, and ends. */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile long cells[4096];

static void work(void)
{
	for (int r = 0; r < 10000; r++)
		for (int k = 0; k < 4096; k++)
			cells[k] += k * r;
}

int main(void)
{
	work();
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	work();
	syscall(SYS_exit, write(1, "done\n", 5) == 5 ? 3 : 4);
	return 5;
}
