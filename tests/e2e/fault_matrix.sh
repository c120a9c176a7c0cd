#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One process of the tool's, or several, are killed or stopped: at the start, before anything is found, in the middle of an analysis,
# after the report, or at the program's end.  The program goes on to its right result, what was found is reported at once, as
# partial, and nothing is left.  Cases wait most of their time: several run at once, each in a directory of its own.
agents=auto
. "${srcdir:-.}/tests/e2e/lib.sh"
. "${srcdir:-.}/tests/e2e/fault_lib.sh"
build_gate gcc
if command -v mpirun >/dev/null && [ -x "$builddir/psc_agent" ]; then mpi=yes; else mpi=; fi

# --- what a case is made of ----------------------------------------------------------------------

# Agents that are started wait until the file "begin" is there; what they are is in the files "agent.RANK" and "mpirun".
wrappers() {
	cat >agent <<-SCRIPT
	#!/bin/sh
	rank=\$OMPI_COMM_WORLD_RANK
	case \$* in *--rank*) rank=\$(echo "\$*" | sed 's/.*--rank \([0-9]*\).*/\1/') ;; esac
	echo \$\$ >agent.\$rank.new && mv agent.\$rank.new agent.\$rank
	until [ -e begin ]; do sleep 0.05; done
	case \$* in *--peers*) exec "$builddir/psc_agent_local" "\$@" ;; esac
	exec "$builddir/psc_agent" "\$@"
	SCRIPT
	cat >mpirun.sh <<-SCRIPT
	#!/bin/sh
	echo \$\$ >mpirun.new && mv mpirun.new mpirun
	until [ -e begin ]; do sleep 0.05; done
	exec mpirun "\$@"
	SCRIPT
	chmod +x agent mpirun.sh
}
rank() {
	for p in $(ours psc_agent); do
		{ tr '\0' ' ' <"/proc/$p/cmdline"; tr '\0' '\n' <"/proc/$p/environ"; } 2>/dev/null |
			grep -Eq -- "--rank $1 |^OMPI_COMM_WORLD_RANK=$1\$" && echo "$p"
	done
}
# At the lowest priority an agent may take a while to notice the signal.
stop_node() {
	at=$(rank 1)
	kill -STOP $at && until_true 300 grep -q '^State:.T' "/proc/$at/status"
}
# victims NAME: process numbers
victims() {
	case $1 in
	master) rank 0 ;;
	node) rank 1 ;;
	inner) rank 4 ;;        # of six in a tree with a fan-out of two: rank 5 is below it
	mpirun) ours mpirun | head -n 1 ;;
	keeper) ours psc_keeper ;;
	keeper+mpirun) ours psc_keeper; ours mpirun ;;
	keeper+node) stop_node && ours psc_keeper ;;    # a stopped agent does not outlive its keeper
	front) echo $front ;;
	esac
}
# strike SIGNAL VICTIM
strike() {
	at=$(victims "$2")
	[ -n "$at" ] || { echo "there is no $2"; return 1; }
	kill "-$1" $at
	struck=$(date +%s%3N)
}
partial() { grep -q "^Partial analysis: the agents failed" out && psc_report r.psc | grep -q '^Partial analysis'; }
# While the program still waits, there is a report; it says what was the matter.  The limit is 10 s for a test that has the
# processor: a busy machine gets more.
reported() {
	until_true 300 partial || return 1
	echo "reported after $(($(date +%s%3N) - struck)) ms"
	[ "$1" = nothing ] || grep '^ 1 .*add gate.c' out || return 1
	kill -0 "$program" || { echo "the program has ended"; return 1; }
}
# --- the cases, by moment ------------------------------------------------------------------------

