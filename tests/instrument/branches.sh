#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How many branches on loaded values of an iteration the plugin says may be mispredicted.
. "$srcdir/tests/instrument/lib.sh"
STUB_RECORD=1
STUB_TRACE=1
STUB_DESCRIBE=1
export STUB_RECORD STUB_TRACE STUB_DESCRIBE

# mispredicts KERNEL: sixteenths, summed over the descriptors of its lines
mispredicts() {
	awk -v lines="$(awk -v name="$1" 'index($0, "/* " name " */") { printf " %d ", NR }' "$here/src/branches.c")" '
		$1 == "describe" && index(lines, " " $2 " ") {
			for (i = 4; i < NF; i++)
				if ($i == "mispredicts")
					sum += $(i + 1)
			n++
		}
		END { print n ? sum : "none" }' "$tmp/trace"
}

# says KERNEL LEAST MOST FLAGS
says() {
	got=$(mispredicts "$1")
	[ "$got" != none ] && [ "$got" -ge "$2" ] && [ "$got" -le "$3" ]
	status=$?
	echo "$got of 16" > "$tmp/log"
	ok $status "$1: $2 to $3 sixteenths $4"
}

for flags in -O1 -O2 "-O3 -fno-tree-vectorize"; do
	# shellcheck disable=SC2086
	"$psc" "$gcc" $flags "$here/src/branches.c" -o "$tmp/branches" > "$tmp/log" 2>&1 &&
		STUB_OUT=$tmp/out "$tmp/branches" > "$tmp/trace" 2>&1
	ok $? "branches.c $flags"
	says votes 8 8 "$flags"
	says mixed 8 8 "$flags"
	says two 8 8 "$flags"
	says moved 0 0 "$flags"
	says straight 0 0 "$flags"
	says unlikely 1 3 "$flags"
done
finish
