// SPDX-License-Identifier: BSD-3-Clause
// Virtual calls on 8192 objects of two classes, a line each, in random order.
//
// shapes: the pointers, in order.  rooms holds the objects: a miss each, for there is twice what level 2
// holds and the order is always the same; a call reads the table's address, then two members.
// corpus: machine=small lto
#include "corpus.h"
#include <new>

enum { N = 8192 };
struct shape {
	double width, height;
	shape(double w, double h) : width(w), height(h) {}
	virtual double area() const = 0;
	virtual ~shape() {}
};
struct box : shape {
	using shape::shape;
	KERNEL double area() const override { return width * height; }
};
struct triangle : shape {
	using shape::shape;
	KERNEL double area() const override { return width * height / 2; }
};
static char rooms[N][LINE] ON_LEVEL2;
static shape *shapes[N] ON_LEVEL2;
static double sum;

static KERNEL void step()
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += shapes[i]->area();
	sum += s;
}

int main()
{
	uint32_t seed = 19;

	for (int i = 0; i < N; i++) {
		if (i % 2)
			shapes[i] = new (rooms[i]) box(i % 5, 2);
		else
			shapes[i] = new (rooms[i]) triangle(i % 7, 4);
	}
	for (int i = N - 1; i > 0; i--) {
		int j = (int)(corpus_random(&seed) % (uint32_t)(i + 1));
		shape *t = shapes[i];

		shapes[i] = shapes[j];
		shapes[j] = t;
	}
	for (int i = 0; i < EXECUTIONS; i++)    // the phase
		step();
	printf("%g\n", sum);
	printf("expect shapes loads = %d at O2 O3 lto\n", N);
	printf("expect rooms loads = %d at O0\n", 3 * N);
	printf("expect rooms bytes = %d\n", 3 * N * 8);
	printf("expect rooms load_miss 1 = %d\n", N);
	printf("expect rooms load_miss 2 = %d\n", N);
	printf("expect shapes load_miss 1 = %d\n", N / 8);
	return 0;
}
