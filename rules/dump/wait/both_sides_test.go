package wait

import "testing"

func TestASendToAListenerThatHasGoneIsFoundBesideTheOneThatWaitsForMore(t *testing.T) {
	const (
		put  = "7 [chan send]: lib.(*Queue).Put{0xc000010000} main.produce{0xc000010000}\n"
		next = "1 [select]: lib.(*Queue).Next{0xc000010000} main.consume{0xc000010000} main.main\n"
		old  = "7 [chan send, 5 minutes]: lib.(*Queue).Put{...} main.produce{...}\n"
		came = "1 [select]: lib.(*Queue).Next{...} main.consume{...} main.main\n"
		want = "lib.(*Queue).Put"
	)
	check(t, listed, "", "send-without-reader", []claim{
		{"one object, no minutes", put + next, "likely " + want},
		{"the consumer has come round since", old + came, "medium " + want},
		// Near misses: what a healthy program shows as well.
		{"another object's consumer", put + "1 [select]: lib.(*Queue).Next{0xc000020000} main.consume{0xc000020000} main.main\n", ""},
		{"the consumer works", put + "1 [sleep]: time.Sleep main.cook main.consume{0xc000010000} main.main\n", ""},
		{"another goroutine of the program works", put + next + "9 [sleep]: time.Sleep main.cook main.serve\n", ""},
		{"a loop of the library is between the two", put + next + "9 [select]: lib.(*Queue).run{0xc000010000}\n", ""},
		{"a loop of the library waits for a consumer", old + came + "9 [chan send]: lib.(*Queue).run{0xc000010000}\n", ""},
		{"no receivers, no minutes", "7 [chan send]: lib.(*Queue).Put{...} main.produce{...}\n" + came, ""},
		{"several stand in line", old + "8 [chan send, 5 minutes]: lib.(*Queue).Put{...} main.produce{...}\n" + came, ""},
		{"no minute of its own", "7 [chan send]: lib.(*Queue).Put{...} main.produce{...}\n" + came +
			"9 [chan receive, 5 minutes]: main.idle\n", ""},
	})
}
