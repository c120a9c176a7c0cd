/* Functions that may exist only once: their assembler text defines symbols, or they tell who called
 * them.  To be linked with -rdynamic. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define N 100

extern char probe_point[], set_point[];
static char who[100];
static int a[N];
static volatile int size = N;    /* not known: GCC makes no version for N */

NOINLINE int with_label(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += a[i];
	__asm__ volatile (".globl probe_point\nprobe_point: nop" ::: "memory");
	return s;
}

NOINLINE int with_directive(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s -= a[i];
	__asm__ volatile ("nop\n\t.globl set_point; .set set_point, probe_point" ::: "memory");
	return s;
}

/* One entry a copy: the program counts them. */
NOINLINE int with_entry(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s ^= a[i];
	__asm__ volatile (".pushsection entries,\"a\"\n.quad 1\n.popsection" ::: "memory");
	return s;
}
extern long __start_entries[], __stop_entries[];

/* May be there twice: recorded. */
NOINLINE int with_local_label(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += a[i];
	__asm__ volatile ("jmp 1f\n1: nop\n\tjmp one%=\none%=:\n" ::: "memory");
	return s;
}

static void note(void *address)
{
	Dl_info info;

	strcpy(who, dladdr(address, &info) && info.dli_sname ? info.dli_sname : "?");
}

NOINLINE void leaf(int n)
{
	for (int i = 0; i < n; i++)
		a[i]++;
	note(__builtin_return_address(0));
}

NOINLINE void caller_one(int n)
{
	leaf(n);
	a[0]--;
}

NOINLINE void caller_two(int n)
{
	a[1]--;
	leaf(n);
	a[2] ^= 1;
}

NOINLINE long kernel(int n)
{
	long s = 0;

	for (int i = 0; i < n; i++)
		s += a[i] * i;
	return s;
}

int main(void)
{
	long t = 0;
	int n = size;

	for (int i = 0; i < 20; i++) {    /* PHASE */
		caller_one(n);
		printf("%s ", who);
		caller_two(n);
		puts(who);
		t += with_label(n) + with_directive(n) + with_entry(n) + with_local_label(n) + kernel(n);
	}
	printf("%ld %d %ld\n", t, probe_point == set_point, (long)(__stop_entries - __start_entries));
	return 0;
}
