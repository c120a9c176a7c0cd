#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command line of aslc: exit codes, the model it finds, settings, .conf files.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
model=$srcdir/properties/model.asl
n=0

check() { # title, wanted exit code, command...
	title=$1 want=$2
	shift 2
	"$@" >"$dir/out" 2>"$dir/err"
	got=$?
	n=$((n + 1))
	if [ $got -eq "$want" ]; then
		echo "ok $n - $title"
	else
		echo "not ok $n - $title"
		echo "# exit code $got, wanted $want"
		sed 's/^/# /' "$dir/out" "$dir/err"
	fi
}
says() { # title, pattern, file
	n=$((n + 1))
	if grep -q -e "$2" "$dir/$3"; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# /' "$dir/$3"
	fi
}

cat >"$dir/mine.asl" <<'END'
PROPERTY Mine(SeqPerf s) {
	LET const float limit; IN
	CONDITION: s.calls > limit;
	CONFIDENCE: 1;
	SEVERITY: s.exec_time;
}
END
settings=$(sed -n 's/^#define MALLOC_KEEPS "\(.*\)"$/\1/p' "$srcdir/base/malloc_settings.h")
check "malloc's settings are those of the other texts" 0 test -n "$settings" -a \
	"$(grep -cF "; or set $settings\";" "$srcdir/properties/faults.asl")" = 1
check 'help is given' 0 aslc --help
says 'help names the commands' '^  check ' out
check 'the version is given' 0 aslc --version
check 'no command is wrong use' 2 aslc
check 'an unknown command is wrong use' 2 aslc frobnicate x
says 'without a guess where nothing is near' "unknown command 'frobnicate'$" err
check 'no file is wrong use' 2 aslc check
check 'a mistyped command is wrong use' 2 aslc chekc x
says 'which tells the command' "unknown command 'chekc'; did you mean 'check'" err
check 'an unknown option is wrong use' 2 aslc --frob check x
check 'a mistyped option is wrong use' 2 aslc check --no-modle x
says 'which tells the option' "unknown option '--no-modle'; did you mean '--no-model'" err
check "another command's option is wrong use" 2 aslc check --in-place x
says 'which names both' "'aslc check' has no option '--in-place'" err
check 'an option without its argument is wrong use' 2 aslc check x --model
says 'which names it' "--model needs a value" err
for command in check test fmt dump; do
	check "$command has a help of its own" 0 aslc $command --help
	says 'which shows how it is used' "^Usage: aslc $command " out
	says 'and what it ends with' '^Exit status' out
done
check 'the help of check does not have the options of fmt' 0 aslc check --help
says 'but its own' '--werror' out
[ -z "$(grep -e in-place "$dir/out")" ] || check 'no --in-place' 0 false
check 'a setting needs a value' 2 aslc check --set Limit "$dir/mine.asl"
check 'a missing file is an error' 1 aslc check "$dir/none.asl"
says 'which it names' 'none.asl: error: No such file' err
check 'shipped properties have no errors' 0 aslc check "$srcdir/properties/paper.asl" \
	"$srcdir/properties/memory.asl" "$srcdir/properties/levels.asl" \
	"$srcdir/properties/balance.asl" "$srcdir/properties/mpi.asl" "$srcdir/properties/openmp.asl" "$srcdir/properties/numa.asl" "$srcdir/properties/objects.asl" "$srcdir/properties/sharing.asl" "$srcdir/properties/events.asl" "$srcdir/properties/faults.asl" "$srcdir/properties/time.asl" "$srcdir/properties/scaling.asl"
check 'the model alone has no errors' 0 aslc check "$model"
check 'an open parameter is an error' 1 aslc check --model "$model" "$dir/mine.asl"
says 'which tells how to set it' '--set Mine.limit=VALUE' err
check 'a setting closes it' 0 aslc check --model "$model" --set Mine.limit=3 "$dir/mine.asl"
printf '# limits of mine\nMine.limit = 4\n' >"$dir/mine.conf"
check 'so does a .conf beside the file' 0 aslc dump --model "$model" "$dir/mine.asl"
says 'with its value' 'LOADK.* 4$' out
says 'the dump tells the metrics' 'needs calls exec_time' out
check 'a setting goes before the .conf' 0 aslc dump --set Mine.limit=5 "$dir/mine.asl"
says 'with its own value' 'LOADK.* 5$' out
printf 'Mine.limit = 4\nMine.limt = 4\n' >"$dir/mine.conf"
check 'a wrong name in a .conf is an error' 1 aslc check "$dir/mine.asl"
says 'told with its line' "mine.conf:2: error: no constant or parameter is called 'Mine.limt'; did you" err
printf 'Mine.limit 4\n' >"$dir/mine.conf"
check 'a wrong line in a .conf is an error' 1 aslc check "$dir/mine.asl"
says 'told with its place' 'mine.conf:1:1: error: a line of a .conf file is' err
rm "$dir/mine.conf"
check 'requests are one line a property' 0 aslc dump --requests --set Mine.limit=1 "$dir/mine.asl"
says 'with its class and metrics' '^Mine SeqPerf calls exec_time$' out
# shellcheck disable=SC2016
check 'a file may be standard input' 1 sh -c 'aslc check - <"$1"' sh "$dir/mine.asl"
says 'called <stdin>' '^<stdin>:2:18: error' err
printf '=== fails\n--- program\nfloat a = b;\n' >"$dir/bad.test"
check 'a file without a case is an error' 1 aslc test "$dir/mine.asl"
says 'that tells how one begins' "mine.asl: no case: one begins with a line '=== " err
check 'a directory is an error' 1 aslc test "$dir"
says 'told by its name' "$dir: Is a directory" err
printf '=== c\r\n--- program\r\nconst float X = 1;\r\n--- given\r\nr: SeqPerf\r\ncals = 3\r\nfoo\r\n' >"$dir/lines.test"
check 'lines may end with CR LF; a wrong attribute is an error' 1 aslc test "$dir/lines.test"
says 'with a proposal' "given: no attribute 'cals'; did you mean 'calls'?$" out
says 'as is what is no attribute' "given: 'foo'.*: a line is 'attribute = value' or 'name: Class'" out
printf '\357\273\277PROPERTY P(SeqPerf s) {\r\n\tCONDITION: s.cals > 1;\r\n}' >"$dir/mark.asl"
check 'a file may begin with a byte order mark and have other line ends' 1 aslc check "$dir/mark.asl"
says 'that are not shown' '^    .CONDITION: s.cals > 1;$' err
says 'nor counted' '^.*mark.asl:1:10: error: property .P. has no CONFIDENCE' err
check 'fmt leaves the mark out' 0 sh -c "aslc fmt '$dir/mark.asl' | head -c 8 | grep PROPERTY"
check 'what is read from standard input is not written in place' 2 aslc fmt -i
check 'nor if it is named' 2 aslc fmt -i -
check 'help is a command too' 0 aslc help fmt
says 'that tells of the next one' '^Usage: aslc fmt' out
check 'a failing test is an error' 1 aslc test --model "$model" "$dir/bad.test"
says 'reported in TAP' '^not ok 1 - fails' out
check 'without a model names are unknown' 1 aslc check --no-model --set Mine.limit=1 "$dir/mine.asl"
says 'that belong to it' "unknown type 'SeqPerf'" err

