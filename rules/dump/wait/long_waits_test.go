package wait

import (
	"fmt"
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

func TestMainThatHasBeenInASelectOfAnotherPackageForAQuarterOfAnHourIsAside(t *testing.T) {
	const senders = "20 [chan send, %s]: shop.(*Pool).Submit{0xc000010000} shop.page\n"
	for _, c := range []struct{ minutes, main, want string }{
		{"31 minutes", "1 [select, 31 minutes]: main.serve main.main\n", "aside"},
		// Near misses.
		{"31 minutes", "1 [select, 14 minutes]: main.serve main.main\n", ""},
		{"31 minutes", "1 [select, 31 minutes]: shop.Serve main.main\n", ""},
	} {
		d := listed(t, fmt.Sprintf(senders, c.minutes)+c.main+"2 [syscall, 31 minutes]: os/signal.loop\n")
		s := newView(d)
		got := ""
		if s.aside(&s.actors[1], &s.actors[0]) {
			got = "aside"
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.main, got, c.want)
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
