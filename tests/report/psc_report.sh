#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# psc_report as a user meets it: exit codes, standard output, files.
. "${srcdir:-.}/tests/tap.sh"
psc_report=${builddir:-.}/psc_report
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
tap_out=$tmp/log

cat >"$tmp/a.psc" <<'END'
<Experiment xmlns="http://www.lrr.in.tum.de/Periscope">
<numProcs>2</numProcs><sir>./a.out</sir>
<property cluster="false" ID="1"><name>P</name>
<context FileID="1" FileName="a.c" RFL="3" Region="LOOP_REGION"><execObj process="1" thread="0"/></context>
<severity>5.00</severity></property>
<property cluster="false" ID="2"><name>Q</name>
<context FileID="1" FileName="a.c" RFL="9" Region="CALL_REGION"><execObj process="0" thread="0"/></context>
<severity>7.00</severity></property>
</Experiment>
END

echo "1..46"
check "prints a file" exits 0 "$psc_report" "$tmp/a.psc"
check "worst comes first" says " 1     7.0%  7.0%         a.c:9" "$psc_report" "$tmp/a.psc"
check "so with -v" says " 1      7.0%  Q  " "$psc_report" -v "$tmp/a.psc"
check "leaves out what was not asked for" says "and 1 more" "$psc_report" --top 1 "$tmp/a.psc"
check "so with -v, too" says "(1 of 2; --top 0" "$psc_report" -v --top 1 "$tmp/a.psc"
check "filters by property" says " 1      5.0%  P  " "$psc_report" -v --property P "$tmp/a.psc"
check "unknown property fails" exits 2 "$psc_report" --property R "$tmp/a.psc"
check "prints JSON" says '"property": "Q"' "$psc_report" --json "$tmp/a.psc"
check "prints CSV" says '1,Q,,0.07' "$psc_report" --csv "$tmp/a.psc"
check "writes a file" exits 0 "$psc_report" "$tmp/a.psc" --psc "$tmp/b.psc"
check "reads what it wrote" says " 2      5.0%  P  " "$psc_report" -v "$tmp/b.psc"
check "writes text to a file" exits 0 "$psc_report" -v "$tmp/a.psc" "$tmp/a.txt"
check "which is the text" says "( CALL_REGION, a.c, 9 )" cat "$tmp/a.txt"
check "no file is a usage error" exits 2 "$psc_report"
check "unknown option is a usage error" exits 2 "$psc_report" --nonsense "$tmp/a.psc"
check "bad number is a usage error" exits 2 "$psc_report" --top x "$tmp/a.psc"
check "missing file is named" says "$tmp/c.psc: " "$psc_report" "$tmp/c.psc"
check "missing file fails" exits 2 "$psc_report" "$tmp/c.psc"
check "unwritable output fails" exits 2 "$psc_report" --json "$tmp/a.psc" "$tmp/no/out"
check "helps" says "Usage: psc_report" "$psc_report" --help

keeps() { # file, command...: refused, and the file is as before
	file=$1
	shift
	cp "$file" "$tmp/before" && exits 2 "$@" && cmp "$file" "$tmp/before"
}
for form in "" --psc --json; do
	check "an existing .psc is never overwritten ($form)" keeps "$tmp/b.psc" "$psc_report" $form "$tmp/a.psc" "$tmp/b.psc"
