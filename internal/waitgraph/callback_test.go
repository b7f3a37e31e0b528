package waitgraph

import (
	"strings"
	"testing"
)

// A callback that wants the lock of the code that called it: what its link says.
func TestBlockage_ACallbackWantsItsCallersLock(t *testing.T) {
	const (
		rest  = "; main.clean() main.go:50\n"
		purge = "7 lock c000018: m.(*store).del(c000000) a.go:12; main.purge() main.go:30; m.(*store).each(c000000) a.go:40" + rest
		timer = "7 lock c000000: m.(*timer).stop(c000200) t.go:12; main.fired() main.go:30; m.(*mock).add(c000000) t.go:40" + rest
	)
	for _, test := range []struct{ name, notes, want string }{
		{"the same object", purge, "itself/object main.purge"},
		{"another type, by the lock's own address", timer, "itself/object main.fired"},
		{"a lock with methods of its own", "7 lock c000018: m.(*wrap).Lock(c000018) w.go:3; m.(*log).fire(c000900?) a.go:12; main.hook() main.go:30; m.(*log).fire(c000900?) a.go:14" + rest,
			"itself/object main.hook"},
		{"no callback", "7 lock c000018: m.(*store).del(c000000) a.go:12; m.(*store).each(c000000) a.go:40" + rest, "itself/object"},
		{"an upgrade without an address, and a writer behind it", "7 pending -: m.(*store).del(c000000) a.go:12; main.purge() main.go:30; m.(*store).each(c000900?) a.go:40" + rest +
			"9 queued c000000: m.(*store).add(c000000) a.go:22; main.serve() main.go:60\n", "itself/type main.purge"},
		// Near misses.
		{"the lock's address in another package", "7 lock c000000: m.(*timer).stop(c000200) t.go:12; main.fired() main.go:30; main.(*mock).add(c000000) t.go:40" + rest, "nobody"},
		{"the lock's address, but nobody called back", "7 lock c000000: m.(*timer).stop(c000200) t.go:12; m.(*mock).add(c000000) t.go:40" + rest, "nobody"},
		{"somebody sleeps under the lock", "7 lock c000018: m.(*store).log(c000000) a.go:12; main.hook() main.go:30; m.(*store).log(c000000) a.go:14" + rest +
			"9 sleep: m.(*store).put(c000000) a.go:60; x.run() x.go:1\n", "itself/sure main.hook rival beside"},
		{"a caller's package sleeps, maybe with the lock", purge + "9 sleep: main.hold() main.go:70; x.run() x.go:1\n", "itself/object main.purge beside"},
	} {
		_, g := build(t, test.notes)
		if len(g.Blockages) != 1 {
			t.Errorf("%s: %d blockages", test.name, len(g.Blockages))
			continue
		}
		b := &g.Blockages[0]
		l := &b.Links[0]
		got := "nobody"
		if l.Holder.Strength > 0 {
			got = "itself/" + strengthName(l.Holder.Strength)
		}
		if l.Callback > 0 {
			got += " " + funcOf(t, test.notes, l.Waiter.Bucket, l.Callback)
		}
		if b.Rival {
			got += " rival"
		}
		if b.Beside {
			got += " beside"
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// funcOf is the function of one frame of a dump in notes.
func funcOf(t *testing.T, notes string, bucket, frame int) string {
	t.Helper()
	return dumpOf(t, notes).Buckets[bucket].Frames[frame].Func
}

// Who started the holder waits for its lock, and nothing else that could bring what the holder waits for goes on.
func TestBlockage_WhoStartedTheHolderWaitsForIt(t *testing.T) {
	const (
		waits = "3 lock c000018: m.(*table).set(c000000) a.go:47; main.follow() main.go:65 < main.main 1\n"
		sends = "7 send d000: m.(*table).each.func1(c000000) a.go:61 < m.(*table).each "
	)
	for _, test := range []struct {
		name, notes string
		want        bool
	}{
		{"its iterator sends", waits + sends + "3\n", true},
		{"several iterators", waits + sends + "3\n" + strings.Replace(sends, "7", "8", 1) + "3\n", true},
		// Near misses.
		{"somebody else started it", waits + sends + "2\n", false},
		{"another child may receive", waits + sends + "3\n9 select: main.print() main.go:80 < main.follow 3\n", false},
		{"another child works", waits + sends + "3\n9 run: main.print() main.go:80 < main.follow 3\n", false},
		{"the iterator has a helper that works", waits + sends + "3\n9 io d100: m.load() l.go:3 < m.(*table).each.func1 7\n", false},
	} {
		_, g := build(t, test.notes)
		if len(g.Blockages) != 1 || g.Blockages[0].Started != test.want {
			t.Errorf("%s: %+v", test.name, g.Blockages)
		}
	}
}
