package waitgraph

import "testing"

// A store's writer waits for the readers to leave, in methods of the store that call each other; a reader has called
// the program back and hangs there.
func TestBlockage_WhoCalledOutHoldsTheLockRatherThanAWaitersOwnOuterCall(t *testing.T) {
	const (
		writer  = "1 pending - 6m: db.(*DB).remap(c000000) db.go:40; db.(*DB).grow(c000000) db.go:30\n"
		queue   = "2 lock c000080 6m: db.(*DB).begin(c000000) db.go:20\n3 lock c000080 6m: db.(*DB).begin(c000000) db.go:20\n"
		reader  = "9 send d000 6m: app.(*store).export(d000) app.go:12; db.(*DB).View(...) db.go:60 < main.main 1\n"
		another = "10 send d100 6m: app.(*store).count(d000) app.go:52; db.(*DB).Each(...) db.go:70 < main.main 1\n"
	)
	for _, test := range []struct {
		name, notes, holder string
		either              bool
	}{
		{"it has called the program back", writer + queue + reader, "9", true},
		// Near misses: the outer call is what is left, or nothing is in doubt.
		{"nobody has", writer + queue, "1", false},
		{"two have", writer + queue + reader + another, "1", false},
		{"it came later", writer + queue + "9 send d000 1m: app.(*store).export(d000) app.go:12; db.(*DB).View(...) db.go:60 < main.main 1\n",
			"1", false},
		{"it waits in the store's own code", writer + queue + "9 send d000 6m: db.(*DB).View(...) db.go:60 < main.main 1\n", "1", false},
		{"the store has one lock", writer + reader, "9", false},
	} {
		d := dumpOf(t, test.notes)
		s := solverOf(d)
		s.collect()
		s.solve()
		found := false
		for _, b := range s.blockages {
			if b.Links[0].Object.Kind != RWMutex {
				continue
			}
			found = true
			if got := idOf(d, b.Links[0].Holder.Ref); got != test.holder || b.Either != test.either {
				t.Errorf("%s: %s, either %v; want %s, %v", test.name, got, b.Either, test.holder, test.either)
			}
		}
		if !found {
			t.Errorf("%s: no blockage", test.name)
		}
	}
}

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
