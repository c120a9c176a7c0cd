#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that writes over the memory it shares with its agent: the agent survives, its report can be read.
. "${srcdir:-.}/tests/e2e/lib.sh"
PSC_CHECK=      # what is scribbled over is wrong
seeds=20
plan $((seeds + 1))
psc_instrument gcc -O2 -g -pthread -o scribble "$srcdir/tests/e2e/scribble.c" || { echo "Bail out!"; exit 1; }
loop=scribble.c:$(grep -n "i < STEPS" "$srcdir/tests/e2e/scribble.c" | cut -d: -f1)
./scribble 1 >plain || exit 1

# The program is as without us or, where the monitor's own memory led it astray, ended by a signal; the agents
# themselves never fail.
one() {
	rm -f scribble.psc
	code=0
	timeout 600 psc_frontend --app ./scribble --phase "$loop" --top 3 -- "$1" >out 2>err || code=$?
	case $code in 0 | 4) grep -qxF "$(cat plain)" out || return 1 ;; 139 | 135 | 134) ;; *) return 1 ;; esac
	! grep -q "agents failed\|AddressSanitizer" err && psc_report scribble.psc >/dev/null
}
seed=0
while [ $seed -lt $seeds ]; do
	seed=$((seed + 1))
	check "seed $seed: the agent survives" one $seed
done
check "nothing is left" nothing_left
