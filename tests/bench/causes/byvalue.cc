// SPDX-License-Identifier: BSD-3-Clause
// Readings of a station are interpolated at many times; the station, with all its readings, is copied
// for each call.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Station {
	double reading[400];
	double start, interval;
};

#ifdef FIXED
typedef const Station &Given;
#else
typedef Station Given;
#endif

__attribute__((noinline)) static double at_time(Given station, double time)
{
	double position = (time - station.start) / station.interval;
	int before = int(position) % 399;

	return station.reading[before] + (position - int(position)) *
		(station.reading[before + 1] - station.reading[before]);
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? std::atoi(argv[1]) : 40;
	std::vector<Station> stations(50);
	double sum = 0;

	for (auto &station : stations) {
		station.start = 0;
		station.interval = 0.5;
		for (int i = 0; i < 400; i++)
			station.reading[i] = i % 17;
	}
	for (int step = 0; step < steps; step++) // the phase
		for (int i = 0; i < 100000; i++)
			sum += at_time(stations[i % 50], 0.01 * i);
	std::printf("%.15g\n", sum);
}