# Before the agents are ready: nothing was run, or the agents are started in the other way.
at_start() {    # WAY VICTIM SIGNAL
	wrappers
	PSC_AGENT=$PWD/agent PSC_AGENT_LOCAL=$PWD/agent PSC_MPIRUN=$PWD/mpirun.sh
	export PSC_AGENT PSC_AGENT_LOCAL PSC_MPIRUN
	case "$2 $3" in
	"keeper STOP") analyse "$1" 11 --what-if a ;;  # it has started the agents, so the program runs
	*) touch go; analyse "$1" 50 ;;
	esac
	case $1 in local) until_true 300 test -s agent.0 -a -s agent.1 ;; *) until_true 300 test -s mpirun ;; esac || return 1
	case $2 in
	master) at=$(cat agent.0) ;;
	node) at=$(cat agent.1) ;;
	mpirun) at=$(cat mpirun) ;;
	*) at=$(victims "$2") ;;
	esac
	kill "-$3" $at || return 1
	struck=$(date +%s%3N)
	touch begin
	case "$2 $3" in "keeper STOP") until_true 300 program_waits && reported nothing && finish 4; return ;; esac
	code=0
	wait $front || code=$?
	cat err
	case "$1 $2 $3" in
	*front*) [ $code = 137 ] && ! right && nothing_left ;;
	auto*) [ $code = 0 ] && right && psc_report -v r.psc | tr -s ' \n' ' ' | grep 'mpirun did not bring up the agents' && nothing_left ;;
	*) [ $code = 2 ] && ! right && grep -E 'the agents failed' err && nothing_left ;;
	esac
}
# The program runs, and nothing was measured yet.
before_anything() {
	analyse "$1" 1
	until_true 300 program_waits && strike "$3" "$2" && reported nothing && tr -s ' \n' ' ' <out | grep 'before anything was found' && finish 4
}
in_the_middle() {
	case $2 in inner) PSC_NODE_AGENTS=5; export PSC_NODE_AGENTS; set -- "$@" --fanout 2 ;; esac
	what=$2 signal=$3
	shift 3
	analyse "$way_of_case" 11 --what-if a --what-if b "$@"
	until_true 300 program_waits && until_true 300 found && strike "$signal" "$what" || return 1
	case $what in
	front) gone ;;
	*) reported && finish 4 ;;
	esac
}
# The front end was killed: everything of ours ends, except the journal; the program is not disturbed.
gone() {
	wait $front
	until_true 300 none_of_ours || return 1
	echo "ended after $(($(date +%s%3N) - struck)) ms"
	found && psc_report r.psc.journal | grep '^Partial analysis' && kill -0 "$program" && touch go && until_true 300 right && nothing_left
}
none_of_ours() { [ -z "$(ours psc_)$(ours mpirun)$(ours orted)" ]; }
# The report is there: whatever happens now changes nothing.
after_report() {
	analyse "$1" 39
	until_true 300 program_waits && until_true 300 grep -q '^SURE' out && strike "$3" "$2" || return 1
	if [ "$2" = front ]; then
		wait $front
		touch go
		until_true 300 right && nothing_left && psc_report r.psc | grep '^SURE'
	else
		finish 0 && grep '^SURE' out && ! grep '^Partial' out
	fi
}
# Between the program's end and the report: the agent was stopped before, so that it cannot report.
at_end() {
	steps=11
	analyse "$1" 12 --what-if a --what-if b
	until_true 300 program_waits && until_true 300 found && strike STOP "$2" || return 1
	touch go
	until_true 300 right && { [ "$3" = STOP ] || kill "-$3" $at; } || return 1
	finish 4 && partial && grep '^ 1 .*add gate.c' out
}
# A stopped front end: the program does not wait for it, and the analysis goes on with it.
continued() {
	analyse "$1" 11 --what-if a --what-if b
	until_true 300 program_waits && until_true 300 found && strike STOP front && touch go && until_true 300 right || return 1
	kill -CONT $front
	finish 0 && grep '^SURE' out
}

# --- all of them ---------------------------------------------------------------------------------

# Way, moment, victim, signal.
cases() {
	for way in local ${mpi:+mpirun}; do
		for signal in KILL STOP; do
			for victim in master node keeper ${mpi:+mpirun}; do
				case "$way $victim" in "local mpirun") continue ;; esac
				echo "$way in_the_middle $victim $signal"
				[ -n "${PSC_LONG:-}" ] || [ "$way $signal" = "local KILL" ] || [ "$victim $signal" = "node STOP" ] || continue
				echo "$way before_anything $victim $signal"
				echo "$way after_report $victim $signal"
			done
			echo "$way at_end node $signal"
			echo "$way at_end master $signal"
		done
		echo "$way in_the_middle inner KILL"
		echo "$way in_the_middle inner STOP"
		echo "$way in_the_middle front KILL"
		echo "$way after_report front KILL"
		echo "$way continued front STOP"
	done
	echo "local in_the_middle keeper+node KILL"
	echo "local at_start master KILL"
	for signal in KILL STOP; do
		echo "local at_start node $signal"
		echo "local at_start keeper $signal"
	done
	echo "local at_start front KILL"
	[ -n "$mpi" ] || return
	echo "mpirun in_the_middle keeper+mpirun KILL"
	echo "mpirun at_start mpirun KILL"
	echo "auto at_start mpirun KILL"
	echo "auto at_start mpirun STOP"
	echo "mpirun at_start front KILL"
}
# one N WAY MOMENT VICTIM SIGNAL
one() {
	mkdir "$1" "$1/tmp"
	(
		trap - EXIT
		cd "$1" || exit 1
		TMPDIR=$PWD/tmp
		export TMPDIR
		way_of_case=$2
		"$3" "$2" "$4" "$5" >said 2>&1
		result=$?
		[ $result = 0 ] || end_all
		echo $result >rc.new
		mv rc.new rc
	)
}
cases | sort -s -k4,4 >cases        # those that wait for what is stopped together
plan "$(wc -l <cases)"
together=14
i=0
while read -r way moment victim signal <&3; do
	i=$((i + 1))
	one "$i" "$way" "$moment" "$victim" "$signal" 3<&- &
	[ $((i % together)) != 0 ] || wait
done 3<cases
wait
i=0
while read -r way moment victim signal <&3; do
	i=$((i + 1))
	name="$way: SIG$signal of the $victim $(echo "$moment" | tr _ ' ')"
	if [ "$(cat $i/rc)" = 0 ]; then ok "$name"; else not_ok "$name" $i/said $i/out $i/err; fi
done 3<cases
for what in reported ended; do
	sed -n "s/^$what after \(.*\) ms/\1/p" ./*/said | sort -n | tail -n 1 | sed "s/^/# the latest was $what after (ms): /"
done
