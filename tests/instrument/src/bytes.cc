/* SPDX-License-Identifier: BSD-3-Clause */
/* A value class with a destructor that does nothing: of the expression below, GCC inlines more regions than the bits of a byte, and
 * their markers stand one behind the other. */
struct pair {
	double x, y;
	pair(double a, double b) : x(a), y(b) {}
	pair(const pair &p) : x(p.x), y(p.y) {}
	~pair() {}
};

static inline pair operator+(const pair &a, const pair &b) { return pair(a.x + b.x, a.y + b.y); }
static inline pair operator-(const pair &a, const pair &b) { return pair(a.x - b.x, a.y - b.y); }
static inline pair operator*(double s, const pair &b) { return pair(s * b.x, s * b.y); }
static inline double cross(const pair &a, const pair &b) { return a.x * b.y - a.y * b.x; }

double in[1000][2], out[1000];

__attribute__((noinline)) static void work(int n)
{
	for (int i = 1; i < n; i++) {
		pair a(in[i][0], in[i][1]), b(in[i - 1][0], in[i - 1][1]);
		pair c = 0.5 * (a + b), d = 0.25 * (a - b), e = 0.5 * (a + b - c - d), f = 0.25 * (b + c - a - d);

		out[i] = cross(c + e, d - f) + cross(e - f, c + d);
	}
}

int main(int argc, char **)
{
	for (int i = 0; i < 10; i++)
		work(1000 / argc);
	return out[5] > 1;
}
