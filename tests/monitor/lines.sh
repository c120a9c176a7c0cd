#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Misses by source line, through plugin, monitor and simulator: three statements whose misses are known.
: "${builddir:=.}" "${srcdir:=.}" "${PSC_GCC:=gcc}" "${PSC_GFORTRAN:=gfortran}"
if [ ! -x "$builddir/psc_instrument" ]; then
	echo "1..0 # SKIP the plugin is not built"
	exit 0
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
PSC_CHECK=1
export PSC_CHECK
n=0

ok() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		grep -h '^site\|^count\|check' "$tmp/sim" "$tmp/log" | sed 's/^/# /' | head -60
	fi
}

# build COMPILER SOURCE FLAGS…
build() {
	compiler=$1 source=$srcdir/tests/monitor/$2
	shift 2
	"$builddir/psc_instrument" "$compiler" -g -fno-tree-vectorize -fno-tree-loop-distribute-patterns "$@" "$source" \
		-o "$tmp/program" > "$tmp/log" 2>&1 || return 1
	phase=$(awk '/the phase/ { print NR }' "$source")
}

# run OPTIONS…: the phase's rows in $tmp/sim
run() {
	"$builddir/tests/monitor/simrun" --phase "line:$phase" --warm 1 --output "$tmp/sim" "$@" -- "$tmp/program" \
		> "$tmp/out" 2>> "$tmp/log" && grep -q '^request state=done' "$tmp/sim"
}

# missed TEXT: misses of the line with this text in the source, of the nearest and the last level, over all contexts
missed() {
	line=$(awk -v text="$1" 'index($0, text) { print NR }' "$source")
	awk -v line="line=$line" '/^site/ && $4 == line { sub("first=", "", $5); sub("last=", "", $6); a += $5; b += $6 }
		END { print a + 0, b + 0 }' "$tmp/sim"
}

# near TEXT FIRST LAST: within a line of an array that begins inside of one
near() {
	# shellcheck disable=SC2046
	set -- $(missed "$1") "$2" "$3"
	[ $(($1 - $3)) -ge -2 ] && [ $(($1 - $3)) -le 2 ] && [ $(($2 - $4)) -ge -2 ] && [ $(($2 - $4)) -le 2 ]
}

# The rows of each context and structure by line sum to its misses, and some line is known.
sums() {
	awk '/^count/ { key = $2 " " $3
			for (i = 5; i <= NF; i++) {
				split($i, k, "=")
				if (k[1] !~ /^m[0-9]$/) continue
				split(k[2], v, "/"); last = v[1] + v[2]
				if (k[1] == "m1") a[key] += last
			}
			b[key] += last }
		/^site/ { key = $2 " " $3; sub("first=", "", $5); sub("last=", "", $6)
			a[key] -= $5; b[key] -= $6; known += $4 != "line=0"
			if (++rows[key, $4] > 1) bad = 1
			if (++each[key] > 9) bad = 1 }
		END { for (key in a) if (a[key] || b[key]) bad = 1
			exit bad || !known }' "$tmp/sim"
}

for source in lines.c lines.f90; do
	case $source in
	*.c) compiler=${PSC_GCC%% *} ;;
	*) compiler=${PSC_GFORTRAN%% *}
		command -v "$compiler" > /dev/null || continue ;;
	esac
	modules=
	[ "$source" = lines.c ] || modules="-J$tmp"
	for flags in -O1 -O2; do
		# shellcheck disable=SC2086
		build "$compiler" "${source##*/}" "$flags" $modules && run && near "indexed streams" 1024 1024 &&
			near "indexed strides" 8192 8192 && near "indexed hits" 0 0 && near "affine streams" 1024 1024 &&
			near "affine strides" 8192 8192 && sums
		ok $? "${source##*/} $flags: a stream, a stride, no miss"
	done
done
build "${PSC_GCC%% *}" lines.c -O2 && run --sample 4 && sums
ok $? "one set in four: rows by line sum to the scaled misses"
run --machine "$srcdir/machine/x86-server.xml" && sums
ok $? "three levels"
run --machine "$srcdir/machine/a64fx.xml" && sums
ok $? "levels that write back and prefetch"
if build "${PSC_GCC%% *}" lines.c -O2 -fopenmp; then
	OMP_NUM_THREADS=2
	export OMP_NUM_THREADS
	run --cpus 2 --levels 32K/8/64,256K/8/64/all && sums && grep -q '^count .* thread=1' "$tmp/sim"
	ok $? "two threads: rows by line sum to the misses"
fi
echo "1..$n"
