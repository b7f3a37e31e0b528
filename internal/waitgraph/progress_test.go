package waitgraph

import "testing"

// A store has two locks; its methods call each other, so that all of them work on the object of both. A transaction
// keeps what begin took until it ends.
func TestHolder_WhoIsFurtherOnInTheSameCallHasTheLock(t *testing.T) {
	const (
		queue = "1 lock c000080 6m: db.(*DB).begin(c000000) db.go:20; db.(*DB).Update(c000000) db.go:50\n" +
			"2 lock c000080 6m: db.(*DB).begin(c000000) db.go:20; db.(*DB).Update(c000000) db.go:50\n"
		// Another lock of the store, and another way into it.
		reader = "3 rlock -: db.(*DB).open(c000000) db.go:30; db.(*DB).View(c000000) db.go:60\n"
	)
	for _, test := range []struct{ name, notes, want string }{
		{"it has the transaction",
			"9 send d000 6m: app.fill(d000) app.go:12; db.(*DB).Update(c000000) db.go:55 < main.main 1\n", "9"},
		{"it has it, and waits for another lock",
			"9 pending - 6m: db.(*DB).grow(c000000) db.go:40; db.(*DB).Update(c000000) db.go:55 < main.main 1\n", "9"},
		// Near misses: it came in another way, works on another store, or has not come so far.
		{"it views", "9 send d000 6m: app.fill(d000) app.go:12; db.(*DB).View(c000000) db.go:65 < main.main 1\n", "none"},
		{"it is another store's",
			"9 send d000 6m: app.fill(d000) app.go:12; db.(*DB).Update(c010000) db.go:55 < main.main 1\n", "none"},
		{"it waits before that line",
			"9 pending - 6m: db.(*DB).grow(c000000) db.go:40; db.(*DB).Update(c000000) db.go:45 < main.main 1\n", "none"},
	} {
		d := dumpOf(t, queue+reader+test.notes)
		s := solverOf(d)
		s.collect()
		got := "none"
		for i := range s.objects {
			if s.objects[i].Addr != 0xc000080 {
				continue
			}
			if all := s.candidates(s.lockCallsOf(i)); len(all) > 0 && all[0].Passed && !all[0].Doubt {
				got = idOf(d, all[0].Ref)
			}
		}
		if got != test.want {
			t.Errorf("%s: passed by %s, want %s", test.name, got, test.want)
		}
	}
}

func TestBlockage_AQueueBehindTheTransactionThatWaitsIsItsVictim(t *testing.T) {
	d := dumpOf(t, "1 lock c000080 6m: db.(*DB).begin(c000000) db.go:20; db.(*DB).Update(c000000) db.go:50\n"+
		"2 lock c000080 6m: db.(*DB).begin(c000000) db.go:20; db.(*DB).Update(c000000) db.go:50\n"+
		"3 pending - 6m: db.(*DB).grow(c000000) db.go:40; db.(*DB).Update(c000000) db.go:55\n"+
		"4 rlock - 6m: db.(*DB).open(c000000) db.go:30; db.(*DB).View(c000000) db.go:60\n"+
		"9 send d000 6m: app.export(d000) app.go:12; db.(*DB).View(c000000) db.go:65 < main.main 1\n")
	s := solverOf(d)
	s.collect()
	s.solve()
	if len(s.blockages) != 1 {
		t.Fatalf("%d blockages, want one", len(s.blockages))
	}
	b := s.blockages[0]
	if got := idOf(d, b.Links[0].Holder.Ref); got != "9" || b.Kind != HeldInChannel || b.Waiters != 4 || b.Victims != 2 ||
		len(b.Behind) != 1 || idOf(d, b.Behind[0].Holder.Ref) != "3" {
		t.Errorf("%s of goroutine %s, %d waiters, %d victims behind %d locks", b.Kind, got, b.Waiters, b.Victims, len(b.Behind))
	}
}
