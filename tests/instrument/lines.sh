#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each group of a record's descriptor has the line of its statement; where that is in another file than the
# function, the line of the call there: in the descriptor if it was inlined, else as a word before the call.
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

calls() { sed -n 's/^call //p' "$tmp/err"; }

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
	e=$(number "from_elsewhere(&table[i])") f=$(number "return p[1]") g=$(grep -n "return p\[2\]" "$here/src/lines.h" | cut -d: -f1)
	lines segment | sed 's/^-//' | sort -n | uniq > "$tmp/have"
	same "$flags: straight code" "$d" "$g" "$a" "$b" "$e" "$c" "$f" "$(number "through(&other[i])")"
	case $flags in
	*lto) ;;        # then nobody knows which functions have a context
	*)
		lines segment | grep '^-' | sort -rn | uniq > "$tmp/have"
		same "$flags: of functions without a context" "-$d" "-$g" "-$a" "-$b" "-$e" "-$c" "-$f"
		;;
	esac
	a=$(number "s += table[i]") b=$(number "out[2 * i] = s") c=$(number "s += from_elsewhere(&other[i])")
	lines loop > "$tmp/have"
	same "$flags: a loop" "$a" "$b" "$c"
	a=$(number "from_afar(&table[i])") b=$(number "from_afar(&other[i])") c=$(number "through(&other[i])")
	calls | sort -n | uniq > "$tmp/have"
	same "$flags: calls" 0 "$a" "$b" "$c"
done
finish
