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
says 'which names it' "an argument is missing behind '--model'" err
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
	"$srcdir/properties/balance.asl" "$srcdir/properties/numa.asl"
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
check 'a failing test is an error' 1 aslc test --model "$model" "$dir/bad.test"
says 'reported in TAP' '^not ok 1 - fails' out
check 'without a model names are unknown' 1 aslc check --no-model --set Mine.limit=1 "$dir/mine.asl"
says 'that belong to it' "unknown type 'SeqPerf'" err
echo "1..$n"
