#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --sir: only the regions and structures of a file are reported, what the program does not have is listed, and a file that is of no
# use is an error before anything runs.  In programs that run as they are, its structures are a filter of addresses.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 23

build_lu .
# columns NAME,..: of the CSV file on standard input, sorted
columns() {
	awk -F, -v want="$1" 'NR == 1 { n = split(want, w, ","); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ line = ""; for (i = 1; i <= n; i++) line = line " " $at[w[i]]; print line }' | sort
}
lu() {
	run "$1" --app ./lu --phase ssor.f:109 --machine itanium2 --properties levels --csv "$2.csv" $3 -- 33
}
head='<sir language="Fortran" xmlns="http://www.lrr.in.tum.de/Periscope">'

# --- the whole structure
psc_sir ./lu >whole.sir
check "without a file" lu 0 all
check "a file with everything" lu 0 whole "--sir whole.sir"
columns property,type,name,file,line <all.csv >all
columns property,type,name,file,line <whole.csv >whole
check "leaves nothing out" cmp all whole

# --- a part of it, by hand
cat >blts.sir <<EOF
$head
  <unit type="subroutine" name="blts">
    <position startLine="4" endLine="90"><file name="another/place/blts.f"/></position>
    <array name="v" class="dummy"/>
    <array name="nosuch"/>
    <codeRegion type="loop"><position startLine="5" endLine="6"><file name="another/place/blts.f"/></position></codeRegion>
  </unit>
  <unit type="subroutine" name="gone"><position startLine="4" endLine="9"><file name="gone.f"/></position></unit>
</sir>
EOF
check "a file with one subroutine and its argument" lu 0 blts "--sir blts.sir -v"
check "the argument is found" sh -c 'columns=$(cut -d, -f2,15,16 blts.csv); echo "$columns" | grep -q "DATA_STRUCTURE,v"'
check "and nothing else" sh -c "tail -n +2 blts.csv | grep -v 'DATA_STRUCTURE,v,rsd\|SUB_REGION,blts,' | awk 'END { exit NR > 0 }'"
notes() { tr -s '\n ' '  ' <out | grep -q -e "$1"; }
check "what it restricts is told" notes '--sir blts.sir: only its regions (1 of 3 were found)'
check "a region that is missing" notes 'blts.sir:6: loop another/place/blts.f:5-6 in blts was not found in the program'
check "a unit that is missing" notes 'blts.sir:8: subroutine gone gone.f:4-9 was not found in the program'
check "an array that is missing" notes 'blts.sir:5: array nosuch of blts was not found in the program'
check "--why-not lists what was asked for alone" sh -c 'psc_frontend -q --lockstep --app ./lu --phase ssor.f:109 --machine itanium2 \
	--properties levels --no-psc --why-not --sir blts.sir -- 12 >out 2>err && ! grep -q "jacld" out'

# --- files of no use
refused() { # FILE TEXT: nothing is run, and the text is an error
	code=0
	psc_frontend --app ./lu --sir "$1" -- 12 >out 2>err || code=$?
	[ $code = 2 ] && [ ! -s out ] && grep -q -e "$2" err
}
check "a file that is not there" refused nosuch.sir 'nosuch.sir: No such file'
: >empty.sir
check "an empty file" refused empty.sir 'empty.sir: the file is empty'
printf '%s\n<unit\n' "$head" >bad.sir
check "bad XML, with its line" refused bad.sir '^bad.sir:[23]: '
printf '%s\n<unit type="subroutine" name="blts">\n<codeRegoin/></unit></sir>\n' "$head" >schema.sir
check "an element that the schema does not have, with its line" refused schema.sir '^schema.sir:3: '
printf '%s</sir>\n' "$head" >nothing.sir
check "a file that asks for nothing" refused nothing.sir 'nothing.sir: no <unit> is in it'
printf '%s<unit type="subroutine" name="other"/></sir>\n' "$head" >other.sir
check "the file of another program" refused other.sir 'other.sir: none of its 1 regions is in this program'
check "a program instead of a file" refused lu 'lu: this is a program or library (ELF), not a .sir file'

# --- a filter of addresses
grep -q '^#define HAVE_FOREIGN 1' "$builddir/config.h" || {
	for k in 1 2 3 4 5; do skip "a filter of addresses" "configured without Zydis or libdw, or not for x86-64"; done
	exit 0
}
unset PSC_CHECK
PSC_BURST_LIBRARY=$builddir/burst/.libs/libpscburst.so
PSC_FOREIGN=$builddir/tests/foreign/psc_foreign_virtual
export PSC_BURST_LIBRARY PSC_FOREIGN
"${PSC_GCC:-gcc}" -O2 -g -pthread -o plain "$srcdir/tests/e2e/any.c" || echo "Bail out! any.c does not compile"
cat >table.sir <<'EOF'
<sir xmlns="http://www.lrr.in.tum.de/Periscope">
  <unit type="function" name="gather"><position startLine="25" endLine="32"><file name="any.c"/></position>
    <array name="table"/>
  </unit>
</sir>
EOF
any() { # COLLECTOR
	code=0
	psc_frontend -v --agents local --collector "$1" --machine x86-server --sir table.sir --no-psc --csv any.csv \
		--export-counts "$1.csv" -- ./plain 2 >out 2>err || code=$?
	[ $code = 7 ]
}
structures() { awk -F, 'NR > 1 { print $8 }' "$1" | sort -u | grep -v '^[*(]\|^heap without a name' | paste -sd,; }
told_apart() { [ "$(structures "$1")" = "structures that --sir leaves out,table" ] || structures "$1"; }
check "bursts" any burst
check "tell the file's structures apart alone" told_apart burst.csv
check "the processor's samples" any perf
check "too" told_apart perf.csv
check "and those outside the ranges are counted" notes "% of the processor.s samples have addresses of structures that --sir leaves out"
