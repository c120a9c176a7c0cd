#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the recorder finds in a program whose accesses and blocks of memory are known.
srcdir=${srcdir:-.}
builddir=${builddir:-.}
. "$srcdir/tests/tap.sh"
library=$builddir/burst/.libs/libpscburst.so
run=$builddir/tests/burst/burstrun
[ -x "$run" ] || skip_all "no burst recorder in this build"
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-burst.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT

# Flags: a burst begins before main(), goes through system calls, and begins at the signal again.
"$run" -d -f 14 -e 0 -p 0 -b 4096 "$library" "$builddir/tests/burst/known" > "$tmp/out" 2> "$tmp/err"

# accesses WHAT HOW: as many of this kind in this range as the program says
accesses() {
	awk -v what="$1" -v how="$2" '
		function number(hex,   n, k) { for (k = 1; k <= length(hex); k++) n = 16 * n + index("0123456789abcdef", substr(hex, k, 1)) - 1; return n }
		FNR == NR { if ($1 == what) { low = number($2); high = number($3); expected = $4 } next }
		NF == 7 && $1 + 0 > 0 && $6 == how && $5 == 8 { at = number($4); if (at >= low && at < high) { n++; if (!($4 in seen)) { seen[$4]; places++ } } }
		END { print n " accesses of " expected ", " places " places of " (high - low) / 8; exit !(n == expected && places == (high - low) / 8) }
	' "$tmp/out" "$tmp/out"
}
# events WORD KIND: one for each line of the program, with its address and size
events() {
	awk -v word="$1" -v kind="$2" '
		$1 == word { n++; left[$2 " " $3] }
		$1 == "event" && $2 == kind { delete left[$3 " " $4] }
		END { for (k in left) print "no event of " k; for (k in left) exit 1; exit n == 0 }
	' "$tmp/out"
}
freed() {
	awk '$1 == "block" { left[$2] } $1 == "event" && $2 == 2 { delete left[$3] }
		END { for (k in left) { print "not freed: " k; bad = 1 } exit bad }' "$tmp/out"
}

# A small block may lie where a large one has been.
small_ends() {
	awk '$1 == "gone" { gone[$2]; n++ } $1 == "block" { large[$2]++ } $1 == "event" && $2 == 2 { ends[$3]++ }
		END {
			for (k in gone) if (ends[k] + 0 != large[k] + 0) { print "ends of " k ": " ends[k]; bad = 1 }
			exit bad || n != 29
		}' "$tmp/out"
}

# Each granule of a small block has a site: one for each place that allocates.
small() {
	awk '
		function number(hex,   n, k) { for (k = 1; k <= length(hex); k++) n = 16 * n + index("0123456789abcdef", substr(hex, k, 1)) - 1; return n }
		# awk has no exact names for large numbers: distances from the first block.
		$1 == "small" { base = n ? base : number($2); from[++n] = number($2) - base; size[n] = $3; place[n] = $4 }
		$1 == "granule" { site[number($2) - base] = $3 }
		END {
			for (k = 1; k <= n; k++)
				for (at = from[k]; at < from[k] + size[k]; at += 16) {
					if (!(at in site) || ((place[k] in of) && of[place[k]] != site[at]))
						bad++
					of[place[k]] = site[at]
				}
			print n " blocks, sites " of["first"] " and " of["second"] ", wrong granules: " bad + 0
			exit !(n == 40 && !bad && of["first"] != of["second"])
		}' "$tmp/out"
}

plan 7
tap_out=$tmp/check.out
check "each load of a loop is recorded" accesses loads r
check "each store is recorded" accesses stores w
check "each large block has an event" events block 1
check "each mapping has an event" events map 3
check "each block's end has an event" freed
check "that of a small one has none" small_ends
check "each small block has its site" small
