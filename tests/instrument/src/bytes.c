/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses that are not a plain load or store: strings, aggregates by value, bit-fields, volatile,
 * assembler, atomics of all sizes.  "bytes NAME N" makes N of them.  See records.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define noinline __attribute__((noinline))
#define forget(x) __asm__ volatile ("" : "+r"(x))
struct big { long v[8]; };
struct __attribute__((packed)) packed { char c; unsigned low : 5, mid : 11; volatile short s; };
struct odd { char c[24]; };
char text[64] = "twenty characters...", other[64];
struct big big, result;
struct packed packed;
struct odd odd, swapped, wanted;
_Complex double z;
long double ld;
volatile int vol[2];
long word;
char lock;
int by = 1;
__int128 pair;

noinline static void take(struct big b)
{
	__asm__ volatile ("" :: "m"(b));
}

noinline static long look(struct big b)
{
	return b.v[3];
}

noinline static struct big give(void)
{
	return (struct big){ { 1, 2, 3 } };
}

#define kernel(name) noinline static void name##_kernel(char *o, char *t)
kernel(none) { (void)o; (void)t; }
kernel(strlen) { by = strlen(t) == 20; (void)o; }
kernel(strcpy) { strcpy(o, t); }
kernel(stpcpy) { forget(t); o = __builtin_stpcpy(o, t); forget(o); }
kernel(strncpy) { strncpy(o, t, 32); }
kernel(strncpy8) { strncpy(o, t, 8); }
kernel(strcat) { *o = 0; forget(o); strcat(o, t); }
kernel(memcmp) { by = memcmp(o, t, 40) > 0; }
kernel(bzero) { __builtin_bzero(o, 17); (void)t; }
kernel(bcopy) { __builtin_bcopy(t, o, 19); }

kernel(cas)
{
	long want = 7;

	by = __atomic_compare_exchange_n(&word, &want, 5, 0, 5, 5);
}

kernel(bit) { by = (__atomic_fetch_or(&word, 4, 5) & 4) != 0; }
kernel(zero) { by = __atomic_sub_fetch(&word, 4, 5) == 0; }
kernel(flag) { by = __atomic_test_and_set(&lock, 5); }
kernel(clear) { __atomic_clear(&lock, 5); }
kernel(load24) { __atomic_load(&odd, &swapped, 5); }
kernel(store24) { __atomic_store(&odd, &swapped, 5); }
kernel(exchange24) { __atomic_exchange(&odd, &swapped, &wanted, 5); }
kernel(cas24) { by = __atomic_compare_exchange(&odd, &swapped, &wanted, 0, 5, 5); }
kernel(store16) { __atomic_store_n(&pair, 3, 5); }

kernel(take) { take(big); }
kernel(look) { word = look(big); }
kernel(give) { result = give(); }
kernel(field) { packed.s = 3; }
kernel(middle) { packed.mid = 7; }
kernel(volatile) { vol[1] = vol[0]; }
kernel(complex) { z = -z; }
kernel(long) { ld = ld + 1; }
kernel(asm) { __asm__ ("addq $1, %0" : "+m"(word)); }
kernel(asmout) { __asm__ ("movq %1, %0" : "=m"(word) : "r"(3L)); }

#define entry(name) { #name, name##_kernel }
static const struct {
	const char *name;
	void (*call)(char *o, char *t);
} kernels[] = {
	entry(none), entry(strlen), entry(strcpy), entry(stpcpy), entry(strncpy), entry(strncpy8),
	entry(strcat), entry(memcmp), entry(bzero), entry(bcopy), entry(cas), entry(bit), entry(zero),
	entry(flag), entry(clear), entry(load24), entry(store24), entry(exchange24), entry(cas24),
	entry(store16), entry(take), entry(look), entry(give), entry(field), entry(middle),
	entry(volatile), entry(complex), entry(long), entry(asm), entry(asmout),
};

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;

	for (unsigned k = 0; argc > 1 && k < sizeof kernels / sizeof kernels[0]; k++)
		if (!strcmp(kernels[k].name, argv[1])) {
			void (*call)(char *o, char *t) = kernels[k].call;

			for (int i = 0; i < n; i++)
				call(other, text);
		}
	printf("%d %ld %s %g %g %d %d %d %ld\n", by, word, other, __real__ z, (double)ld, packed.mid,
		packed.s, (int)pair, result.v[2]);
	return 0;
}
