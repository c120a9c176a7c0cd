#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The boundaries of every loop form count its executions exactly, whatever the optimiser does.
. "$srcdir/tests/instrument/lib.sh"

# "LINE COUNT" of each loop that is phase-capable, from the SIR and the run's counts.
measured() {
	fragments "$1" | awk '
	FNR == NR { if ($1 == "region") n[$2] = $NF; next }
	/<codeRegion type="loop"/ {
		match($0, /index="[0-9]*"/); i = substr($0, RSTART + 7, RLENGTH - 8)
		match($0, /id="[0-9]*-[0-9]*"/); l = substr($0, RSTART + 4, RLENGTH - 5)
		sub(/.*-/, "", l)
		if (/hook="[^"]*phase/) print l, n[i] + 0
	}' "$2" - | sort -n
}

expected() {
	awk 'match($0, /@phases [0-9]+/) && !/"@phases/ { print FNR, substr($0, RSTART + 8, RLENGTH - 8) }' "$1"
}

check() {
	file=$1
	shift
	"$psc" "$(compiler_of "$file")" "$@" -fopenmp -w "$here/src/$file" -o "$tmp/x" > "$tmp/log" 2>&1 &&
		STUB_OUT=$tmp/out "$tmp/x" > "$tmp/stdout" 2>> "$tmp/log" || {
		ok 1 "$file $*: compiles and runs"
		return
	}
	measured "$tmp/x" "$tmp/out" > "$tmp/got"
	expected "$here/src/$file" > "$tmp/want"
	diff "$tmp/want" "$tmp/got" > "$tmp/log"
	ok $? "$file $*: executions are counted"
}

for file in phases.c phases.f90; do
	check "$file" -O0
	check "$file" -O2
	check "$file" -O3 -mavx2 -ffast-math
	check "$file" -O3 -flto
	check "$file" -Os
done

# --phase makes an inner loop of a pure nest capable.
line=$(grep -n 'not capable: inside' "$here/src/phases.f90" | cut -d: -f1)
"$psc" --phase="src/phases.f90:$line" "$gfortran" -O2 -c "$here/src/phases.f90" -o "$tmp/x.o" > "$tmp/log" 2>&1
table "$tmp/x.o" | grep "loop $line-.*phase" > /dev/null
ok $? "--phase makes an inner loop a phase"

# The begin and the end of a loop are called alone where its iterations are brief.
cat > "$tmp/brief.c" <<EOF
__attribute__((noinline)) double step(double *a, int i)
{
	for (int k = 1; k < 4; k++)
		a[i] += a[(i + k) % 100] * 0.5;
	return a[i];
}
int main(void)
{
	double a[100] = { 0 }, sum = 0;

	for (int i = 0; i < 100; i++) {
		sum += step(a, i);
		for (int k = 0; k < 100; k++)
			sum += a[k];
		sum -= step(a, 99 - i);
	}
	*(volatile double *)a = sum;
	return a[0] >= 1e9;
}
EOF
for level in -O0 -O2; do
	"$psc" --attach "$gcc" $level -w "$tmp/brief.c" -o "$tmp/brief" > "$tmp/log" 2>&1
	loop=$(fragments "$tmp/brief" | sed -n 's/.*<codeRegion type="loop".* index="\([0-9]*\)".*phase.*/\1/p')
	STUB_OPEN=$loop STUB_OUT=$tmp/out "$tmp/brief" >> "$tmp/log" 2>&1 && cat "$tmp/out" >> "$tmp/log" &&
		awk -v loop="$loop" '$1 == "region" { for (i = 3; i <= NF; i++) n[$2 == loop] += $i }
			END { exit !(n[1] > 1 && n[1] < 9 && !n[0]) }' "$tmp/out"
	ok $? "$level: iterations that nobody asks for call no hook"
done
finish
