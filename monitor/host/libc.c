/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the C library's functions that the monitor calls.
 *
 * A program may define functions of the same names (connect, read, memcpy).  The linker redirects
 * the monitor's calls of NAME to __wrap_NAME (listed in wrap.ld), so that the monitor never calls,
 * nor records, the program's functions.  Not replaced: functions with reserved prefixes (pthread_),
 * sysconf, clock_gettime, and those that read the environment or convert numbers. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* `used`: link-time optimisation may see no call yet. */
#define WRAP(type, name, ...) type __wrap_##name(__VA_ARGS__); \
	__attribute__((used)) type __wrap_##name(__VA_ARGS__)

/* --- system calls; none is a cancellation point -------------------------------------------- */

/* What the kernel returns, as the C library does: errors in errno. */
static inline long result(long r)
{
	if ((unsigned long)r < -4095UL)
		return r;
	errno = (int)-r;
	return -1;
}

#if defined(__x86_64__) && !defined(__ILP32__)
static long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
		"r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return result(r);
}
#elif defined(__aarch64__)
static long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4),
		"r"(x5) : "memory");
	return result(x0);
}
#elif defined(__riscv) && __riscv_xlen == 64
static long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long a7 __asm__("a7") = number;
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	register long a3 __asm__("a3") = d;
	register long a4 __asm__("a4") = e;
	register long a5 __asm__("a5") = f;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4),
		"r"(a5) : "memory");
	return result(a0);
}
#else
long __real_syscall(long number, ...);
#define system_call __real_syscall
#endif

