#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# End to end: of the corpus' programs that say which structure is the worst and in which routine
# (`expect worst OBJECT ROUTINE`), psc_frontend puts just that first of all structures.
. "${srcdir:-.}/tests/e2e/lib.sh"
here=$srcdir/tests/corpus
programs=$(cd "$here/programs" && grep -l 'expect worst' ./*.*)
plan "$(echo "$programs" | wc -l)"

# first NAME ROUTINE: the first structure has the name, there or in the caller, and is found in the routine
first() {
	awk -F, -v name="$1" -v routine="$2" '$15 == "DATA_STRUCTURE" {
		good = ($16 == name || $17 == name) && index($0, " > " routine)
		exit
	}
	END { exit !good }' found.csv
}

for file in $programs; do
	p=$(basename "$file")
	case $p in
	*.cc) compiler=g++ ;;
	*.c) compiler=gcc ;;
	*) compiler=gfortran ;;
	esac
	phase=$(awk '/the phase( \*\/)?$/ { print NR; exit }' "$here/programs/$p")
	psc_instrument $compiler -O2 -g -w -I"$here/programs" -o program "$here/programs/$p" > build.log 2>&1
	# Where to look is decided by the regions' shares of time, of few and short executions: another program that
	# takes the processor in the midst of one makes the other regions' shares small.  So it is tried thrice.
	found=
	for try in 1 2 3; do
		psc_frontend --app ./program --phase "$p:$phase" --machine "$here/machines/small.xml" \
			--lockstep --clean 1 --top 0 --no-psc --csv found.csv \
			--set STALL_THRESHOLD=0 --set DATA_THRESHOLD=0 > out 2> err
		worst=$(sed -n 's/^expect worst //p' out | tail -n 1)
		worst=${worst%% at *}
		[ -n "$worst" ] && first "${worst%% *}" "${worst#* }" && found=1 && break
	done
	if [ -n "$found" ]; then
		ok "$p: the worst is $worst"
	else
		not_ok "$p: the worst is $worst" build.log err out
	fi
done
