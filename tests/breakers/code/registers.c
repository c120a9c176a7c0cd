/* SPDX-License-Identifier: BSD-3-Clause */
/* Local register variables that feed a system call: nothing may change them on the way. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static long call(long number, const long *a)
{
	long result;
#ifdef __x86_64__
	register long r10 __asm__("r10") = a[3];
	register long r8 __asm__("r8") = a[4];
	register long r9 __asm__("r9") = a[5];

	__asm__ volatile("syscall" : "=a"(result)
		: "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
		: "rcx", "r11", "memory");
#else
	result = (long)mmap((void *)a[0], (size_t)a[1], (int)a[2], (int)a[3], (int)a[4], a[5]);
#endif
	return result;
}

__attribute__((noinline)) static long step(const long *a, int n)
{
	long good = 0;

	for (int i = 0; i < n; i++) {
		char *p = (char *)call(SYS_mmap, a);

		if ((long)p < 0)
			return -1000;
		memset(p, 1, 4096);
		good += *(volatile char *)p;
		munmap(p, 4096);
	}
	return good;
}

int main(void)
{
	long a[6] = { 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 }, sum = 0;

	for (int i = 0; i < 12; i++) {
		sum += step(a, 300);    /* PHASE */
	}
	printf("%ld\n", sum);
	return sum != 3600;
}
