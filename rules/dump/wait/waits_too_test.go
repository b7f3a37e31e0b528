package wait

import "testing"

func TestASlotThatAnotherGoroutineHasIsWaitedFor(t *testing.T) {
	const waits = "20 [chan send, 5 minutes]: lib.(*Sem).Acquire{...} main.work\n21 [chan send, 4 minutes]: lib.(*Sem).Acquire{...} main.work\n"
	check(t, listed, "", "send-without-reader", []claim{
		{"nobody has one", "1 [select, 5 minutes]: main.main\n" + waits, "medium lib.(*Sem).Acquire"},
		// Near miss: what a healthy program shows as well.
		{"one runs a command", "1 [select, 5 minutes]: main.main\n" + waits + "9 [chan receive, 5 minutes]: os/exec.(*Cmd).Wait main.run main.work\n", ""},
	})
}
