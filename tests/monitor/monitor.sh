#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The monitor end to end: a program instrumented by hand, simrun as its agent.
: "${builddir:=.}" "${srcdir:=.}"
dir=$builddir/tests/monitor
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0

# result OK TEXT
result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$tmp/out"
	fi
}

# sim OPTIONS -- MODE…: runs the program under simrun; $tmp/out, $rc
sim() {
	"$dir/simrun" --phase 1111222233334444:1 "$@" > "$tmp/out" 2>&1
	rc=$?
}

# holds PATTERN TEXT: the last run ended well and printed it
holds() {
	[ "$rc" = 0 ] && grep -Eq -- "$1" "$tmp/out"
	result $? "$2"
}

has() {
	grep -Eq -- "$1" "$tmp/out"
	result $? "$2"
}

app=$dir/app

"$app" triad 3 > "$tmp/out" 2>&1
result $? "without an agent the program runs as it is"
PSC_MONITOR=/nonexistent/socket "$app" triad 3 > "$tmp/out" 2>&1
result $? "an agent that is not there is no error"

sim -- "$app" triad 5
holds '^total loads=200000 stores=100000 bytes=2400000 m1=25000/12500 f1=37500 m2=25000/12500 f2=37500 unwarmed=0' \
	"a triad misses once a line in each array"
has 'context=0.1/0.2/0.3 object=b thread=0 loads=100000 stores=0 .* m1=12500/0' \
	"counts belong to context and object"
has '^alias name=x region=2 object=a' "a dummy argument becomes an alias"
has '^request state=done reason=0 executions=1 first=2 records=300000 lost=0 unhandled=0' \
	"the first execution warms, the second counts"
has '^end begun=5 finished=5 exiting=1' "executions are numbered to the end"
cp "$tmp/out" "$tmp/shared"

sim -- "$dir/app_static" triad 5
grep '^total' "$tmp/shared" > "$tmp/want"
grep '^total' "$tmp/out" | cmp -s - "$tmp/want"
result $? "the static library counts the same"
APP_OTHER_ABI=1 sim -- "$app" triad 5
! grep -q '^total' "$tmp/out"
result $? "a unit of another version of the ABI is left out"

# Set-group-ID to another group of ours: with other rights than its caller the program listens to no agent.
group=$(id -G | tr ' ' '\n' | grep -vx "$(id -g)" | head -n 1)
[ -n "$group" ] || [ "$(id -u)" != 0 ] || group=65534
cp "$dir/app_static" "$tmp/other"
if [ -n "$group" ] && chgrp "$group" "$tmp/other" 2> /dev/null && chmod 2755 "$tmp/other" &&
	[ -g "$tmp/other" ] && ! findmnt -no OPTIONS -T "$tmp" | grep -q nosuid; then
	sim --seconds 5 -- "$tmp/other" triad 5
	! grep -Eq '^(process|request|total)' "$tmp/out"
	result $? "a program with other rights than its caller is not measured"
	chmod 755 "$tmp/other"
	sim --seconds 60 -- "$tmp/other" triad 5
	holds '^total loads=200000' "and is when it has the same"
else
	n=$((n + 2))
	echo "ok $((n - 1)) - set-group-ID # SKIP no other group to give a program to, or nosuid"
	echo "ok $n - the same without # SKIP no other group"
fi

sim --warm 0 -- "$app" triad 5
holds '^total .* unwarmed=37500' "without a warm-up all misses are marked unwarmed"
sim --pages virtual -- "$app" triad 5
holds '^total loads=200000 stores=100000 .* m1=25000/12500' "virtual pages count the same here"

cat > "$tmp/more.xml" << 'XML'
<machine name="more" clock="1GHz" write="back">
  <cpus count="2"/>
  <cache level="1" size="32KiB" ways="8" line="64" latency="4"/>
  <cache level="2" size="256KiB" ways="8" line="64" latency="14" inclusion="inclusive" prefetch="next-line"/>
  <tlb level="1" entries="64" miss="20"/>
  <memory latency="200"/>
</machine>
XML
# 12500 lines of a are stored to; 196 or 197 pages an array; one line in 64 begins 4 KiB.
sim --machine "$tmp/more.xml" -- "$app" triad 5
holds '^total loads=200000 stores=100000 bytes=2400000 m1=25000/12500 f1=37500 m2=39[0-9]/(19[5-7]) .* w1=12500 w2=12500 p2=369[0-9][0-9]/369[0-9][0-9] t1=39[0-9]/19[5-7]' \
	"write-backs, prefetches and TLB misses of a triad"

sim --kind time --count 3 -- "$app" triad 6
holds '^time context=0.1/0.2/0.3 thread=0 execution=2 wall=[0-9]+ cpu=[0-9]+ wait=[0-9]+ calls=1$' \
	"times come by context and execution"
[ "$(grep -c '^time' "$tmp/out")" = 9 ]
result $? "three contexts in three executions are nine rows of time"

sim --count 3 -- "$app" triad 6
[ "$(grep '^time' "$tmp/out" | grep -c ' execution=0 wall=0 cpu=0 wait=0 calls=1$')" = 2 ] &&
	[ "$(grep -c '^time' "$tmp/out")" = 2 ]
result $? "calls are counted where accesses are, in the first execution, and no times"

sim --kind record --count 2 -- "$app" triad 5
holds '^request state=done reason=0 executions=2 first=2 records=600000 lost=0 unhandled=0' \
	"accesses can be recorded and dropped"
[ "$(grep -c '^count\|^time' "$tmp/out")" = 0 ]
result $? "then nothing is counted"

