#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Markers of regions in different bytes of psc_unit.marks have a test each: a common one, of __psc_live, would call the markers of brief
# regions in clean executions.
. "$srcdir/tests/instrument/lib.sh"
# tests FLAGS: those of __psc_live in the version with markers; and of bytes of the marks, for there must be some
tests() {
	# shellcheck disable=SC2086
	"$psc" "$gxx" $1 -S "$here/src/bytes.cc" -o "$tmp/bytes.s" >"$tmp/log" 2>&1 && awk '
		/^[^ \t.#][^ \t]*:/ { inside = $0 ~ /work.*psc_mark/ && $0 !~ /cold/ }
		inside && /__psc_live/ { live++ }
		inside && /__psc_unit/ { bytes++ }
		END { print live + 0, bytes + 0 }' "$tmp/bytes.s"
}

for flags in -O1 -O2 -O3; do
	got=$(tests "$flags")
	echo "live, unit: $got" >>"$tmp/log"
	[ "${got% *}" = 0 ] && [ "${got#* }" -gt 1 ]
	ok $? "bytes.cc $flags: each byte has a test"
done
finish
