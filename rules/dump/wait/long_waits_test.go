package wait

import (
	"fmt"
	"strings"
	"testing"
)

func TestWhoHasComeRoundSinceIsNoHelpToASendOfAQuarterOfAnHour(t *testing.T) {
	const main = "1 [chan send, %s]: main.main\n"
	tests := []struct{ name, minutes, other, want string }{
		{"a loop that has slept since", "20 minutes", "7 [sleep]: time.Sleep main.refresh\n", "medium main.main"},
		{"a reader that has read since", "20 minutes", "7 [IO wait, 5 minutes]: net.(*conn).Read main.reads\n", "medium main.main"},
		// Near misses.
		{"it has slept as long", "20 minutes", "7 [sleep, 19 minutes]: time.Sleep main.refresh\n", ""},
		{"it sleeps in a call that it made", "20 minutes", "7 [sleep]: time.Sleep main.step main.refresh\n", ""},
		{"it computes", "20 minutes", "7 [runnable]: main.refresh\n", ""},
		{"ten minutes", "10 minutes", "7 [sleep]: time.Sleep main.refresh\n", ""},
	}
	for _, test := range tests {
		d := listed(t, fmt.Sprintf(main, test.minutes)+test.other)
		if got := judged(d, "send-without-reader"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestSendersOfAQuarterOfAnHourBehindOneChannelAreForgotten(t *testing.T) {
	const others = "1 [sleep]: time.Sleep main.main\n"
	tests := []struct{ name, sender, others, want string }{
		{"started by main, which goes on", "[chan send, 16 minutes]: main.(*gate).enter main.(*gate).do{0xc000010000}", others, "medium main.(*gate).enter"},
		// Near misses.
		{"for ten minutes", "[chan send, 10 minutes]: main.(*gate).enter main.(*gate).do{0xc000010000}", others, ""},
		{"nothing shows for which object", "[chan send, 16 minutes]: main.(*gate).enter main.(*gate).do", others, ""},
		{"one that works in their section", "[chan send, 16 minutes]: main.(*gate).enter main.(*gate).do{0xc000010000}",
			others + "3 [runnable]: main.(*gate).do\n", ""},
		{"one that sleeps in it for as long", "[chan send, 16 minutes]: main.(*gate).enter main.(*gate).do{0xc000010000}",
			others + "3 [sleep, 16 minutes]: time.Sleep main.(*gate).do\n", ""},
	}
	for _, test := range tests {
		notes := test.others
		for i := range 12 {
			notes += fmt.Sprintf("%d %s\n", 20+i, test.sender)
		}
		if got := judged(listed(t, notes), "channel-send-leak"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestARequestThatHasWaitedForAQuarterOfAnHourIsStuck(t *testing.T) {
	const serve = " net/http.HandlerFunc.ServeHTTP net/http.serverHandler.ServeHTTP net/http.(*conn).serve <net/http.(*Server).Serve\n"
	tests := []struct{ name, stack, others, want string }{
		{"it sends", "[chan send, 16 minutes]: shop.(*Hub).put shop.page", "", "medium shop.(*Hub).put"},
		{"it receives", "[chan receive, 16 minutes]: shop.(*Desk).fetch shop.page", "", "medium shop.(*Desk).fetch"},
		{"it takes something", "[select, 16 minutes]: shop.(*Pool).Get shop.page", "", "medium shop.(*Pool).Get"},
		{"it receives in the handler", "[chan receive, 16 minutes]: shop.page", "", "low shop.page"},
		{"another goroutine works in its package", "[chan receive, 16 minutes]: shop.(*Desk).fetch shop.page",
			"9 [sleep]: time.Sleep shop.(*Desk).work\n", "low shop.(*Desk).fetch"},
		{"nothing shows that it is to return", "[chan receive, 16 minutes]: shop.(*Board).show shop.page", "", "low shop.(*Board).show"},
		{"the next event", "[chan receive, 16 minutes]: shop.(*Board).nextEvent shop.page", "", "low shop.(*Board).nextEvent"},
		// Near misses.
		{"for ten minutes", "[chan send, 10 minutes]: shop.(*Hub).put shop.page", "", ""},
		{"a select of its own", "[select, 16 minutes]: shop.(*Board).show shop.page", "", ""},
		{"it reads", "[IO wait, 16 minutes]: net.(*conn).Read shop.(*Desk).fetch shop.page", "", ""},
	}
	for _, test := range tests {
		notes := idleMain + "7 " + test.stack + serve + test.others
		if got := judged(listed(t, notes), "request-stuck"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestAnInitFunctionThatWaitsKeepsTheProgramFromStarting(t *testing.T) {
	tests := []struct{ name, notes, want string }{
		{"for minutes", "1 [chan receive, 4 minutes]: shop.load shop.init.0", "medium shop.load"},
		{"in a variable's initializer", "1 [sync.WaitGroup.Wait, 4 minutes]: sync.(*WaitGroup).Wait shop.all shop.init", "medium shop.all"},
		{"nothing shows for how long", "1 [chan receive]: shop.load shop.init.0", "low shop.load"},
		// Near misses.
		{"it sleeps", "1 [sleep, 4 minutes]: time.Sleep shop.load shop.init.0", ""},
		{"a goroutine that init started", "1 [chan receive, 4 minutes]: shop.load shop.init.0.func1", ""},
		{"a method of that name", "1 [chan receive, 4 minutes]: shop.load shop.(*Desk).init", ""},
	}
	for _, test := range tests {
		if got := judged(listed(t, strings.TrimSpace(test.notes)+"\n"), "init-waits"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
