package wait

import "testing"

// Forms that only count goroutines show no minutes: what is left to see is that nobody goes on.
func TestFormsThatCountShowWhatNobodyIsLeftToEnd(t *testing.T) {
	const (
		web   = " net/http.HandlerFunc.ServeHTTP net/http.serverHandler.ServeHTTP net/http.(*conn).serve\n"
		rests = "1 [select]: main.serve main.main\n"
		ended = "7 [chan receive]: os/exec.(*Cmd).awaitGoroutines os/exec.(*Cmd).Wait os/exec.(*Cmd).Run shop.(*Files).convert shop.page" + web
		db    = "60 [select]: database/sql.(*DB).conn database/sql.(*DB).query shop.(*Store).Find shop.page" + web
	)
	tests := []struct{ rule, name, notes, want string }{
		{"child-process-hangs", "commands that have ended", rests + ended, "medium shop.(*Files).convert"},
		{"sql-pool-exhausted", "main waits in a helper", rests + db, "medium shop.(*Store).Find"},
		// Near misses.
		{"child-process-hangs", "two commands have ended", rests + "2" + ended[1:], ""},
		{"sql-pool-exhausted", "main waits in the store", "1 [select]: shop.(*Store).Sync main.main\n" + db, "low shop.(*Store).Find"},
	}
	for _, test := range tests {
		if got := judged(counted(t, test.notes), test.rule); got != test.want {
			t.Errorf("%s, %s: %q, want %q", test.rule, test.name, got, test.want)
		}
	}
}
