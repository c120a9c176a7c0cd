#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# psc_sir as a user meets it: fragments that survive what linkers, archivers and strip do to
# objects, libraries found as the dynamic linker finds them, broken objects, the schema.
: "${srcdir:=.}" "${PSC_GCC:=gcc}"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
n=0
LC_ALL=C; export LC_ALL
unset LD_LIBRARY_PATH

# result STATUS DESCRIPTION
result() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$work/out" 2>/dev/null
	fi
}
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# fragment FILE NAME HASH TEXT [LENGTH [MAGIC [VERSION]]]: C code with one fragment.
fragment() {
	cat >"$1" <<EOF
#include "base/abi.h"
#define TEXT "$4"
static const struct {
	struct psc_sir_header h;
	char text[sizeof TEXT + 13];
} sir_$2 __attribute__((section("psc_sir"), used, retain, aligned(8))) =
	{ { "${6:-PSCSIR1}", ${7:-PSC_ABI_VERSION}, ${5:-sizeof TEXT - 1}, 0x$3 }, TEXT };
int f_$2(void) { return 1; }
EOF
}
# unit NAME FILE HASH: the text of a fragment with one function and one loop.
unit() {
	printf '%s ' "<fragment source='$2' language='C' hash='$3' dir='/d'>\\n<unit type='function' name='$1' index='0'" \
		"hook='marker'><position startLine='3' endLine='9'><file name='$2'/></position><codeRegion type='loop'" \
		"name='' index='1' hook='marker phase'><position startLine='4' endLine='8'><file name='$2'/></position>" \
		"</codeRegion></unit></fragment>"
}
cc() {
	"$PSC_GCC" -I"$srcdir" "$@" >"$work/out" 2>&1
}
# units FILE: the names in it, in one line.
units() {
	psc_sir "$@" 2>"$work/out" | sed -n 's/^ *<unit.* name="\([^"]*\)".*/\1/p' | tr '\n' ' '
}
same() {
	[ "$1" = "$2" ] || { echo "\"$1\" is not \"$2\"" >>"$work/out"; return 1; }
}
# fails CODE TEXT COMMAND...: ends with CODE and says TEXT
fails() {
	code=$1 text=$2
	shift 2
	"$@" >"$work/out" 2>&1
	got=$?
	[ $got -eq "$code" ] && grep -q -- "$text" "$work/out" || {
		echo "exit $got, wanted $code and \"$text\"" >>"$work/out"
		return 1
	}
}

