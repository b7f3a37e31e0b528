package wait

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
)

// What goroutines of a program that runs child processes do.
const (
	waitsChild = "internal/syscall/unix.Waitid{0xc000050f50} os.(*Process).pidfdWait{0xc000060100} " +
		"os.(*Process).Wait{...} os/exec.(*Cmd).Wait{0xc000070000} os/exec.(*Cmd).Run{0xc000070000} "
	locks    = "internal/sync.(*Mutex).lockSlow{0xc000010008} internal/sync.(*Mutex).Lock{...} sync.(*Mutex).Lock{...} "
	deploys  = "7 [syscall, 5 minutes]: " + waitsChild + "shop.(*Desk).Deploy{0xc000010000}\n"
	released = "7 [syscall, 5 minutes]: " + waitsChild + "shop.Release{0xc000010000}\n"
	sidecar  = "6 [syscall, 5 minutes]: " + waitsChild + "lib.(*Sidecar).Supervise{0xc000090000}\n"
)

// lockedOut is n goroutines that wait for the lock at 0xc000010008 in calls.
func lockedOut(n int, calls string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d [sync.Mutex.Lock, 5 minutes]: %s%s\n", 100+i, locks, calls)
	}
	return b.String()
}

// What the labels say was written before the rule looked at child processes.
func TestALockThatIsHeldOverAChildProcessIsAnAlarmWhereManyWait(t *testing.T) {
	const (
		deploy  = "shop.(*Desk).Deploy{0xc000010000}"
		acquire = "shop.(*Gate).acquire{0xc000010000} shop.Release{0xc000010000}"
		add     = "shop.(*Desk).Add{0xc000010000}"
	)
	young := strings.NewReplacer(", 5 minutes", "")
	for _, c := range []struct{ name, notes, rule, want string }{
		{"two wait", deploys + lockedOut(2, deploy), "lock-convoy", "low shop.(*Desk).Deploy"},
		{"in another method", deploys + lockedOut(2, "shop.(*Desk).Status{0xc000010000}"), "lock-convoy", "low shop.(*Desk).Deploy"},
		{"twelve", deploys + lockedOut(12, deploy), "lock-convoy", "medium shop.(*Desk).Deploy"},
		{"a hundred and twenty", deploys + lockedOut(120, deploy), "lock-convoy", "medium shop.(*Desk).Deploy"},
		{"a helper takes the lock", released + lockedOut(3, acquire), "lock-convoy", "low shop.Release"},
		{"two for a moment", young.Replace(deploys + lockedOut(2, deploy)), "lock-convoy", ""},
		// Near misses: what is slow is no child process, or not the holder's.
		{"the holder sleeps", "7 [sleep, 5 minutes]: time.Sleep{0x1} " + deploy + "\n" + lockedOut(120, deploy), "lock-convoy",
			"medium shop.(*Desk).Deploy"},
		{"a child of another package", whole + sidecar + lockedOut(3, add), "double-lock", "likely shop.(*Desk).Add"},
		{"a helper's lock, a child of another package", whole + sidecar + lockedOut(3, acquire), "double-lock",
			"likely shop.(*Gate).acquire"},
		{"the child has ended", "7 [chan receive, 5 minutes]: os/exec.(*Cmd).awaitGoroutines{0xc000070000} " +
			"os/exec.(*Cmd).Wait{0xc000070000} " + deploy + "\n" + lockedOut(2, deploy), "child-process-hangs",
			"medium shop.(*Desk).Deploy"},
	} {
		if got := judged(listed(t, c.notes), c.rule); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// supervised is a dump in which a holder waits for a goroutine that waits for a child process.
func supervised(starter, creator string) *rules.DumpInput {
	text := "goroutine 7 [select, 5 minutes]:\nexample.com/shop.(*Desk).Follow(0xc000010000)\n\t/src/shop/shop/shop.go:20 +0x20\n" +
		"example.com/shop.serve(0x1)\n\t/src/shop/shop/shop.go:50 +0x20\n" +
		"created by main.main in goroutine 1\n\t/src/shop/main.go:5 +0x20\n\n" +
		"goroutine 9 [syscall, 5 minutes]:\nos.(*Process).Wait(...)\n\t/usr/local/go/src/os/exec.go:346\n" +
		"os/exec.(*Cmd).Wait(0xc000070000)\n\t/usr/local/go/src/os/exec/exec.go:930 +0x45\n" + starter +
		".func1()\n\t/src/shop/shop/shop.go:31 +0x20\ncreated by " + starter + " in goroutine " + creator +
		"\n\t/src/shop/shop/shop.go:30 +0x20\n\n" + crowdOf(3, "sync.Mutex.Lock, 5 minutes",
		"internal/sync.(*Mutex).lockSlow(0xc000010008)\n\t/usr/local/go/src/internal/sync/mutex.go:149 +0x140\n"+
			"sync.(*Mutex).Lock(...)\n\t/usr/local/go/src/sync/mutex.go:46\n"+
			"example.com/shop.(*Desk).Line(0xc000010000)\n\t/src/shop/shop/shop.go:60 +0x20\n"+
			"created by main.main in goroutine 1\n\t/src/shop/main.go:6 +0x20\n")
	return ready(dumptest.ParseDumps([]byte(text))[0])
}

func TestAHolderThatWaitsForTheGoroutineOfAChildProcessIsAtWorkOutside(t *testing.T) {
	for _, c := range []struct{ name, starter, creator, rule, want string }{
		{"started with the lock", "example.com/shop.(*Desk).Follow", "7", "lock-convoy", "low shop.(*Desk).Follow.func1"},
		// Near misses: nothing shows that the holder waits for the child.
		{"started by another goroutine", "example.com/shop.(*Desk).Follow", "1", "lock-channel-cycle", "high shop.(*Desk).Follow"},
		{"started before", "example.com/shop.serve", "7", "lock-channel-cycle", "high shop.(*Desk).Follow"},
	} {
		if got := judged(supervised(c.starter, c.creator), c.rule); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The function that took a lock may be inlined, or began its goroutine: nothing printed shows that it has the lock.
func TestALockThatOnlyOneWhoWaitsForAChildProcessCanHoldIsHeldOverIt(t *testing.T) {
	const (
		nightly = "7 [syscall, 20 minutes]: os.(*Process).Wait{0xc000070000} os/exec.(*Cmd).Run{0xc000070000} shop.nightly\n"
		other   = "8 [sleep, 20 minutes]: time.Sleep{0x1} shop.count shop.report\n"
		last    = "shop.(*Desk).Last{0xc000010000}"
	)
	late := strings.NewReplacer("5 minutes", "20 minutes")
	for _, c := range []struct{ name, notes, rule, want string }{
		{"twelve wait for twenty minutes", nightly + late.Replace(lockedOut(12, last)), "lock-convoy", "medium shop.nightly"},
		// Near misses: who waits may be accused, but the child's goroutine is named as one that may have the lock.
		{"three wait", nightly + late.Replace(lockedOut(3, last)), "double-lock", "low shop.(*Desk).Last"},
		{"for five minutes", nightly + lockedOut(12, last), "double-lock", "low shop.(*Desk).Last"},
		{"another one may have it", nightly + other + late.Replace(lockedOut(12, last)), "double-lock", "low shop.(*Desk).Last"},
		{"the child came later", strings.Replace(nightly, "20", "3", 1) + late.Replace(lockedOut(12, last)), "double-lock",
			"likely shop.(*Desk).Last"},
	} {
		if got := judged(listed(t, c.notes), c.rule); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
