#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the C source of a program for psc_swarm: a phase loop around 20 calls, whose functions have 8 loops each, over
# 20 arrays: about 200 calling contexts.
awk 'BEGIN {
	for (a = 0; a < 20; a++)
		printf "double a%d[100000];\n", a
	for (f = 0; f < 20; f++) {
		printf "__attribute__((noinline)) void f%d(int n)\n{\n", f
		for (l = 0; l < 8; l++) {
			x = (f + l) % 20; y = (f + 3 * l + 1) % 20; z = (f + 7 * l + 2) % 20
			printf "\tfor (int i = 1; i < n; i++)\n\t\ta%d[i] += a%d[i - 1] * 0.5 + a%d[i];\n", x, y, z
		}
		printf "}\n"
	}
	printf "int main(void)\n{\n\tfor (int step = 0; step < 50; step++) {   /* the phase */\n"
	for (f = 0; f < 20; f++)
		printf "\t\tf%d(90000 + step);\n", f
	printf "\t}\n\treturn 0;\n}\n"
}'
