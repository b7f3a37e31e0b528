package waitgraph

import (
	"fmt"
	"strings"
	"testing"
)

// holdersText prints the candidates of the dump's lock with the most waiters: id, strength and the function that speaks
// for it.
func holdersText(t *testing.T, notes string, idle ...string) string {
	t.Helper()
	d := dumpOf(t, notes)
	s := solverOf(d, idle...)
	s.collect()
	var all []string
	for _, h := range s.candidates(s.lockCallsOf(0)) {
		fn := ""
		if h.Frame >= 0 {
			fn = " " + d.Buckets[h.Bucket].Frames[h.Frame].Func
		}
		all = append(all, fmt.Sprintf("%s/%s%s", idOf(d, h.Ref), strengthName(h.Strength), fn))
	}
	return strings.Join(all, ", ")
}

func TestHolder_Strength(t *testing.T) {
	const (
		waiters  = "7 lock c000018: m.(*store).get(c000000) a.go:12 < main.main 1\n8 lock c000018: m.(*store).get(c000000) a.go:12 < main.main 1\n"
		wordless = "7 lock c000018: m.(*store).get(...) a.go:12 < main.main 1\n8 lock c000018: m.(*store).get(...) a.go:12 < main.main 1\n"
		nameless = "7 rlock -: m.(*store).get(...) a.go:12 < main.main 1\n8 rlock -: m.(*store).get(...) a.go:12 < main.main 1\n"
		rest     = "; m.serve() s.go:1; x.run() s.go:9"
	)
	tests := []struct{ name, notes, want string }{
		// 4: the very object, or the lock's own address.
		{"a method of the same object", waiters + "9 send d000: m.(*store).put(c000000) b.go:40" + rest, "9/sure m.(*store).put"},
		{"the lock's address", wordless + "9 send d000: x.lockAll(c000018) z.go:40" + rest, "9/family x.lockAll"},
		{"an outer call", waiters + "9 send d000: x.notify() x.go:1; m.(*store).put(c000000) b.go:40" + rest, "9/sure m.(*store).put"},
		// 3: the object in other code, the function that takes the lock, or the type and the family.
		{"the object, in other code", waiters + "9 send d000: x.lockAll(c000000) z.go:40" + rest, "9/object x.lockAll"},
		{"the function that takes it", wordless + "9 send d000: m.(*store).get(...) a.go:14" + rest, "9/object m.(*store).get"},
		{"a method of the type, and of the family", wordless + "9 send d000: m.(*store).put(...) b.go:40" + rest + " < main.main 1", "9/object m.(*store).put"},
		{"its child", nameless + "9 send d000: m.(*store).put(...) b.go:40" + rest + " < m.f 7", "9/object m.(*store).put"},
		// 2: the type, or the file and the family.
		{"a method of the type", wordless + "9 send d000: m.(*store).put(...) b.go:40" + rest, "9/type m.(*store).put"},
		{"no addresses at all", nameless + "9 send d000: m.(*store).put(...) b.go:40" + rest, "9/type m.(*store).put"},
		{"a word that may be stale", waiters + "9 send d000: m.(*store).put(c000000?) b.go:40" + rest, "9/type m.(*store).put"},
		{"the file, and of the family", wordless + "9 send d000: m.put(...) a.go:40" + rest + " < main.main 1", "9/family m.put"},
		// 1: no candidate.
		{"the file", wordless + "9 send d000: m.put(...) a.go:40" + rest, "9/file m.put"},
		// 0: nothing in common, or another object.
		{"the package", wordless + "9 send d000: m.put(...) b.go:40" + rest, ""},
		{"another type", waiters + "9 send d000: m.(*cache).put(c000008) b.go:40" + rest, ""},
		{"another object of the type", waiters + "9 send d000: m.(*store).put(c800000) b.go:40" + rest, ""},
		{"a neighbour of the object", waiters + "9 send d000: m.(*store).put(c000010) b.go:40" + rest, ""},
		{"an object that ends before the lock", waiters + "9 send d000: m.(*store).put(bff0000) b.go:40" + rest, ""},
		{"who waits for the lock too", waiters + "9 lock c000018: m.(*store).put(c000000) b.go:40" + rest, ""},
	}
	for _, test := range tests {
		if got := holdersText(t, test.notes); got != test.want {
			t.Errorf("%s: %q, want %q\n%s", test.name, got, test.want, test.notes)
		}
	}
}

