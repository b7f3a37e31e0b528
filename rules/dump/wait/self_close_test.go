package wait

import (
	"strings"
	"testing"
)

func TestACountedCallbackWaitsForWhoWaitsForIt(t *testing.T) {
	const (
		asks = "1 [chan receive]: lib.(*Token).Wait main.onMessage lib.(*Router).dispatch lib.(*Client).work.func1\n"
		row  = "1 [chan send]: lib.read.func1\n1 [chan send]: lib.decode.func1\n1 [chan send]: lib.deliver.func1\n"
		rest = "1 [select]: lib.(*Client).write\n1 [IO wait]: net.(*conn).Read main.broker\n"
		want = "medium lib.(*Token).Wait"
	)
	check(t, counted, "", "close-waits-for-itself", []claim{
		{"all that reads waits for the callback", asks + row + rest, want},
		// Near misses: what a healthy program shows as well.
		{"nobody waits for the callback", asks + rest, ""},
		{"two wait, as they do for a moment", asks + "1 [chan send]: lib.read.func1\n1 [chan send]: lib.deliver.func1\n", ""},
		{"the library reads on", asks + row + "1 [IO wait]: net.(*conn).Read lib.(*Client).read\n", ""},
		{"the program waits on its own", "1 [chan receive]: lib.(*Token).Wait main.publish main.main\n" + row, ""},
	})
}

func TestManyCountedGoroutinesCloseThemselves(t *testing.T) {
	const (
		closes = " [sync.WaitGroup.Wait]: lib.(*Conn).Close lib.(*Conn).ReadAll.func1\n"
		reads  = "20 [IO wait]: net.(*conn).Read lib.(*Conn).read lib.(*Conn).ReadAll.func1\n"
		timers = "40 [select]: lib.(*Conn).timeouts\n"
		want   = "low lib.(*Conn).Close"
	)
	check(t, counted, "", "close-waits-for-itself", []claim{
		{"ten of them beside others of the type", "10" + closes + reads + timers, want},
		// Near misses: what a healthy program shows as well.
		{"two, as at any moment", "2" + closes + reads + timers, ""},
		{"they may wait for writers", "10" + closes + reads + "10 [IO wait]: net.(*conn).Write lib.(*Conn).writeAll\n", ""},
	})
}

// Main starts what ends itself, and a janitor of another package.
func TestWhoEndsItselfForAQuarterOfAnHourDoesNotWaitForASleeperOfAnotherPackage(t *testing.T) {
	const (
		long   = "7 [sync.WaitGroup.Wait, 20 minutes]: shop.(*Pool).Stop{0xc000010000} shop.store shop.(*Pool).run{0xc000010000} <shop.Main\n"
		sleeps = "9 [sleep, 20 minutes]: time.Sleep main.sweep <shop.Main\n"
		want   = "high shop.(*Pool).Stop"
	)
	check(t, listed, idleMain, "close-waits-for-itself", []claim{
		{"an hourly janitor", long + sleeps, want},
		{"its start shows as a wrapper", long + strings.Replace(sleeps, " <", " shop.Main.gowrap1 <", 1), want},
		// Near misses.
		{"a worker of the package", long + strings.Replace(sleeps, "main.sweep", "shop.sweep", 1), ""},
		{"for ten minutes", strings.Replace(long, "20", "10", 1) + strings.Replace(sleeps, "20", "10", 1), ""},
	})
}
