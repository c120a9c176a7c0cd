// SPDX-License-Identifier: BSD-3-Clause
// The nearest of many points in the plane, by a kd-tree: of nodes that the heap scattered, or in one
// array, the children of i at 2 i + 1 and 2 i + 2.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Point { float c[2]; };
static const int levels = 18, points = (1 << levels) - 1;

#ifdef FIXED
struct Tree { std::vector<Point> all = std::vector<Point>(points); };
typedef int Place;
static bool there(Place i) { return i < points; }
static const Point &point(const Tree &t, Place i) { return t.all[i]; }
static Place child(const Tree &, Place i, int side) { return 2 * i + 1 + side; }
static Place root(const Tree &) { return 0; }
static void put(Tree &t, int i, Point p) { t.all[i] = p; }
#else
struct Node { Point p; Node *child[2]; long color; char name[24]; };
struct Tree { std::vector<Node *> made = std::vector<Node *>(points); };
typedef const Node *Place;
static bool there(Place n) { return n != nullptr; }
static const Point &point(const Tree &, Place n) { return n->p; }
static Place child(const Tree &, Place n, int side) { return n->child[side]; }
static Place root(const Tree &t) { return t.made[0]; }
static void put(Tree &t, int i, Point p)
{
	t.made[i] = new Node{ p, { nullptr, nullptr }, 0, "" };
	if (i)
		t.made[(i - 1) / 2]->child[1 - i % 2] = t.made[i];
}
#endif

static void build(Tree &t, std::vector<Point> &p, int from, int to, int at, int axis)
{
	int middle = (from + to) / 2;

	std::nth_element(p.begin() + from, p.begin() + middle, p.begin() + to,
		[axis](const Point &a, const Point &b) { return a.c[axis] < b.c[axis]; });
	put(t, at, p[middle]);
	if (middle > from) {
		build(t, p, from, middle, 2 * at + 1, 1 - axis);
		build(t, p, middle + 1, to, 2 * at + 2, 1 - axis);
	}
}

static void search(const Tree &t, Place at, int axis, Point q, float &best)
{
	if (!there(at))
		return;
	const Point p = point(t, at);
	float dx = q.c[0] - p.c[0], dy = q.c[1] - p.c[1], off = q.c[axis] - p.c[axis];

	best = std::min(best, dx * dx + dy * dy);
	search(t, child(t, at, off > 0), 1 - axis, q, best);
	if (off * off < best)
		search(t, child(t, at, off <= 0), 1 - axis, q, best);
}

static Point random_point(unsigned &state)
{
	Point p;

	for (float &c : p.c)
		c = float((state = state * 1664525u + 1013904223u) >> 8) / float(1 << 24);
	return p;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? std::atoi(argv[1]) : 40;
	std::vector<Point> p(points);
	unsigned state = 1;
	double sum = 0;
	Tree tree;

	for (Point &one : p)
		one = random_point(state);
	build(tree, p, 0, points, 0, 0);
	for (int step = 0; step < steps; step++) // the phase
		for (int i = 0; i < 20000; i++) {
			float best = 4;

			search(tree, root(tree), 0, random_point(state), best);
			sum += best;
		}
	std::printf("%.9g\n", sum);
}
