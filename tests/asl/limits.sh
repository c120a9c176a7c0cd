#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files that are meant to hurt: two megabytes of one thing.  Each is answered with located errors and
# exit code 1, in bounded memory, and not for ever: the bound is a multiple of what a plain file takes.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
model=$srcdir/properties/model.asl
n=0
size=2000000
memory=400000           # KiB of address space

many() { # text of one character, count
	head -c "$2" /dev/zero | tr '\0' "$1"
}
lines() { # count, printf format with two %d: i, i + 1
	awk -v n="$1" -v f="$2" 'BEGIN { for (i = 0; i < n; i++) printf f, i, i + 1 }'
}
ok() { # 0: passed; title
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		cut -c1-200 "$dir/err" | head -5 | sed 's/^/# /'
	fi
}
# title, pattern of the first line, pattern of the last line that is no excerpt; the text in $dir/t.asl
answered() {
	(ulimit -v $memory; exec timeout $limit aslc check --model "$model" "$dir/t.asl") \
		>"$dir/out" 2>"$dir/err"
	rc=$?
	good=1
	if [ $rc -eq 1 ] && [ "$(wc -l <"$dir/err")" -le 700 ] && [ "$(wc -c <"$dir/err")" -lt 400000 ] \
			&& head -n 1 "$dir/err" | grep -q -e "^$dir/t.asl:$2" \
			&& grep -v '^    ' "$dir/err" | tail -n 1 | grep -q -e "$3"; then
		good=0
	fi
	[ $good -eq 0 ] || echo "# exit code $rc"
	ok $good "$1"
}

lines 90000 'float a%d = 1;\n' >"$dir/t.asl"
before=$(date +%s)
aslc check --model "$model" "$dir/t.asl" 2>"$dir/err"
ok $? 'ninety thousand declarations are read'
limit=$((30 * ($(date +%s) - before + 1)))

{ printf 'float x = '; many '(' $size; } >"$dir/t.asl"
answered 'nested parentheses, never closed' '1:211: error: brackets are nested more than 200 deep' 'nested more'
{ printf 'float x = '; many '(' $((size / 2)); printf 1; many ')' $((size / 2)); echo ';float y = ;'; } >"$dir/t.asl"
answered 'nested parentheses, all closed: the rest is read' '1:211: error: brackets' "1:$((size + 23)): error: unexpected ';'"
many '{' $size >"$dir/t.asl"
answered 'nested braces' "1:1: error: unexpected '{'" 'error: '
{ printf 'float x = '; many '-' $size; } >"$dir/t.asl"
answered 'minus signs' '1:[0-9]*: error: nested too deeply' 'more than 500000 words'
{ printf 'float x = 1'; lines 400000 ' + 1'; echo ';'; } >"$dir/t.asl"
answered 'a sum of four hundred thousand terms' '1:[0-9]*: error: expression is nested more than 200 deep' 'more than 500000 words'
{ printf 'PROPERTY P(SeqPerf s) { CONDITION: s.calls > 1'; lines 200000 ' OR s.calls > 1'; echo '; }'; } >"$dir/t.asl"
answered 'two hundred thousand alternatives' '1:[0-9]*: error: expression is nested more than 200 deep' 'more than 500000 words'
awk -v n=$((size / 16)) 'BEGIN { for (i = 0; i < n; i++) { x = (x * 1103515245 + 12345) % 4294967296;
	printf "%c%c%c%c@#%c%c~`%c%c$^%c%c", 1 + x % 31, 128 + x % 127, 1 + x % 255, 200 + x % 50,
	x % 9 + 1, 255, 128, 14, 33 + x % 90, 60 + x % 5 } }' >"$dir/t.asl"
