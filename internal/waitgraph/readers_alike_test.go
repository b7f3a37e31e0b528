package waitgraph

import "testing"

// A lock for which only readers wait has a writer: of readers with one stack each would have to be that one.
func TestHolder_OfReadersThatWaitAlikeNoneHasTheLockAlone(t *testing.T) {
	const outer = ": m.(*T).get(c000000) a.go:21; m.(*T).serve(c000000) a.go:9 < main.main 1\n"
	for _, test := range []struct {
		name, notes string
		want        Strength
	}{
		{"several readers", "7 rlock -" + outer + "8 rlock -" + outer, StrengthType},
		{"one reader", "7 rlock -" + outer, StrengthObject},
		{"a writer waits too", "7 rlock -" + outer + "8 rlock -" + outer + "9 pending -: m.(*T).put(c000000) a.go:31\n",
			StrengthObject},
	} {
		s := solverOf(dumpOf(t, test.notes))
		s.collect()
		if got := s.self(s.lockCallsOf(0)).Strength; got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
