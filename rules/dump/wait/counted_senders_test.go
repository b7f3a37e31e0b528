package wait

import "testing"

func TestSendersByTheHundredBesideOneThatStartsMoreOfThem(t *testing.T) {
	const (
		senders = "800 [chan send]: lib.(*Timeout).Do.func1\n"
		rest    = "1 [sync.WaitGroup.Wait]: main.main\n"
		busy    = "1 [IO wait]: main.serve\n" + rest
		leak    = "medium lib.(*Timeout).Do.func1"
	)
	check(t, counted, "", "channel-send-leak", []claim{
		{"nobody is in the code around them", senders + busy, leak},
		{"one has started another and waits for it", senders + "1 [select]: lib.(*Timeout).Do main.price\n" + rest, leak},
		{"another goroutine may take what they have", senders + "1 [select]: lib.(*Timeout).Do main.price\n" + busy, ""},
		{"one waits for those that it has started", senders + "1 [sync.WaitGroup.Wait]: lib.(*Timeout).Do main.price\n" + rest, leak},
		{"a collector of theirs works", senders + "1 [sync.WaitGroup.Wait]: lib.(*Timeout).Do main.price\n" +
			"1 [IO wait]: lib.(*Timeout).Do.func2\n" + rest, ""},
		{"one takes what they have and works on it", senders + "1 [IO wait]: lib.(*Timeout).Do main.price\n" + rest, ""},
		{"one receives: it may have been woken", senders + "1 [chan receive]: lib.(*Timeout).Do main.price\n" + rest, ""},
		{"many have started some each", senders + "90 [select]: lib.(*Timeout).Do main.price\n" + rest, ""},
		{"it waits in what it has called", senders + "1 [select]: lib.(*Client).Get lib.(*Timeout).Do main.price\n" + rest, ""},
	})
}
