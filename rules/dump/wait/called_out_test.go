package wait

import (
	"strings"
	"testing"
)

// A cache's only loop calls the program back, which waits there for what the loop does; requests wait for the same.
func TestACallbackWaitsForItsOwnLoopAsOthersDo(t *testing.T) {
	const (
		back   = "7 [chan receive, 4 minutes]: lib.(*Cache).Wait main.put main.evicted lib.(*Cache).work <lib.NewCache\n"
		policy = "8 [select, 4 minutes]: lib.(*policy).work <lib.newPolicy\n"
		asking = "11 [chan receive, 4 minutes]: lib.(*Cache).Wait main.put main.show\n" +
			"12 [chan receive, 3 minutes]: lib.(*Cache).Wait main.put main.show\n" +
			"13 [chan receive, 3 minutes]: lib.(*Cache).Wait main.put main.show\n"
		want = "medium main.put"
	)
	check(t, listed, idleMain, "close-waits-for-itself", []claim{
		{"requests wait for the same", back + policy + asking, want},
		// Near misses: who may bring it, or nobody asks in vain.
		{"no request does", back + policy, ""},
		{"one does", back + policy + asking[:strings.Index(asking, "12")], ""},
		{"they have just begun", back + policy + strings.NewReplacer("4 minutes]: lib.(*Cache).Wait main.put main.show",
			"0 minutes]: lib.(*Cache).Wait main.put main.show", ", 3 minutes", "").Replace(asking), ""},
		{"another loop of the cache rests", back + policy + asking + "9 [select, 4 minutes]: lib.(*Cache).read <lib.NewCache\n", ""},
		{"the library reads", back + policy + asking + "9 [IO wait]: net.(*conn).Read lib.(*reader).read <lib.NewCache\n", ""},
		{"the program works on", back + policy + asking + "9 [sleep]: time.Sleep main.load main.fill <main.main\n", ""},
	})
}
