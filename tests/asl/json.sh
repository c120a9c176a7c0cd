#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# aslc --json: one valid document, whatever is in the files; exit codes as without.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
n=0
if python3 -c 'import json' 2>/dev/null; then
	valid() { python3 -m json.tool "$1" >/dev/null; }
	get() { # file, expression on the document d
		python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$1" "$2"
	}
elif jq --version >/dev/null 2>&1; then
	valid() { jq . "$1" >/dev/null; }
	get() {
		jq -r "$(echo "$2" | sed "s/^d\['/.[\"/; s/'\]/\"]/g; s/\['/[\"/g; s/len(\(.*\))/\1 | length/")" "$1"
	}
else
	echo "1..0 # SKIP neither python3 nor jq to read JSON with"
	exit 0
fi

result() { # 0 or not, title
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$dir/out" "$dir/err"
	fi
}
run() { # wanted exit code, title, command...
	want=$1 title=$2
	shift 2
	"$@" >"$dir/out" 2>"$dir/err"
	got=$?
	[ $got -eq "$want" ] && [ ! -s "$dir/err" ] && valid "$dir/out" 2>>"$dir/err"
	result $? "$title"
}
is() { # title, expression, wanted
	got=$(get "$dir/out" "$2" 2>&1)
	[ "$got" = "$3" ]
	result $? "$1 ($got)"
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
grep -q '"line": null, "column": null, "end_column": null' "$dir/out"
result $? 'which has no line'
run 1 'a wrong setting too' aslc check --json --set Nothing=1 "$dir/warn.asl"
printf 'float a=1;\n' | aslc fmt --check --json - >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] && valid "$dir/out"
result $? 'fmt --check makes one'
is 'which names standard input' "d['diagnostics'][0]['file']" '<stdin>'
is 'and what to do' "d['diagnostics'][0]['message']" 'not in canonical layout'
echo "1..$n"
