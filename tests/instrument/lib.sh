# SPDX-License-Identifier: BSD-3-Clause
# Common to the tests of the plugin: a directory of our own, a counting monitor, TAP.
here=$srcdir/tests/instrument
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-instrument.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
ncases=0
OMP_NUM_THREADS=2
export OMP_NUM_THREADS
: "${PSC_GCC:=gcc}"
PSC_GCC=${PSC_GCC%% *}      # without flags such as -std=gnu11
gcc=$PSC_GCC
gxx=${PSC_GXX:-g++}
gfortran=${PSC_GFORTRAN:-gfortran}
command -v "$gfortran" >/dev/null || { echo "1..0 # SKIP gfortran is not installed"; exit 0; }
psc="$builddir/psc_instrument"

# The counting monitor and the reader of fragments, built once for all tests of a compiler.
PSC_LIBDIR=$builddir/tests/instrument/stub.${gcc##*/}
export PSC_LIBDIR
build_stub() {
	[ -z "$(find "$here/stubmon.c" "$here/unpack.c" "$srcdir/base" -newer "$PSC_LIBDIR/built" 2>&1)" ] && return
	"$gcc" -O2 -fPIC -shared -I"$srcdir" -o "$PSC_LIBDIR/libpscmon.so" "$here/stubmon.c" || return
	"$gcc" -O2 -I"$srcdir" -c -o "$tmp/stub.o" "$here/stubmon.c" || return
	rm -f "$PSC_LIBDIR/libpscmon.a"
	ar rc "$PSC_LIBDIR/libpscmon.a" "$tmp/stub.o" || return
	"$gcc" -I"$srcdir" -o "$PSC_LIBDIR/unpack" "$here/unpack.c" -lz || return
	: > "$PSC_LIBDIR/built"
}
mkdir -p "$PSC_LIBDIR" || exit 99
exec 9> "$PSC_LIBDIR/lock"
flock 9 || exit 99      # another test may build it
build_stub || exit 99
exec 9>&-

# ok STATUS NAME: one case; what $tmp/log holds explains a failure.
ok() {
	ncases=$((ncases + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $ncases - $2"
	else
		echo "not ok $ncases - $2"
		sed 's/^/# /' "$tmp/log" 2>/dev/null | head -40
	fi
	: > "$tmp/log"
}

skip() {
	ncases=$((ncases + 1))
	echo "ok $ncases - $1 # SKIP $2"
}

finish() {
	echo "1..$ncases"
}

compiler_of() {
	case $1 in
	*.c) echo "$gcc" ;;
	*.cc) echo "$gxx" ;;
	*) echo "$gfortran" ;;
	esac
}

# The text of the fragments in an object or executable.
fragments() {
	objcopy -O binary --only-section=psc_sir --set-section-flags psc_sir=alloc "$1" "$tmp/sir.bin" \
		2>"$tmp/log" && "$PSC_LIBDIR/unpack" < "$tmp/sir.bin"
}

# One line a region, indented as it nests: TYPE NAME FIRST-LAST [HOOK] refuse=WHY arrays.
table() {
	fragments "$1" | awk '
	function attr(name,   r) {
		r = $0
		if (!match(r, " " name "=\"[^\"]*\"")) return ""
		r = substr(r, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
		gsub(/&lt;/, "<", r); gsub(/&gt;/, ">", r); gsub(/&amp;/, "\\&", r)
		return r
	}
	# An array is also that of the regions around; by name and line.
	function add(n, key, access,   i) {
		for (; n; n = up[n]) {
			if (!((n, key) in touched)) {
				for (i = count[n]++; i > 0 && list[n, i - 1] > key; i--)
					list[n, i] = list[n, i - 1]
				list[n, i] = key
				touched[n, key] = ""
			}
			if (access ~ /r/) touched[n, key] = touched[n, key] ~ /w/ ? "rw" : "r"
			if (access ~ /w/) touched[n, key] = touched[n, key] ~ /r/ ? "rw" : "w"
		}
	}
	/<(unit|codeRegion) / {
		head[++last] = sprintf("%*s", 2 * depth, "") attr("type") (attr("name") == "" ? "" : " " attr("name"))
		first = attr("id"); sub(/.*-/, "", first)
		span[last] = first "-" (attr("end") == "" ? first : attr("end"))
		tail[last] = attr("hook") == "" ? "" : " [" attr("hook") "]"
		tail[last] = tail[last] (attr("refuse") == "" ? "" : " refuse=" attr("refuse"))
		up[last] = inside[depth]
		if (!/\/>$/) inside[++depth] = last
	}
	/^<\/(unit|codeRegion)>/ { depth-- }
	/<position / { span[last] = attr("startLine") "-" attr("endLine") }
	/<array / {
		key = attr("name") "\n" sprintf("%6d", attr("line"))
		text[key] = " " attr("name") ":" attr("class") (attr("scope") == "" ? "" : "/" attr("scope"))
		add(inside[depth], key, attr("access"))
	}
	END {
		for (n = 1; n <= last; n++) {
			for (i = 0; i < count[n]; i++)
				tail[n] = tail[n] text[list[n, i]] ":" touched[n, list[n, i]]
			print head[n] " " span[n] tail[n]
		}
	}'
}
