# SPDX-License-Identifier: BSD-3-Clause
# TAP, for the tests that are scripts.  Sourced.  What a check prints goes to $tap_out, which is relative to where the
# check runs; a failed check shows the first 40 lines of it.
n=0
tap_out=check.out

plan() { echo "1..$1"; }
ok() { n=$((n + 1)); echo "ok $n - $1"; }
# not_ok NAME [FILE...]: the files, where they exist, say why
not_ok() {
	n=$((n + 1))
	echo "not ok $n - $1"
	shift
	for f in "$@"; do [ ! -f "$f" ] || sed 's/^/# /' "$f" | head -n 40; done
}
# skip NAME REASON
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
skip_all() { echo "1..0 # SKIP $1"; exit 0; }

# check NAME COMMAND...: ok when the command succeeds
check() {
	name=$1
	shift
	if "$@" >"$tap_out" 2>&1; then ok "$name"; else not_ok "$name" "$tap_out"; fi
}
# exits CODE COMMAND...
exits() {
	code=$1
	shift
	"$@"
	test $? -eq "$code"
}
# says TEXT COMMAND...: is the text in what the command prints?
says() {
	text=$1
	shift
	said=$("$@" 2>&1)
	printf '%s\n' "$said"
	case $said in *"$text"*) ;; *) return 1 ;; esac
}
