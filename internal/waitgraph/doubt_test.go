package waitgraph

import "testing"

// namedHolder returns the id of the goroutine that the dump's first blockage names as holder; "" where it names none.
func namedHolder(t *testing.T, notes string) string {
	t.Helper()
	d := dumpOf(t, notes)
	s := solverOf(d)
	s.collect()
	s.solve()
	for _, b := range s.blockages {
		for _, l := range b.Links {
			if h := l.Holder; h.Strength >= MinHolder && !h.Doubt {
				return idOf(d, h.Ref)
			}
		}
	}
	return ""
}

func TestDoubt_NamesNobodyWhereTheEvidenceIsAsGoodForAnotherLock(t *testing.T) {
	const (
		mutex   = "7 lock c000000: m.(*T).lockWaiter(...) a.go:21 < main.main 1\n"
		rwmutex = "8 rlock c000008: m.(*T).rlockWaiter(...) a.go:22 < main.main 1\n"
		holder  = "9 send d000: m.(*T).hold(...) a.go:19; x.run() x.go:9 < main.main 1\n"
		words   = "7 lock c000000: m.(*T).lockWaiter(c000000) a.go:21\n"
	)
	tests := []struct{ name, notes, want string }{
		{"a Mutex and a RWMutex of one type", mutex + rwmutex + holder, ""},
		{"two Mutexes of one type", words + "8 lock c000040: m.(*T).other(c000000) a.go:22\n" +
			"9 send d000: m.(*T).hold(c000000) b.go:19; x.run() x.go:9\n", ""},
		// Near misses.
		{"one lock", mutex + holder, "9"},
		{"the other lock is of another type", mutex + "8 rlock c000008: m.(*U).rlockWaiter(...) a.go:22\n" + holder, "9"},
		{"it is in the function that takes the lock", mutex + rwmutex +
			"9 send d000: m.(*T).lockWaiter(...) a.go:24; x.run() x.go:9 < main.main 1\n", "9"},
		{"the same field of two objects", words + "8 lock e000000: m.(*T).lockWaiter(e000000) a.go:21\n" +
			"9 send d000: m.(*T).hold(c000000) b.go:19; x.run() x.go:9\n", "9"},
	}
	for _, test := range tests {
		if got := namedHolder(t, test.notes); got != test.want {
			t.Errorf("%s: %q, want %q\n%s", test.name, got, test.want, test.notes)
		}
	}
}

func TestDoubt_OneOfSeveralWithOneStackIsNotNamed(t *testing.T) {
	const waiter = "7 lock c000018: m.(*store).get(...) a.go:12 < main.main 1\n"
	tests := []struct{ name, notes, want string }{
		{"each would hold it", waiter + "9 send d000: m.(*store).put(...) b.go:40; x.run() x.go:9 < main.main 1\n" +
			"10 send d100: m.(*store).put(...) b.go:40; x.run() x.go:9 < main.main 1\n", ""},
		// Near misses.
		{"one", waiter + "9 send d000: m.(*store).put(...) b.go:40; x.run() x.go:9 < main.main 1\n", "9"},
		{"of other objects", "7 lock c000018: m.(*store).get(c000000) a.go:12\n" +
			"9 send d000: m.(*store).put(c000000) b.go:40; x.run() x.go:9\n" +
			"10 send d100: m.(*store).put(e000000) b.go:40; x.run() x.go:9\n", "9"},
		{"readers may be many", "7 pending c000018: m.(*store).get(...) a.go:12 < main.main 1\n" +
			"9 send d000: m.(*store).put(...) b.go:40; x.run() x.go:9 < main.main 1\n" +
			"10 send d100: m.(*store).put(...) b.go:40; x.run() x.go:9 < main.main 1\n", "9"},
	}
	for _, test := range tests {
		if got := namedHolder(t, test.notes); got != test.want {
			t.Errorf("%s: %q, want %q\n%s", test.name, got, test.want, test.notes)
		}
	}
}

func TestDoubt_WhoSharesOnlyAFileOrWaitsInACondIsNotNamed(t *testing.T) {
	const waiter = "7 lock c000018: m.(*store).get(c000000) a.go:12 < main.main 1\n"
	tests := []struct{ name, notes, want string }{
		{"a file", waiter + "9 waitgroup d000: m.await(...) a.go:40; x.run() x.go:9 < main.main 1\n", ""},
		{"its own call waits in a Cond, which gives its lock up",
			waiter + "9 cond d000: m.(*store).pop(c000000) b.go:40; x.run() x.go:9 < main.main 1\n", ""},
		{"a closure of one line", waiter + "9 send d000: m.(*store).get.func1() main.go:99 < m.(*store).get 7\n", ""},
		// A near miss: who called the one that waits in a Cond may hold another lock.
		{"an outer call", waiter + "9 cond d000: m.(*buffer).take(...) c.go:40; m.(*store).put(c000000) b.go:9\n", "9"},
	}
	for _, test := range tests {
		if got := namedHolder(t, test.notes); got != test.want {
			t.Errorf("%s: %q, want %q\n%s", test.name, got, test.want, test.notes)
		}
	}
}
