#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# psc_machine --calibrate as a user meets it, on this host and with a cache directory of its own.
: "${srcdir:=.}"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
n=0
LC_ALL=C XDG_CACHE_HOME=$work/cache
export LC_ALL XDG_CACHE_HOME
unset PSC_MACHINE_PATH HWLOC_XMLFILE HWLOC_SYNTHETIC
file=$work/cache/periscope/$(uname -n).xml

result() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$work/out" "$work/err" 2>/dev/null
	fi
}
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}
# cost LEVEL PATTERN: ns in the file; LEVEL: 'cache level="2"' or memory
cost() {
	awk -v level="<$1" -v pattern="<$2 " 'index($0, level) { on = 1 }
		on && index($0, pattern) { sub(/.* ns="/, ""); sub(/".*/, ""); print; exit }' "$file"
}
above() {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 > b + 0) }'
}

echo 1..10
psc_machine >"$work/out" 2>&1 && grep -q '^a line costs, ns (assumed)' "$work/out" &&
	grep -q '^note: this host is not calibrated: run psc_machine --calibrate' "$work/out" && [ ! -e "$work/cache" ]
result $? "without a calibration costs are assumed, and it is said"
(ulimit -v 200000 && psc_machine --calibrate >"$work/out" 2>&1)
[ $? -eq 3 ] && grep -q 'not calibrated: not enough memory' "$work/out" && ! grep -q measuring "$work/out" && [ ! -e "$file" ]
result $? "too little memory ends with 3 and leaves no file"
what="on a terminal it says what it measures, in one line that is cleared"
if command -v script >/dev/null; then
	script -qec "ulimit -v 200000; psc_machine --calibrate" "$work/out" >/dev/null </dev/null
	tr '\r\033' '<=' <"$work/out" |
		grep -q '^<=\[Kmeasuring page faults: [0-9]* s ([^<]*)<=\[Kmeasuring what lines of caches .* cost: [0-9]* s ([^<]*)<=\[Kpsc_machine: not cal'
	result $? "$what"
else
	skip "$what" "no script"
fi
: >"$work/plain"
XDG_CACHE_HOME=$work/plain psc_machine --calibrate >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q "$work/plain/periscope: Not a directory" "$work/out"
result $? "a cache directory that cannot be made ends with 2, before anything is measured"

psc_machine --calibrate --brief --xml >"$work/out" 2>"$work/err"
code=$?
times >"$work/times"
if [ $code -eq 3 ] && grep -q 'not enough memory' "$work/err"; then
	why=$(head -1 "$work/err")
	for what in "a calibration is kept and printed" "it takes 5 s of user time at most, and a step" \
		"dependent loads cost more than independent ones, those of memory more than those of a cache" \
		"it is valid and checked" "the table says when it was measured" "beside busy loops it is not refused, but marked"; do
		skip "$what" "$why"
	done
	exit 0
fi
[ $code -eq 0 ] && cmp "$work/out" "$file" >>"$work/err" 2>&1 && grep -q "kept in $file" "$work/err"
result $? "a calibration is kept and printed"
# The second line is that of children: 0m3.1s 0m0.9s.  How long the kernel takes to provide memory is the host's.
tail -1 "$work/times" | tr 'ms' '  ' | awk '{ exit !($1 * 60 + $2 <= 7) }' || { cat "$work/times" >"$work/out"; false; }
result $? "it takes 5 s of user time at most, and a step"
above "$(cost memory chase)" "$(cost memory gather)" &&
	above "$(cost memory chase)" "$(cost 'cache level="2"' chase)" &&
	above "$(cost 'cache level="2"' chase)" "$(cost 'cache level="2"' gather)"
result $? "dependent loads cost more than independent ones, those of memory more than those of a cache"
psc_machine --check "$file" >"$work/out" 2>&1 && grep -q "$file: calibration of $(uname -n), . levels" "$work/out" &&
	sed 's/cycle="/cycle="x/' "$file" >"$work/bad.xml" && ! psc_machine --check "$work/bad.xml" >"$work/out" 2>&1 &&
	grep -q 'bad.xml:2: cycle="x' "$work/out" && { ! command -v xmllint >/dev/null ||
	xmllint --noout --relaxng "$srcdir/machine/calibration.rng" "$file" >"$work/out" 2>&1; }
result $? "it is valid and checked"
psc_machine >"$work/out" 2>&1 && grep -q '^a line costs, ns (measured 2' "$work/out" && ! grep -q '^note: this host is not cal' "$work/out" &&
	! grep -v '^note: ' "$work/out" | grep -q '.\{81\}'
result $? "the table says when it was measured"

# Two loops for each CPU, so that others have most of this machine wherever it is.
loops=
for i in $(seq $((2 * $(nproc)))); do
	sh -c 'while [ -d "$1" ]; do :; done' loop "$work" &
	loops="$loops $!"
done
psc_machine --calibrate --brief >"$work/out" 2>"$work/err"
code=$?
kill $loops
wait $loops 2>/dev/null
[ $code -eq 0 ] && grep -q ' loaded="yes"' "$file" && grep -q '^a line costs, ns (measured 2.* while others had [1-9]' "$work/out" &&
	psc_machine --check "$file" >>"$work/out" 2>&1
result $? "beside busy loops it is not refused, but marked"