WRAP(long, syscall, long number, ...)
{
	long a[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	return system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

WRAP(int, open, const char *path, int flags, ...)
{
	/* never creates a file: no mode */
	return (int)system_call(SYS_openat, AT_FDCWD, (long)path, flags, 0, 0, 0);
}

WRAP(int, fcntl, int fd, int command, ...)
{
	long argument;
	va_list args;

	va_start(args, command);
	argument = va_arg(args, long);
	va_end(args);
	return (int)system_call(SYS_fcntl, fd, command, argument, 0, 0, 0);
}

WRAP(int, close, int fd)
{
	return (int)system_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

WRAP(ssize_t, read, int fd, void *to, size_t n)
{
	return system_call(SYS_read, fd, (long)to, (long)n, 0, 0, 0);
}

WRAP(ssize_t, readlink, const char *path, char *to, size_t n)
{
	return system_call(SYS_readlinkat, AT_FDCWD, (long)path, (long)to, (long)n, 0, 0);
}

WRAP(int, fstat, int fd, struct stat *s)
{
	return (int)system_call(SYS_fstat, fd, (long)s, 0, 0, 0, 0);
}

WRAP(int, ftruncate, int fd, off_t length)
{
	return (int)system_call(SYS_ftruncate, fd, length, 0, 0, 0, 0);
}

WRAP(int, memfd_create, const char *name, unsigned flags)
{
	return (int)system_call(SYS_memfd_create, (long)name, flags, 0, 0, 0, 0);
}

WRAP(int, socket, int domain, int type, int protocol)
{
	return (int)system_call(SYS_socket, domain, type, protocol, 0, 0, 0);
}

WRAP(int, connect, int fd, const struct sockaddr *address, socklen_t length)
{
	return (int)system_call(SYS_connect, fd, (long)address, length, 0, 0, 0);
}

WRAP(ssize_t, sendmsg, int fd, const struct msghdr *message, int flags)
{
	return system_call(SYS_sendmsg, fd, (long)message, flags, 0, 0, 0);
}

WRAP(void *, mmap, void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	return (void *)system_call(SYS_mmap, (long)at, (long)n, protection, flags, fd, offset);
}

WRAP(int, munmap, void *at, size_t n)
{
	return (int)system_call(SYS_munmap, (long)at, (long)n, 0, 0, 0, 0);
}

WRAP(int, mprotect, void *at, size_t n, int protection)
{
	return (int)system_call(SYS_mprotect, (long)at, (long)n, protection, 0, 0, 0);
}

WRAP(int, madvise, void *at, size_t n, int advice)
{
	return (int)system_call(SYS_madvise, (long)at, (long)n, advice, 0, 0, 0);
}

WRAP(int, mincore, void *at, size_t n, unsigned char *to)
{
	return (int)system_call(SYS_mincore, (long)at, (long)n, (long)to, 0, 0, 0);
}

WRAP(pid_t, getpid, void)
{
	return (pid_t)system_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

WRAP(int, getrlimit, int resource, struct rlimit *r)
{
	return (int)system_call(SYS_prlimit64, 0, resource, 0, (long)r, 0, 0);
}

WRAP(int, setrlimit, int resource, const struct rlimit *r)
{
	return (int)system_call(SYS_prlimit64, 0, resource, (long)r, 0, 0, 0);
}

/* --- memory; volatile, so that the compiler does not turn the loops into calls of memcpy --- */

typedef uint64_t __attribute__((may_alias, aligned(1))) word;
enum { REPEATED = 256 };        /* bytes from which the slow start of `rep` pays off */

static void copy_up(unsigned char *to, const unsigned char *from, size_t n)
{
#if defined(__x86_64__)
	if (n >= REPEATED) {
		__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
		return;
	}
#endif
	for (; n >= sizeof(word); n -= sizeof(word), to += sizeof(word), from += sizeof(word))
		*(volatile word *)to = *(const word *)from;
	while (n--)
		*(volatile unsigned char *)to++ = *from++;
}

static void copy_down(unsigned char *to, const unsigned char *from, size_t n)
{
	for (; n >= sizeof(word); n -= sizeof(word))
		*(volatile word *)(to + n - sizeof(word)) =
			*(const word *)(from + n - sizeof(word));
	while (n--)
		*(volatile unsigned char *)(to + n) = from[n];
}

WRAP(void *, memcpy, void *to, const void *from, size_t n)
{
	copy_up(to, from, n);
	return to;
}

WRAP(void *, memmove, void *to, const void *from, size_t n)
{
	if ((uintptr_t)to - (uintptr_t)from >= n)
		copy_up(to, from, n);
	else
		copy_down(to, from, n);
	return to;
}

WRAP(void *, memset, void *to, int value, size_t n)
{
	uint64_t w = (unsigned char)value * UINT64_C(0x0101010101010101);
	unsigned char *at = to;

#if defined(__x86_64__)
	if (n >= REPEATED) {
		__asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(value) : "memory");
		return to;
	}
#endif
	for (; n >= sizeof w; n -= sizeof w, at += sizeof w)
		*(volatile word *)at = w;
	while (n--)
		*(volatile unsigned char *)at++ = (unsigned char)value;
	return to;
}

/* --- strings ------------------------------------------------------------------------------- */

WRAP(size_t, strnlen, const char *text, size_t most)
{
	size_t n = 0;

	while (n < most && *(const volatile char *)(text + n))
		n++;
	return n;
}

WRAP(size_t, strlen, const char *text)
{
	return __wrap_strnlen(text, SIZE_MAX);
}

WRAP(int, strcmp, const char *a, const char *b)
{
	const volatile unsigned char *x = (const void *)a, *y = (const void *)b;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	return *x - *y;
}

WRAP(char *, strcpy, char *to, const char *from)
{
	copy_up((void *)to, (const void *)from, __wrap_strlen(from) + 1);
	return to;
}

WRAP(char *, strrchr, const char *text, int c)
{
	for (size_t n = __wrap_strlen(text) + 1; n--; )
		if (text[n] == (char)c)
			return (char *)(uintptr_t)(text + n);
	return NULL;
}

WRAP(char *, strstr, const char *text, const char *part)
{
	for (;; text++) {
		size_t n = 0;

		while (part[n] && part[n] == text[n])
			n++;
		if (!part[n])
			return (char *)(uintptr_t)text;
		if (!*text)
			return NULL;
	}
}
