#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# aslc --json: one valid document, whatever is in the files; exit codes as without.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
python3 -c 'import json' 2>/dev/null || { echo "1..0 # SKIP no python3 to read JSON with"; exit 0; }

# Documents and questions are kept, and answered at the end by one python: a line each in $dir/cases,
#     exit FAILED DOCUMENT TITLE          FAILED: not 0 where the exit code was wrong, or anything was on standard error
#     is DOCUMENT EXPRESSION WANTED TITLE
# separated by tabulators.
documents=0
kept() { # 0 or not, title: the document in $dir/out
	documents=$((documents + 1))
	mv "$dir/out" "$dir/document.$documents"
	mv "$dir/err" "$dir/err.$documents"
	printf 'exit\t%s\t%s\t%s\n' "$1" $documents "$2" >>"$dir/cases"
}
run() { # wanted exit code, title, command...
	want=$1 title=$2
	shift 2
	"$@" >"$dir/out" 2>"$dir/err"
	[ $? -eq "$want" ] && [ ! -s "$dir/err" ]
	kept $? "$title"
}
is() { # title, expression on the last document d, wanted
	printf 'is\t%s\t%s\t%s\t%s\n' $documents "$2" "$3" "$1" >>"$dir/cases"
}
result() { # 0 or not, title: of something else
	printf 'is\t-\t%s\t0\t%s\n' "$1" "$2" >>"$dir/cases"
}
answer() {
	python3 - "$dir" <<'END'
import json, sys

directory = sys.argv[1]
documents = {}


def document(number):
    if number not in documents:
        documents[number] = json.load(open(directory + '/document.' + number))
    return documents[number]


def holds(case):
    if case[0] == 'exit':
        document(case[2])
        return case[1] == '0', ''
    found = str(eval(case[2], {'d': None if case[1] == '-' else document(case[1])}))
    return found == case[3], '' if case[1] == '-' else f' ({found})'


cases = [line.rstrip('\n').split('\t') for line in open(directory + '/cases', errors='surrogateescape')]
for n, case in enumerate(cases, 1):
    try:
        good, told = holds(case)
    except Exception as e:
        good, told = False, f' ({e})'
    print('ok' if good else 'not ok', n, '-', case[-1] + told)
    if not good and case[case[0] == 'exit' and 2 or 1] != '-':
        number = case[2 if case[0] == 'exit' else 1]
        for name in 'document.', 'err.':
            print(''.join('# ' + line for line in open(f'{directory}/{name}{number}', errors='replace')), end='')
print(f'1..{len(cases)}')
END
}

cat >"$dir/wrong.asl" <<'END1'
PROPERTY P(SeqPef s) {
	CONDITION: 1 > 0 && 2 > 1;
	CONFIDENCE: 1;
	SEVERITY: 1;
}
float f(SeqPerf s) = s.exec_tim;
END1
run 1 'errors make a document' aslc check --json "$dir/wrong.asl"
is 'of a named format' "d['format']" 'aslc diagnostics 1'
is 'with their number' "d['errors']" 3
is 'in the order of the source' "d['diagnostics'][1]['line']" 2
is 'the file is named' "d['diagnostics'][0]['file']" "$dir/wrong.asl"
is 'the column is that of the word' "d['diagnostics'][0]['column']" 12
is 'which ends before' "d['diagnostics'][0]['end_column']" 18
is 'the message is as printed' "d['diagnostics'][0]['message']" "unknown type 'SeqPef'; did you mean 'SeqPerf'?"
is 'a proposed word is apart' "d['diagnostics'][0]['suggestion']" SeqPerf
is 'also for an operator' "d['diagnostics'][1]['suggestion']" AND
is 'which has two characters' "d['diagnostics'][1]['end_column']" 21
is 'also for an attribute' "d['diagnostics'][2]['suggestion']" exec_time
is 'the source line is there' "d['diagnostics'][2]['source']" 'float f(SeqPerf s) = s.exec_tim;'

printf 'PROPERTY P(SeqPerf s) {\n\tLET\n\t\tfloat unused = 1;\n\tIN\n\tCONDITION: s.calls > 1;\n\tCONFIDENCE: 1;\n\tSEVERITY: 1;\n}\n' >"$dir/warn.asl"
run 0 'warnings alone are no failure' aslc check --json "$dir/warn.asl"
is 'but are told' "d['warnings']" 1
is 'as warnings' "d['diagnostics'][0]['severity']" warning
run 1 'with --werror they are' aslc check --json --werror "$dir/warn.asl"
aslc check --werror "$dir/warn.asl" 2>"$dir/err"
[ $? -eq 1 ]
result $? 'without JSON too'
run 0 'no message is a document too' aslc check --json "$srcdir/properties/paper.asl"
is 'with an empty list' "len(d['diagnostics'])" 0

printf 'float a = "\001\t\\q \377\303( \342\202\254\033[31m" $;\n' >"$dir/bytes.asl"
run 1 'control characters and bytes that are no UTF-8 are escaped' aslc check --json "$dir/bytes.asl"
head -c 4000 /dev/urandom | tr -d '\000' >"$dir/noise.asl"
run 1 'noise makes a document' aslc check --json "$dir/noise.asl"
head -c 2000 /dev/zero >"$dir/zero.asl"
run 1 'a file that is not text too' aslc check --json "$dir/zero.asl"
run 1 'a missing file too' aslc check --json "$dir/none.asl"
grep -q '"line": null, "column": null, "end_column": null' "$dir/document.$documents"
result $? 'which has no line'
run 1 'a wrong setting too' aslc check --json --set Nothing=1 "$dir/warn.asl"
printf 'float a=1;\n' | aslc fmt --check --json - >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ]
kept $? 'fmt --check makes one'
is 'which names standard input' "d['diagnostics'][0]['file']" '<stdin>'
is 'and what to do' "d['diagnostics'][0]['message']" 'not in canonical layout'
answer