sim --first 3 --count 2 --warm 0 -- "$app" top 2
holds '^request state=done .*executions=2 first=3' "a request reaches over the loop's end"
has '^end begun=6 finished=6' "void executions of a top-tested loop do not count"
has 'context=0.1/0.2/0.3 object=a .* stores=200000' "two whole executions were counted"

sim -- "$app" common 3
holds 'object=blk:n thread=0 loads=10 stores=0 bytes=40 ' "neighbours in a COMMON block are told apart"
has 'object=blk:u thread=0 loads=1000 stores=1000 bytes=16000' \
	"a range of bytes counts as words"
has 'object=\(stack\) thread=0 loads=64 ' "stack accesses have a cause"

sim -- "$app" heap 3 20000
holds 'object=h thread=0 loads=20000 stores=20000' "unnamed memory takes its dummy's name"

sim --kind time -- "$app" recurse 3
holds '^time context=0.1/0.5 thread=0 execution=0 wall=[0-9]+ cpu=[0-9]+ wait=[0-9]+ calls=41$' "recursion is one context"
[ "$(grep -c '^time' "$tmp/out")" = 3 ]
result $? "and makes no further ones"

sim --kind time --warm 0 -- "$app" deep 3
holds '^time context=0.1/0.5 thread=0 execution=0 wall=[0-9]+ cpu=[0-9]+ wait=[0-9]+ calls=297$' "regions behind a deep recursion are told apart"
has '^request state=done .* unhandled=30001 ' "exits that are skipped beyond the frames are counted"

sim --kind time --warm 0 -- "$app" longjmp 3
holds '^request state=done .* unhandled=3 ' "regions that a longjmp left are closed and counted"

sim -- "$app" team 4 40000
holds '^total loads=80000 stores=40000' "a team's accesses are complete"
[ "$(grep -c '^count context=0.1/0.2/0.4/0.3 .*loads=10000 stores=0' "$tmp/out")" = 8 ]
result $? "each thread of the team counts to the context that forked it"
sim --kind time -- "$app" team 4 40000
[ "$(grep -c '^time context=0.1/0.2/0.4 ' "$tmp/out")" = 4 ]
result $? "each thread of the team has its time"

sim -- "$app" pthread 4 40000
holds '^total loads=80000 stores=40000' "threads that end in the phase lose nothing"

sim -- "$app" foreign 4 20000
holds '^end begun=4 finished=4 .* foreign=4 ' "another thread's boundaries do not count"
has '^total loads=40000 stores=20000' "and disturb nothing"

"$dir/simrun" --phase 1111222233334444:6 -- "$app" sub 4 20000 > "$tmp/out" 2>&1; rc=$?
holds '^end begun=4 finished=4' "a recursive subroutine phase counts its outermost calls"
has '^total loads=40000 stores=20000' "and all of their work"

sim -- "$app" fork 3 20000
holds '^total loads=40000 stores=20000' "the child of a fork leaves no trace"

sim --first 3 --count 9 -- "$app" triad 5 20000
holds '^request state=done .*executions=2 first=4' "a phase that ends early gives what it has"
sim --first 9 -- "$app" triad 5 20000
holds '^request state=missed' "a request beyond the last execution is missed"
sim --first 5 --warm 1 -- "$app" triad 5 20000
holds '^request state=dropped reason=3' "an experiment without a counted execution is dropped"
sim --warm 2 --count 9 -- "$app" exit 9 20000
[ "$rc" = 9 ]
result $? "the program's own exit code passes"
has '^request state=dropped reason=3' "an execution cut short spoils the counts"
sim --levels 32K/0/64 -- "$app" triad 3 20000
[ "$rc" = 125 ]
result $? "a machine that makes no sense is refused"

sim --lockstep --first 4 -- "$app" triad 8 20000
holds '^request state=done .* first=5' "lock-step goes through"

sim --context 2 -- "$app" triad 4 20000
holds '^total loads=40000' "a filter by context takes what is below"
sim --object 9 -- "$app" triad 4 20000
holds '^total loads=20000 stores=0' "a filter by object takes that one"

# Not known to be handlers, as nothing tells of them: they may spoil the record that they interrupt.
checks=${PSC_CHECK:-}
PSC_CHECK=
sim --count 4 -- "$app" storm 6 100000
PSC_CHECK=$checks
holds '^end begun=6 finished=6' "signal handlers that are instrumented do no harm"

# The program goes on when its agent is killed.
"$dir/simrun" --phase 1111222233334444:1 --kill-agent 3 -- "$app" slow 10 20000 \
	> "$tmp/out" 2>&1
[ $? = 137 ]
result $? "the agent was killed"
i=0
until grep -q '^app done' "$tmp/out" || [ $i -ge 600 ]; do sleep 0.1; i=$((i + 1)); done
grep -q '^app done' "$tmp/out"
result $? "and the program finished unharmed"

# Counts do not depend on where the kernel puts things.
counts() {
	grep -E '^(count|total)' "$tmp/out"
}
sim --count 2 --levels 4K/2/64,24K/6/64 -- "$app" triad 4 30000
counts > "$tmp/first"
for i in 1 2 3; do
	env "PADDING=$(printf "%$((i * 1111))d" 0)" "$dir/simrun" --phase 1111222233334444:1 --count 2 \
		--levels 4K/2/64,24K/6/64 -- "$app" triad 4 30000 > "$tmp/out" 2>&1
	counts | cmp -s - "$tmp/first" || break
done
counts | cmp -s - "$tmp/first"
result $? "another environment and other addresses give identical counts"

echo "1..$n"
