#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# psc_machine as a user meets it.
: "${srcdir:=.}"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
n=0
LC_ALL=C; export LC_ALL
unset PSC_MACHINE_PATH HWLOC_XMLFILE HWLOC_SYNTHETIC

result() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$work/out"
	fi
}
# gives CODE TEXT COMMAND...: ends with CODE and says TEXT
gives() {
	code=$1 text=$2
	shift 2
	"$@" >"$work/out" 2>&1
	got=$?
	[ $got -eq "$code" ] && grep -q -- "$text" "$work/out" || {
		echo "exit $got, wanted $code and \"$text\"" >>"$work/out"
		return 1
	}
}

echo 1..12
gives 0 '^L3  *3 MiB  *12  *128  *2048  *private  *14 cycles  *10.8 ns' psc_machine itanium2 &&
	gives 0 '^memory  *200 cycles  *153.8 ns' psc_machine itanium2 && ! grep -q '.\{80\}' "$work/out"
result $? "the paper's machine is a table of less than 80 columns"
gives 0 'level' psc_machine && gives 0 'level' psc_machine --host
result $? "this host"
printf 'a64fx\nepyc-2s\nitanium2\nx86-server\nxeon-2s\n' >"$work/want"
psc_machine --list >"$work/out" 2>&1 && cmp "$work/out" "$work/want"
result $? "--list"
psc_machine --xml itanium2 >"$work/i.xml" && gives 0 "i.xml: itanium2, 4 CPUs, 2 levels" psc_machine --check "$work/i.xml"
result $? "--xml gives a file that --check accepts"
if command -v xmllint >/dev/null; then
	psc_machine --xml >"$work/h.xml" 2>"$work/out" && xmllint --noout --relaxng "$srcdir/machine/machine.rng" "$work/i.xml" \
		"$work/h.xml" "$srcdir"/machine/*.xml >"$work/out" 2>&1
	result $? "all models validate for xmllint"
else
	n=$((n + 1))
	echo "ok $n - all models validate for xmllint # SKIP xmllint is not installed"
fi
sed 's/ways="12"/ways="7"/' "$work/i.xml" >"$work/bad.xml"
gives 1 "bad.xml:5: L3: .* not a whole number of sets" psc_machine --check "$work/i.xml" "$work/bad.xml" &&
	grep -q "i.xml: itanium2" "$work/out" && gives 2 "bad.xml:5: " psc_machine "$work/bad.xml"
result $? "errors have their line"
HWLOC_SYNTHETIC="package:1 l3:1(size=503316480) core:2 l2:1(size=1048576) l1d:1(size=49152) pu:1"
export HWLOC_SYNTHETIC
gives 0 "^note: .*an L3 of 480 MiB for 2 cores is not plausible: 4 MiB assumed" psc_machine && grep -q '^L1  *48 KiB' "$work/out" &&
	grep -q '^L2  *1 MiB' "$work/out" && grep -q '^L3  *4 MiB' "$work/out" &&
	gives 0 "note: .*an L3" psc_machine --xml && gives 0 'name="host"' psc_machine --xml
result $? "a size that is not plausible is replaced alone, and said so"
HWLOC_SYNTHETIC="package:1 core:2 pu:1"
gives 0 "^note: no caches are reported: x86-server taken instead" psc_machine && gives 0 'name="x86-server"' psc_machine --xml
unset HWLOC_SYNTHETIC
result $? "a host without any cache is replaced, and said so"
PSC_MACHINE_PATH=$work gives 0 "^i, *\|^i$" psc_machine --list &&
	PSC_MACHINE_PATH=$work gives 0 "from $work/i.xml" psc_machine i
result $? "PSC_MACHINE_PATH"
gives 2 'no machine model "pdp11"; there are: a64fx, epyc-2s, itanium2, x86-server, xeon-2s' psc_machine pdp11 &&
	gives 2 "one machine at a time" psc_machine a b && gives 2 "one machine at a time" psc_machine --host itanium2 && gives 2 "no file given" psc_machine --check &&
	gives 1 "machine.sh: a script, not a machine model" psc_machine --check "$srcdir/tests/machine/machine.sh" &&
	gives 2 psc_machine psc_machine --wrong && gives 0 Usage psc_machine --help && gives 0 psc_machine psc_machine --version
result $? "usage errors end with 2"
gives 0 "^L2  *pseudo-LRU (tree), inclusive, prefetch: stride, 2 lines" psc_machine epyc-2s && ! grep -q '.\{80\}' "$work/out" &&
	grep -q '^8 memory nodes of 16 CPUs; a load of 310 cycles or more is remote' "$work/out" &&
	grep -q '^from  *4  *540 .* 540  *270  *310 ' "$work/out" && grep -q '^TLB 2  *2048 entries, 16 ways' "$work/out"
result $? "options, TLBs and memory nodes are printed"
for m in a64fx epyc-2s xeon-2s; do
	psc_machine --xml $m >"$work/$m.xml" && psc_machine "$work/$m.xml" | sed 2d >"$work/out" &&
		psc_machine $m | sed 2d | cmp - "$work/out" || break
	! command -v xmllint >/dev/null || xmllint --noout --relaxng "$srcdir/machine/machine.rng" "$work/$m.xml" 2>"$work/out" || break
	m=
done
[ -z "$m" ]
result $? "they survive --xml"
