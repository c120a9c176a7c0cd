class Elem { int n; setof Elem subs; };
setof Elem above(setof Elem s, int least) = { x IN s WITH x.n >= least };
int total(setof Elem s) = SUM(x.n WHERE x IN s);
PROPERTY P(Elem e) {
	LET
		setof Elem all = e.subs;
		setof Elem high = above(all, 2);
	IN
	CONDITION: total(high) == 5; CONFIDENCE: 1; SEVERITY: total(above(above(all, 1), 3)) + total(all);
}
