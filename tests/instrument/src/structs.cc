// SPDX-License-Identifier: BSD-3-Clause
// For structs.sh: members behind accessors, references, base classes and containers.
#include <vector>

struct point {
	double x, y, z;
};

class particle : public point {
public:
	double weight() const { return mass; }
	virtual ~particle() {}

private:
	double mass, charge;
};

double weights(const std::vector<particle> &all)
{
	double sum = 0;

	for (const particle &p : all)
		sum += p.weight();
	return sum;
}

double first(const std::vector<particle> &all)
{
	double sum = 0;

	for (unsigned i = 0; i < all.size(); i++)
		sum += all[i].x;
	return sum;
}

double pairs(const std::vector<std::vector<point>> &all)
{
	double sum = 0;

	for (const auto &row : all)
		for (const point *p = row.data(); p != row.data() + row.size(); p++)
			sum += p->y + p->z;
	return sum;
}
