#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# aslc doc: pages have what the file says and what its code means, and nothing breaks out of them.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
n=0
result() { # 0 or not, title, file to show
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "${3:-$dir/out}" | head -60
	fi
}
says() { # title, fixed text
	grep -qF -e "$2" "$dir/out"
	result $? "$1"
}

cat >"$dir/model.asl" <<'END1'
// SPDX-License-Identifier: BSD-3-Clause
// A model.

// --- things ---
// A region
// in a process: sums.
class Base {
	float time [s];      // how long
	                     // it takes
	float count [1];
	setof Base parts;
};

// A thing in a region.
class Extended extends Base {
	float rate [B/s];    // a < b | c
};

float helper(Base b) = 1 + inner(b);
float inner(Base b) = b.time / b.count;
END1
cat >"$dir/lib.asl" <<'END1'
// SPDX-License-Identifier: BSD-3-Clause
// First paragraph with `code`, <b>tags</b> & *stars*.  It is long enough to need more than one line.
//
// Slow        what is slow:
//             very slow.
// SlowThing   the same of a thing.
//
//   a   drawing
//   |---------|
const float LIMIT = 0.1;           // of the time
const float WEIGHT [s] = 2 * 3;

// Comment above.
PROPERTY Slow(Base b) {
	LET
		const float least [s] = 0.5;   // at least
		float share = b.time / local(b);
	IN
	CONDITION:   share>LIMIT AND b.time > least;
	CONFIDENCE: 1;
	SEVERITY: b.time;
	ADVICE: "do <less> in {share %} of {b.time}";
}
PROPERTY SlowThing(Extended e) REFINES Slow {
	CONDITION: e.rate > 1 AND helper(e) > 1;
	CONFIDENCE: 1;
	SEVERITY: e.rate / e.rate;
}
// Printed like this elsewhere.
// fmt: off
PROPERTY TEMPLATE Over<float F(Base)>(Base b){
	CONDITION: F(b)>1;
	CONFIDENCE: 1;
	SEVERITY: WEIGHT; }
PROPERTY Over<local> OverLocal;
// fmt: on

// What is local.
float local(Base b) = SUM(x.time WHERE x IN b.parts);
enum Kind { one, two };
END1
doc() { aslc doc --model "$dir/model.asl" "$@"; }
doc "$dir/lib.asl" >"$dir/out" 2>"$dir/err"
result $? 'a page is made' "$dir/err"
[ "$(head -n 1 "$dir/out")" = '# lib.asl' ]
result $? 'its title is the name of the file'
says 'the prose of the header is filled and escaped' 'First paragraph with `code`, \<b\>tags\</b\> &amp; \*stars\*. It is long enough'
! grep -q SPDX "$dir/out"
result $? 'the licence is not part of it'
says 'a list of the header is one' '- [`Slow`](#slow): what is slow: very slow.'
says 'a drawing stays one' '  |---------|'
says 'a threshold has its default, option and comment' '| `LIMIT` | `0.1` |  | `--set LIMIT=…` | of the time |'
says 'and its unit' '| `WEIGHT` | `2 * 3` | s |'
says 'a parameter is set by the name of its property' '| `least` | `0.5` | s | `--set Slow.least=…` | at least |'
says 'refinement is an outline' '  - [`SlowThing`](#slowthing): a thing in a region'
says 'a property has its comment' 'Comment above.'
says 'or what the header says' 'The same of a thing.'
says 'its context is told in words' '**Tested on** a region in a process (`Base`).'
says 'its condition is formatted' 'CONDITION: share > LIMIT AND b.time > least;'
says 'its advice is there' '> **Advice:** do \<less\> in {share %} of {b.time}'
says 'its severity is a time' 'Its severity is a time. Where it is found, these are tested:'
says 'or a fraction' 'Its severity is a fraction'
says 'what it refines is linked' '[`Slow`](#slow).'
says 'what it needs has unit and comment' '| `time` | s | how long it takes |'
says 'also of other objects' '| `rate` | B/s | a \< b \| c |'
says 'functions of other files are shown' 'float helper(Base b) = 1 + inner(b);'
says 'and what they call' 'float inner(Base b) = b.time / b.count;'
says 'a template names its instances' 'A template; its instances: [`OverLocal`](#overlocal).'
says 'also of what fmt leaves alone' 'Printed like this elsewhere.'
says 'which is shown formatted' 'CONDITION: F(b) > 1;'
says 'an instance is a property' 'PROPERTY Over<local> OverLocal;'
says 'functions have their comment' 'What is local.'
says 'enumerations their names' '`one`, `two`'
doc "$dir/lib.asl" | cmp -s - "$dir/out"
result $? 'the same page comes out twice'
aslc doc --model "$dir/model.asl" --set LIMIT=0.3 "$dir/lib.asl" >"$dir/out"
says 'a value that is set is told' '| `LIMIT` | `0.3` |'
aslc doc "$dir/model.asl" >"$dir/out" 2>"$dir/err"
result $? 'a data model has a page' "$dir/err"
says 'with its sections' '**things**'
says 'classes have their attributes' '| `time` | `float` | s | how long it takes |'
says 'and what they extend' 'Has all attributes of [`Base`](#base), and:'