echo 1..52
cd "$work" || exit 99
case $srcdir in /*) ;; *) srcdir=$OLDPWD/$srcdir ;; esac
fragment a.c a aa "$(unit alpha a.c aa)"
fragment b.c b bb "$(unit beta b.c bb)"
fragment c.c c cc "$(unit gamma c.c cc)"
echo 'int f_a(void), f_b(void); int main(void) { return !(f_a() + f_b() == 2); }' >main.c
cc -c a.c && cc -c b.c && cc -c c.c && cc -c main.c
result $? "objects with hand-made fragments compile"

same "$(units a.o)" "alpha "
result $? "an object"
cc main.o a.o b.o -o plain && same "$(units plain)" "alpha beta "
result $? "an executable"
ar rcs libab.a a.o b.o && same "$(units libab.a)" "alpha beta "
result $? "an archive"
cc main.o libab.a -o from_ar && same "$(units from_ar)" "alpha beta "
result $? "an executable from an archive"
ld -r a.o b.o -o ab.o && same "$(units ab.o)" "alpha beta "
result $? "a relocatable link"
cp plain stripped && strip stripped && same "$(units stripped)" "alpha beta "
result $? "a stripped executable"
cc -Wl,--gc-sections -ffunction-sections main.o a.o b.o -o gc && same "$(units gc)" "alpha beta "
result $? "--gc-sections"
cc -O2 -flto main.c a.c b.c -o lto && same "$(units lto | tr ' ' '\n' | sort | xargs)" "alpha beta"
result $? "link-time optimisation"
for ld in gold lld; do
	if command -v ld.$ld >/dev/null; then
		cc -fuse-ld=$ld -Wl,--gc-sections main.o a.o b.o -o by_$ld && same "$(units by_$ld)" "alpha beta "
		result $? "linked by $ld"
	else
		skip "linked by $ld" "ld.$ld is not installed"
	fi
done
cc -static main.o a.o b.o -o static && same "$(units static)" "alpha beta "
result $? "a static executable"
objcopy --only-keep-debug plain plain.debug && fails 2 "not instrumented" psc_sir plain.debug
result $? "a file with debugging information only has no fragment"
same "$(units plain c.o)" "alpha beta gamma " && same "$(units a.o plain)" "alpha beta "
result $? "several files are one structure, and no fragment counts twice"

# --- shared libraries --------------------------------------------------------------------------
mkdir lib lib/deep other
cc -shared -fPIC b.c -o lib/deep/libb.so &&
	cc -shared -fPIC a.c -o lib/liba.so -Llib/deep -Wl,--no-as-needed -lb -Wl,--enable-new-dtags \
		-Wl,-rpath,'$ORIGIN/deep'
result $? "libraries link"
same "$(units lib/liba.so)" "alpha beta "
result $? "a library brings the library it needs"
cc main.o -o runpath -Llib -la -Llib/deep -Wl,--as-needed -lb -Wl,--enable-new-dtags \
	-Wl,-rpath,'${ORIGIN}/lib' -Wl,-rpath-link,lib/deep && same "$(units runpath)" "alpha beta "
result $? "RUNPATH with \$ORIGIN"
mkdir elsewhere && ln -s ../runpath elsewhere/link && (cd / && same "$(units "$work/elsewhere/link")" "alpha beta ")
result $? "\$ORIGIN is the directory behind a link"
# What it has itself is not instrumented: its structure is read from its code.
cp runpath elsewhere/copy && case $(units elsewhere/copy 2>/dev/null) in *alpha*) false ;; esac
result $? "a copy elsewhere does not find them"
same "$(LD_LIBRARY_PATH=/nonexistent:$work/lib units elsewhere/copy)" "alpha beta "
result $? "LD_LIBRARY_PATH"
cc main.o c.o -o nopath -Llib -la -Wl,-rpath-link,lib/deep -Llib/deep -lb && same "$(units nopath)" "gamma " &&
	same "$(LD_LIBRARY_PATH=lib units nopath)" "gamma alpha beta "
result $? "libraries that are not found leave what the executable has"
cc -shared -fPIC b.c -o other/libb.so && cc -shared -fPIC a.c -o other/liba.so -Lother -Wl,--no-as-needed -lb &&
	cc main.o -o rpath -Lother -la -lb -Wl,--disable-new-dtags -Wl,-rpath,"$work/other" &&
	same "$(units other/liba.so 2>/dev/null)" "alpha " && same "$(units rpath)" "alpha beta "
result $? "RPATH is inherited by the libraries that have none"
fragment d.c d dd "$(unit other b.c dd)"
mkdir shadow && cc -shared -fPIC d.c -o shadow/libb.so &&
	same "$(LD_LIBRARY_PATH=$work/shadow units lib/liba.so)" "alpha other " &&
	same "$(LD_LIBRARY_PATH=$work/shadow units rpath)" "alpha beta "
result $? "LD_LIBRARY_PATH goes before RUNPATH and behind RPATH"
cp a.o shadow/libb.so && same "$(LD_LIBRARY_PATH=$work/shadow units lib/liba.so)" "alpha "
result $? "a file of that name that is no library for us does no harm"

# --- merging ------------------------------------------------------------------------------------
fragment e.c e ee "$(unit inline v.h ee)"
fragment f.c f ff "$(unit inline v.h ff)"
cc -c e.c && cc -c f.c && psc_sir e.o f.o >out 2>&1 && [ "$(grep -c '<unit' out)" -eq 1 ] &&
	grep -q 'alias="00000000000000ff:0"' out && grep -q 'alias="00000000000000ff:1"' out
result $? "an inline function of two objects is one, and knows both hooks"

# --- the document --------------------------------------------------------------------------------
psc_sir plain >plain.sir && fails 0 "plain.sir: 2 units, 2 regions" psc_sir --check plain.sir
result $? "what is printed passes --check"
psc_sir plain.sir >again.sir && cmp plain.sir again.sir >out 2>&1
result $? "and reads back the same"
if command -v xmllint >/dev/null; then
	psc_sir plain | xmllint --noout --relaxng "$srcdir/sir/sir.rng" - >out 2>&1
	result $? "and validates for xmllint"
else
	skip "and validates for xmllint" "xmllint is not installed"
fi
fragment g.c g 99 "<fragment source='t.cc' language='C++'><unit type='function' name='min&lt;A&amp;, B&gt;' index='0'><position startLine='1' endLine='2'><file name='t.cc'/></position></unit></fragment>"
cc -c g.c && psc_sir g.o >g.sir && grep -q 'name="min&lt;A&amp;, B&gt;"' g.sir && fails 0 "1 units" psc_sir --check g.sir
result $? "C++ names are escaped"
psc_sir --regions plain >out 2>&1 && grep -q '^  loop  *a.c:4-8  *phase$' out &&
	grep -q '^function  *alpha  *a.c:3-9  *marker$' out && ! grep -q '.\{80\}' out
result $? "--regions is a table of less than 80 columns"
fragment o.c o 0a "$(unit one ../file.c 0a)" && fragment p.c p 0b "$(unit two /home/someone/project/src/solver.c 0b)" &&
	fragment q.c q 0c "$(unit three ../src/a_file_of_a_rather_long_name.c 0c)" && cc -c o.c && cc -c p.c && cc -c q.c &&
	psc_sir --regions o.o p.o q.o >out 2>&1 && grep -q ' \.\./file\.c:4-8  *phase$' out &&
	grep -q ' src/solver\.c:4-8  *phase$' out && grep -q ' a_file_of_a_rather_long_name\.c:4-8  *phase$' out
result $? "what --regions shows of a long path is whole names, as --phase takes them"
sed 's/type="loop"/type="lopo"/' plain.sir >wrong.sir && fails 1 "wrong.sir:7: .*codeRegion" psc_sir --check wrong.sir
result $? "--check names the line of a wrong type"
sed 's/endLine="9"/endLine="nine"/' plain.sir >wrong.sir && fails 1 "wrong.sir:6: " psc_sir --check wrong.sir
result $? "--check names the line of a wrong number"
head -n 6 plain.sir >wrong.sir && fails 1 "wrong.sir:" psc_sir --check wrong.sir
result $? "--check refuses half a document"

# --- broken fragments ------------------------------------------------------------------------------
fragment x.c x 1 "<fragment/>" 1000 && cc -c x.c && fails 2 "x.o: section psc_sir, offset 0: .*1000 bytes" psc_sir x.o
result $? "a length past the end is an error"
fragment x.c x 1 "<fragment/>" 0xffffffff && cc -c x.c && fails 2 "x.o: section psc_sir, offset 0: " psc_sir x.o
result $? "the largest length is an error"
fragment x.c x 1 "<fragment/>" "sizeof TEXT - 1" PSCSIRX && cc -c x.c &&
	fails 2 "x.o: section psc_sir, offset 0: neither a fragment nor padding" psc_sir x.o
result $? "a wrong magic is an error"
fragment x.c x 1 "<fragment/>" "sizeof TEXT - 1" PSCSIR1 999 && cc -c x.c && fails 2 "version 999" psc_sir x.o
result $? "another version is an error that says to build again"
fragment x.c x 1 "<fragment hash='1'>\\n<unit></fragment>" && cc -c x.c && ar rcs x.a a.o x.o &&
	fails 2 "x.a(x.o)(psc_sir+0):2: .*mismatch" psc_sir x.a
result $? "broken XML is an error with archive, member, offset and line"
echo 'const char c[] __attribute__((section("psc_sir"), used)) = "PSCSIR1";' >y.c && cc -c y.c &&
	fails 2 "header is cut off" psc_sir y.o
result $? "a cut header is an error"
fragment x.c x 2 "$(unit alpha a.c 1)" && cc -c x.c && fails 2 "but the header says" psc_sir x.o
result $? "two hashes are an error"
bad=0
size=$(wc -c <a.o)
for at in 0 16 18 40 58 60 62 $((size / 4)) $((size / 2)) $((size - 100)) $((size - 300)); do
	for byte in '\000' '\377' '\101'; do
		cp a.o z.o
		printf "$byte$byte" | dd of=z.o bs=1 seek="$at" conv=notrunc 2>/dev/null
		psc_sir z.o >out 2>&1
		[ $? -le 2 ] || bad=1
	done
	head -c "$at" a.o >z.o
	psc_sir z.o >out 2>&1
	[ $? -eq 2 ] || { echo "cut at $at" >>out; bad=1; break 2; }
done
result $bad "damaged and cut objects are errors, never crashes"

# --- packed fragments -------------------------------------------------------------------------------
cat >pack.c <<'EOF'
/* pack HASH TEXTLENGTH CUT < text: C code with one packed fragment.  TEXTLENGTH 0: what is true;
 * CUT: bytes that its stream lacks. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include "base/dictionary.h"
static unsigned char text[1 << 26], out[1 << 22];
int main(int argc, char **argv)
{
	static const unsigned char words[] = PSC_SIR_DICTIONARY;
	unsigned long n = fread(text, 1, sizeof text, stdin), size;
	z_stream z = { .next_in = text, .avail_in = (uInt)n, .next_out = out, .avail_out = sizeof out };

	if (argc < 4 || deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK ||
	    deflateSetDictionary(&z, words, sizeof words - 1) != Z_OK ||
	    deflate(&z, Z_FINISH) != Z_STREAM_END)
		return 1;
	size = z.total_out - (unsigned long)atol(argv[3]);
	printf("#include \"base/abi.h\"\nstatic const struct { struct psc_sir_header h; struct psc_sir_packed p;"
		"unsigned char b[%lu]; } f __attribute__((section(\"psc_sir\"), used, aligned(8))) = {"
		"{ PSC_SIR_PACKED, PSC_ABI_VERSION, %lu + sizeof(struct psc_sir_packed), 0x%s }, { %lu }, {",
		size + 16, size, argv[1], atol(argv[2]) ? (unsigned long)atol(argv[2]) : n);
	for (unsigned long i = 0; i < size; i++)
		printf("%u,", out[i]);
	printf("} };\n");
	return 0;
}
EOF
"$PSC_GCC" -I"$srcdir" pack.c -o pack -lz >out 2>&1
result $? "the packer compiles"
# packed TEXTLENGTH CUT: z.o
packed() {
	./pack aa "$1" "$2" >z.c && cc -c z.c
}
printf "$(unit alpha a.c aa)" >text && packed 0 0 <text && same "$(units z.o)" "alpha " && psc_sir z.o >z.sir &&
	psc_sir a.o >a.sir && cmp z.sir a.sir >out 2>&1
result $? "a packed fragment reads as the plain one"
printf "<fragment hash='aa'>\n<unit></fragment>" | packed 0 0 && fails 2 "z.o(psc_sir+0):2: .*mismatch" psc_sir z.o
result $? "broken XML in a packed fragment is an error with its line"
packed 100 0 <text && fails 2 "the packed text is damaged" psc_sir z.o && packed 900 0 <text && fails 2 "damaged" psc_sir z.o
result $? "a text of another length than the header says is an error"
packed 0 9 <text && fails 2 "the packed text is damaged" psc_sir z.o
result $? "a stream that is cut off is an error"
packed 60000000 0 <text && fails 2 "cannot hold a text of 60000000" psc_sir z.o && packed -1 0 <text &&
	fails 2 "cannot hold" psc_sir z.o
result $? "a text that the stream cannot hold is an error before anything is unpacked"
head -c 67108864 /dev/zero | packed 70000000 0 && fails 2 "cannot hold" psc_sir z.o &&
	head -c 60000000 /dev/zero | packed 1000000 0 && (ulimit -v 200000; fails 2 "damaged" psc_sir z.o)
result $? "a stream that unpacks to more than it says, or than is read, is an error"

# --- usage -----------------------------------------------------------------------------------------
fails 2 'psc_instrument gcc' psc_sir main.o
result $? "what is not instrumented is told how to be"
fails 2 "nothere: No such file" psc_sir nothere && fails 2 "main.c: neither an ELF" psc_sir main.c &&
	fails 2 "is a directory" psc_sir . && fails 2 "no file given" psc_sir && fails 2 psc_sir psc_sir --wrong a.o &&
	fails 2 "either --check or --regions" psc_sir --check --regions a.o && fails 0 Usage psc_sir --help && fails 0 "psc_sir" psc_sir --version &&
	fails 2 "No such file" psc_sir --check nothere
result $? "usage errors end with 2"
sample=${PSC_PERISCOPE_DATA:-$srcdir/../shared/data/periscope}/sir_sample.sir
if [ -r "$sample" ]; then
	fails 0 ": 29 units, 81 regions" psc_sir --check "$sample" && psc_sir "$sample" >out.sir &&
		fails 0 "out.sir: 29 units, 81 regions" psc_sir --check out.sir && psc_sir out.sir | cmp - out.sir >out 2>&1
	result $? "a real file of Periscope"
else
	skip "a real file of Periscope" "it is not here: $sample"
fi
