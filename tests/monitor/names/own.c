/* A program with names like ours: psc_ is no reserved prefix, nor are names inside the monitor. */
#include <stdio.h>

/* expect: a 8000 4000 */
static double a[500], b[500];         /* expect: b 4000 0 */
int psc_live = 7, psc_heap = 1, psc_recording = 3, pscm_live = 2, pscm_busy = 1, psc_unit = 5, psc_site = 6;
struct { int cur, end; } psc_records = { 1, 2 };
long psc_tables[3] = { 1, 2, 3 };

__attribute__((noinline)) long psc_enter(long x) { return x + 1; }
__attribute__((noinline)) long psc_exit(long x) { return x - 1; }
__attribute__((noinline)) void psc_flush(int *p) { (*p)++; }
__attribute__((noinline)) int pscm_x(int k) { return k ^ 1; }
__attribute__((noinline)) int sim_env(int k) { return k + 2; }
__attribute__((noinline)) int share_new(int k) { return k + 3; }
__attribute__((noinline)) int psc_object_begin(int k) { return k; }
__attribute__((noinline)) int psc_unit_start(int k) { return k + 4; }

__attribute__((noinline)) void play_loop(int n)
{
	for (int i = 0; i < n; i++)
		a[i] = a[i] + a[n - 1 - i] + b[i];
}

int main(void)
{
	long t = 0;
	int k = 0;

	for (int i = 0; i < 4; i++)      /* the phase */
		for (int j = 0; j < 4; j++)
			play_loop(500);
	for (int i = 0; i < 20; i++) {
		t += psc_exit(psc_enter(i)) + pscm_x(i) + sim_env(i) + share_new(i) + psc_unit_start(i) + psc_object_begin(i);
		psc_flush(&k);
	}
	printf("%ld %d %d %g\n", t, k, psc_live + psc_heap + psc_recording + pscm_live + pscm_busy +
		psc_unit + psc_site + psc_records.end + (int)psc_tables[2], a[3]);
	return 0;
}
