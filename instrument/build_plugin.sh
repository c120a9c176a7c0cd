# SPDX-License-Identifier: BSD-3-Clause
# sh build_plugin.sh COMPILER HEADERS DIR VERSION: compiles the plugin of Periscope/C VERSION with any
# driver of GCC (gcc, g++, gfortran, an MPI wrapper) to DIR/pscplugin.so.
set -eu
LC_ALL=C        # psc_instrument looks for "error" in what is printed
export LC_ALL
compiler=$1 headers=$2 dir=$3 version=$4
src=$(cd "$(dirname "$0")/.." && pwd)
case $compiler in
/*) ;;
*/*) compiler=$PWD/$compiler ;;
esac
# Of this process alone: a script whose psc_instrument was killed may still run.
result=$dir/pscplugin.so.$$
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-plugin.XXXXXX")
trap 'rm -rf "$work" "$result"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"
echo "#define PACKAGE_VERSION \"$version\"" >config.h
# A cross compiler loads a plugin for this machine, which this machine's g++ makes.
maker=$compiler
here=$(g++ -dumpmachine 2>/dev/null) || here=
target=$("$compiler" -dumpmachine)
[ -z "$here" ] || [ "${here%%-*}" = "${target%%-*}" ] || maker=g++
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null) || jobs=2

# The name decides the language, whatever the driver; C is named since g++ takes .c for C++.
set -- -O2 -fPIC -w -I. "-I$src" -isystem "$headers"
for f in instrument/gcc_version base/region base/utf8; do
	"$maker" "$@" -x c -c "$src/$f.c" -o "${f##*/}.o"
done
set -- -std=gnu++17 -fno-rtti -fno-exceptions "$@"
# All sources begin with this header, which includes most of GCC's: compiled once, it saves nearly half
# of the time.
mkdir instrument
"$maker" "$@" -x c++-header -c "$src/instrument/pscplugin.h" -o instrument/pscplugin.h.gch
printf '%s\0' "$src"/instrument/*.cc | xargs -0 -n 1 -P "$jobs" "$maker" "$@" -c
# --as-needed: Fortran's and MPI's libraries, which their drivers add, stay out.
"$maker" -shared -Wl,--as-needed -o "$result" ./*.o -lz -lstdc++
# The plugin compares its headers with the compiler that loads it.
"$compiler" "-fplugin=$result" -fsyntax-only -x c /dev/null
mv -f "$result" "$dir/pscplugin.so"
