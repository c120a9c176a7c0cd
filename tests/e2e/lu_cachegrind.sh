#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# LU's misses by subroutine, ours against cachegrind's at equal geometry (256 KiB 8-way and 3 MiB 12-way,
# 128-byte lines), addresses as they are, one thread.  Cachegrind counts whole runs: the difference between
# four steps and two is that of two.  Compared are all subroutines with 2 % of the misses of a level, and
# the sums, scalar and vectorised.
. "${srcdir:-.}/tests/e2e/lib.sh"
command -v valgrind >/dev/null || skip_all "valgrind is not installed"

cat >equal.xml <<'EOF'
<machine name="equal" title="the paper's caches, for cachegrind" clock="1.3GHz" pages="virtual" page="4KiB">
  <cpus count="1"/>
  <cache level="1" size="256KiB" ways="8" line="128" shared="cpu" latency="6"/>
  <cache level="2" size="3MiB" ways="12" line="128" shared="cpu" latency="14"/>
  <memory latency="200"/>
</machine>
EOF

# By subroutine: misses of level 1, of level 2.
cg() {
	valgrind --tool=cachegrind --cache-sim=yes --D1=262144,8,128 --LL=3145728,12,128 --I1=32768,8,128 \
		--cachegrind-out-file=cg.$1 ./native/lu 33 "$1" >cg.log 2>&1
	awk '/^events:/ { for (i = 2; i <= NF; i++) at[$i] = i - 1 }
	/^fn=/ { f = substr($0, 4); sub(/_.*/, "", f) }
	/^[0-9]/ && f != "" {
		m1[f] += $(at["D1mr"] + 1) + $(at["D1mw"] + 1)
		m2[f] += $(at["DLmr"] + 1) + $(at["DLmw"] + 1)
	}
	END { for (f in m1) print f, m1[f], m2[f] }' cg.$1 | sort
}

# compare_flags FFLAGS: built so, natively and instrumented
compare_flags() {
	rm -rf native inst
	mkdir native
	(cd native && make -s -f "$srcdir/examples/lu/Makefile" FFLAGS="$1" lu) >build.log 2>&1
	build_lu inst "$1"
	cg 2 >two
	cg 4 >four
	join two four | awk '{ print $1, ($4 - $2) / 2, ($5 - $3) / 2 }' >theirs
	run 1 --app ./inst/lu --phase ssor.f:109 --machine ./equal.xml --no-psc --export-counts c.csv \
		--count 2 -- 33 10 || { sed 's/^/# /' err; echo "Bail out! the analysis failed"; exit 1; }
	exclusive >ours
	verdicts "$1"
}

# Exclusive of called subroutines: a subroutine's own contexts minus the subroutines directly below.
exclusive() {
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
{ gsub(/"/, "") }
$col["object"] == "*" {
	c = $col["context"]; parent[c] = $col["parent"]; type[c] = $col["type"]; name[c] = $col["name"]
	m1[c] = $col["l1_load_miss"] + $col["l1_store_miss"]; m2[c] = $col["l2_load_miss"] + $col["l2_store_miss"]
}
END {
	for (c in type) {
		if (type[c] != "SUB_REGION" && c != 0) continue
		f = (c == 0) ? "ssor" : name[c]
		a[f] += m1[c]; b[f] += m2[c]
		if (c == 0) continue
		p = parent[c]
		while (p > 0 && type[p] != "SUB_REGION") p = parent[p]
		g = (p > 0) ? name[p] : "ssor"
		a[g] -= m1[c]; b[g] -= m2[c]
	}
	for (f in a) print f, a[f], b[f]
}' c.csv | sort
}

verdicts() {
join ours theirs | awk -v n="$n" -v flags="$1" -v ours="$(awk '{ a += $2; b += $3 } END { print a, b }' ours)" '
function near(x, y, share) { d = x > y ? x - y : y - x; return d <= share * y }
function verdict(good, text) { printf "%sok %d - %s, %s\n", good ? "" : "not ", ++n, flags, text }
BEGIN { split(ours, all) }
{
	printf "# %-6s level 1: %d, cachegrind %d; level 2: %d, cachegrind %d\n", $1, $2, $4, $3, $5
	for (l = 1; l <= 2; l++) {
		theirs[l] += $(3 + l)
		if ($(1 + l) < .02 * all[l] && $(3 + l) < .02 * all[l]) continue
		verdict(near($(1 + l), $(3 + l), .02), $1 ", level " l " within 2 %")
		if ($1 == "blts" || $1 == "buts" || $1 == "rhs") seen++
	}
}
END {
	verdict(seen >= 5, "the sweeps and the right-hand side are among them")
	for (l = 1; l <= 2; l++) {
		printf "# all of level %d: %d, cachegrind %d\n", l, all[l], theirs[l]
		verdict(near(all[l], theirs[l], .01), "all of level " l " within 1 %")
	}
}' >said
cat said
n=$((n + $(grep -c '^ok\|^not ok' said)))
}

compare_flags "-O2 -g -fopenmp"
if grep -q avx2 /proc/cpuinfo 2>/dev/null; then
	compare_flags "-O3 -mavx2 -g -fopenmp"
else
	skip "-O3 -mavx2" "no AVX2 here"
fi
echo "1..$n"
