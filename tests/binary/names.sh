#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What part binary finds in programs that other compilers made, against comments in their sources
# (tests/binary/programs): regions with their lines, variables, heap blocks; and what it says where debugging
# information is apart, compressed or missing.
: "${srcdir:=.}" "${builddir:=.}" "${PSC_GCC:=gcc}"
programs=$srcdir/tests/binary/programs
ask=$builddir/tests/binary/ask
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
n=0
LC_ALL=C; export LC_ALL
unset LD_LIBRARY_PATH DEBUGINFOD_URLS

if [ ! -x "$ask" ]; then
	echo "1..0 # SKIP built without libdw or Zydis"
	exit 0
fi

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

# regions FILE SOURCE: "NAME TYPE DEPTH LINE" of each region of the source file; DEPTH counts loops alone
regions() {
	psc_sir "$1" 2>/dev/null | sed 's/&lt;/</g; s/&gt;/>/g' | awk -v source="$2" '
		/<(unit|codeRegion) / {
			depth++
			match($0, / type="[^"]*"/)
			type[depth] = substr($0, RSTART + 7, RLENGTH - 8)
			if ($0 ~ /<unit/) {
				match($0, / name="[^"]*"/)
				unit = substr($0, RSTART + 7, RLENGTH - 8)
			}
		}
		/<position/ {
			match($0, /startLine="[0-9]*"/)
			line = substr($0, RSTART + 11, RLENGTH - 12)
			loops = 0
			for (i = 1; i <= depth; i++)
				loops += type[i] == "loop"
			if ($0 ~ "name=\"([^\"]*/)?" source "\"")
				print unit, type[depth], loops, line
		}
		/<\/(unit|codeRegion)>/ { depth-- }' | sort -u
}
# wanted SOURCE: the same by its comments
wanted() {
	awk '/region of the next line: / { sub(/.*region of the next line: /, ""); sub(/ *\*\/.*/, ""); print $0, 0, NR + 1 }
		/region: / {
			sub(/.*region: /, "")
			sub(/ *\*\/.*/, "")
			print $1, $2, $3 + 0, NR
		}' "$1" | sort
}
# has FILE SOURCE: every region of the comments is there, and no other loop of those functions
has() {
	wanted "$programs/$2" > "$work/wanted"
	regions "$1" "$2" > "$work/found"
	awk 'NR == FNR { known[$1] = 1; next } $1 in known' "$work/wanted" "$work/found" > "$work/ours"
	diff "$work/wanted" "$work/ours" > "$work/out"
}
# contains FILE SOURCE: every region of the comments is there
contains() {
	wanted "$programs/$2" > "$work/wanted"
	regions "$1" "$2" > "$work/found"
	comm -23 "$work/wanted" "$work/found" > "$work/out"
	[ ! -s "$work/out" ]
}

# blocks PROGRAM SOURCE: every block of the comments has that name when the program runs
blocks() {
	LD_PRELOAD=$work/log_blocks.so "$1" 9> "$work/log" > /dev/null || return 1
	"$ask" heap < "$work/log" > "$work/named" || return 1
	sed -n 's/.*block \([0-9]*\): \([^*]*[^* ]\).*/\1 \2/p' "$programs/$2" | sort > "$work/wanted"
	awk '{ print $1, $2, $3, $4 }' "$work/named" | sort -u > "$work/found"
	comm -23 "$work/wanted" "$work/found" > "$work/missing"
	[ ! -s "$work/missing" ] && return
	cat "$work/missing" "$work/named" > "$work/out"
	return 1
}

"$PSC_GCC" -O2 -shared -fPIC "$srcdir/tests/binary/log_blocks.c" -o "$work/log_blocks.so" -ldl || exit 99

# --- languages and compilers -----------------------------------------------------------------------
# made COMMAND...: runs a compiler quietly
made() {
	"$@" > "$work/out" 2>&1
}
c_program() {
	cc=$1
	shift
	made "$cc" "$@" -g "$programs/loops.c" -o "$work/loops" && has "$work/loops" loops.c
	result $? "$cc $*: loops have the lines of their source"
	made "$cc" "$@" -g "$programs/blocks.c" -o "$work/blocks" && blocks "$work/blocks" blocks.c
	result $? "$cc $*: heap blocks have the names of the variables that hold them"
}
c_program "$PSC_GCC" -O0
c_program "$PSC_GCC" -O2
c_program "$PSC_GCC" -O2 -no-pie
made "$PSC_GCC" -O2 -g "$programs/cold.c" -o "$work/cold" && has "$work/cold" cold.c && strip -g "$work/cold" &&
	psc_sir --regions "$work/cold" > "$work/out" 2> /dev/null && ! grep -q '\.cold' "$work/out" &&
	grep -A2 '^function  *work ' "$work/out" | grep -q '^    loop'
