/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods that end in calls of methods, static, of the object, and virtual, 400 000 deep: jumps at -O2.
 * flags: -O2
 * flags: -O3 -flto
 */
#include <cstdio>

struct walk {
	long left, sum;
	int a[64];
};

class node {
public:
	virtual ~node() {}
	virtual long visit(walk &w, long x) = 0;
	node *next = nullptr;
};

class adder : public node {
public:
	explicit adder(int n) : n(n) {}
	long visit(walk &w, long x) override
	{
		for (int i = 0; i < n; i++)
			x += w.a[(x + i) & 63];
		if (--w.left <= 0)
			return x;
		return next->visit(w, x & 0xffff);
	}

private:
	int n;
};

class middle : public node {
protected:
	long go_on(walk &w, long x)
	{
		if (--w.left <= 0)
			return x;
		w.sum += w.a[x & 63];
		return next->visit(w, x);
	}
};

class writer final : public middle {
public:
	long visit(walk &w, long x) override
	{
		w.a[x & 63] += w.left & 3;
		return go_on(w, x + 1);
	}
};

class plain : public middle {
public:
	long visit(walk &w, long x) override { return count(w, x, this); }
	static long count(walk &w, long x, plain *self)
	{
		for (int i = 0; i < 2; i++)
			w.sum += w.a[(x ^ i) & 63];
		return self->go_on(w, x + 2);
	}
};

/* A thunk adjusts `this` between the call and the method. */
struct label {
	virtual ~label() {}
	virtual long visit_label(walk &w, long x) = 0;
	long pad = 7;
};

class labelled : public plain, public label {
public:
	long visit(walk &w, long x) override { return static_cast<label *>(this)->visit_label(w, x); }
	long visit_label(walk &w, long x) override
	{
		w.sum += pad;
		return next->visit(w, x ^ 5);
	}
};

int main()
{
	adder three(3), five(5);
	writer w;
	plain p;
	labelled l;
	node *ring[] = { &three, &w, &l, &five, &p };
	walk state = {};
	long sum = 0;

	for (int i = 0; i < 5; i++)
		ring[i]->next = ring[(i + 1) % 5];
	for (int i = 0; i < 64; i++)
		state.a[i] = i * 7 % 13;
	for (int i = 0; i < 6; i++) {
		state.left = 400000 + i;
		sum += ring[i % 5]->visit(state, i);    /* PHASE */
	}
	printf("%ld %ld\n", sum, state.sum);
	return 0;
}