doc --html -o "$dir/page.html" "$dir/lib.asl" 2>"$dir/err" && [ -s "$dir/page.html" ]
result $? 'a page is HTML, in a file' "$dir/err"
cp "$dir/page.html" "$dir/out"
says 'it is escaped' '&lt;b&gt;tags&lt;/b&gt; &amp; *stars*'
says 'code is linked' '<a href="#local">local</a>(b)'
says 'it is dark where that is preferred' 'prefers-color-scheme:dark'
! grep -Eq 'https?:|<script|src=|@import|url\(' "$dir/page.html"
result $? 'it needs nothing from elsewhere'
if python3 -c 'import html.parser' 2>/dev/null; then
	cat >"$dir/check.py" <<'END1'
import html.parser, sys
class Check(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], [], []
    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if 'id' in a: self.ids.append(a['id'])
        if a.get('href', '').startswith('#'): self.links.append(a['href'][1:])
        if tag not in ('meta',): self.open.append(tag)
    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag: sys.exit('</%s> at %s' % (tag, self.getpos()))
for path in sys.argv[1:]:
    c = Check()
    c.feed(open(path, encoding='utf-8').read())
    if c.open: sys.exit('open: %s' % c.open)
    if len(set(c.ids)) != len(c.ids): sys.exit('an id twice')
    if set(c.links) - set(c.ids): sys.exit('no target: %s' % (set(c.links) - set(c.ids)))
END1
	for file in "$srcdir"/properties/*.asl; do
		aslc doc --html -o "$dir/${file##*/}.html" "$file" || break
	done
	python3 "$dir/check.py" "$dir"/*.html >"$dir/out" 2>&1
	result $? 'every tag is closed, every link leads somewhere, on all pages'
else
	n=$((n + 1))
	echo "ok $n - every tag is closed # SKIP no python3"
fi
: >"$dir/out"
for file in "$srcdir"/properties/*.asl; do
	aslc doc "$file" >"$dir/md" 2>>"$dir/out" || echo "$file: no page" >>"$dir/out"
	awk -v file="${file##*/}" '/^```/ { code = !code }
		!code && length($0) > 80 && !/^[|]/ && !/^ *- \[/ { print file ": " $0 }' "$dir/md" >>"$dir/out"
done
[ ! -s "$dir/out" ]
result $? 'shipped files have pages, whose text fits 80 columns'
printf 'PROPERTY P(SeqPerf s) { CONDITION: ; }\n' >"$dir/bad.asl"
aslc doc "$dir/bad.asl" >"$dir/out" 2>"$dir/err"
[ $? -eq 1 ] && [ ! -s "$dir/out" ] && grep -q 'bad.asl:1:36: error' "$dir/err"
result $? 'a file with errors has none' "$dir/err"
aslc doc - </dev/null >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ]
result $? 'standard input has no name, and none'
doc "$dir/lib.asl" >/dev/full 2>"$dir/err"
[ $? -eq 1 ]
result $? 'a full disk is an error' "$dir/err"
echo "1..$n"
