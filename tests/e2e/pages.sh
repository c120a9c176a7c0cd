#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Pages over time: what the program does is the same, and the rows say which thread uses which page of which structure.
# How many pages are armed depends on the machine's load, so nothing is said of that here.
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/any_lib.sh"
"$cc" -O1 -g -pthread -o pages "$srcdir/tests/e2e/pages.c" || echo "Bail out! pages.c does not compile"
code=0
psc_frontend --agents local --psc pages.psc --html pages.html -q -v -o report --page-budget 20 --pages rows.csv -- ./pages >out 2>err || code=$?
case $(cat err) in *"pages cannot be sampled"*) skip_all "$(cat err)" ;; esac
plan 28

alone=0
./pages >alone || alone=$?
check "the exit code is the program's own" test $code = $alone
check "its output is the same" cmp alone out
check "the rows have their headings" sh -c 'head -1 rows.csv | grep -q "^task,thread,interval,begin_ns,end_ns,armed,interval_cpus,page,physical,reads,writes,cpus,structure,offset,place$"'

# rows STRUCTURE CONDITION: rows of the structure for which it holds
rows() {
	awk -F, -v name="\"$1\"" "NR > 1 && \$13 == name && ($2) { n++ } END { exit !n }" rows.csv
}
for name in left right product fixed numbers; do
	check "$name has its name" rows $name 1
done
# The recorder tells of blocks and faults apart: on a busy machine what comes first may be read too late.
passing() {
	for try in 1 2 3; do
		rows passing 1 && return
		psc_frontend --agents local --no-psc -q -v -o again --page-budget 20 --pages rows.csv -- ./pages >out 2>err
	done
	return 1
}
check "a block that is gone at once has its name" passing
# What the program does, seen in its rows: all threads but the main one only read the factors, and each of them has one half
# of the product (640 000 bytes; a page may lie in both).  Offset 0 is also that of the pointer, a static variable.
main=$(awk -F, '$13 == "\"fixed\"" { print $1; exit }' rows.csv)
only_reads() { ! awk -F, -v main="$main" '$1 != main && ($13 == "\"left\"" || $13 == "\"right\"") && $11 > 0' rows.csv | grep .; }
halves() {
	awk -F, -v main="$main" '$1 != main && $13 == "\"product\"" && $14 > 0 && ($14 < 635904 || $14 >= 644096) {
		half = $14 < 640000 ? 1 : 2
		bad = bad || $1 in of && of[$1] != half
		of[$1] = half
		any[half]
	} END { exit bad || !(1 in any) || !(2 in any) }' rows.csv
}
in_turn() {
	awk -F, '$13 == "\"early\"" && $3 > last { last = $3 }
		$13 == "\"late\"" && (!n++ || $3 < first) { first = $3 }
		END { exit !n || first < last }' rows.csv
}
one_after_the_other() {
	awk -F, 'NR > 1 && $3 != before { bad = bad || $4 < end || $5 <= $4; before = $3; end = $5 } END { exit bad }' rows.csv
}
all_pages() {
	[ "$(awk -F, -v main="$main" '$13 == "\"left\"" && $1 == main { print $8 }' rows.csv | sort -u | wc -l)" -ge 312 ]
}
check "threads that read have no writes" only_reads
check "each thread has its half of the product" halves
check "a block that is used later has later intervals" in_turn
check "intervals follow one another" one_after_the_other
check "a first touch writes, and its line is known" rows left '$11 > 0 && $15 ~ /pages.c:[0-9]+/'
check "its rows are those of all its pages" all_pages
check "addresses are those of pages" sh -c '! tail -n +2 rows.csv | cut -d, -f8 | grep -qv "^0x[0-9a-f]*000$"'
check "and what was not tracked" grep -q "MiB of the program's memory were tracked" report
check "the report says how many were seen" grep -q "pages were sampled by [0-9]* page faults in [0-9]* intervals" report
psc_report --top 20 --cartography --width 100 pages.psc >picture 2>&1
check "a picture of addresses by thread says what it is of" grep -q "Pages that were seen, not accesses" picture
check "and has the product, which two threads write" grep -q "^ *product  *[0-9] " picture
check "pictures of counts are refused" sh -c '! psc_report --timeline pages.psc 2>why && grep -q "pages were sampled, and no accesses" why'
check "the page draws threads over time, and no walks" sh -c 'grep -q "data-view=gantt" pages.html && ! grep -q "data-view=timeline" pages.html'
full() {
	psc_frontend --agents local --no-psc -q -v -o full --pages /dev/full -- ./pages >out 2>err
	cmp alone out && grep -q "the file of --pages is not whole: " full
}
if [ -c /dev/full ]; then check "a disk that is full is told" full; else ok "a disk that is full is told # SKIP no /dev/full"; fi
writes() {
	psc_frontend --agents local --no-psc -q -v -o wrote --page-writes --page-budget 20 --pages wrote.csv -- ./pages \
		>out 2>err
	case $(cat err) in *"does not tell which pages were written"*) echo "# SKIP $(cat err)"; return 0 ;; esac
	cmp alone out && grep -q "written pages were sampled by" wrote
}
check "writes are sampled where memory stays in its place" writes
if [ -f wrote.csv ]; then
	check "static variables and blocks have rows" sh -c 'grep -q "\"fixed\"" wrote.csv && grep -q "\"product\"" wrote.csv'
	check "each row has a write" sh -c '! awk -F, "NR > 1 && \$11 == 0" wrote.csv | grep -q .'
else
	ok "static variables and blocks have rows # SKIP"
	ok "each row has a write # SKIP"
fi
check "an option without its collector is refused" sh -c 'psc_frontend --page-budget 5 -- ./pages 2>why; test $? = 2 && grep -q -e "--page-budget goes with --collector page" why'
check "a file that cannot be written is refused" sh -c 'psc_frontend --pages nowhere/rows.csv -- ./pages 2>why; test $? = 2 && grep -q "nowhere" why'
