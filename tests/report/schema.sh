#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The JSON form is as its schema says, and the schema would notice if it were not.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
PATH=$builddir:$PATH
python=
for p in python3 /usr/bin/python3; do
	"$p" -c 'import jsonschema.validators as v; v.Draft202012Validator' 2>/dev/null && { python=$p; break; }
done
[ -n "$python" ] || { echo "1..0 # SKIP python3-jsonschema is not installed"; exit 0; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
psc_report --schema >"$work/schema" && psc_report --json "$srcdir/tests/report/lu.psc" >"$work/json" || exit 99
exec "$python" -W ignore - "$work/schema" "$work/json" <<'E2'
import copy, json, sys
from jsonschema import Draft202012Validator as Validator

schema, report = (json.load(open(name)) for name in sys.argv[1:])
cases = [("the schema is one", lambda: Validator.check_schema(schema) is None),
	("a report is as it says", lambda: not list(Validator(schema).iter_errors(report))),
	("the report has findings", lambda: bool(report["findings"]))]

def wrong(name, change):
	def differs():
		other = copy.deepcopy(report)
		change(other)
		return bool(list(Validator(schema).iter_errors(other)))
	cases.append((name, differs))

wrong("a field too many is noticed", lambda r: r["findings"][0].update(nonsense=1))
wrong("a field that is missing is noticed", lambda r: r["phase"].pop("cpu_time"))
wrong("text for a number is noticed", lambda r: r["findings"][0].update(severity="much"))
wrong("another format is noticed", lambda r: r.update(format="periscope-c report 0"))
print("1..%d" % len(cases))
for n, (name, case) in enumerate(cases, 1):
	print("%s %d - %s" % ("ok" if case() else "not ok", n, name))
E2
