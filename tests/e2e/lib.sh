# SPDX-License-Identifier: BSD-3-Clause
# For the end-to-end tests: a private directory, examples/lu built as a user builds it.
# Sourced; needs srcdir and builddir (set by make check; or run from a build directory).
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
. "$srcdir/tests/tap.sh"
PATH=$builddir:$PATH
PSC_MACHINE_PATH=$srcdir/machine
PSC_PROPERTIES_PATH=$srcdir/properties
OMP_NUM_THREADS=1
PSC_CHECK=1     # whatever is recorded in these tests is checked: a violation is a partial analysis
# mpirun is five times the work of a small analysis: only tests that set `agents` before start it.
: "${PSC_AGENTS:=${agents:-local}}"
PSC_CALIBRATE=no        # takes seconds: tests/e2e/calibrated.sh tests it
export PATH PSC_MACHINE_PATH PSC_PROPERTIES_PATH OMP_NUM_THREADS PSC_CHECK PSC_AGENTS PSC_CALIBRATE
exec </dev/null         # a pipe, as `make check` may have, would not be read again by another run of the program
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-e2e-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
TMPDIR=$work/tmp        # whatever is left behind there is ours
mkdir "$TMPDIR"
export TMPDIR
# What the program and the tool printed belongs to a failed check, too.
check() {
	name=$1
	shift
	if "$@" >check.out 2>&1; then ok "$name"; else not_ok "$name" check.out out err; fi
}

command -v gfortran >/dev/null || skip_all "gfortran is not installed"
[ -f "$builddir/instrument/.libs/pscplugin.so" ] || skip_all "configured without the plugin"

# The CPUs of this machine: nproc alone says OMP_NUM_THREADS.
cpus() { (unset OMP_NUM_THREADS; nproc); }

# compile_lu DIR FFLAGS
compile_lu() {
	mkdir -p "$1"
	(cd "$1" && make -s -f "$srcdir/examples/lu/Makefile" FC="psc_instrument gfortran" FFLAGS="$2") >build.log 2>&1 || {
		sed 's/^/# /' build.log
		echo "Bail out! examples/lu does not build"
		exit 1
	}
}
# build_lu DIR [FFLAGS]: examples/lu, instrumented.  With the usual flags it is compiled once for all tests.
build_lu() {
	usual="-O2 -g -fopenmp"
	if [ "${2:-$usual}" != "$usual" ]; then
		compile_lu "$1" "$2"
		return
	fi
	made=$builddir/tests/e2e/lu
	mkdir -p "$made" "$1"
	exec 9>"$made.lock"
	flock 9 || exit 99
	if [ -n "$(find "$srcdir/examples/lu" "$builddir/instrument/.libs/pscplugin.so" "$builddir/psc_instrument" \
			-newer "$made/built" 2>&1)" ]; then
		rm -f "$made"/*
		compile_lu "$made" "$usual"
		: >"$made/built"
	fi
	exec 9>&-
	cp "$made/lu" "$1"
}
# run CODE ARGUMENTS...: psc_frontend with the whole report; true when it ends with that code.  The program waits for the planner, so
# that its executions suffice however busy the machine is.
run() {
	want=$1
	shift
	code=0
	psc_frontend -v --lockstep "$@" >out 2>err || code=$?
	! grep 'check: wrong' err || return 1
	[ "$code" = "$want" ] || { echo "exit code $code, not $want"; return 1; }
}
# ours NAME: the processes of that name that carry our TMPDIR.  Names are read without a process for each: on a full machine
# that takes longer than what is waited for.
ours() {
	our_files=
	for our_dir in /proc/[0-9]*; do
		read -r our_name <"$our_dir/comm" && case $our_name in "$1"*) our_files="$our_files $our_dir/environ" ;; esac
	done 2>/dev/null
	# shellcheck disable=SC2086
	[ -z "$our_files" ] || grep -lsz "^TMPDIR=$TMPDIR" $our_files | cut -d/ -f3
}
# until_found STEPS AGENTS: examples/lu is analysed in the background until the journal has findings; it goes on for long,
# as many changes are simulated.  Sets front and program.
until_found() {
	rm -f out err lu.psc lu.psc.journal
	psc_frontend --agents "$2" --app ./lu --phase ssor.f:109 --machine x86-server --what-if u --what-if rsd --what-if a \
		--what-if b --what-if c --what-if d -- 64 "$1" >out 2>err &
	front=$!
	i=0
	until { [ -s lu.psc.journal ] && [ "$(psc_report --csv lu.psc.journal | wc -l)" -gt 1 ]; } || [ $i -ge 3000 ] ||
			! kill -0 $front 2>/dev/null; do
		sleep 0.1
		i=$((i + 1))
	done
	program=$(pgrep -f "^./lu 64 $1")
}
# Nothing of ours is left: no directory, no process that carries our TMPDIR.
nothing_left() {
	i=0
	while [ $i -lt 600 ]; do
		left=$(ls -A "$TMPDIR")
		procs=$(ours psc_; ours mpirun; ours orted)
		[ -n "$left$procs" ] || return 0
		sleep 0.1
		i=$((i + 1))
	done
	echo "left behind: $left"
	# shellcheck disable=SC2086
	[ -z "$procs" ] || ps -o pid,args $procs
	return 1
}
