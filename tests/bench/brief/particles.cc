// SPDX-License-Identifier: BSD-3-Clause
// Particles in a box with a soft repulsion, by cells.  They are placed in a spiral first.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Particle { double x, y, vx, vy, fx, fy; };

class Box {
public:
	Box(int n, int cells) : cells_(cells), p_(n), cell_(cells * cells)
	{
		for (int i = 0; i < n; i++)
			p_[i] = Particle{0.5 + 0.49 * std::sqrt((i + 0.5) / n) * std::cos(2.4 * i),
				0.5 + 0.49 * std::sqrt((i + 0.5) / n) * std::sin(2.4 * i), 0, 0, 0, 0};
	}
	void step(double dt)
	{
		sort();
		forces();
		for (auto &p : p_)
			move(p, dt);
	}
	double energy() const
	{
		double e = 0;

		for (const auto &p : p_)
			e += p.vx * p.vx + p.vy * p.vy;
		return e / 2;
	}

private:
	void sort()
	{
		for (auto &c : cell_)
			c.clear();
		for (size_t i = 0; i < p_.size(); i++)
			cell_[index(p_[i].y) * cells_ + index(p_[i].x)].push_back(static_cast<int>(i));
	}
	int index(double x) const
	{
		int i = static_cast<int>(x * cells_);

		return i < 0 ? 0 : i >= cells_ ? cells_ - 1 : i;
	}
	void forces()
	{
		for (int y = 0; y < cells_; y++)
			for (int x = 0; x < cells_; x++)
				for (int a : cell_[y * cells_ + x])
					push(p_[a], a, x, y);
	}
	void push(Particle &p, int self, int cx, int cy)
	{
		p.fx = p.fy = 0;
		for (int y = cy > 0 ? cy - 1 : 0; y <= cy + 1 && y < cells_; y++)
			for (int x = cx > 0 ? cx - 1 : 0; x <= cx + 1 && x < cells_; x++)
				for (int b : cell_[y * cells_ + x])
					if (b != self)
						pair(p, p_[b]);
	}
	void pair(Particle &p, const Particle &q)
	{
		double dx = p.x - q.x, dy = p.y - q.y, r2 = dx * dx + dy * dy, reach = 1.0 / cells_;

		if (r2 < reach * reach) {
			double f = (reach - std::sqrt(r2 + 1e-12)) / reach;

			p.fx += f * dx;
			p.fy += f * dy;
		}
	}
	static void move(Particle &p, double dt)
	{
		p.vx += dt * p.fx;
		p.vy += dt * p.fy;
		p.x += dt * p.vx;
		p.y += dt * p.vy;
	}
	int cells_;
	std::vector<Particle> p_;
	std::vector<std::vector<int>> cell_;
};

int main(int argc, char **argv)
{
	int steps = argc > 1 ? std::atoi(argv[1]) : 40;
	Box box(12000, 64);

	for (int i = 0; i < steps; i++)                 // PHASE
		box.step(1e-3);
	std::printf("%.9g\n", box.energy());
	return 0;
}
