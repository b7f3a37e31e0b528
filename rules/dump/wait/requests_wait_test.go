package wait

import "testing"

// What the labels say was written before the rule looked at sends.
func TestRequestsThatHandSomethingOverWaitForNobodyWhereNobodyMoves(t *testing.T) {
	const (
		web    = " net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve\n"
		main   = "1 [IO wait]: internal/poll.(*FD).Accept net.(*TCPListener).Accept main.main\n"
		rests  = "1 [chan receive]: lib.(*Peer).loop\n"
		loop   = "1 [chan send]: lib.(*Node).run\n"
		asks   = "12 [chan send]: lib.(*Node).Propose main.vote" + web
		enters = "12 [chan send]: main.(*desk).tell main.vote" + web
		named  = "medium main.vote"
	)
	check(t, counted, "", "requests-wait-for-nobody", []claim{
		{"to a library's loop that waits to send itself", main + asks + loop, named},
		{"in the program's own code", main + enters + "1 [chan send]: main.(*desk).run\n", "medium main.(*desk).tell"},
		// Near misses: what a healthy program shows as well.
		{"a request to come may take it", main + asks + rests, ""},
		{"one of the program's own may", main + enters, ""},
		{"nine of them", main + loop + "9 [chan send]: lib.(*Node).Propose main.vote" + web, ""},
		{"no requests", main + "12 [chan send]: lib.(*Node).Propose main.vote main.work\n", ""},
		{"someone asks outside", main + asks + loop + "1 [IO wait]: net.(*conn).Read lib.(*Peer).read\n", ""},
		{"another request is further on", main + asks + loop + "1 [select]: main.store main.vote" + web, ""},
		{"a loop of the program may come by at a tick", main + enters + "1 [select]: main.(*desk).sweep\n", ""},
		{"an event is awaited", main + "12 [select]: main.(*desk).poll main.vote" + web, ""},
	})
}

// A feed that is polled waits in a sync.Cond for the next event, which a request to come brings.
func TestRequestsThatAwaitAnEventAreNoAlarm(t *testing.T) {
	const web = " main.serve net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve\n"
	check(t, counted, "", "requests-wait-for-nobody", []claim{
		{"a long poll", "20 [sync.Cond.Wait]: main.(*Feed).Next" + web, "low main.(*Feed).Next"},
		{"a gate that is closed for a while", "20 [sync.Cond.Wait]: main.(*Gate).Pass" + web, "low main.(*Gate).Pass"},
		// Near misses: what they wait for is the process's own work, or given back by who has it.
		{"a flush", "20 [sync.Cond.Wait]: main.(*Outbox).Flush" + web, "medium main.(*Outbox).Flush"},
		{"slots", "20 [select]: golang.org/x/sync/semaphore.(*Weighted).Acquire" + web,
			"medium main.serve"},
	})
}

func TestRequestsThatMayAwaitAnEventOnACondAreNoAlarm(t *testing.T) {
	const web = " net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve\n"
	for _, c := range []struct{ method, want string }{
		{"Join", "low"}, {"Poll", "low"}, {"Next", "low"}, {"WaitFor", "low"}, // another request brings it, or a timer
		{"Flush", "medium"}, {"Put", "medium"}, {"Acquire", "medium"}, {"Close", "medium"},
	} {
		notes := "1 [IO wait]: internal/poll.(*FD).Accept net.(*TCPListener).Accept main.main\n" +
			"20 [sync.Cond.Wait]: sync.runtime_notifyListWait shop.(*Lobby)." + c.method + " shop.serve" + web
		want := c.want + " shop.(*Lobby)." + c.method
		if got := judged(counted(t, notes), "requests-wait-for-nobody"); got != want {
			t.Errorf("%s: %q, want %q", c.method, got, want)
		}
	}
}
