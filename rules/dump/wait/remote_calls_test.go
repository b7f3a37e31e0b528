package wait

import "testing"

func TestManyOpenBodiesWithoutMinutesAreLow(t *testing.T) {
	const (
		open  = " [select]: net/http.(*persistConn).readLoop\n"
		write = "250 [select]: net/http.(*persistConn).writeLoop\n"
		idle  = "250 [IO wait]: net.(*conn).Read net/http.(*conn).serve\n1 [chan receive]: main.main\n"
		want  = "low net/http.(*persistConn).readLoop"
	)
	for _, c := range []struct{ name, notes, want string }{
		{"nobody of the program is there", "250" + open + write + idle, want},
		// Near misses: what a healthy program shows as well.
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
func TestRequestsThatPassOnWhatOthersAnswerAreLow(t *testing.T) {
	const serve = " net/http.HandlerFunc.ServeHTTP net/http.serverHandler.ServeHTTP net/http.(*conn).serve <net/http.(*Server).Serve"
	for _, c := range []struct{ calls, want string }{
		{"shop.(*Gate).poll shop.page" + serve, "low shop.(*Gate).poll"},
		{"shop.(*Proxy).ask shop.page" + serve, "low shop.(*Proxy).ask"},
		// Near misses.
		{"shop.(*Gate).poll shop.(*Gate).run", "medium shop.(*Gate).poll"},
		{"shop.(*Gate).fetch shop.page" + serve, "medium shop.(*Gate).fetch"},
	} {
		notes := rowOf(20, 12, "select, 20 minutes", "net/http.(*persistConn).roundTrip net/http.(*Client).Do "+c.calls)
		if got := judged(listed(t, idleMain+notes), "http-request-without-timeout"); got != c.want {
			t.Errorf("%s: %q, want %q", c.calls, got, c.want)
		}
	}
}
