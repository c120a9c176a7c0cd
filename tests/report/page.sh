#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The HTML page in a browser: page.mjs drives chromium.  Skipped where node, chromium or the modules are missing.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-.}
modules=${PSC_NODE_MODULES:-$builddir/node_modules}

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

command -v node >/dev/null || skip "node is not installed"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
	skip "no chromium is installed"
for module in puppeteer-core axe-core; do
	[ -d "$modules/$module" ] || skip "$module is not in $modules (npm install --prefix ${modules%/node_modules} $module)"
done

tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-page.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT

# psc FINDINGS REGIONS
psc() {
	awk -v findings="$1" -v regions="$2" -v dir="$tmp" -f "$srcdir/tests/report/page_report.awk"
}

printf 'double a[99], table[99];\nint main(void) {\n\tfor (int j = 0; j < 9; j++)\n\t\tfor (int i = 0; i < 9; i++)\n\t\t\ttable[i] += a[i]; /* </pre><script>window.hacked=1</script> */\n}\n' >"$tmp/loop.c"
touch -d 2019-01-01 "$tmp/loop.c"
psc 20 31 >"$tmp/small.psc"
psc 5000 2000 >"$tmp/big.psc"
for page in small big; do
	"$builddir/psc_report" --html "$tmp/$page.psc" "$tmp/$page.html" || exit 99
done
"$builddir/psc_report" --html --no-source "$tmp/small.psc" "$tmp/bare.html" || exit 99
node "$srcdir/tests/report/page.mjs" "$modules" "$browser" "$tmp"
