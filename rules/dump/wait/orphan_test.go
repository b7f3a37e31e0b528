package wait

import (
	"strings"
	"testing"
)

// A test that runs has requests on their way to a server of its own; one that timed out is judged by its cause. What the
// labels say was written before the rules asked for requests.
func TestARequestInFlightInARunningTestIsNoAlarmUntilItHasWaitedForMinutes(t *testing.T) {
	const (
		runs  = "1 [chan receive]: testing.(*T).Run testing.runTests testing.(*M).Run main.main\n"
		http  = "net/http.(*persistConn).roundTrip net/http.(*Transport).RoundTrip net/http.(*Client).Do "
		test  = "shop.TestFetch.func1 <shop.TestFetch\n"
		asks  = "7 [select]: " + http + "shop.(*Client).Fetch " + test
		grpc  = "7 [select]: google.golang.org/grpc.(*clientStream).waitOnHeader google.golang.org/grpc.Invoke shop.Call " + test
		polls = "7 [chan receive]: shop.(*Hall).Hold net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve <net/http.(*Server).Serve\n"
		desk  = "7 [select]: shop.(*Desk).Ask{0xc000010000} " + test
		works = "8 [sleep]: time.Sleep{0x1} shop.(*Desk).serve{0xc000010000} <shop.NewDesk\n"
		old   = "5 minutes"
	)
	for _, c := range []struct{ name, notes, want string }{
		{"of net/http", runs + asks, "low shop.(*Client).Fetch"},
		{"of gRPC", runs + grpc, "low shop.Call"},
		{"a handler", runs + polls, "low shop.(*Hall).Hold"},
		// Near misses: nobody is at work, or the answer has not come for minutes.
		{"to another goroutine of the type", runs + desk + works, "medium shop.(*Desk).Ask"},
		{"of net/http for minutes", strings.Replace(runs+asks, "select", "select, "+old, 1), "medium shop.(*Client).Fetch"},
		{"a handler for minutes", strings.Replace(runs+polls, "7 [chan receive", "7 [chan receive, "+old, 1),
			"medium shop.(*Hall).Hold"},
		{"no request", runs + "7 [select]: shop.(*Feed).next " + test, "medium shop.(*Feed).next"},
	} {
		d := listed(t, c.notes)
		if got := judged(d, "select-leak") + judged(d, "channel-receive-leak"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
