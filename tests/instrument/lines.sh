#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each group of a record's descriptor has the line of its statement; 0 where that is in another file than the
# function.
. "$srcdir/tests/instrument/lib.sh"
STUB_RECORD=1
STUB_DESCRIBE=1
export STUB_RECORD STUB_DESCRIBE

# lines KIND: the lines of the groups in all records of that kind, as words of the source's text
lines() {
	awk -v kind="$1" '$1 == "describe" && $3 == kind {
		for (i = 1; $i != "lines"; i++)
			;
		while (++i <= NF)
			print $i
	}' "$tmp/err"
}

number() {
	awk -v text="$1" 'index($0, text) { print NR; exit }' "$here/src/lines.c"
}

# same NAME WANT…: the lines of $tmp/have are these, in this order
same() {
	name=$1
	shift
	have=$(tr '\n' ' ' < "$tmp/have")
	[ "$have" = "$* " ]
	status=$?
	echo "lines $have, not $*" > "$tmp/log"
	ok $status "$name"
}

for flags in -O1 -O2 "-O2 -flto"; do
	# shellcheck disable=SC2086
	"$psc" "$gcc" -g $flags -fno-tree-vectorize -fno-tree-loop-distribute-patterns "$here/src/lines.c" -o "$tmp/lines" > "$tmp/log" 2>&1
	STUB_OUT=$tmp/out "$tmp/lines" 2> "$tmp/err"
	cat "$tmp/err" >> "$tmp/log"
	a=$(number "out[i] = table") b=$(number "other[3 * i] =") c=$(number "other[i] = from_here") d=$(number "return *p;")
	lines segment | sort -n | uniq > "$tmp/have"
	same "$flags: straight code" 0 "$d" "$a" "$b" "$c"
	a=$(number "s += table[i]") b=$(number "out[2 * i] = s")
	lines loop > "$tmp/have"
	same "$flags: a loop" "$a" "$b" 0
done
finish