answered 'garbage' '1:1: error: unexpected byte 0x' 'more errors are not shown$'
{ echo 'float x = 1;'; head -c $size /dev/zero; } >"$dir/t.asl"
answered 'NUL bytes' '2:1: error: a NUL byte: this is not text' 'NUL'
{ printf 'float '; many a $size; echo ' = b;'; } >"$dir/t.asl"
answered 'one name' '1:7: error: a name has at most 255 characters, this one '$size "error: unknown name 'b'"
{ printf 'float x = '; many 1 $size; echo ';'; } >"$dir/t.asl"
answered 'one number' "1:11: error: '1*' is too large for an int" 'too large'
{ printf 'float x = '; lines $((size / 3)) '1..'; echo ';'; } >"$dir/t.asl"
answered 'numbers with two points' "1:13: error: unexpected '.1'" 'more than 500000 words'
{ printf 'string s = "'; many x $size; echo '"; float x = y;'; } >"$dir/t.asl"
answered 'one string' '1:12: error: a string has at most 4096 characters' "1:$((size + 26)): error: unknown name 'y'"
{ printf 'string s = "'; many x $size; } >"$dir/t.asl"
answered 'one string without an end' '1:12: error: string is not closed on its line' 'end of file'
{ printf '/*'; many '*' $size; printf '*/float x = y;'; } >"$dir/t.asl"
answered 'one comment, behind which all is read' "1:$((size + 15)): error: unknown name 'y'" 'unknown'
{ printf '/*'; lines $((size / 2)) 'x\n'; } >"$dir/t.asl"
answered 'one comment without an end' '1:1: error: comment is not closed' 'comment'
lines 200000 'float a%d = 1;\n' >"$dir/t.asl"
answered 'two hundred thousand declarations' '[0-9]*:[0-9]*: error: more than 500000 words in all: the rest is not read' 'words'
lines 200000 'float = 3;\n' >"$dir/t.asl"
answered 'two hundred thousand errors' "1:7: error: unexpected '='" '^note: [0-9]* more errors are not shown$'
lines 70000 'float a%d = a%d + 1;\n' >"$dir/t.asl"
answered 'a chain of constants' '101:7: error: more than 100 declarations depend' 'more errors are not shown$'
lines 30000 'float f%d(SeqPerf s) = f%d(s) + 1;\n' >"$dir/t.asl"
answered 'a chain of functions' '101:7: error: more than 100 declarations depend' 'more errors are not shown$'
lines 40000 'class C%d extends C%d { };\n' >"$dir/t.asl"
answered 'a chain of classes' '101:7: error: more than 100 declarations depend' 'more errors are not shown$'
lines 15000 'PROPERTY P%d(SeqPerf s) REFINES P%d { CONDITION: true; CONFIDENCE: 1; SEVERITY: 1; }\n' >"$dir/t.asl"
answered 'a chain of refinements' '101:10: error: more than 100 declarations depend' "unknown property 'P15000'"
{ printf 'float x { '; lines 100000 'float b '; echo '; } ;'; lines 50000 'float c%d = d%d;\n'; } >"$dir/t.asl"
answered 'many unknown names' "1:9: error: unexpected '{'" 'more errors are not shown$'
{ printf 'PROPERTY P(SeqPerf s) { LET '; lines 40000 'float a%d = 1; '; echo 'IN CONDITION: true; CONFIDENCE: 1; SEVERITY: 1; }'; } >"$dir/t.asl"
answered 'many LET definitions' '1:[0-9]*: warning: .* is never used' 'more than 200 LET definitions'
{ printf 'class C { '; lines 100000 'float a%d; '; echo '};'; } >"$dir/t.asl"
answered 'many attributes' "1:7: error: class 'C' has more than 2000 attributes" 'attributes'
{ printf 'class C { '; lines 1900 'float a%d; '; echo '};'; lines 30000 'class C%d extends C { };\n'; } >"$dir/t.asl"
answered 'many inherited attributes' "[0-9]*:7: error: all classes to 'C[0-9]*' have more than 200000 attributes" 'more errors'
{ printf 'float f(float F('; lines 100000 'float a%d, '; echo 'float b)) = 1; float g = f;'; } >"$dir/t.asl"
answered 'many parameters' '1:[0-9]*: error: more than 32 parameters' "'g' is declared float, but its value is"
{ printf 'float f [s'; lines 100000 '*s'; echo '] = 1;'; } >"$dir/t.asl"
answered 'many units' '1:[0-9]*: error: a unit has at most 16 factors' 'factors'
awk 'BEGIN { print "float f0(SeqPerf s) = s.calls + s.exec_time / s.cpu_time;"
	for (i = 0; i < 8; i++) printf "float f%d(SeqPerf s) = f%d(s) + f%d(s) + f%d(s) + f%d(s);\n", i + 1, i, i, i, i
	for (i = 0; i < 15000; i++) printf "PROPERTY P%d(SeqPerf s) { CONDITION: f%d(s) > 1; CONFIDENCE: 1; SEVERITY: 1; }\n", i, 5 + i % 4 }' >"$dir/t.asl"
