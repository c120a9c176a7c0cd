class Elem { int n; setof Elem subs; };
float apply(float F(setof Elem), setof Elem s, int k) = F({ x IN s WITH x.n > k });
float many(setof Elem s) = COUNT(x WHERE x IN s);
float again(setof Elem t) = apply(many, { y IN t WITH y.n < 9 }, 2);
setof Elem above(setof Elem s, int k) = { x IN s WITH x.n > k };
PROPERTY P(Elem e) { CONDITION: apply(again, e.subs, 0) == 2; CONFIDENCE: 1; SEVERITY: apply(again, e.subs, 0); }
PROPERTY Q(Elem e) { CONDITION: true; CONFIDENCE: 1; SEVERITY: SUM(x.n WHERE x IN above(above(above(e.subs, 2), 0), 1)); }
PROPERTY R(Elem e) {
	CONDITION: true; CONFIDENCE: 1;
	SEVERITY: SUM(COUNT(z WHERE z IN above({ y IN e.subs WITH y.n < x.n AND EXISTS(x IN 3 WITH x == y.n) }, 0)) WHERE x IN e.subs);
}
