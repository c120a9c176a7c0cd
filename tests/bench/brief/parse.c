/* SPDX-License-Identifier: BSD-3-Clause */
/* Relaxes the Laplace equation in 60 steps.  What it reads before has most of the program's code, and is empty by default. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { int width, height, steps, print; double edge, top, weight; } set = { 1500, 1000, 60, 0, 1, 0, 0.95 };
static double *field, *next;

static void set_number(const char *name, double value)
{
	if (strcmp(name, "width") == 0)
		set.width = (int)value;
	else if (strcmp(name, "height") == 0)
		set.height = (int)value;
	else if (strcmp(name, "steps") == 0)
		set.steps = (int)value;
	else if (strcmp(name, "edge") == 0)
		set.edge = value;
	else if (strcmp(name, "top") == 0)
		set.top = value;
	else
		fprintf(stderr, "what is %s?\n", name);
}

static const char *skip(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static void read_line(const char *line)
{
	char name[64];
	size_t n = 0;
	const char *at = skip(line);

	while (*at && *at != '=' && n < sizeof name - 1)
		name[n++] = *at++;
	name[n] = '\0';
	if (*at == '=')
		set_number(name, strtod(skip(at + 1), NULL));
	else
		set.print |= n != 0;
}

static void read_all(int n, char **line)
{
	for (int i = 1; i < n; i++) {
		for (int k = 0; line[i][k]; k++)
			if (line[i][k] == ':')
				line[i][k] = '=';
		read_line(line[i]);
		if (set.width < 3 || set.height < 3) {
			fprintf(stderr, "too small\n");
			exit(1);
		}
		if (set.print)
			printf("%s\n", line[i]);
	}
}

static double relax(void)
{
	double change = 0;

	for (int y = 1; y < set.height - 1; y++)
		for (int x = 1; x < set.width - 1; x++) {
			int at = y * set.width + x;
			double d = 0.25 * (field[at - 1] + field[at + 1] + field[at - set.width] + field[at + set.width]) -
				field[at];

			next[at] = field[at] + set.weight * d;
			change += d * d;
		}
	return change;
}

static void edges(double *f)
{
	for (int x = 0; x < set.width; x++)
		f[x] = set.top;
	for (int y = 0; y < set.height; y++)
		f[y * set.width] = f[(y + 1) * set.width - 1] = set.edge;
}

int main(int argc, char **argv)
{
	size_t n;
	double change = 0, *old;

	read_all(argc, argv);
	n = (size_t)set.width * (size_t)set.height;
	field = calloc(n, sizeof *field);
	next = calloc(n, sizeof *next);
	edges(field);
	edges(next);
	for (int step = 0; step < set.steps; step++) {  /* PHASE */
		change = relax();
		old = field;
		field = next;
		next = old;
	}
	printf("%.12g\n", change);
	return 0;
}
