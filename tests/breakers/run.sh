#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds and runs each program of a directory in every mode and compares (README.md).  Sourced by
# the tests with `group` set, or run by hand:   tests/breakers/run.sh stack [PROGRAM...]
# or over any directory of programs, such as a public suite's:   FLAGS="-O2 -fopenmp" run.sh /DIRECTORY
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
: "${builddir:=$PWD}" "${PSC_GCC:=gcc}"
here=$srcdir/tests/breakers
psc=$builddir/psc_instrument
PSC_GCC=${PSC_GCC%% *}
PSC_MACHINE_PATH=$srcdir/machine
PSC_PROPERTIES_PATH=$srcdir/properties
OMP_NUM_THREADS=2
PSC_CHECK=1
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
: "${PSC_AGENTS:=local}"        # as in tests/e2e/lib.sh
export PSC_MACHINE_PATH PSC_PROPERTIES_PATH PSC_CHECK PSC_AGENTS OMP_NUM_THREADS OMPI_ALLOW_RUN_AS_ROOT \
	OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
if [ ! -f "$builddir/instrument/.libs/pscplugin.so" ]; then
	echo "1..0 # SKIP the plugin is not built"
	exit 0
fi
if ! command -v gfortran > /dev/null; then
	echo "1..0 # SKIP gfortran is not installed"
	exit 0
fi
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-breakers.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
ncases=0
stub=$tmp/libstub.so
# Its loops must not become calls of memmove(): a program may have its own.
"$PSC_GCC" -O2 -fno-tree-loop-distribute-patterns -fPIC -shared -I"$srcdir" -o "$stub" "$srcdir/tests/instrument/stubmon.c" || exit 99

# read_header: the lines NAME: TEXT of the program's first comment, to $header
read_header() {
	header=$(sed -n -e '/include/q' -e '/^[ /*!]*[a-z]*:/{s,^[ /*!]*\([a-z]*:\) *,\1 ,; s, *\*/$,,; p;}' "$program")
}
newline='
'
# value NAME: $value is what the header says behind NAME, a line each
value() {
	value=
	while IFS= read -r line; do
		case $line in "$1: "*) value=$value${value:+$newline}${line#"$1: "} ;; esac
	done <<-END
		$header
	END
}

# names MODE LIST: the mode is in the list
names() { case " $2 " in *" $1 "*) ;; *) return 1 ;; esac }

# todo_of MODE: $todo is the point whose defect is known there
todo_of() {
	todo=
	value todo
	[ -n "$value" ] || return 0
	while read -r point modes; do
		case $modes in
		*" if "*)
			names "${modes#* if }" "$flags" || continue
			modes=${modes% if *}
			;;
		esac
		! names "$1" "$modes" || todo=$point
	done <<-END
		$value
	END
}

# case_of STATUS NAME [TODO]: one case; $tmp/log explains a failure
case_of() {
	ncases=$((ncases + 1))
	mark=${3:+ # TODO $3}
	if [ "$1" -eq 0 ]; then
		echo "ok $ncases - $2$mark"
	else
		echo "not ok $ncases - $2$mark"
		sed 's/^/# /' "$tmp/log" | cut -c1-300 | head -n 25
	fi
}

compiler_of() {
	case $1 in
	*.c) echo "$PSC_GCC" ;;
	*.cc) echo g++ ;;
	*) echo gfortran ;;
	esac
}

# build DIRECTORY PREFIX: the program, and its library; mpicc where mpirun starts it
build() {
	mkdir -p "$1"
	compiler=$(compiler_of "$program")
	case $launcher in mpirun*) compiler=mpicc ;; esac
	(
		cd "$1" || exit 1
		# shellcheck disable=SC2086
		if [ -n "$part" ]; then
			$2 "$PSC_GCC" -O2 -g -w -fPIC -shared "$here/$part" -o part.so || exit 1
		fi
		# shellcheck disable=SC2086
		$2 "$compiler" -g -w $flags "$program" -o program -lm -pthread -ldl
	) > "$tmp/log" 2>&1
}

# run NAME COMMAND...: NAME.out and NAME.code; what no program does in this time hangs
run() {
	name=$tmp/$1
	shift
	code=0
	timeout -k 5 "$limit" "$@" > "$name.out" 2> "$name.err" < /dev/null || code=$?
	echo $code > "$name.code"
}

# deep COMMAND...: with the stack that psc_frontend gives: recording takes more of it
deep() {
	(ulimit -S -s 262144 2> /dev/null; "$@")
}

