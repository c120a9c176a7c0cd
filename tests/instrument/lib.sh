# SPDX-License-Identifier: BSD-3-Clause
# Common to the tests of the plugin: a directory of our own, a counting monitor, TAP.
here=$srcdir/tests/instrument
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-instrument.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
ncases=0
OMP_NUM_THREADS=2
PSC_LIBDIR=$tmp/lib
export OMP_NUM_THREADS PSC_LIBDIR
: "${PSC_GCC:=gcc}"
PSC_GCC=${PSC_GCC%% *}      # without flags such as -std=gnu11
gcc=$PSC_GCC
gxx=${PSC_GXX:-g++}
gfortran=${PSC_GFORTRAN:-gfortran}
mkdir "$tmp/lib"
"$gcc" -O1 -fPIC -shared -I"$srcdir" -o "$tmp/lib/libpscmon.so" "$here/stubmon.c" || exit 99
"$gcc" -O1 -I"$srcdir" -c -o "$tmp/stub.o" "$here/stubmon.c" || exit 99
ar rc "$tmp/lib/libpscmon.a" "$tmp/stub.o" || exit 99
psc="$builddir/psc_instrument"

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
	[ -x "$tmp/unpack" ] || "$gcc" -I"$srcdir" -o "$tmp/unpack" "$here/unpack.c" -lz || exit 99
	objcopy -O binary --only-section=psc_sir --set-section-flags psc_sir=alloc "$1" "$tmp/sir.bin" \
		2>"$tmp/log" && "$tmp/unpack" < "$tmp/sir.bin"
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
	function flush() {
		if (head != "") print head " " span hook why arrays
		head = ""
	}
	/<(unit|codeRegion) / {
		flush()
		head = sprintf("%*s", 2 * depth++, "") attr("type") (attr("name") == "" ? "" : " " attr("name"))
		hook = attr("hook") == "" ? "" : " [" attr("hook") "]"
		why = attr("refuse") == "" ? "" : " refuse=" attr("refuse")
		arrays = ""
	}
	/^<\/(unit|codeRegion)>/ { depth-- }
	/<position / { span = attr("startLine") "-" attr("endLine") }
	/<array / {
		arrays = arrays " " attr("name") ":" attr("class") \
			(attr("scope") == "" ? "" : "/" attr("scope")) ":" attr("access")
	}
	END { flush() }'
}