result $? "$PSC_GCC -O2: the rare part of a function belongs to it"
if command -v clang > /dev/null; then
	c_program clang -O0
	c_program clang -O2
	c_program clang -O3 -mavx2
else
	skip "clang" "there is no clang"
fi
for cxx in g++ clang++; do
	if ! command -v $cxx > /dev/null; then
		skip "$cxx" "there is no $cxx"
		continue
	fi
	for o in -O0 -O2; do
		made $cxx $o -g "$programs/objects.cpp" -o "$work/objects" && contains "$work/objects" objects.cpp
		result $? "$cxx $o: functions of classes and templates by their qualified names"
		[ $o = -O0 ] && continue        # constructors are not inlined: tested below
		blocks "$work/objects" objects.cpp
		result $? "$cxx $o: blocks of containers have the names of the containers"
	done
done
for cc in "$PSC_GCC" clang; do
	if echo 'int main(void){return 0;}' | $cc -fopenmp -x c - -o "$work/try" > /dev/null 2>&1; then
		made $cc -O2 -g -fopenmp "$programs/threads.c" -o "$work/threads" && contains "$work/threads" threads.c
		result $? "$cc: what is outlined for OpenMP is a parallel region of its function"
	else
		skip "$cc: OpenMP" "$cc compiles no OpenMP"
	fi
done
if command -v gfortran > /dev/null; then
	made gfortran -O1 -g -J"$work" "$programs/module.f90" -o "$work/module" && contains "$work/module" module.f90
	result $? "gfortran: procedures of modules, the main program and their loops"
	"$ask" variables "$work/module" > "$work/out"
	grep -q '^u scope fields size 160000 elem 8 .* kind 1 ' "$work/out" &&
		grep -q '^w scope flow size 2000 elem 4 .* kind 2 ' "$work/out" &&
		grep -q '^flags scope flow size 200 elem 4 .* kind 2 ' "$work/out" &&
		grep -q '^work scope fields .* kind 3 ' "$work/out"
	result $? "gfortran: module variables, members of COMMON, descriptors"
	made gfortran -O2 -g "$programs/inlined.f90" -o "$work/inlined"
	"$ask" variables "$work/inlined" >"$work/out"
	grep -q '^a scope fields size 8000 elem 8 .* kind 2 ' "$work/out" &&
		grep -q '^b scope fields size 4000 elem 8 .* kind 2 ' "$work/out" &&
		grep -q '^n scope fields size 1200 elem 4 .* kind 2 ' "$work/out"
	result $? "gfortran: members of a COMMON block without addresses"
	blocks "$work/module" module.f90
	result $? "gfortran: an allocated array has its name"
else
	skip "gfortran" "there is no gfortran"
fi

if command -v rustc > /dev/null; then
	made rustc -C opt-level=2 -g "$programs/vectors.rs" -o "$work/vectors" && contains "$work/vectors" vectors.rs
	result $? "rustc: functions and loops over iterators"
	blocks "$work/vectors" vectors.rs
	result $? "rustc: a vector's block has its name"
else
	skip "rustc" "there is no rustc"
fi

# --- where code is mapped ---------------------------------------------------------------------------
if command -v ld.lld > /dev/null; then
	$PSC_GCC -O2 -g -fuse-ld=lld "$programs/loops.c" -o "$work/shared" && "$ask" base "$work/shared" > "$work/out" &&
		[ "$(cat "$work/out")" = true ]
	result $? "code that begins in a page of another segment"
else
	skip "code that begins in a page of another segment" "there is no ld.lld"
fi

# --- where the debugging information is -----------------------------------------------------------
cc="$PSC_GCC -O2 -g"
$cc "$programs/loops.c" -o "$work/whole" && "$ask" places "$work/whole" > "$work/places"
grep -q 'nest 2 .*loops.c:' "$work/places" && ! grep -q 'no place' "$work/places"
result $? "every instruction has a place"
# line WORDS: of that text in loops.c
line() {
	grep -n "$1" "$programs/loops.c" | sed -n '1s/:.*//p'
}
"$ask" lines "$work/whole" | sort -u > "$work/out"
grep -qx "scale:$(line 'out.i. \* by') in main:$(line 'scale(s)')" "$work/out" &&
	grep -qx "follow:$(line 'return next_of') in main:$(line 'n += follow')" "$work/out" &&
	grep -qx "nest:$(line 's += mat')" "$work/out"
