#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs under the burst recorder, always translated and in bursts: the same output and the same exit code as without.
srcdir=${srcdir:-.}
builddir=${builddir:-.}
. "$srcdir/tests/tap.sh"
library=$builddir/burst/.libs/libpscburst.so
run=$builddir/tests/burst/burstrun
[ -x "$run" ] || skip_all "no burst recorder in this build"
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-burst.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
seq 1 20000 > "$tmp/numbers"

# alike NAME COMMAND...: by itself, translated all the time, and in bursts
alike() {
	name=$1
	shift
	(ulimit -c 0; exec "$@" > "$tmp/alone" 2> "$tmp/alone.err" < /dev/null)
	code=$?
	for how in "-f 7 -p 1000000 -e 0" "-p 4000000 -e 8"; do
		# shellcheck disable=SC2086
		(ulimit -c 0; exec timeout 300 "$run" -q $how "$library" "$@" > "$tmp/with" 2> "$tmp/with.err" < /dev/null)
		if [ $? != $code ] || ! cmp -s "$tmp/alone" "$tmp/with" || ! cmp -s "$tmp/alone.err" "$tmp/with.err"; then
			not_ok "$name ($how)" "$tmp/with.err"
		else
			ok "$name ($how)"
		fi
	done
}
# perhaps NAME PROGRAM ARGUMENT...: the program may be missing
perhaps() {
	if command -v "$2" > /dev/null; then
		alike "$@"
	else
		skip "$1" "no $2"
		skip "$1, in bursts" "no $2"
	fi
}

plan 32
alike "an exit code" sh -c 'exit 7'
alike "a signal that kills" sh -c 'kill -TERM $$'
alike "awk" awk 'BEGIN { for (i = 0; i < 300000; i++) s += i * i % 7; print s }'
alike "sort" sort -rn "$tmp/numbers"
perhaps "gzip" gzip -9nc "$tmp/numbers"
perhaps "xz, two threads" xz -T2 -c "$tmp/numbers"
perhaps "perl, with a handler" perl -e '$SIG{USR1} = sub { $n++ }; for (1..200) { kill "USR1", $$; $s += $_ * $_ for 1..500 } print "$n $s\n"'
perhaps "sqlite3" sqlite3 :memory: 'with recursive c(x) as (select 1 union all select x+1 from c where x<50000) select x*7%10 as b, count(*), sum(x) from c group by b'
alike "signals, faults, threads, forks, other programs" "$builddir/tests/burst/manners"
alike "exceptions" "$builddir/tests/burst/throws"
alike "libraries that come and go" "$builddir/tests/burst/unloads"
alike "an allocator of the program's own" "$builddir/tests/burst/own_malloc"
alike "a sandbox" "$builddir/tests/burst/sandbox"
alike "few addresses" "$run" -v 100000000 -q "$library" awk 'BEGIN { print 1 }'

# says WORDS ARGUMENT...: what burstrun says of the recorder
says() {
	words=$1
	shift
	"$run" "$@" "$library" awk 'BEGIN { for (i = 0; i < 1000000; i++) s += i; print "done" }' > "$tmp/out" 2> "$tmp/err"
	cat "$tmp/err"
	grep -q "$words" "$tmp/err" && grep -qx done "$tmp/out"
}
tap_out=$tmp/check.out
check "a reader that has ended leaves no timers" says "^samples 0 " -p 1000000 -g
check "memory of another version is refused" says "^state 2 refusal 1 " -m 99
check "so is a limit of addresses that the program needs" says "^state 2 refusal 2 " -v 300000000
check "a limit with room for the recorder is none" says "^state [13] refusal 0 slots [1-9]" -v 4000000000
