// Containers of the library by their variables, and a class with smart pointers to itself.
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct Node {
	std::unique_ptr<Node> left, right;
	double v;
	double w[40];
};
struct Index : std::unordered_map<int, int> {
	int version = 0;
};
struct Base {
	Base *next = nullptr;
};
struct Derived : Base {
	double v[40];
};

static void fill(std::unordered_map<int, int> &table, int n)
{
	for (int i = 0; i < n; i++)
		table[i] = i;
}

int main()
{
	std::unordered_map<int, int> hash;
	std::unordered_multiset<int> bag;
	std::map<int, int> ordered;
	std::set<int> keys;
	std::list<int> queue;
	std::forward_list<int> stack;
	std::vector<int> values;
	Index index;

	fill(hash, 3);
	bag.insert(1);
	ordered[1] = 2;
	keys.insert(1);
	queue.push_back(1);
	stack.push_front(1);
	values.resize(10);
	index[1] = 2;
	Node *node = new Node();
	Derived *derived = new Derived();
	auto owned = std::make_unique<Node>();
	return node->v + derived->v[0] + owned->v > 100;
}
