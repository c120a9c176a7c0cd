# SPDX-License-Identifier: BSD-3-Clause
# awk -f same.awk WANT GOT: exit status 0 when they agree.  In WANT a line "..." stands for any lines, and
# "..." inside a line for anything.
function pattern(s) {
	gsub(/[][\\.^$*+?(){}|\/]/, "\\\\&", s)
	gsub(/\\\.\\\.\\\./, ".*", s)
	return "^" s "$"
}
NR == FNR { want[++nwant] = $0; next }
{ got[++ngot] = $0 }
END {
	g = 1
	for (w = 1; w <= nwant; w++) {
		if (want[w] == "...") {
			any = 1
			continue
		}
		while (any && g <= ngot && got[g] !~ pattern(want[w]))
			g++
		if (g > ngot || got[g] !~ pattern(want[w])) {
			print "wanted: " want[w]
			print "got:    " (g > ngot ? "(nothing more)" : got[g])
			exit 1
		}
		any = 0
		g++
	}
	if (!any && g <= ngot) {
		print "got more: " got[g]
		exit 1
	}
}