# --- include ---
mkdir -p "$dir/lib/sub" "$dir/props"
cp "$model" "$dir/props/model.asl"
cat >"$dir/lib/top.asl" <<'END'
include "sub/rates.asl";
include "shared.asl";
PROPERTY Top(SeqPerf s) { CONDITION: rate(s) > Limit; CONFIDENCE: 1; SEVERITY: Weight; }
END
cat >"$dir/lib/sub/rates.asl" <<'END'
include "../sub/common.asl";
float rate(SeqPerf s) = calls(s) / s.read_access;
const float Limit;
END
echo 'float calls(SeqPerf s) = s.calls; const float Weight = 1;' >"$dir/lib/sub/common.asl"
ln -s common.asl "$dir/lib/sub/alias.asl"
echo 'include "lib/sub/alias.asl"; const float Shared = 3;' >"$dir/props/shared.asl"
mkdir -p "$dir/props/lib/sub"
ln "$dir/lib/sub/common.asl" "$dir/props/lib/sub/alias.asl"
printf 'Limit = 0.5\nWeight = 7\n' >"$dir/lib/sub/rates.conf"
printf 'Weight = 9\n' >"$dir/lib/sub/common.conf"
check 'files are included from beside the file and from the properties' 0 \
	aslc dump --model "$dir/props/model.asl" "$dir/lib/top.asl"
says 'with the settings of the .conf beside them' 'constant Limit = 0.5' out
says 'of which those of the including file go before' 'LOADK.* 7$' out
printf 'Weight = 11\n' >"$dir/lib/top.conf"
check 'settings beside the file named go before both' 0 \
	aslc dump --model "$dir/props/model.asl" "$dir/lib/top.asl"
says 'with their value' 'LOADK.* 11$' out
check 'a file is read once, under whatever name' 0 aslc check --model "$dir/props/model.asl" \
	"$dir/lib/sub/alias.asl" "$dir/lib/top.asl" "$dir/lib/sub/common.asl" "$dir/lib/../lib/top.asl"
echo 'include "a.asl";' >"$dir/lib/b.asl"
echo 'include "b.asl"; include "none.asl"; include "sub"; include "/no/where.asl"; float x = ;' \
	>"$dir/lib/a.asl"
check 'a cycle of files is an error' 1 aslc check --model "$dir/props/model.asl" "$dir/lib/a.asl"
says 'told where it closes' "lib/b.asl:1:9: error: 'a.asl' includes itself: .*lib/a.asl includes .*lib/b.asl includes .*lib/a.asl" err
says 'with what is missing, and where it was looked for' "a.asl:1:26: error: cannot include 'none.asl': No such file or directory; looked in '$dir/lib', '$dir/props'" err
says 'with what is no file' "a.asl:1:46: error: cannot include 'sub': '$dir/lib/sub' is no file" err
says 'with what is named from the root' "a.asl:1:61: error: cannot include '/no/where.asl': No such file or directory$" err
says 'and with the other errors of the file' 'a.asl:1:88: error: unexpected' err
i=0
while [ $i -lt 40 ]; do
	echo "include \"$((i + 1)).asl\";" >"$dir/$i.asl"
	i=$((i + 1))
done
echo 'float end = 1;' >"$dir/40.asl"
check 'too long a chain of files is an error' 1 aslc check --no-model "$dir/0.asl"
says 'told where it is too long' '31.asl:1:9: error: more than 32 files include one another in a row' err
check 'a shorter one is none' 0 aslc check --no-model "$dir/9.asl"
printf '=== a case with a file from disk\n--- with shared.asl\n--- program\ninclude "shared.asl";\nPROPERTY P(SeqPerf s) { CONDITION: s.calls > Shared; CONFIDENCE: 1; SEVERITY: 1; }\n' >"$dir/inc.test"
check 'a test case includes files beside the model' 0 aslc test --model "$dir/props/model.asl" "$dir/inc.test"
echo "1..$n"
