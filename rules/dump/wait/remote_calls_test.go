package wait

import (
	"fmt"
	"strings"
	"testing"
)

func TestManyOpenBodiesWithoutMinutesAreAnAlarmWhereNobodyCouldReadThem(t *testing.T) {
	const (
		open  = " [select]: net/http.(*persistConn).readLoop\n"
		write = "250 [select]: net/http.(*persistConn).writeLoop\n"
		idle  = "250 [IO wait]: net.(*conn).Read net/http.(*conn).serve\n1 [chan receive]: main.main\n"
		want  = "medium net/http.(*persistConn).readLoop"
	)
	for _, c := range []struct{ name, notes, want string }{
		{"nobody of the program is there", "250" + open + write + idle, want},
		{"one works in the program", "250" + open + write + idle + "1 [IO wait]: net.(*conn).Write main.answer\n", want},
		// Near misses: what a healthy program shows as well.
		{"a pool of the program takes them in turns", "250" + open + write + idle + "8 [IO wait]: net.(*conn).Write main.answer\n",
			"low net/http.(*persistConn).readLoop"},
		{"one is being read", "250" + open + write + idle + "1 [select]: net/http.(*bodyEOFSignal).Read main.follow\n",
			"low net/http.(*persistConn).readLoop"},
		{"as many work in the program", "250" + open + write + idle + "240 [IO wait]: net.(*conn).Write main.answer\n",
			"low net/http.(*persistConn).readLoop"},
		{"a proxy has slow clients", "250" + open + write + "250 [IO wait]: net.(*conn).Write net/http/httputil.(*ReverseProxy).copyResponse " +
			"net/http/httputil.(*ReverseProxy).ServeHTTP net/http.(*conn).serve\n", "low net/http.(*persistConn).readLoop"},
		{"they are being read", "250" + open + write + "250 [select]: net/http.(*bodyEOFSignal).Read main.follow\n", ""},
		{"idle connections", "250 [IO wait]: bufio.(*Reader).Peek net/http.(*persistConn).readLoop\n" + write + idle, ""},
		{"a handful", "30" + open + idle, ""},
	} {
		if got := judged(counted(t, c.notes), "http-body-not-closed"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A proxy without a timeout passes long polls on; one who asks on its own account waits for an answer.
func TestRequestsThatPassOnWhatOthersAnswerAreNoAlarm(t *testing.T) {
	const serve = " net/http.HandlerFunc.ServeHTTP net/http.serverHandler.ServeHTTP net/http.(*conn).serve <net/http.(*Server).Serve"
	for _, c := range []struct{ calls, want string }{
		{"shop.(*Gate).poll shop.page" + serve, "low shop.(*Gate).poll"},
		{"shop.(*Proxy).ask shop.page" + serve, "low shop.(*Proxy).ask"},
		// Near misses.
		{"shop.(*Gate).poll shop.(*Gate).run", "medium shop.(*Gate).poll"},
		{"shop.(*Gate).fetch shop.page" + serve, "medium shop.(*Gate).fetch"},
	} {
		const do = "net/http.(*persistConn).roundTrip net/http.(*Client).Do "
		notes := rowOf(20, 6, "select, 30 minutes", do+c.calls) + rowOf(60, 6, "select, 20 minutes", do+c.calls)
		if got := judged(listed(t, idleMain+notes), "http-request-without-timeout"); got != c.want {
			t.Errorf("%s: %q, want %q", c.calls, got, c.want)
		}
	}
}

// A crew that was started at once may ask for news, which takes ten minutes at most in blocking queries. What has waited
// for longer has waited from the start, if it is a poll without an end.
func TestRequestsOfACrewAreNoAlarmForAsLongAsPollsTake(t *testing.T) {
	const trip = "net/http.(*persistConn).roundTrip net/http.(*Client).Do shop.ask"
	requests := func(step int, minutes func(i int) int) string {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, "%d [select, %d minutes]: %s\n", 20+i*step, minutes(i), trip)
		}
		return b.String() + "420 [select, 1 minutes]: shop.serve\n"
	}
	for _, c := range []struct {
		name, notes, want string
	}{
		{"a crew", requests(1, func(int) int { return 8 }), "low shop.ask"},
		{"a crew, for twenty minutes", requests(1, func(int) int { return 20 }), "low shop.ask"},
		{"a crew of which a few have asked again", requests(1, func(i int) int { return 20 - i/37*10 }), "low shop.ask"},
		// Near misses.
		{"a crew of which many have asked again", requests(1, func(i int) int { return 20 - i/30*10 }), "medium shop.ask"},
		{"one by one", requests(10, func(i int) int { return 11 - i/4 }), "medium shop.ask"},
	} {
		if got := judged(listed(t, idleMain+c.notes), "http-request-without-timeout"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// An event loop that reads many streams in turns has opened them at its start. A leak goes on, or its caller does.
func TestBodiesThatWereOpenedAtOnceAreNoAlarm(t *testing.T) {
	const loop = "net/http.(*persistConn).readLoop"
	open := rowOf(20, 240, "select, 9 minutes", loop)
	for _, c := range []struct{ name, notes, want string }{
		{"at once", idleMain + open, "low net/http.(*persistConn).readLoop"},
		// Near misses.
		{"one by one until lately", idleMain + rowOf(20, 120, "select, 9 minutes", loop) + rowOf(900, 120, "select, 1 minutes", loop),
			"medium net/http.(*persistConn).readLoop"},
		{"a request is on its way", idleMain + open + rowOf(300, 1, "select", "net/http.(*persistConn).roundTrip net/http.(*Client).Do shop.check"),
			"medium shop.check"},
	} {
		if got := judged(listed(t, c.notes), "http-body-not-closed"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
