#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A GCC that no installed plugin was built for: psc_instrument builds one from the installed sources, once, in the
# user's cache directory.
. "${srcdir:-.}/tests/package/lib.sh"
v=${PSC_OTHER_GCCS# }
v=${v%% *}
[ -n "$v" ] || skip_all "no other GCC (11 to 14) is installed here with its plugin headers"
echo "1..12"

# An installation of our own, in which GCC $v's plugin is one for another GCC.
mkdir own
cp -r "$prefix/bin" "$prefix/share" "$prefix"/lib* own/
plugins=$(dirname "$work"/own/lib*/periscope-c/pscplugin.so)
cp "$plugins"/pscplugin.* "$plugins/instrument/gcc-$v/"
psc=$work/own/bin/psc_instrument
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

two_at_once() {
	"$psc" "gcc-$v" -O2 -g -c walk.c -o one.o 2>one.err &
	"$psc" "gcc-$v" -O2 -g -c walk.c -o two.o 2>two.err && wait $! || { cat one.err two.err; return 1; }
	cat one.err two.err
	[ "$(cat one.err two.err | grep -c "building the plugin for GCC $v")" = 1 ] && cmp one.o two.o
}
check "of two compilations one builds the plugin, and says so" two_at_once
built=$(echo "$work"/cache/periscope/plugin-"$v".*/pscplugin.so)
names_it() {
	"$psc" --show "gcc-$v" -g walk.c -o walk >out 2>err || { cat out err; return 1; }
	cat out
	[ ! -s err ] && grep -qF -- "-fplugin=$built" out && "$work/own/bin/psc_sir" --regions walk | grep walk.c:21 && ./walk
}
check "the next one takes it from the cache, and the program has its regions" names_it
leaves_nothing() { [ "$(cd "${built%/*}" && echo *)" = "lock log pscplugin.so" ]; }
check "nothing is left but the plugin, its log and the lock" leaves_nothing
fits() {
	"$psc" --rebuild-plugin "${PSC_GCC:-gcc}" >out 2>err
	cat out err
	[ ! -s err ] && [ "$(realpath "$(cat out)")" = "$(realpath "$plugins/pscplugin.so")" ]
}
check "for the GCC of an installed plugin nothing is built" fits

# A driver that pretends: its answers and results come from files of this directory.
mkdir fake
cat >fake/gcc <<END
#!/bin/sh
case "\$*" in
-print-file-name=plugin) [ ! -f $work/no-headers ] || { echo plugin; exit; } ;;
-print-prog-name=cc1plus) [ ! -f $work/no-cxx ] || { echo cc1plus; exit; } ;;
*' -c '*) [ ! -f $work/broken ] || { echo "x.cc:1: error: broken"; exit 1; }
	while [ "\$1" != -o ] && [ \$# -gt 1 ]; do shift; done; echo >"\${2:-x.o}"; exit ;;
*-shared*) while [ "\$1" != -o ]; do shift; done; cp $work/result "\$2"; exit ;;
esac
exec gcc-$v "\$@"
END
chmod +x fake/gcc
XDG_CACHE_HOME=$work/cache2
# refuses TEXT [ARGUMENTS]: exit status 2, and TEXT on standard error
refuses() {
	text=$1
	shift
	[ $# -gt 0 ] || set -- fake/gcc -c walk.c -o x.o
	"$psc" "$@" 2>err
	[ $? = 2 ] || { echo "exit status is not 2"; return 1; }
	cat err
	grep -qF -- "$text" err
}
touch no-headers
check "missing plugin headers: the packages are named" refuses "gcc-$v-plugin-dev (Debian"
rm no-headers
touch no-cxx
check "a missing C++ compiler: the packages are named" refuses "g++-$v (Debian"
rm no-cxx
touch broken
check "a build that fails: its first error is shown" refuses "x.cc:1: error: broken"
rm broken
cp "$built" result
not_again() { refuses "--rebuild-plugin fake/gcc" && ! grep building err; }
check "it is not tried again by the next compilation" not_again
again() { "$psc" --rebuild-plugin fake/gcc 2>err >out && cat out err && [ -f "$(cat out)" ] && "$psc" fake/gcc -S walk.c -o x.s; }
check "but by --rebuild-plugin" again
cp "$plugins/pscplugin.so" result
XDG_CACHE_HOME=$work/cache3
for_another() { refuses "cc1: error: " && ! ls cache3/periscope/*/pscplugin.so*; }
check "a plugin that this GCC does not load is not kept" for_another
XDG_CACHE_HOME=/dev/null/none
check "a cache directory that cannot be made" refuses "cannot be kept: /dev/null"
XDG_CACHE_HOME=$work/cache4
rm -r own/share/periscope-c/plugin-src
check "missing sources" refuses "nor its sources"
