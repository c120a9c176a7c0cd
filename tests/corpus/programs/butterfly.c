/* SPDX-License-Identifier: BSD-3-Clause */
/* The butterflies of a fast Fourier transform: 8192 complex numbers (128 KiB), 13 stages, in which
 * the partners lie 1, 2, 4 ... 4096 elements apart.
 *
 * Every stage passes through all of data, four times level 1: 2048 misses each, whatever the
 * stride, for partners meet in pairs only.  factors (64 KiB) is read with strides that halve from stage
 * to stage.  Level 2 holds both.
 * corpus: machine=small */
#include "corpus.h"

enum { N = 8192, STAGES = 13 };
struct number {
	double re, im;
};
static struct number data[N] ON_LEVEL2, factors[N / 2] ON_LEVEL2;

static KERNEL void stage(int h)
{
	int stride = N / 2 / h;

	for (int base = 0; base < N; base += 2 * h)
		for (int j = 0; j < h; j++) {
			struct number *p = &data[base + j], *q = p + h;
			struct number w = factors[j * stride];
			double re = q->re * w.re - q->im * w.im, im = q->re * w.im + q->im * w.re;

			q->re = (p->re - re) * 0.5;
			q->im = (p->im - im) * 0.5;
			p->re = (p->re + re) * 0.5;
			p->im = (p->im + im) * 0.5;
		}
}

static KERNEL void step(void)
{
	for (int h = 1; h < N; h *= 2)
		stage(h);
}

int main(void)
{
	double c = 1, s = 0;

	for (int i = 0; i < N; i++)
		data[i].re = i % 17, data[i].im = i % 5;
	for (int i = 0; i < N / 2; i++) {       /* turned by about pi / 4096 each, by hand */
		double t = c - s * 7.6699e-4;

		factors[i].re = c, factors[i].im = -s;
		s += c * 7.6699e-4;
		c = t;
	}
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%.10g %.10g\n", data[1].re, data[4097].im);
	printf("expect data stores = %d at O0\n", STAGES * N * 2);
	printf("expect data miss 1 = %d\n", STAGES * N / 4);
	printf("expect data store_miss 1 = 0\n");
	printf("expect total miss 2 in 0 8\n");
	return 0;
}
