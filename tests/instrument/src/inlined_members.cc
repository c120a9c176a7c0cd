// SPDX-License-Identifier: BSD-3-Clause
// Members of templates, which are comdat: called once, and a search that two of them call.
#include <cstdio>

class key {
public:
	explicit key(int v) : value(v) {}
	int value;
};

template <typename K> class table {
public:
	void enter(const K &k);
	int &look_up(const K &k);

private:
	int place(const K &k, int from) const;
	static const int n = 100;
	int keys[n] = {}, found[n] = {};
};

template <typename K> int table<K>::place(const K &k, int from) const
{
	int at = from;

	while (keys[at] && keys[at] != k.value)
		at = at + 1 < n ? at + 1 : 0;
	return at;
}

template <typename K> void table<K>::enter(const K &k)
{
	int at = place(k, k.value % n);

	keys[at] = k.value;
	found[at] = 0;
}

template <typename K> int &table<K>::look_up(const K &k)
{
	return found[place(k, k.value % n)];
}

static int count(table<key> &t, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += t.look_up(key(1 + i * 7 % 50))++;
	return sum;
}

int main()
{
	table<key> t;
	int sum = 0;

	for (int i = 1; i <= 50; i++)
		t.enter(key(i));
	for (int step = 0; step < 5; step++)
		sum += count(t, 200);
	std::printf("%d\n", sum);
	return 0;
}