run_mode() {
	cd "$tmp/wrapped" || exit 99
	# shellcheck disable=SC2086
	case $1 in
	idle) run idle $launcher ./program $arguments ;;
	record) deep run record env LD_PRELOAD="$stub" STUB_RECORD=1 $launcher ./program $arguments ;;
	switched) deep run switched env LD_PRELOAD="$stub" STUB_TOGGLE=1 $launcher ./program $arguments ;;
	front)
		line=$(grep -n '[/!]\*\{0,1\} *PHASE' "$program" | head -n 1 | cut -d: -f1)
		app=./program
		[ -z "$launcher" ] || app="$launcher ./program"
		set -- ${line:+--phase "$(basename "$program"):$line"}
		run front psc_frontend -qv --lockstep --no-psc -o report "$@" --app ${app%% *} -- \
			$(echo "$app" | sed 's/^[^ ]* *//') $arguments
		;;
	esac
	cd "$tmp" || exit 99
}

# alike MODE: the mode's output is the plain one; numbers may be larger by $more
alike() {
	cmp -s plain.out "$1.out" && return 0
	[ "${more:-0}" -gt 0 ] || { diff plain.out "$1.out" | head -n 12; return 1; }
	paste -d' ' plain.out "$1.out" | awk -v more="$more" '
	{ for (i = 1; i <= NF / 2; i++) {
		a = $i; b = $(i + NF / 2)
		if (a != b && (a !~ /^[0-9]+$/ || b !~ /^[0-9]+$/ || b - a > more)) { print a " is now " b; bad = 1 }
	} }
	END { exit bad }'
}

# sound MODE: the checks of what was recorded found nothing
sound() {
	value unchecked
	names "$1" "${value%% (*}" || ! grep 'check: wrong' "$1.err"
}

# same MODE: its exit code and output are the plain ones; psc_frontend says 4 where its search did
# not end before the program
same() {
	want=$(cat plain.code) got=$(cat "$1.code")
	[ "$1$want$got" != front04 ] || got=0
	alike "$1" && [ "$got" = "$want" ] && sound "$1" && return 0
	echo "exit code $got, plain $want"
	head -n 12 "$1.err"
	return 1
}

one_mode() {
	title="$group/$(basename "$program") $flags: $1 as plain"
	todo_of "$1"
	limit=600
	[ -z "$todo" ] || limit=20
	value more
	more=
	while read -r by modes; do
		! names "$1" "$modes" || more=$by
	done <<-END
		$value
	END
	if names "$1" "$without"; then
		ncases=$((ncases + 1))
		echo "ok $ncases - $title # SKIP ${reason%)}"
		return
	fi
	run_mode "$1"
	if [ "$1$(cat "$1.code")" = front2 ] && [ "${dir#"$here"}" = "$dir" ]; then
		ncases=$((ncases + 1))
		echo "ok $ncases - $title # SKIP $(head -n 1 "$1.err" | cut -c1-200)"
		return
	fi
	same "$1" > "$tmp/log" 2>&1
	case_of $? "$title" "$todo"
}

one_program() {
	rm -rf "$tmp/plain" "$tmp/wrapped"
	build "$tmp/plain" "" || {
		ncases=$((ncases + 1))
		echo "ok $ncases - $group/$(basename "$program") $flags # SKIP this compiler does not build it"
		return
	}
	build "$tmp/wrapped" "$psc"
	status=$?
	todo_of build
	case_of $status "$group/$(basename "$program") $flags: builds" "$todo"
	[ $status = 0 ] || return
	limit=600
	cd "$tmp/plain" || exit 99
	# shellcheck disable=SC2086
	run plain $launcher ./program $arguments
	cd "$tmp" || exit 99
	for mode in idle record switched front; do
		one_mode $mode
	done
}

if [ -z "${group:-}" ]; then
	group=$1
	shift
fi
here=$(cd "$here" && pwd) psc=$(cd "$(dirname "$psc")" && pwd)/psc_instrument
PATH=$(cd "$builddir" && pwd):$PATH
TMPDIR=$tmp
export PATH TMPDIR
case $group in
/*) dir=$group ;;
*) dir=$here/$group ;;
esac
for program in "$dir"/*.*; do
	[ $# = 0 ] || names "$(basename "$program")" "$*" || continue
	read_header
	value command; launcher=$value
	value arguments; arguments=$value
	value library; part=$value
	value without; without=$value reason=${without#*\(} without=${without%%\(*}
	case $launcher in
	mpirun*) command -v mpicc > /dev/null && [ -x "$builddir/psc_agent" ] || continue ;;
	esac
	[ -x "$builddir/psc_agent" ] || without="$without front" reason="${reason:-configured without MPI}"
	value flags
	echo "${value:-${FLAGS:--O2}}" > "$tmp/flags"
	value all
	[ -n "${PSC_LONG:-}${value}" ] || sed -i 2,\$d "$tmp/flags"
	while read -r flags <&3; do
		one_program
	done 3< "$tmp/flags"
done
echo "1..$ncases"
