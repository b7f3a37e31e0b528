package wait

import "testing"

func TestSendersByTheHundredBesideOneThatStartsMoreOfThem(t *testing.T) {
	const (
		senders = "800 [chan send]: lib.(*Timeout).Do.func1\n"
		rest    = "1 [IO wait]: main.main\n"
		leak    = "medium lib.(*Timeout).Do.func1"
	)
	for _, c := range []struct{ name, notes, want string }{
		{"nobody else is there", senders + rest, leak},
		{"one has started another and waits for it", senders + "1 [select]: lib.(*Timeout).Do main.price\n" + rest, leak},
		{"one takes what they have and works on it", senders + "1 [IO wait]: lib.(*Timeout).Do main.price\n" + rest, ""},
		{"one receives: it may have been woken", senders + "1 [chan receive]: lib.(*Timeout).Do main.price\n" + rest, ""},
		{"many have started some each", senders + "90 [select]: lib.(*Timeout).Do main.price\n" + rest, ""},
		{"it waits in what it has called", senders + "1 [select]: lib.(*Client).Get lib.(*Timeout).Do main.price\n" + rest, ""},
	} {
		if got := judged(counted(t, c.notes), "channel-send-leak"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
