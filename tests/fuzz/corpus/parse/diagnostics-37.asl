class A extends RegionType { Region float; setof int x; Regio y; Region z[]; };