func TestHolder_TheGoroutineOfABucketThatWorksOnTheObjectIsTaken(t *testing.T) {
	// Four goroutines of one stack, of which one has the receiver.
	notes := "7 lock c000018: m.(*store).get(c000000) a.go:12\n"
	for i, recv := range []string{"c800000", "c700000", "c000000", "c900000"} {
		notes += fmt.Sprintf("%d send d00%d: m.(*store).put(%s) b.go:40; m.serve() s.go:1; m.run() s.go:9\n", 20+i, i, recv)
	}
	if got, want := holdersText(t, notes), "22/sure m.(*store).put"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHolder_TheGoroutineOfTheFamilyIsTakenWhereNoWordTells(t *testing.T) {
	notes := "7 rlock -: m.(*store).get(...) a.go:12 < main.main 5\n"
	for i, parent := range []int{3, 4, 5, 6} {
		notes += fmt.Sprintf("%d send d00%d: m.(*store).put(...) b.go:40; m.serve() s.go:1 < main.main %d\n", 20+i, i, parent)
	}
	if got, want := holdersText(t, notes), "22/object m.(*store).put"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHolder_LoopsHoldNothingWhileTheyWaitForTheirNextWork(t *testing.T) {
	const waiter = "7 lock c000018: m.(*store).get(c000000) a.go:12\n"
	tests := []struct{ name, notes, want string }{
		{"a loop in a select", waiter + "9 select: m.(*store).loop(c000000) b.go:40", ""},
		{"a loop in a receive", waiter + "9 receive d000: m.(*store).loop(c000000) b.go:40", ""},
		{"a loop in a Cond, less", waiter + "9 cond d000: m.(*store).loop(c000000) b.go:40", "9/object m.(*store).loop"},
		// Near misses.
		{"it sends", waiter + "9 send d000: m.(*store).loop(c000000) b.go:40", "9/sure m.(*store).loop"},
		{"it was called from elsewhere", waiter + "9 select: m.(*store).wait(c000000) b.go:40; m.serve() s.go:1", "9/sure m.(*store).wait"},
		{"an outer method may hold it", waiter + "9 receive d000: m.(*store).wait(c000000) b.go:40; m.(*store).flush(c000000) b.go:9", "9/sure m.(*store).flush"},
		{"it takes the lock, as others do that wait", waiter + "9 receive d000: m.(*store).get(c000000) a.go:14; m.(*store).ping(...) a.go:9", "9/object m.(*store).get"},
		{"it waits in what it called", waiter + "9 select: x.wait() x.go:1; m.(*store).loop(c000000) b.go:40", "9/sure m.(*store).loop"},
	}
	for _, test := range tests {
		if got := holdersText(t, test.notes); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	notes := waiter + "9 select: m.(*store).wait(c000000) b.go:40; m.serve() s.go:1"
	if got, want := holdersText(t, notes, "m.serve"), ""; got != want {
		t.Errorf("where it may wait for ever: %q, want %q", got, want)
	}
}

func TestHolder_WhoSleepsInItsOwnLoopHoldsNothingByItsTypeAlone(t *testing.T) {
	const waiter = "7 lock c000018: m.(*store).get(...) a.go:12 < main.main 1\n"
	tests := []struct{ name, notes, want string }{
		{"a loop that sleeps", waiter + "9 sleep: m.(*store).loop(...) b.go:40 < main.main 1", "9/file m.(*store).loop"},
		{"behind what the go statement became", waiter + "9 sleep: m.(*store).loop(...) b.go:40; main.main.gowrap1() m.go:9 < main.main 1", "9/file m.(*store).loop"},
		// Near misses.
		{"it was called", waiter + "9 sleep: m.(*store).flush(...) b.go:40; m.serve() s.go:1; m.run() s.go:9 < main.main 1", "9/object m.(*store).flush"},
		{"another method called it", waiter + "9 sleep: m.(*store).pause(...) b.go:40; m.(*store).flush(...) b.go:30; m.run() s.go:9 < main.main 1", "9/object m.(*store).pause"},
		{"its receiver is the lock's object", "7 lock c000018: m.(*store).get(c000000) a.go:12\n9 sleep: m.(*store).loop(c000000) b.go:40", "9/type m.(*store).loop"},
		{"its loop's receiver is", "7 lock c000018: m.(*store).get(c000000) a.go:12\n9 io d000: m.(*store).next(...) b.go:40; m.(*store).loop(c000000) b.go:40", "9/type m.(*store).loop"},
		{"it waits until it can write", waiter + "9 io d000: internal/poll.(*pollDesc).waitWrite(...) fd.go:93; m.(*store).loop(...) b.go:40 < main.main 1", "9/object m.(*store).loop"},
		{"it takes the lock itself", "7 lock c000018: m.(*store).get(c000000) a.go:12\n9 sleep: m.(*store).nap(c000000) b.go:40; m.(*store).get(c000000) a.go:14", "9/sure m.(*store).get"},
	}
	for _, test := range tests {
		if got := holdersText(t, test.notes); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestHolder_WhoWaitsForAnotherLockInItsOwnCallIsNoStrongerForItsFamily(t *testing.T) {
	const waiter = "7 lock c000018: m.(*bank).book(...) a.go:12; m.(*bank).move(...) a.go:22 < main.main 1\n"
	tests := []struct{ name, notes, want string }{
		{"it waits in the first call of the type", waiter + "9 lock d000018: m.(*bank).move(...) a.go:20 < main.main 1", "9/type m.(*bank).move"},
		// A near miss: it is past a call that may have taken the lock.
		{"it waits further on", waiter + "9 send d000: m.(*bank).move(...) a.go:24 < main.main 1", "9/object m.(*bank).move"},
	}
	for _, test := range tests {
		if got := holdersText(t, test.notes); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestHolder_OneOfTwoTwinsHoldsTheOthersLock(t *testing.T) {
	twins := "7 rlock a018: m.move(...) a.go:12 < main.main 1\n8 rlock b018: m.move(...) a.go:12 < main.main 1\n"
	tests := []struct{ name, notes, want string }{
		{"two", twins, "8/type m.move"},
		{"three", twins + "9 rlock c018: m.move(...) a.go:12 < main.main 1", ""},
		{"of another parent", strings.Replace(twins, "main.main 1\n8", "main.main 2\n8", 1), ""},
		{"on another line", strings.Replace(twins, "a.go:12 < main.main 1\n8", "a.go:13 < main.main 1\n8", 1), ""},
		{"another kind of lock", strings.Replace(twins, "7 rlock", "7 lock", 1), ""},
	}
	for _, test := range tests {
		if got := holdersText(t, test.notes); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestHolder_OfManyTheStrongestComesFirst(t *testing.T) {
	notes := "7 lock c000018: m.(*store).get(c000000) a.go:12\n" +
		"9 send d000: m.put() a.go:40; m.serve() s.go:1\n" +
		"10 send d100: m.(*store).put(...) b.go:40; m.serve() s.go:1\n" +
		"11 send d200: x.sum(c000000) x.go:40; m.serve() s.go:1\n" +
		"12 send d300: m.(*store).each(c000000) b.go:50; m.serve() s.go:1\n"
	if got, want := holdersText(t, notes), "12/sure m.(*store).each, 11/object x.sum, 10/type m.(*store).put, 9/file m.put"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
