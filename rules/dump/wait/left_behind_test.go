package wait

import (
	"strings"
	"testing"
)

func TestGoroutinesOfTheProgramThatPileUpAreLeftBehind(t *testing.T) {
	const (
		wait = "main.(*desk).settle"
		aged = "1 [sleep, 9 minutes]: time.Sleep main.main\n"
	)
	check(t, listed, "", "select-leak", []claim{
		{"a thousand came one by one", aged + loopsFrom(5, 1100, 3, wait), "low main.(*desk).settle"},
		{"each may belong to a tenant", aged + loopsFrom(5, 200, 3, wait), "low main.(*desk).settle"},
		// Near misses.
		{"they were started in one go", aged + loopsFrom(5, 1100, 1, wait) + "4000 [select]: main.serve\n", ""},
		{"some have ended since: the oldest is young", aged + loopsFrom(9000, 1100, 3, wait), ""},
		{"a few", aged + loopsFrom(5, 40, 3, wait), ""},
		{"half of the process does something else",
			aged + loopsFrom(5, 1100, 3, wait) + loopsFrom(6, 1000, 3, "main.(*hub).read"), ""},
		{"a library's are loops-pile-up's", aged + loopsFrom(5, 1100, 3, "lib.(*Channel).buffer"), ""},
		{"the rule about requests knows more", aged + strings.ReplaceAll(loopsFrom(5, 1100, 3,
			"net/http.(*persistConn).roundTrip main.(*desk).push"), "select", "select, 6 minutes"), ""},
	})
	check(t, listed, aged, "channel-send-leak", []claim{
		{"nobody is where they send",
			strings.ReplaceAll(loopsFrom(5, 60, 3, wait), "select", "chan send"), "low main.(*desk).settle"},
		{"a method of the type may be stuck", strings.ReplaceAll(loopsFrom(5, 60, 3, wait), "select", "chan send") +
			"2 [chan receive]: main.(*desk).run\n", ""},
	})
	check(t, counted, "", "select-leak", []claim{
		{"no ids show how they came",
			"1100 [select]: " + wait + "\n1 [select]: main.main\n", "low main.(*desk).settle"},
		{"fewer in a profile", "900 [select]: " + wait + "\n1 [select]: main.main\n", ""},
	})
}

func TestSlotsAreLostWhereManyWaitAndNobodyIsPastTheCall(t *testing.T) {
	const polls = "90 [IO wait]: net.(*conn).Read main.poll main.main.func2\n"
	queue := func(n int) string {
		return rowOf(11, n, "chan send, 4 minutes", "shop.(*Gate).acquire shop.(*Gate).Convert main.main.func1")
	}
	check(t, listed, sleepingMain, "send-without-reader", []claim{
		{"main's own requests go on", queue(10) + polls, "low shop.(*Gate).acquire"},
		// Near misses.
		{"one is past the call",
			queue(10) + polls + "91 [sleep]: time.Sleep shop.(*Gate).Convert main.main.func1\n", ""},
		{"one works in a goroutine that the package started",
			queue(10) + polls + "91 [sleep]: time.Sleep jobs.run <shop.(*Gate).Convert\n", ""},
		{"three wait", queue(3) + polls, ""},
	})
}

func TestWhatMainRunsBesideKnowsNoWaitGroupOfAnotherPackage(t *testing.T) {
	const (
		waits = "11 [sync.WaitGroup.Wait, 4 minutes]: shop.(*Run).Month main.main.func1\n"
		polls = "90 [IO wait]: net.(*conn).Read main.poll main.main.func2\n"
	)
	check(t, listed, sleepingMain, "waitgroup-stuck", []claim{
		{"main's own requests go on", waits + polls, "low shop.(*Run).Month"},
		// Near misses.
		{"a goroutine of another package works",
			waits + polls + "91 [IO wait]: net.(*conn).Read jobs.(*Pool).run\n", ""},
		{"one of its package works", waits + polls + "91 [IO wait]: net.(*conn).Read shop.charge\n", ""},
		{"main waits itself", "11 [sync.WaitGroup.Wait, 4 minutes]: main.(*run).month main.main.func1\n" + polls, ""},
	})
	check(t, counted, "1 [chan receive]: main.main\n", "waitgroup-stuck", []claim{
		{"counted",
			"1 [sync.WaitGroup.Wait]: shop.(*Run).Month main.main.func1\n1 [IO wait]: main.poll main.main.func2\n",
			"low shop.(*Run).Month"},
		{"several wait, for what another has begun", "5 [sync.WaitGroup.Wait]: shop.(*Run).Month main.main.func1\n" +
			"1 [IO wait]: main.poll main.main.func2\n", ""},
		{"one of its package is there",
			"1 [sync.WaitGroup.Wait]: shop.(*Run).Month main.main.func1\n1 [chan receive]: shop.charge\n", ""},
	})
}

func TestRequestsThatWaitForASignalAreServedByNobodyWhoWaitsForOne(t *testing.T) {
	const (
		cond  = "sync.runtime_notifyListWait sync.(*Cond).Wait "
		take  = "30 [sync.Cond.Wait, 4 minutes]: " + cond + "shop.(*Spool).next shop.(*Printer).run\n"
		polls = "90 [IO wait]: net.(*conn).Read main.poll main.main.func2\n"
	)
	queue := rowOf(11, 10, "sync.Cond.Wait, 4 minutes",
		cond+"shop.(*Spool).Print main.main.func1 net/http.(*conn).serve")
	check(t, listed, sleepingMain, "requests-wait-for-nobody", []claim{
		{"all of the spool wait", queue + take + polls, "low shop.(*Spool).Print"},
		{"served by golang.org/x/net/http2", strings.ReplaceAll(queue, "net/http.(*conn).serve",
			"golang.org/x/net/http2.(*serverConn).runHandler") + take + polls, "low shop.(*Spool).Print"},
		// Near misses.
		{"one of the spool is at work", queue + "30 [sleep]: time.Sleep shop.(*Spool).next\n" + polls, ""},
		{"one prints", queue + take + polls + "31 [IO wait]: net.(*conn).Write shop.(*Printer).run\n", ""},
	})
}

func TestTenCallsOfThreeMinutesAreWorthALook(t *testing.T) {
	calls := func(n int) string {
		return rowOf(11, n, "select, 4 minutes", "net/http.(*persistConn).roundTrip net/http.(*Client).Do main.push")
	}
	check(t, listed, sleepingMain, "http-request-without-timeout", []claim{
		{"ten", calls(10), "low main.push"},
		{"nine", calls(9), ""},
	})
}

func TestOpensThatLastForMinutesHang(t *testing.T) {
	opens := func(minutes string) string {
		return rowOf(11, 12, "syscall"+minutes, "syscall.openat os.OpenFile main.read")
	}
	check(t, listed, sleepingMain, "open-hangs", []claim{
		{"twelve for minutes, which may be a collector's of named pipes", opens(", 4 minutes"), "low main.read"},
		{"a moment", opens(""), ""},
	})
}
