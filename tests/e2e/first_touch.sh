#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Who touched a structure first since the program began, who allocated it, what is never touched; where the kernel tells
# nothing, nothing is said.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 12
OMP_NUM_THREADS=2

cp "$srcdir/tests/e2e/first_touch.c" .
line() { grep -n "$1" first_touch.c | head -n 1 | cut -d: -f1; }
analyse() {
	run 0 --app ./first_touch --phase "first_touch.c:$(line 'k < STEPS')" --machine "${2:-x86-server}" --lockstep --timeline \
		--properties time --psc "$1.psc" --csv "$1.csv"
}
# structure FILE NAME MEMBER: in JSON
structure() {
	psc_report --json "$1.psc" | tr -d '\n' | sed 's/{ *"name"/\n&/g' |
		grep "^{ *\"name\": *\"$2\", *\"cause\": *[^,]*, *\"scope\"" | head -n 1 |
		sed -n "s/.*\"$3\": *\(\"[^\"]*\"\|[^,}]*\).*/\1/p"
}
is() { [ "$(structure "$1" "$2" "$3")" = "$4" ] || { echo "$3 of $2: $(structure "$1" "$2" "$3")"; return 1; }; }
# says FILE STRUCTURE WORDS: the cartography says so
says() { psc_report --cartography "$1.psc" | tr '\n' ' ' | tr -s ' ' | grep -q "$2[^:]*: [^.]*$3"; }

psc_instrument gcc -O2 -g -fopenmp -o first_touch first_touch.c || echo "Bail out! first_touch.c"
check "it is analysed" analyse one
check "its allocation has a place" is one mine allocated_at "\"first_touch.c:$(line 'double .mine = malloc')\""
check "and a thread" is one mine allocated_by 0
check "a part that is never touched is a finding, of this structure alone" sh -c \
	"awk -F, '\$2 == \"PartlyUsed\" { print \$16 }' one.csv | sort -u | tr '\n' ' ' | grep -qx 'mine '"
if [ "$(structure one mine touched)" = '"begin"' ]; then
	check "one thread touched all of it first" says one mine "first touched by thread 0"
	check "each touched its own part first" says one ours "first touched by several threads"
	check "of what is allocated in the phase nothing is said but of the executions" is one fresh touched null
else
	for what in one several fresh; do
		ok "$what # SKIP the kernel gives no page-fault events"
	done
fi
check "on a machine with several nodes it is analysed, too" analyse nodes "$srcdir/tests/e2e/two.xml"
check "threads have nodes there" sh -c "psc_report --json nodes.psc | tr -d '\n' | grep -q '\"thread_nodes\": *\"0 1 1 2\"'"
# flows WORDS: of the structure that one thread touched first
flows() { psc_report --flows mine nodes.psc | tr '\n' ' ' | tr -s ' ' | grep -q "$1"; }
if [ "$(structure nodes mine touched)" = '"begin"' ]; then
	check "the other thread's lines are remote, all of them" flows "1 1 step [^-]*- [^ ]* [k ]*100%"
	check "so each is to fill its own part" flows "Let each thread fill its own part"
else
	ok "remote # SKIP the kernel gives no page-fault events"
	ok "advice # SKIP the kernel gives no page-fault events"
fi
check "nothing is left behind" nothing_left
