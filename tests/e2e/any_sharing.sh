#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lines that the threads of a clang OpenMP program take from one another, in bursts: false and true
# sharing are told apart, and counters in lines of their own have neither.  Bursts see sharing only
# where threads run at once: on a busy host, one of three runs has to.  In make check-long the first
# one has to.
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/any_lib.sh"
command -v clang >/dev/null || skip_all "clang is not installed"
# Without libomp, clang compiles this, but cannot link it.
cat >threads.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void)
{
	int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
	n++;
	return printf("%d\n", n) < 0;
}
END
clang -fopenmp -o threads threads.c 2>/dev/null && [ "$(./threads)" = 2 ] || skip_all "clang has no OpenMP here"
[ "$(nproc --all)" -gt 1 ] || skip_all "one processor: threads never run at once"
plan 15

cp "$srcdir/tests/e2e/any_sharing.c" .
for form in OWN_WORDS ONE_WORD OWN_LINES; do
	clang -O2 -g -fopenmp -D$form -o $form any_sharing.c || echo "Bail out! any_sharing.c does not compile"
done
analyse() { # PROGRAM
	run 0 --properties sharing --csv "$1.csv" --json "$1.json" \
		--export-counts "$1.counts" --no-psc -- "./$1" || return 1
	./"$1" >alone && grep -qxf alone out
}
holds() { grep "^[0-9]*,$2\(OfData\)\?,.*,DATA_STRUCTURE,hits," "$1.csv" >/dev/null; }
lacks() { ! holds "$@"; }
# misses PROGRAM: of the counters in the whole run, by false and by true sharing, in parts of a
# thousand of their accesses
misses() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) of[$i] = i; next }
		$of["context"] == 0 && $of["object"] == "hits" {
			n = $of["loads"] + $of["stores"]
			print int(1000 * $of["false_sharing"] / n + 0.5), int(1000 * $of["true_sharing"] / n + 0.5)
		}' "$1.counts"
}
found() { # PROGRAM PROPERTY
	for k in 1 2 3; do
		analyse "$1" || return 1
		[ -z "$PSC_LONG" ] || return 0
		holds "$1" "$2" && return 0
	done
}
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }
# The line of the text is the finding's.
placed() { # PROGRAM TEXT
	line=$(grep -nF "$2" any_sharing.c | cut -d: -f1)
	grep -q "\"place_line\": $line\b" "$1.json"
}

check "two counters in one line: the program does what it does alone" found OWN_WORDS FalseSharing
check "they are falsely shared" holds OWN_WORDS FalseSharing
check "not truly" lacks OWN_WORDS TrueSharing
check "at the line that counts" placed OWN_WORDS '++*mine'
# shellcheck disable=SC2046
set -- $(misses OWN_WORDS)
echo "# of 1000 accesses: $*"
check "the line moves, but less often than at each eighth access" between "${1:--1}" 1 125
check "none of them by true sharing" test "$2" = 0
check "and the bytes of both threads are named" grep -q "different bytes of a line" OWN_WORDS.json

check "one counter: the program does what it does alone" found ONE_WORD TrueSharing
check "it is truly shared" holds ONE_WORD TrueSharing
check "not falsely" lacks ONE_WORD FalseSharing
check "at the line that counts" placed ONE_WORD '__atomic_fetch_add('
# shellcheck disable=SC2046
set -- $(misses ONE_WORD)
echo "# of 1000 accesses: $*"
check "none of its misses is by false sharing" test "$1" = 0

check "a line for each counter: the program does what it does alone" analyse OWN_LINES
check "nothing is shared" lacks OWN_LINES '[A-Za-z]*Sharing'
# shellcheck disable=SC2046
set -- $(misses OWN_LINES)
check "no miss is by sharing" test "$*" = "0 0"
