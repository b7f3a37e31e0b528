package wait

import (
	"fmt"
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
		{"half of the process does something else", aged + loopsFrom(5, 1100, 3, wait) + loopsFrom(6, 1000, 3, "main.(*hub).read"), ""},
		{"a library's are loops-pile-up's", aged + loopsFrom(5, 1100, 3, "lib.(*Channel).buffer"), ""},
		{"the rule about requests knows more", aged + strings.ReplaceAll(loopsFrom(5, 1100, 3,
			"net/http.(*persistConn).roundTrip main.(*desk).push"), "select", "select, 6 minutes"), ""},
	})
	check(t, listed, aged, "channel-send-leak", []claim{
		{"nobody is where they send", strings.ReplaceAll(loopsFrom(5, 60, 3, wait), "select", "chan send"), "low main.(*desk).settle"},
		{"a method of the type may be stuck", strings.ReplaceAll(loopsFrom(5, 60, 3, wait), "select", "chan send") +
			"2 [chan receive]: main.(*desk).run\n", ""},
	})
	check(t, counted, "", "select-leak", []claim{
		{"no ids show how they came", "1100 [select]: " + wait + "\n1 [select]: main.main\n", "low main.(*desk).settle"},
		{"fewer in a profile", "900 [select]: " + wait + "\n1 [select]: main.main\n", ""},
	})
}

func TestSlotsAreLostWhereManyWaitAndNobodyIsPastTheCall(t *testing.T) {
	const (
		asks  = "[chan send, 4 minutes]: shop.(*Gate).acquire shop.(*Gate).Convert main.main.func1\n"
		polls = "90 [IO wait]: net.(*conn).Read main.poll main.main.func2\n"
	)
	queue := ""
	for _, id := range strings.Fields("11 12 13 14 15 16 17 18 19 20") {
		queue += id + " " + asks
	}
	check(t, listed, sleepingMain, "send-without-reader", []claim{
		{"main's own requests go on", queue + polls, "low shop.(*Gate).acquire"},
		// Near misses.
		{"one is past the call", queue + polls + "91 [sleep]: time.Sleep shop.(*Gate).Convert main.main.func1\n", ""},
		{"one works in a goroutine that the package started", queue + polls + "91 [sleep]: time.Sleep work.run <shop.(*Gate).Convert\n", ""},
		{"three wait", strings.Join(strings.SplitAfter(queue, "\n")[:3], "") + polls, ""},
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
		{"a goroutine of another package works", waits + polls + "91 [IO wait]: net.(*conn).Read work.(*Pool).run\n", ""},
		{"one of its package works", waits + polls + "91 [IO wait]: net.(*conn).Read shop.charge\n", ""},
		{"main waits itself", "11 [sync.WaitGroup.Wait, 4 minutes]: main.(*run).month main.main.func1\n" + polls, ""},
	})
	check(t, counted, "1 [chan receive]: main.main\n", "waitgroup-stuck", []claim{
		{"counted", "1 [sync.WaitGroup.Wait]: shop.(*Run).Month main.main.func1\n1 [IO wait]: main.poll main.main.func2\n",
			"low shop.(*Run).Month"},
		{"several wait, for what another has begun", "5 [sync.WaitGroup.Wait]: shop.(*Run).Month main.main.func1\n" +
			"1 [IO wait]: main.poll main.main.func2\n", ""},
		{"one of its package is there", "1 [sync.WaitGroup.Wait]: shop.(*Run).Month main.main.func1\n1 [chan receive]: shop.charge\n", ""},
	})
}

func TestRequestsThatWaitForASignalAreServedByNobodyWhoWaitsForOne(t *testing.T) {
	const (
		take  = "30 [sync.Cond.Wait, 4 minutes]: sync.runtime_notifyListWait sync.(*Cond).Wait shop.(*Spool).next shop.(*Printer).run\n"
		polls = "90 [IO wait]: net.(*conn).Read main.poll main.main.func2\n"
	)
	queue := ""
	for _, id := range strings.Fields("11 12 13 14 15 16 17 18 19 20") {
		queue += id + " [sync.Cond.Wait, 4 minutes]: sync.runtime_notifyListWait sync.(*Cond).Wait shop.(*Spool).Print main.main.func1 net/http.(*conn).serve\n"
	}
	check(t, listed, sleepingMain, "requests-wait-for-nobody", []claim{
		{"all of the spool wait", queue + take + polls, "low shop.(*Spool).Print"},
		// Near misses.
		{"one of the spool is at work", queue + "30 [sleep]: time.Sleep shop.(*Spool).next\n" + polls, ""},
		{"one prints", queue + take + polls + "31 [IO wait]: net.(*conn).Write shop.(*Printer).run\n", ""},
	})
}

func TestTenCallsOfThreeMinutesAreWorthALook(t *testing.T) {
	const call = "[select, 4 minutes]: net/http.(*persistConn).roundTrip net/http.(*Client).Do main.push\n"
	calls := ""
	for _, id := range strings.Fields("11 14 17 20 23 26 29 32 35 38") {
		calls += id + " " + call
	}
	check(t, listed, sleepingMain, "http-request-without-timeout", []claim{
		{"ten", calls, "low main.push"},
		{"nine", strings.Join(strings.SplitAfter(calls, "\n")[:9], ""), ""},
	})
}

func TestOpensThatLastForMinutesHang(t *testing.T) {
	const call = "[syscall, 4 minutes]: syscall.openat os.OpenFile main.read\n"
	opens := func(step int) (all string) {
		for i := range 12 {
			all += fmt.Sprint(11+step*i) + " " + call
		}
		return all + fmt.Sprint(11+step*12) + strings.Replace(" "+call, ", 4 minutes", "", 1)
	}
	check(t, listed, sleepingMain, "open-hangs", []claim{
		{"twelve for minutes, which may be a collector's of named pipes", opens(3), "low main.read"},
		{"a moment", strings.ReplaceAll(opens(3), ", 4 minutes", ""), ""},
	})
}