answered 'functions that expand to too much' "[0-9]*:10: error: property 'P[0-9]*' needs too many instructions" \
	'more than 1000000 instructions together'
awk 'BEGIN { for (i = 0; i < 17000; i++)
	printf "PROPERTY P%d(SeqPerf s) { CONDITION: s.calls > %d.5; CONFIDENCE: s.calls * %d.25; SEVERITY: x; }\n", i, i, i }' >"$dir/t.asl"
answered 'many constants' "1:[0-9]*: error: unknown name 'x'" 'more errors are not shown$'
awk 'BEGIN { for (k = 0; k < 3; k++) c = c "float u" k " [u" k "]; "
	print "class Units { " c "float s [s]; };"
	for (i = 0; i < 39; i++) {
		printf "bool f%d(float a, Units c) = c.s > 0", i
		for (k = 0; k < 3; k++) printf " AND f%d(a * c.u%d, c)", i + 1, k
		print ";"
	}
	print "bool f39(float a, Units c) = a > a;"
	print "PROPERTY P(Units c) { CONDITION: f0(c.s, c); CONFIDENCE: 1; SEVERITY: 1; }" }' >"$dir/t.asl"
answered 'functions called with ever other units' '[0-9]*:6: error: functions are called with more than 20000 combinations' 'error: '
awk 'BEGIN {
	print "float first(float a, float b, float c, float d, float e, float f, float g, float h) = a;"
	print "float f0(float x) = x;"
	for (i = 1; i < 12; i++) {
		printf "float f%d(float x) = first(", i
		for (k = 0; k < 8; k++) printf "%sf%d(x)", k ? ", " : "", i - 1
		print ");"
	}
	print "PROPERTY P(SeqPerf s) { CONDITION: f11(s.calls) > 1; CONFIDENCE: 1; SEVERITY: 1; }" }' >"$dir/t.asl"
answered 'calls without an instruction' "14:10: error: property 'P' needs too many instructions" 'instructions'
awk 'BEGIN {
	print "setof SeqPerf first(setof SeqPerf a, setof SeqPerf b) = a;"
	printf "setof SeqPerf f0(setof SeqPerf s) = first(s, {x IN s WITH MAX(x.calls"
	for (i = 0; i < 3000; i++) printf ", x.calls"
	print ") > 1});"
	for (i = 1; i < 13; i++) printf "int f%d(setof SeqPerf s) = %s;\n", i, (i == 1 ? "COUNT(x WHERE x IN f0(s))" : "f" (i - 1) "(s) + f" (i - 1) "(s)")
	print "class All { setof SeqPerf s; };"
	print "PROPERTY P(All a) { CONDITION: f12(a.s) > 1; CONFIDENCE: 1; SEVERITY: 1; }" }' >"$dir/t.asl"
answered 'sets that nobody asks for' "16:10: error: property 'P' needs too many instructions" 'instructions'
awk 'BEGIN {
	print "float first(float a, float b, float c, float d) = a;"
	print "float f0(float x) = x;"
	for (i = 1; i < 7; i++) printf "float f%d(float x) = first(f%d(x), f%d(x), f%d(x), f%d(x));\n", i, i - 1, i - 1, i - 1, i - 1
	for (i = 0; i < 15000; i++)
		printf "PROPERTY P%d(SeqPerf s) { CONDITION: samples(f6(s.calls)) > 1; CONFIDENCE: 1; SEVERITY: 1; }\n", i }' >"$dir/t.asl"
answered 'many properties that are long before they are short' \
	"[0-9]*:10: error: properties up to 'P[0-9]*' need more than 1000000 instructions together" 'instructions'

# title, pattern of the first line of what fmt writes; the text in $dir/t.asl
formatted() {
	(ulimit -v $memory; exec timeout $limit aslc fmt "$dir/t.asl") >"$dir/out" 2>"$dir/err" &&
		head -n 1 "$dir/out" | grep -q -e "$2"
	ok $? "$1"
}
lines 90000 'float a%d = 1; ' >"$dir/t.asl"
formatted 'four hundred and fifty thousand words are formatted' '^float a0 = 1;$'
{ printf 'float x = 1; '; lines 200000 '/* %d */ '; } >"$dir/t.asl"
formatted 'a line of two hundred thousand comments is formatted' '^float x = 1;  /\* 0 \*/ /\* 1 \*/'
echo "1..$n"