result $? "an instruction's line, and the inlined calls around it"

# same FILE LOST: the file has the places of the whole one, and says what is lost
same() {
	"$ask" lost "$1" > "$work/out" && grep -q "$2" "$work/out" && "$ask" places "$1" > "$work/out" &&
		diff "$work/places" "$work/out" > "$work/diff"
}
$cc -gz "$programs/loops.c" -o "$work/packed" && same "$work/packed" "lines 0 symbols 0"
result $? "compressed sections"
cp "$work/whole" "$work/apart" && objcopy --only-keep-debug "$work/apart" "$work/apart.debug" && strip "$work/apart" &&
	(cd "$work" && objcopy --add-gnu-debuglink=apart.debug apart) && same "$work/apart" "lines 0 symbols 0 .* separate 1"
result $? "a separate file by its link"
(cd "$work" && $PSC_GCC -O2 -g -gsplit-dwarf -c "$programs/loops.c" -o split.o && $PSC_GCC split.o -o split)
same "$work/split" "lines 0 .* split 0"
result $? "split debugging information"
rm "$work"/*.dwo
"$ask" lost "$work/split" > "$work/out"
grep -q "split 1 of them, the first named" "$work/out"
result $? "missing split files are named"

cp "$work/whole" "$work/symbols" && strip -g "$work/symbols"
"$ask" lost "$work/symbols" > "$work/out" && grep -q "lines 1 symbols 0" "$work/out" &&
	psc_sir --regions "$work/symbols" > "$work/out" 2>&1 && grep -q "no debugging information" "$work/out" &&
	grep -q "^function  *nest " "$work/out" && [ "$(grep -A2 '^function  *nest ' "$work/out" | grep -c '  loop')" = 2 ]
result $? "symbols alone: functions by name, loops by address"
cp "$work/whole" "$work/stripped" && strip "$work/stripped"
"$ask" lost "$work/stripped" > "$work/out" && grep -q "lines 1 symbols 1" "$work/out" &&
	psc_sir --regions "$work/stripped" > "$work/out" 2>&1 && grep -q "stripped" "$work/out" &&
	grep -q "^function  *main .*phase" "$work/out" && grep -q "^function  *stripped+0x" "$work/out"
result $? "stripped: functions by the unwind table, main by the code at the entry"
linkage=$(objdump -h -j .plt "$work/stripped" | awk '$2 == ".plt" { sub(/^0*/, "", $4); print $4 }')
[ -n "$linkage" ] && ! grep "stripped+0x$linkage" "$work/out"
result $? "stripped: the stubs of the procedure linkage are no function"

psc_sir "$work/whole" > "$work/whole.sir" 2> "$work/out" && psc_sir --check "$work/whole.sir" > "$work/out" 2>&1 &&
	psc_sir "$work/whole.sir" > "$work/again.sir" && cmp "$work/whole.sir" "$work/again.sir" > "$work/out"
result $? "the document follows the schema, and is read back"
cp "$work/whole" "$work/copy" && psc_sir "$work/copy" 2>&1 | cmp - "$work/whole.sir" > "$work/out"
result $? "two readers of one program give its regions the same identities"

# --- broken files ---------------------------------------------------------------------------------
# A cut or damaged file loses names, and nothing else.
size=$(wc -c < "$work/whole")
status=0
for part in 1 2 3 4 5 6 7; do
	head -c $((size * part / 8)) "$work/whole" > "$work/cut"
	"$ask" places "$work/cut" > "$work/out" 2>&1
	[ $? -le 2 ] || status=1
	cp "$work/whole" "$work/damaged"
	tr '\0' '\377' < "$work/whole" | dd of="$work/damaged" bs=1 seek=$((size * part / 8)) skip=$((size * part / 8)) \
		count=300 conv=notrunc 2> /dev/null
	for what in places variables lost; do
		timeout 600 "$ask" $what "$work/damaged" > "$work/out" 2>&1
		[ $? -le 2 ] || status=1
	done
done
result $status "cut and damaged files end nothing"

echo "1..$n"
