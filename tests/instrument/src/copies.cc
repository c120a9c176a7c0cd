// Copies by value, of objects and of blocks.
#include <cstring>
#include <vector>

struct Model { double v[64]; };
struct Small { double v[4]; };
static Model from, to;
static char bytes[512];

__attribute__((noinline)) static double eval(Model m, int i) { return m.v[i]; }
__attribute__((noinline)) static double look(const Model &m, int i) { return m.v[i]; }
__attribute__((noinline)) static double tiny(Small s, int i) { return s.v[i]; }
__attribute__((noinline)) static double sum(std::vector<double> v) { return v[0] + v[1]; }

int main(int argc, char **)
{
	std::vector<Model> models(4);
	std::vector<double> v(100, 1.0);
	Small s = { { 1, 2, 3, double(argc) } };
	double all = 0;

	for (int i = 0; i < 4; i++)
		all += eval(models[i & 3], i);
	for (int i = 0; i < 4; i++)
		all += look(models[i & 3], i) + tiny(s, i & 3);
	for (int i = 0; i < 4; i++)
		all += sum(v);
	for (int i = 0; i < 4; i++) {
		to = from;
		all += look(to, i);
	}
	for (int i = 1; i < 4; i++)
		std::memcpy(bytes, bytes + 64 * i * argc, 64 * i);
	return all > 1e9;
}
