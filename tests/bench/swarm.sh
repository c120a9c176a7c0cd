#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 64 processes without an application: one report, whatever the tree of agents is.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
. "$srcdir/tests/tap.sh"
: "${AWK:=awk}"
PATH=$builddir:$PATH
PSC_MACHINE_PATH=$srcdir/machine
PSC_PROPERTIES_PATH=$srcdir/properties
PSC_AGENT_LOCAL=$builddir/psc_agent_local
export PATH PSC_MACHINE_PATH PSC_PROPERTIES_PATH PSC_AGENT_LOCAL
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-swarmtest-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
"$srcdir/tests/bench/swarm/program.sh" >program.c && psc_instrument gcc -O1 -g program.c -o program >log 2>&1 ||
	skip_all "the program cannot be built"
line=$("$AWK" '/the phase/ { print NR }' program.c)

swarm() { "$builddir/tests/bench/swarm/psc_swarm" "$@" program.c:"$line"; }
# The report without what depends on the clock.
plain() { sed -E 's/"(elapsed|run_seen|hosts|cpus|cpus_others|cpus_idle|others_share|when)": [^,]*, //g' "$1"; }
same() { plain "$1" >a && plain "$2" >b && cmp a b; }
value() { tr ' ' '\n' <out | sed -n "s/^$1=//p"; }

plan 7
check "three agents, one below another" sh -c "'$builddir/tests/bench/swarm/psc_swarm' --each 22 --fanout 2 --json three.json 64 \
	./program program.c:$line >out"
check "the tree has two levels" test "$(value height)" = 2
check "all processes are in the report" grep -q '"nprocs": 64,' three.json
check "what all of them have in common is one run of ranks" grep -q '"processes": "0-63", "nprocesses": 64' three.json
check "what two in ten have is not" test "$(value findings)" -gt 30
check "one agent for all of them" swarm --json one.json 64 ./program
check "finds the same to the last digit" same three.json one.json
