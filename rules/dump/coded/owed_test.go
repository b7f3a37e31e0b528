package coded

import (
	"strings"
	"testing"
)

func TestOneWorkerThatWantsTheLockKeepsAWaitGroupWaiting(t *testing.T) {
	const (
		stop  = "func (t *T) stop() {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\tt.wg.Wait() // stop\n}\n"
		run   = "func (t *T) run() {\n\tdefer t.wg.Done()\n\tt.n++ // busy\n\tt.flush() // run\n}\n"
		flush = "func (t *T) flush() {\n\tt.mu.Lock() // flush\n\tt.n++\n\tt.mu.Unlock()\n}\n"
		slow  = "func (t *T) slow(c chan int) {\n\tt.mu.Lock()\n\t<-c // slow\n\tt.mu.Unlock()\n}\n"
		rest  = flush + slow + "func Start() *T {\n\tt := &T{}\n\tgo t.run()\n\treturn t\n}\n"
		waits = "1 [sync.WaitGroup.Wait]: stop\n2 [sync.Mutex.Lock]: flush run\n3 [select]: busy\n"
		want  = "sure main.(*T).stop | low main.(*T).stop"
	)
	with := func(source, from, to string) string {
		if !strings.Contains(source, from) {
			t.Fatalf("no %q", from)
		}
		return strings.Replace(source, from, to, 1)
	}
	two := "func (t *T) run() { work(t, &T{}) }\nfunc work(c, t *T) {\n\tdefer c.wg.Done()\n\tt.n++ // busy\n\tt.flush() // run\n}\n"
	checkLocks(t, ruleOf("TR465"), []lockCase{
		{"another worker goes on", stop + run + rest, waits, want},
		{"a literal is the worker", stop + rest + "func (t *T) run() {\n\tgo func() {\n\t\tdefer t.wg.Done()\n\t\tt.n++ // busy\n" +
			"\t\tt.flush() // run\n\t}()\n}\n", waits, want},
		// Near misses.
		{"it may have called Done", stop + with(with(run, "\tdefer t.wg.Done()\n", ""), "\tt.flush()", "\tt.wg.Done()\n\tt.flush()") + rest, waits, ""},
		{"it owes a Done on some ways only", stop + with(run, "defer t.wg.Done()", "if t.n > 0 {\n\t\tdefer t.wg.Done()\n\t}") + rest, waits, ""},
		{"it owes it to another object", stop + two + rest, waits, ""},
		{"the lock is another object's", with(with(stop, "stop()", "stop(o *T)"), "t.mu.Lock()\n\tdefer t.mu", "o.mu.Lock()\n\tdefer o.mu") +
			run + rest, waits, ""},
		{"it waits without the lock", with(stop, "\tdefer t.mu.Unlock()", "\tt.mu.Unlock()") + run + rest, waits, ""},
		{"somebody else may have the lock", stop + run + rest, waits + "4 [chan receive]: slow\n", ""},
	})
}
