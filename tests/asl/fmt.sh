#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# aslc fmt: what the canonical layout is, that nothing but white space changes, that files are safe.
dir=$(mktemp -d) || exit 99
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
model=$srcdir/properties/model.asl
n=0

result() { # 0 or not, title, file to show
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		[ -n "$3" ] && sed 's/^/# /' "$3"
	fi
}
skip() { # title, reason
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# --- layouts: in, want ---
layout() { # title; $dir/in, $dir/want
	aslc fmt <"$dir/in" >"$dir/out" 2>"$dir/err" && diff -u "$dir/want" "$dir/out" >"$dir/diff"
	result $? "$1" "$dir/diff"
	aslc fmt <"$dir/want" | cmp -s - "$dir/want"
	result $? "$1: stays"
}
cat >"$dir/in" <<'END1'


// header


class   A
{ int n ; float t [ s ] ;// seconds
float v[ ] [ m / s ];   /* velocity */   // of all
                        // and more of it


   // alone
setof A  others; } ;
enum E { a,b , c } ;
const float X=1 ; float f( A a,int i )=a . v [ i ]*- 2+( a.n - 1 );
PROPERTY P ( A a ) REFINES Q,R{ LET float x=a.t; // why
const float longer_name = 2 ; // because
IN
CONDITION : ( one )x>X OR (two) NOT ( x<0 ); CONFIDENCE : 1 ;
SEVERITY : MAX( (one)->x,(two)->2*x ); ADVICE:"say {x}  {x %}" ; }
PROPERTY TEMPLATE T < float F ( A , int ) > ( A a ) { CONDITION:F(a,0)>1;CONFIDENCE:1;SEVERITY:COUNT( x WHERE x IN { y IN a.others WITH y.n>1 } ); };
PROPERTY T < f > U ;
END1
cat >"$dir/want" <<'END1'
// header

class A {
	int n;
	float t [s];                    // seconds
	float v[] [m/s];                /* velocity */ // of all
                        // and more of it

	// alone
	setof A others;
};

enum E { a, b, c };
const float X = 1;
float f(A a, int i) = a.v[i] * -2 + (a.n - 1);

PROPERTY P(A a) REFINES Q, R {
	LET
		float x = a.t;                // why
		const float longer_name = 2;  // because
	IN
	CONDITION: (one) x > X OR (two) NOT (x < 0);
	CONFIDENCE: 1;
	SEVERITY: MAX((one) -> x, (two) -> 2 * x);
	ADVICE: "say {x}  {x %}";
}

PROPERTY TEMPLATE T<float F(A, int)>(A a) {
	CONDITION: F(a, 0) > 1;
	CONFIDENCE: 1;
	SEVERITY: COUNT(x WHERE x IN { y IN a.others WITH y.n > 1 });
};

PROPERTY T<f> U;
END1
sed -i 's/^                        \/\/ and more of it/\t\/\/ and more of it/' "$dir/want"
layout 'declarations have their form'

cat >"$dir/in" <<'END1'
class A {
int n; // a number
       // that is explained
float a_name_that_needs_more_than_forty_columns [cycle];
float t [s]; // a time
};
class B { };
END1
cat >"$dir/want" <<'END1'
class A {
	int n;                          // a number
	                                // that is explained
	float a_name_that_needs_more_than_forty_columns [cycle];
	float t [s];                    // a time
};

class B { };
END1
layout 'comments of attributes stand in one column'

cat >"$dir/in" <<'END1'
PROPERTY P(A a) {
	CONDITION: a.first_long_name + a.second_long_name > 1 AND a.third_long_name / a.fourth_long_name > 2 OR a.x > 1;
	CONFIDENCE: MAX((one) -> a.first_long_name / a.second_long_name, (two) -> a.third_long_name / a.fourth_long_name);
	SEVERITY: SUM(x.some_long_attribute * x.another_long_attribute WHERE x IN a.things_with_a_name AND x.n > 1);
	ADVICE: "a text cannot be broken and so it stays on its line, which is then longer than all the others are";
}
float sum(A a) = a.first_long_name + a.second_long_name + a.third_long_name + a.fourth_long_name + a.fifth;
float a_ratio_of_the_first_to_the_second(A a) = a.first_long_name / a.second_long_name + a.third_name;
PROPERTY APropertyWithAVeryLongNameIndeed(A a) REFINES AnotherPropertyWithALongName, AndOneMoreOfThem {
CONDITION: a.n > 1; CONFIDENCE: 1; SEVERITY: 1; }
enum Kind { first_enumerator, second_enumerator, third_enumerator, fourth_enumerator, fifth_enumerator };
END1
cat >"$dir/want" <<'END1'
PROPERTY P(A a) {
	CONDITION: a.first_long_name + a.second_long_name > 1
			AND a.third_long_name / a.fourth_long_name > 2
		OR a.x > 1;
	CONFIDENCE: MAX((one) -> a.first_long_name / a.second_long_name,
		(two) -> a.third_long_name / a.fourth_long_name);
	SEVERITY: SUM(x.some_long_attribute * x.another_long_attribute
		WHERE x IN a.things_with_a_name AND x.n > 1);
	ADVICE: "a text cannot be broken and so it stays on its line, which is then longer than all the others are";
}

float sum(A a) =
	a.first_long_name + a.second_long_name + a.third_long_name + a.fourth_long_name + a.fifth;
float a_ratio_of_the_first_to_the_second(A a) =
	a.first_long_name / a.second_long_name + a.third_name;

PROPERTY APropertyWithAVeryLongNameIndeed(A a)
	REFINES AnotherPropertyWithALongName, AndOneMoreOfThem {
	CONDITION: a.n > 1;
	CONFIDENCE: 1;
	SEVERITY: 1;
}

enum Kind {
	first_enumerator, second_enumerator, third_enumerator, fourth_enumerator, fifth_enumerator
};
END1
cp "$dir/want" "$dir/long"
layout 'long lines are broken at the loosest operator'

cat >"$dir/in" <<'END1'
PROPERTY P(A a) {
	// before CONDITION
	CONDITION: a.x > 1 // the first
	  AND /* here */ a.y > 2
	  // the third
	  AND a.z > 3; // the end

	/* tall
	   comment */
	CONFIDENCE: MIN(1, // full
	0.5);
	SEVERITY: { x IN a.s // all
	WITH x.n > 1 };
	// last
} // behind
// at the end
END1
cat >"$dir/want" <<'END1'
PROPERTY P(A a) {
	// before CONDITION
	CONDITION: a.x > 1 // the first
		AND /* here */ a.y > 2
		// the third
		AND a.z > 3;  // the end

	/* tall
	   comment */
	CONFIDENCE: MIN(1, // full
		0.5);
	SEVERITY: { x IN a.s // all
		WITH x.n > 1 };
	// last
}  // behind

// at the end
END1
layout 'comments stay where they belong'

cat >"$dir/in" <<'END1'
PROPERTY P(A a) {
CONDITION: a.x > 1 AND a.y > 2
OR a.z>3; CONFIDENCE:
1; SEVERITY: a.x
+ 1; }
END1
cat >"$dir/want" <<'END1'
PROPERTY P(A a) {
	CONDITION: a.x > 1 AND a.y > 2
		OR a.z > 3;
	CONFIDENCE: 1;
	SEVERITY: a.x + 1;
}
END1
layout 'alternatives put on lines of their own stay there'

printf 'float a=1;\n// fmt: off\nfloat  b =  2;  \n  float c=3;\n\n\n// fmt: on\nfloat d=4;\n// fmt: off\nfloat  e=5;\n' >"$dir/in"
printf 'float a = 1;\n// fmt: off\nfloat  b =  2;  \n  float c=3;\n\n// fmt: on\nfloat d = 4;\n// fmt: off\nfloat  e=5;\n' >"$dir/want"
layout 'what is between fmt: off and fmt: on is left alone'
printf 'float a=1;\r\n// c\r\nfloat b=2;' >"$dir/in"
printf 'float a = 1;\n// c\nfloat b = 2;\n' >"$dir/want"
layout 'line ends are ours'
printf '' >"$dir/in"
printf '' >"$dir/want"
layout 'an empty file stays empty'
awk -F'\t' 'length($0) + 7 * (NF - 1) > 100 && !/ADVICE/' "$dir/long" >"$dir/toolong"
[ ! -s "$dir/toolong" ]
result $? 'no line is longer than 100 columns' "$dir/toolong"

# --- the promise: same program, and nothing more to do ---
words() { # the files' words, a line each
	(cd "$1" && awk 'FNR == 1 { print "\n== " FILENAME } { gsub(/[ \t\r\f]/, ""); printf "%s", $0 }' *.asl)
}
plain() { # dumps without what an other layout changes: lines
	(cd "$1" && for file in *.asl; do
		echo "== $file"
		aslc dump --model "$model" "$file" 2>/dev/null
	done) | sed 's/:[0-9][0-9]*\([^0-9]\|$\)/\1/g; s/ at line [0-9]*//'
}
promises() { # directory, least number of files: those without syntax errors keep the promise; sets count and refused
	rm -rf "$dir/is"
	cp -r "$1" "$dir/is"
	aslc fmt -i "$dir"/is/*.asl 2>"$dir/err"
	refused=0
	for file in $(sed -n 's/^\([^ ]*\.asl\):[0-9]*:[0-9]*: error: .*/\1/p' "$dir/err" | sort -u); do
		cmp -s "$file" "$1/${file##*/}" || echo "${file##*/}: touched, and it has a syntax error"
		rm "$file" "$1/${file##*/}"
		refused=$((refused + 1))
	done
	count=$(ls "$dir/is" | wc -l)
	words "$1" >"$dir/a"
	words "$dir/is" >"$dir/b"
	diff "$dir/a" "$dir/b" || echo "words change"
	aslc fmt "$dir"/is/*.asl >"$dir/a" && cat "$dir"/is/*.asl | diff - "$dir/a" || echo "changes again"
	plain "$1" >"$dir/a"
	plain "$dir/is" >"$dir/b"
	diff "$dir/a" "$dir/b" || echo "compiles to something else"
	[ "$count" -gt "$2" ] || echo "$count files"
}
mkdir "$dir/shipped" "$dir/cases"
for file in "$srcdir"/properties/*.asl "$srcdir"/docs/*.asl "$srcdir"/tests/*/*.asl; do
	[ ! -f "$file" ] || cp "$file" "$dir/shipped"
done
chmod u+w "$dir"/shipped/*
promises "$dir/shipped" 3 >"$dir/broken"
[ ! -s "$dir/broken" ]
result $? "every property file compiles to the same program ($count)" "$dir/broken"

awk -v dir="$dir/cases" '
	/^=== / { on = 0 }
	/^--- / { on = 0 }
	on { print >file }
	/^--- program/ { on = 1; file = sprintf("%s/case%03d.asl", dir, ++n); printf "" >file }
' "$srcdir"/tests/asl/*.test
if [ -f "$srcdir/docs/language.md" ]; then
	awk -v dir="$dir/cases" '
		/^```/ { if (on) on = 0; else if ($0 ~ /^```asl/) {
			on = 1; file = sprintf("%s/doc%03d.asl", dir, ++n); printf "" >file }; next }
		on { print >file }
	' "$srcdir/docs/language.md"
fi
promises "$dir/cases" 50 >"$dir/broken"
[ ! -s "$dir/broken" ]
result $? "every program of the tests and the tutorial does ($count; $refused with syntax errors)" "$dir/broken"

# --- files ---
bad='PROPERTY P(SeqPerf s) { CONDITION: s.calls > ; }'
printf '%s\n' "$bad" >"$dir/bad.asl"
aslc fmt -i "$dir/bad.asl" 2>"$dir/err"
[ $? -eq 1 ] && [ "$(cat "$dir/bad.asl")" = "$bad" ]
result $? 'a file with a syntax error is not touched'
grep -q 'bad.asl:1:46: error: unexpected' "$dir/err"
result $? 'the error has its place' "$dir/err"
[ -z "$(aslc fmt "$dir/bad.asl" 2>/dev/null)" ]
result $? 'nothing of it is printed'

printf 'float a=1;\n' >"$dir/a.asl"
chmod 640 "$dir/a.asl"
ln -s a.asl "$dir/link.asl"
aslc fmt --check "$dir/a.asl" >"$dir/out"
[ $? -eq 1 ] && [ "$(cat "$dir/out")" = "$dir/a.asl:1: not in canonical layout" ]
result $? '--check tells what is not formatted' "$dir/out"
aslc fmt --in-place "$dir/link.asl"
[ $? -eq 0 ] && [ "$(cat "$dir/a.asl")" = 'float a = 1;' ] && [ -h "$dir/link.asl" ]
result $? 'a file is formatted in place, through a link'
case $(ls -l "$dir/a.asl") in -rw-r-----*) true ;; *) false ;; esac
result $? 'its permissions stay'
aslc fmt --check "$dir/a.asl" >"$dir/out" && [ ! -s "$dir/out" ]
result $? '--check is content then'
before=$(ls -i "$dir/a.asl")
aslc fmt -i "$dir/a.asl" && [ "$(ls -i "$dir/a.asl")" = "$before" ]
result $? 'a file that is formatted is not written'
printf 'float a=1;\n' | aslc fmt - >"$dir/out" && [ "$(cat "$dir/out")" = 'float a = 1;' ]
result $? '"-" is standard input'
printf 'float a=;\n' | aslc fmt 2>"$dir/err"
grep -q '^<stdin>:1:9: error' "$dir/err"
result $? 'called <stdin>' "$dir/err"
if [ -w /dev/full ]; then
	aslc fmt "$dir/a.asl" >/dev/full 2>"$dir/err"
	[ $? -eq 1 ] && grep -q 'standard output: No space left' "$dir/err"
	result $? 'a full disk is an error' "$dir/err"
else
	skip 'a full disk is an error' 'no /dev/full'
fi
# a limit on the size of files stands for a full disk
{
	printf 'float a=1;\n'
	awk 'BEGIN { for (i = 0; i < 20000; i++) print "float a" i "=1;" }'
} >"$dir/big.asl"
cp "$dir/big.asl" "$dir/was.asl"
(trap '' XFSZ && ulimit -f 8 && aslc fmt -i "$dir/big.asl") 2>"$dir/err"
[ $? -eq 1 ] && cmp -s "$dir/big.asl" "$dir/was.asl" && [ "$(ls "$dir" | grep -c 'big.*tmp')" -eq 0 ]
result $? 'a file that cannot be written whole stays as it was' "$dir/err"
aslc fmt "$dir/none.asl" 2>"$dir/err"
[ $? -eq 1 ] && grep -q 'none.asl: error: No such file' "$dir/err"
result $? 'a missing file is an error' "$dir/err"
echo "1..$n"
