#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# link.sh NAMES LIBRARY COMMAND...: runs libtool's command, which links monitor/libpscmon.la, and then
# turns the static library into one object whose only global names are those in the file NAMES.  A
# static program may have functions with our other names; the shared library hides them anyway.
# Names that are not reserved (psc_object_*, psc_phase_*) become weak.
# Environment: CC, CFLAGS, AR, OBJCOPY.
names=$1 library=$2
shift 2
"$@" || exit
static=$(dirname "$library")/.libs/$(basename "${library%.la}").a
[ -f "$static" ] || exit 0
one=${static%.a}-one.o
trap 'rm -f "$one" "$static.new"' EXIT
case $CFLAGS in
*-flto*) lto=-flinker-output=nolto-rel ;;
*) lto= ;;
esac
# shellcheck disable=SC2086
$CC $CFLAGS $lto -r -nostdlib -o "$one" -Wl,@"${names%/*}/wrap.ld" -Wl,--whole-archive "$static" &&
	${OBJCOPY:-objcopy} --wildcard --keep-global-symbols="$names" --weaken-symbol='psc_object_*' --weaken-symbol='psc_phase_*' "$one" && rm -f "$static.new" &&
	${AR:-ar} rcs "$static.new" "$one" && mv -f "$static.new" "$static"
