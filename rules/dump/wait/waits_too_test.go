package wait

import "testing"

func TestACallThatShouldReturnIsStuckWhereAllElseWaits(t *testing.T) {
	const (
		closes = "1 [chan receive, 5 minutes]: lib.(*Bus).Close{...} main.leave main.main\n"
		moment = "1 [chan receive]: lib.(*Bus).Close{...} main.leave main.main\n"
		loop   = "7 [chan send, 5 minutes]: lib.(*Sub).deliver{...} lib.(*Sub).run{...}\n"
		rests  = "8 [select, 5 minutes]: lib.(*Bus).tick{...}\n"
		young  = "8 [select]: lib.(*Bus).tick{...}\n"
		ping   = "9 [chan receive, 5 minutes]: lib.(*Bus).Publish{...} main.tell main.work\n"
		want   = "medium lib.(*Bus).Close"
	)
	check(t, listed, "", "close-waits-for-itself", []claim{
		{"its library waits too", closes + loop + rests, want},
		{"and nothing shows for how long", moment + "7 [chan send]: lib.(*Sub).deliver{...} lib.(*Sub).run{...}\n", want},
		{"a call that does something, nobody moves", "1 [select, 5 minutes]: main.main\n" + ping + rests, "low lib.(*Bus).Publish"},
		// Near misses: what a healthy program shows as well.
		{"one of the library's has moved within the minute", closes + loop + young, "low lib.(*Bus).Close"},
		{"one of the library's may look at any moment", moment + young, "low lib.(*Bus).Close"},
		{"one of the library's runs", closes + loop + "8 [runnable]: lib.(*Bus).tick{...}\n", ""},
		{"a task of the program's is under way", closes + "7 [chan receive, 5 minutes]: main.task lib.(*Bus).work{...}\n", ""},
		{"a slow goroutine of the program's", closes + loop + "8 [IO wait, 5 minutes]: net.(*conn).Read main.read main.serve\n", ""},
		{"it does something while the program works", ping + rests + "7 [sleep]: time.Sleep main.cook main.serve\n", ""},
		{"it waits for what is to come", "9 [chan receive, 5 minutes]: lib.(*Bus).Next{...} main.follow main.work\n" + rests, ""},
	})
}

func TestMainThatHasStoppedForMinutesHangs(t *testing.T) {
	const reads = "7 [IO wait, 5 minutes]: net.(*conn).Read main.read main.serve\n"
	check(t, listed, "", "close-waits-for-itself", []claim{
		{"for a connection", "1 [chan receive, 5 minutes]: main.stop main.main\n" + reads, "low main.stop"},
		// Near misses: what a healthy program shows as well.
		{"for a moment", "1 [chan receive]: main.stop main.main\n7 [IO wait]: net.(*conn).Read main.read main.serve\n", ""},
		{"for a signal", "1 [chan receive, 5 minutes]: main.stop main.main\n9 [syscall]: os/signal.signal_recv os/signal.loop\n" + reads, ""},
		{"for the word to stop", "1 [chan receive, 5 minutes]: main.stopped main.main\n" + reads, ""},
		{"one component of many", "8 [chan receive, 5 minutes]: main.stop main.serve\n" + reads, ""},
	})
}

func TestASlotThatAnotherGoroutineHasIsWaitedFor(t *testing.T) {
	const waits = "20 [chan send, 5 minutes]: lib.(*Sem).Acquire{...} main.work\n21 [chan send, 4 minutes]: lib.(*Sem).Acquire{...} main.work\n"
	check(t, listed, "", "send-without-reader", []claim{
		{"nobody has one", "1 [select, 5 minutes]: main.main\n" + waits, "high lib.(*Sem).Acquire"},
		// Near miss: what a healthy program shows as well.
		{"one runs a command", "1 [select, 5 minutes]: main.main\n" + waits + "9 [chan receive, 5 minutes]: os/exec.(*Cmd).Wait main.run main.work\n", ""},
	})
}
