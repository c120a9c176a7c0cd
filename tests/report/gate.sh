#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# psc_report --compare and --check as a user meets them: exit codes, messages, files.
. "${srcdir:-.}/tests/tap.sh"
psc_report=${builddir:-.}/psc_report
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
tap_out=$tmp/log

# file NAME MISSES LINE: a property file in which array x has that many misses
file() {
	cat >"$tmp/$1" <<END
<Experiment xmlns="http://www.lrr.in.tum.de/Periscope" xmlns:pc="urn:periscope-c:report:1">
<numProcs>1</numProcs><numThreads>1</numThreads>
<property cluster="false" ID="1"><name>MemoryStall</name>
<context FileName="a.c" RFL="$3" Region="DATA_STRUCTURE"><execObj process="0" thread="0"/></context>
<severity>5.00</severity><addInfo>
<pc:figures property="MemoryStall" severity_share="0.05" est_stall_share="0.05" kind="stream" about="memory" declared="a.c:$3" processes="1"/>
<pc:path><pc:node type="LOOP_REGION" file="a.c" line="$3" name_path="a.c:main/loop 1" phase="1"/>
<pc:node type="DATA_STRUCTURE" name="x" file="a.c" line="$3"/></pc:path></addInfo></property>
<pc:report command="./a" machine="m"><pc:phase type="LOOP_REGION" file="a.c" line="$3" name_path="a.c:main/loop 1" cpu_time="0.01"/>
<pc:cost region="a.c:main/loop 1" file="a.c" line="$3" type="LOOP_REGION" accesses="100000" l1_misses="$2"/>
<pc:cost region="a.c:main/loop 1" structure="x" declared="a.c:$3" file="a.c" line="$3" type="LOOP_REGION" accesses="100000" l1_misses="$2"/>
</pc:report></Experiment>
END
}
file a.psc 5000 3
file moved.psc 5000 13
file worse.psc 6000 3
cd "$tmp" || exit 99
case $psc_report in /*) ;; *) psc_report=$OLDPWD/$psc_report ;; esac

echo "1..65"
check "two files are compared" exits 0 "$psc_report" --compare a.psc worse.psc
check "what changed is said" says "level-1 misses 5.00 k -> 6.00 k (+20.0%)" "$psc_report" --compare a.psc worse.psc
check "in the words of the report" says "more       500 us -> 500 us   a.c:3  x                                    stream
" "$psc_report" --compare a.psc worse.psc
check "with -v by the property" says "  MemoryStall of x, a.c:3 in main
      level-1 misses 5.00 k -> 6.00 k (+20.0%)" "$psc_report" -v --compare a.psc worse.psc
check "moved lines are no change" says "
No problem is gone, new or changed. As before: 1 problem.
" "$psc_report" --compare a.psc moved.psc
check "nor with -v" says "0 gone, 0 new, 0 changed, 0 changed by less than 1%, 1 unchanged" \
	"$psc_report" -v --compare a.psc moved.psc
check "how to see more is said" says "
NEXT  psc_report -v --compare a.psc worse.psc: every finding" "$psc_report" --compare a.psc worse.psc
check "but not of one file" sh -c '! "$1" --compare a.psc ./a.psc | grep NEXT' sh "$psc_report"
check "as data by its key" says '{"outcome": "more", "before": {"number": 1, "key": "a.c:main/loop 1; x; stream", "kind": "stream"}' "$psc_report" --compare --json a.psc worse.psc
check "to a file" exits 0 "$psc_report" --compare --json a.psc worse.psc c.json
check "which is replaced" exits 0 "$psc_report" --compare --markdown a.psc worse.psc c.json
check "one file is wrong use" says "--compare wants two files" "$psc_report" --compare a.psc
check "four are wrong use" exits 2 "$psc_report" --compare a.psc a.psc out a.psc
check "no other form" exits 2 "$psc_report" --compare --csv a.psc a.psc
check "a missing file is named" says "no.psc: No such file" "$psc_report" --compare a.psc no.psc
check "Markdown of a report is no form" exits 2 "$psc_report" --markdown a.psc

check "a limit that is kept" exits 0 "$psc_report" --check --fail-on 'structure x: l1_misses > 5500' a.psc
check "is exceeded" exits 1 "$psc_report" --check --fail-on 'structure x: l1_misses > 5500' worse.psc
check "and named" says "x: l1_misses 6000" "$psc_report" --check --fail-on 'structure *: l1_misses > 5500' worse.psc
check "a soft limit does not fail" exits 0 "$psc_report" --check --warn-on 'structure x: l1_misses > 5500' worse.psc
check "but is reported" says "warned" "$psc_report" --check --warn-on 'structure x: l1_misses > 5500' worse.psc
check "a misspelt figure is located" says "  structure x: l1_mises > 5500
               ^" "$psc_report" --check --fail-on 'structure x: l1_mises > 5500' a.psc
check "and no result" exits 2 "$psc_report" --check --fail-on 'structure x: l1_mises > 5500' a.psc
check "an unknown structure is no pass" exits 2 "$psc_report" --check --fail-on 'structure y: l1_misses > 1' a.psc
check "a bad file is no pass" exits 2 "$psc_report" --check --fail-on 'l1_misses > 1' no.psc
check "no limits are wrong use" exits 2 "$psc_report" --check a.psc
check "limits without --check are" exits 2 "$psc_report" --fail-on 'l1_misses > 1' a.psc
check "within the baseline" exits 0 "$psc_report" --check --baseline a.psc --worse-by 20% worse.psc
check "worse than the baseline" exits 1 "$psc_report" --check --baseline a.psc --worse-by 10% worse.psc
check "softly" exits 0 "$psc_report" --check --baseline a.psc --worse-by 0.3 --warn-by 10% worse.psc
check "moved lines are not worse" exits 0 "$psc_report" --check --baseline a.psc --worse-by 0 moved.psc
check "a share is wanted" says "--worse-by takes a share" "$psc_report" --check --baseline a.psc --worse-by much worse.psc
check "so is a baseline" says "wants --baseline" "$psc_report" --check --worse-by 10% worse.psc
sed 's/machine="m"/machine="n"/' a.psc >other.psc
check "of one machine" exits 2 "$psc_report" --check --baseline other.psc --worse-by 10% a.psc

gate() { "$psc_report" --check --fail-on 'structure x: l1_misses > 1' --warn-on 'kind == "stream" && l1_misses < 1e9' \
	--sarif r.sarif --junit r.xml --markdown=r.md a.psc; }
check "all forms in one run" exits 1 gate
check "which are replaced by the next" exits 1 gate
check "Markdown" grep -q '^| failed | x | a.c:3 | l1\\_misses 5000 |$' r.md
if command -v xmllint >/dev/null; then
	check "JUnit is XML" xmllint --noout r.xml
else
	skip "JUnit is XML" "xmllint is not installed"
fi
check "one failure of two tests" grep -q '<testsuite name="a.psc" tests="2" failures="1"' r.xml
# What the schema of SARIF 2.1.0 demands of these objects, and what code hosts read.
sarif() {
	python3 - <<'END'
import json
d = json.load(open('r.sarif'))
assert d['version'] == '2.1.0' and len(d['runs']) == 1
run = d['runs'][0]
rules = run['tool']['driver']['rules']
assert run['tool']['driver']['name'] and len(rules) == 2
assert [r['level'] for r in run['results']] == ['error', 'warning']
for r in run['results']:
    assert r['message']['text'] and rules[r['ruleIndex']]['id'] == r['ruleId']
    place = r['locations'][0]['physicalLocation']
    assert place['artifactLocation']['uri'] == 'a.c' and place['region']['startLine'] == 3
    assert r['partialFingerprints']
END
}
if command -v python3 >/dev/null; then
	check "SARIF" sarif
else
	skip "SARIF" "python3 is not installed"
fi
# lines SOURCE: a.psc with misses of two lines of that file
lines() {
	sed -e "s,declared=\"a.c:3\" processes,source=\"$1\" first_line=\"3\" last_line=\"9\" place_line=\"7\" declared=\"a.c:3\" processes," \
		-e 's,</pc:path>,&<pc:line line="5" first_misses="9" last_misses="2"/><pc:line line="7" first_misses="1" last_misses="6"/>,' a.psc
}
lines /x/a.c >lines.psc
lines /x/b.c >other_file.psc
starts() { exits 1 "$psc_report" --check --fail-on 'kind == "stream" && l1_misses > 1' --sarif r.sarif "$1" && grep -q "\"uri\": \"a.c\"}, \"region\": {\"startLine\": $2}" r.sarif; }
check "SARIF has the line with most misses" starts lines.psc 7
check "in the file of the place" starts other_file.psc 3
check "so has CSV" sh -c "'$psc_report' --csv lines.psc | grep ',7\$'"
check "and --explain all lines" says "Lines     share of the last-level misses in a.c by line: 7: 75.0% (1" "$psc_report" --explain 1 lines.psc
sed 's/first_misses="9"/first_misses="-9"/' lines.psc >bad.psc
check "a figure below zero is refused" says "<line>: a figure is missing or negative" "$psc_report" --csv bad.psc
keeps() { cp a.psc before; exits 2 "$psc_report" --check --fail-on 'l1_misses > 1' --junit worse.psc a.psc && cmp a.psc before; }
check "a property file is never replaced by a result" keeps

mkdir history
sed 's,<pc:report ,<pc:report when="1767348000" ,' a.psc >history/z.psc
sed 's,<pc:report ,<pc:report when="1767434400" ,' worse.psc >history/b.psc
sed 's,<pc:report ,<pc:report when="1767520800" ,' moved.psc >history/c.psc
cp "$psc_report" history/not-ours
order() { "$psc_report" --history history >h && awk '/^x$/ { on = 1 } /^Problem/ { on = 0 } on && /20[0-9][0-9]-/ { print $1, $4 }' h >got && cat h &&
	printf 'z 5.00\nb 6.00\nc 5.00\n' | cmp - got; }
check "a history, in the order of the runs" order
check "the last problem, in every run that has it" says "
Problem 1: a.c:13  x
z  " "$psc_report" --history history
check "marks what differs" grep -q '^b .* 6.00 k\*' h
check "of one structure, as CSV" says 'b,1767434400,x,,,,6000,,,,,100000' "$psc_report" --history --structure x --csv history
echo "<broken" >history/broken.psc
check "a broken file is left out" exits 0 "$psc_report" --history history
check "and named" says "left out: history/broken.psc:" "$psc_report" --history history
mkdir none
check "no file is an error" exits 2 "$psc_report" --history none
check "no directory is an error" exits 2 "$psc_report" --history nowhere

check "a problem is named as on the screen" says "Problem   1: 500 us, 5.0% at a.c:3, x; stream; finding 1
" "$psc_report" --explain 1 a.psc
check "a problem is explained" says "Claim     MemoryStall holds for x at a.c:3 in main" "$psc_report" --explain 1 a.psc
check "with its commands" says "psc_frontend --phase a.c:3 --compare a.psc -- ./a" "$psc_report" --explain 1 a.psc
check "a limit of problems" says "problem 1 (stream), x, a.c:3: share" "$psc_report" --check --fail-on 'problem: share > 1%' a.psc
check "has another name than one of findings" says "no figure 'property' here" "$psc_report" --check --fail-on 'problem: property == "x"' a.psc
fingerprint() { "$psc_report" --check --fail-on 'problem: share > 1%' --sarif r.sarif -f a.psc; grep -q '"placeByName/v1": "a.c:main/loop 1; x; stream"' r.sarif; }
check "SARIF knows a problem again by its key" fingerprint
sed 's/est_stall_share="0.05"/& own_stall_share="0"/' a.psc >owned.psc
check "another finding has the cost" says " 1   little " "$psc_report" owned.psc
check "which is shown of one property alone" says " 1   500 us " "$psc_report" --property MemoryStall owned.psc
check "there is no other" says "a.psc has 1 problem, no number 2" "$psc_report" --explain 2 a.psc
explained() {
	python3 - <<'END'
import json
d = json.load(open('e.json'))
assert d['structure'] == 'x' and d['evidence']['l1_misses'] == 5000 and d['evidence']['kind'] == 'stream'
assert d['source'] == {'file': 'a.c', 'line': 3, 'function': 'main', 'region': 'a.c:main/loop 1', 'declared': 'a.c:3',
    'path': None, 'first_line': 0, 'last_line': 0, 'place_line': 0, 'lines': []}
assert d['verify']['measure'] == 'psc_frontend --phase a.c:3 --verify x -- ./a' and d['change']['fix'] is None
END
}
check "as JSON" exits 0 "$psc_report" --explain 1 --json a.psc e.json
if command -v python3 >/dev/null; then
	check "with the same figures" explained
else
	skip "with the same figures" "python3 is not installed"
fi
