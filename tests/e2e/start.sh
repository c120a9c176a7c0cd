#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The agents start with mpirun and without, fall back, take the lowest priority, listen nowhere, and go.
. "${srcdir:-.}/tests/e2e/lib.sh"
unset PSC_AGENTS
build_lu .
long=$((30000 + $$ % 5000))
analyse="-v --app ./lu --phase ssor.f:109 --no-psc"
ways=local
[ ! -x "$builddir/psc_agent" ] || ! command -v mpirun >/dev/null || ways="local mpirun"

# begin ARGUMENTS...: an analysis whose program runs on and on
begin() {
	rm -f out err
	# shellcheck disable=SC2086
	psc_frontend $analyse "$@" -- 33 $long >out 2>err &
	front=$!
	i=0
	until grep -q "experiment 1" err 2>/dev/null || [ $i -ge 3000 ]; do sleep 0.1; i=$((i + 1)); done
}
# The front end is killed; its program is ended by its number.
kill_all() {
	kill -KILL $front
	wait $front 2>/dev/null
	for p in $(ours lu); do kill -KILL "$p"; done
}
said() { grep -q "$1" err || grep -q "$1" out; }
lowest() { for p in $(ours psc_agent); do awk '{ exit $(NF - 33) != 19 }' "/proc/$p/stat" || return 1; done; }
own_network() {
	for p in $(ours psc_agent); do
		[ "$(readlink "/proc/$p/ns/net")" != "$(readlink /proc/self/ns/net)" ] || return 1
	done
}
# Sockets that listen in this network namespace and belong to a process of this test.
listening() {
	ss -ltnpuH >sockets
	for p in $(ours psc_) $(ours mpirun) $(ours lu); do grep "pid=$p," sockets; done
}
nobody_listens() { [ -z "$(listening)" ]; }

echo "# ways: $ways"
for way in $ways; do
	check "$way: analysed" run 0 -v --agents "$way" $analyse --lockstep --export-counts $way.csv -- 12 40
	check "$way: said with -vv" grep -q "agents were ready ($way)" err
	begin --agents "$way"
	check "$way: the agents are at the lowest priority while they measure" lowest
	check "$way: only the user may connect to the front end" \
		test "$(stat -c %a "$TMPDIR"/psc-*/front)" = 600
	if ! command -v ss >/dev/null; then
		ok "$way: nothing listens # SKIP ss (iproute2) is not installed"
	elif [ "$way" = mpirun ] && psc_frontend --doctor | grep -q 'listens on ALL'; then
		ok "$way: nothing listens # SKIP neither root nor user namespaces: mpirun listens"
	else
		check "$way: nothing listens in this network" nobody_listens
	fi
	if [ "$way" = mpirun ]; then
		if psc_frontend --doctor | grep -q 'listens on ALL'; then
			ok "$way: a network of its own # SKIP neither root nor user namespaces"
		else
			check "$way: a network of its own" own_network
		fi
	fi
	kill_all
	check "$way: front end killed: nothing is left" nothing_left
	begin --agents "$way"
	for p in $(ours psc_agent); do kill -STOP "$p"; done
	kill_all
	check "$way: agents stopped, front end killed: nothing is left" nothing_left
	begin --agents "$way"
	for p in $(ours psc_agent | head -n 1); do kill -KILL "$p"; done
	kill -TERM $front
	code=0
	wait $front || code=$?
	check "$way: an agent killed, SIGTERM: exit code 143" test $code = 143
	check "$way: an agent killed, SIGTERM: nothing is left" nothing_left
done

# Beside a busy loop for every CPU the machine is full, whatever else runs there.  The load is told of a second
# of CPU time and more: so many steps take that.
loops=
# shellcheck disable=SC2086
end_loops() { [ -z "$loops" ] || kill $loops; loops=; }
trap 'end_loops; rm -rf "$work"' EXIT
i=0
while [ $i -lt "$(cpus)" ]; do
	sh -c 'while :; do :; done' &
	loops="$loops $!"
	i=$((i + 1))
done
check "a full machine: analysed" run 0 --agents local $analyse --json load.json -- 33 150
end_loops
check "a full machine: said in the report's first lines" sh -c 'sed -n "/^Periscope/,\$p" out | head -n 6 | grep -q "^Load *other programs used"'
check "a full machine: said in JSON" grep -q '"cpus_others"' load.json

if [ "$ways" = local ]; then
	echo "1..$n"
	exit
fi
# without the times, and the estimates, which are made from them
for way in $ways; do cut -d, -f1-8,10- $way.csv | sed 's/\(,[^,]*\)\{3\}$//' >$way.counts; done
check "both ways count the same" cmp local.counts mpirun.counts

# What goes wrong with mpirun: the analysis is done all the same, unless mpirun is asked for.
PSC_MPIRUN=/nonexistent/mpirun
export PSC_MPIRUN
check "no mpirun: analysed" run 0 $analyse -- 12 40
check "no mpirun: said on standard error" grep -q "no mpirun (apt-get install openmpi-bin)" err
check "no mpirun: said in the report" grep -q "mpirun did not bring up the agents" out
check "no mpirun, asked for: refused" run 2 --agents mpirun $analyse -- 12 40
check "no mpirun, asked for: says what brings it" said "apt-get install openmpi-bin"
PSC_MPIRUN=$(command -v false)
check "mpirun fails: analysed" run 0 $analyse -- 12 40
check "mpirun fails: said" grep -q "mpirun ended early (status 1)" err
printf '#!/bin/sh\nexec sleep 1000\n' >never
chmod +x never
PSC_MPIRUN=$PWD/never
check "mpirun never comes up: analysed" run 0 $analyse -- 12 40
check "mpirun never comes up: said" grep -q "no progress for" err
unset PSC_MPIRUN
check "nothing is left" nothing_left
echo "1..$n"
