#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Small functions cost next to nothing while nobody analyses the program (the programs of tests/bench/small):
# what GCC inlines natively it still inlines, and few instructions are added.  Instructions are counted, so no
# other program's load can change the outcome; user time is for `make bench`.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
psc=$builddir/psc_instrument
: "${PSC_GCC:=gcc}" "${PSC_GXX:=g++}"
OMP_NUM_THREADS=1
export OMP_NUM_THREADS
unset PSC_MONITOR
if [ ! -x "$psc" ]; then
	echo "1..0 # SKIP the plugin is not built"
	exit 0
fi
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-small.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
ncases=0

ok() {
	ncases=$((ncases + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $ncases - $2"
	else
		echo "not ok $ncases - $2"
		sed 's/^/# /' "$tmp/log" | head -n 40
	fi
	: >"$tmp/log"
}
skip() {
	ncases=$((ncases + 1))
	echo "ok $ncases - $1 # SKIP $2"
}
# option NAME: of the words behind `idle:` in the program's first comment
option() { sed -n "1,/\*\//s/.*[ ]$1=\([^ ]*\).*/\1/p; 10q" "$source"; }

# build FORM PREFIX
build() {
	case $source in
	*.c) compiler=${PSC_GCC%% *} ;;
	*) compiler=${PSC_GXX%% *} ;;
	esac
	$2 $compiler -O2 -g -fopenmp -o "$tmp/$1" "$source" >>"$tmp/log" 2>&1
}

# called FORM: what its functions call by name, but for the versions that run while something is measured
called() {
	objdump -d --no-show-raw-insn "$tmp/$1" | awk '
		/^[0-9a-f]+ <.*>:$/ { inside = $2; next }
		inside ~ /\.psc_(inst|mark)/ || /<[^>]*\+0x/ { next }
		/[ \t](call|jmp|bl|b)[ \t].*<.*>$/ {
			name = $NF
			gsub(/[<>]|\.psc_own/, "", name)
			if (name !~ /\.psc_|^__psc_/) {
				sub(/\.(cold|constprop|isra|part).*/, "", name)
				print name
			}
		}' | sort -u
}
# names: of functions, without classes, templates and parameters
names() {
	c++filt | awk '{
		sub(/\(anonymous namespace\)/, "")
		if (match($0, /operator([-+*]|\[\])/))
			print substr($0, RSTART, RLENGTH)
		while (gsub(/<[^<>]*>/, ""))
			;
		sub(/\(.*/, "")
		sub(/.*(::| )/, "")
		print
	}'
}
# Idle, the small functions that are not called natively are not called either.
inlined() {
	called native >"$tmp/called.native"
	called idle >"$tmp/called.idle"
	option inlined | tr , '\n' >"$tmp/small"
	comm -13 "$tmp/called.native" "$tmp/called.idle" | names | grep -Fx -f "$tmp/small" >"$tmp/log"
	[ ! -s "$tmp/log" ]
}

# instructions FORM: of a whole run, to count.FORM
instructions() {
	valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$tmp/$1" "$(option count)" \
		>"$tmp/out.$1" 2>"$tmp/valgrind.$1" || {
		cat "$tmp/valgrind.$1" >>"$tmp/log"
		return 1
	}
	awk '/I *refs:/ { gsub(",", ""); print $NF }' "$tmp/valgrind.$1" >"$tmp/count.$1"
}
few_more() {
	instructions native &
	instructions idle && wait $! || return 1
	cmp "$tmp/out.native" "$tmp/out.idle" >"$tmp/log" 2>&1 || return 1
	echo "$(cat "$tmp/count.native") $(cat "$tmp/count.idle") $(option instructions)" | awk '{
		printf "natively %d, instrumented %d: %.3f, at most %.2f\n", $1, $2, $2 / $1, $3
		exit !($1 > 1000000 && $2 <= $1 * $3) }' >"$tmp/log"
}

valgrind=1
command -v valgrind >/dev/null || valgrind=
grep -q __asan_init "$builddir/monitor/.libs/libpscmon.so" 2>/dev/null && valgrind=
objdump=1
command -v objdump >/dev/null || objdump=
for source in "$srcdir"/tests/bench/small/*.c*; do
	name=$(basename "$source")
	name=${name%.*}
	build native "" &
	build idle "$psc" && wait $!
	ok $? "$name builds"
	if [ "$objdump" ]; then
		inlined
		ok $? "$name: idle, what GCC inlines natively is inlined"
	else
		skip "$name: idle, what GCC inlines natively is inlined" "no objdump"
	fi
	if [ "$valgrind" ]; then
		few_more
		ok $? "$name: idle, $(option instructions) times the native instructions at most"
	else
		skip "$name: idle, few instructions more than natively" "no valgrind, or built with sanitizers"
	fi
done
echo "1..$ncases"