done
check "nor with -f" keeps "$tmp/b.psc" "$psc_report" -f "$tmp/a.psc" "$tmp/b.psc"
cp "$tmp/b.psc" "$tmp/b.xml"
check "nor under another name" keeps "$tmp/b.xml" "$psc_report" -f --json "$tmp/a.psc" "$tmp/b.xml"
check "nor the file that is read" keeps "$tmp/a.psc" "$psc_report" -f --psc "$tmp/a.psc" "$tmp/a.psc"
check "the message says so" says "never overwritten" "$psc_report" "$tmp/a.psc" "$tmp/b.psc"
echo "int main(void) { return 0; }" >"$tmp/main.c"
check "a file that is not ours is kept" keeps "$tmp/main.c" "$psc_report" "$tmp/a.psc" "$tmp/main.c"
check "text under the name of a property file is refused" exits 2 "$psc_report" "$tmp/a.psc" "$tmp/new.psc"
check "and nothing is written" test ! -e "$tmp/new.psc"
closed() { { "$psc_report" --json "$1"; echo $? >"$tmp/code"; } | true; test "$(cat "$tmp/code")" -eq 0; }
{ # more than a pipe holds
	sed '/<\/Experiment>/d' "$tmp/a.psc"
	awk 'BEGIN { for (i = 0; i < 2000; i++) printf "<property ID=\"3\"><name>P%d</name><context FileName=\"a.c\" RFL=\"9\"/></property>\n", i }'
	echo "</Experiment>"
} >"$tmp/long.psc"
named() { "$psc_report" --json -o "$tmp/n.%h.%t.json" "$tmp/a.psc" && grep -q '"format"' "$tmp/n.$(uname -n)."20[0-9]*-[0-9]*.json; }
check "-o is a name with the host and the time" named
check "OUT is taken as it is" exits 0 "$psc_report" "$tmp/a.psc" "$tmp/n.%h"
check "and so written" test -s "$tmp/n.%h"
check "-o and OUT are too many" says "two files to write to" "$psc_report" -o "$tmp/x" "$tmp/a.psc" "$tmp/y"
check "--check has no -o" says "writes --markdown=FILE" "$psc_report" --check --fail-on "severity > 1" -o "$tmp/x" "$tmp/a.psc"
check "a reader that stops is no error" closed "$tmp/long.psc"
check "the message names -f" says "-f overwrites it" "$psc_report" "$tmp/a.psc" "$tmp/main.c"
check "-f overwrites it" exits 0 "$psc_report" --force "$tmp/a.psc" "$tmp/main.c"
again() { # every form replaces what another one wrote
	for form in "" -v --json --csv --html --table --ledger "--ledger --csv" --paths ""; do
		"$psc_report" $form "$tmp/a.psc" "$tmp/again" || { echo "$form"; return 1; }
	done
}
check "reports of ours are replaced" again
: >"$tmp/empty"
check "and so is an empty file" exits 0 "$psc_report" "$tmp/a.psc" "$tmp/empty"
check "and what is no file at all" exits 0 "$psc_report" "$tmp/a.psc" /dev/null
full() { "$psc_report" "$tmp/a.psc" >/dev/full; }
if test -c /dev/full; then
	check "full disk fails" exits 2 full
else
	skip "full disk fails" "no /dev/full"
fi

# The original's own files are not part of this project: three of them, read and rewritten.
samples=${srcdir:-.}/../shared/data/periscope
test -d "$samples" || samples=${srcdir:-.}/../../shared/data/periscope
round() {
	rm -f "$tmp/r.psc"
	"$psc_report" "$1" --psc "$tmp/r.psc" && "$psc_report" -v --top 0 "$1" >"$tmp/1" &&
		"$psc_report" -v --top 0 "$tmp/r.psc" >"$tmp/2" && cmp "$tmp/1" "$tmp/2" &&
		test "$(grep -c '( CALL_REGION, exch_qbc.f, 121 )' "$tmp/1")" -eq 7
}
for i in "" _1 _2; do
	file=$samples/psc_properties_sample$i.psc
	if test -f "$file"; then
		check "reads and rewrites the original's sample$i" round "$file"
	else
		skip "reads and rewrites the original's sample$i" "no files of the original Periscope beside the source"
	fi
done
if test -f "$samples/psc_properties_sample.psc"; then
	check "and its figures" says "CallTime 1088778" "$psc_report" -v "$samples/psc_properties_sample.psc"
else
	skip "and its figures" "no files of the original Periscope beside the source"
fi
