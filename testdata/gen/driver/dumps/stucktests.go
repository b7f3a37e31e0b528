package dumps

import "strings"

// stuckTests are tests that hang: half of them until go test's own timeout, half until somebody sends SIGQUIT.
func stuckTests() []fixture {
	var list []fixture
	for _, w := range []struct {
		how       how
		pkg, test string
		way
	}{
		{hangs, "store", "TestListenerReadsBack", way{"double-callback", "(*Dir).Write (*Dir).Read TestListenerReadsBack.func1 TestListenerReadsBack", "double-lock", "deadlock", "v"}},
		{tests, "store", "TestRemoveMissing", way{"double-error-path", "(*Dir).Remove TestRemoveMissing", "double-lock|lock-convoy", "deadlock", ""}},
		{tests, "store", "TestEnsure", way{"double-upgrade", "(*Dir).Ensure (*Dir).Write", "double-lock|rwmutex-recursion", "deadlock", "v"}},
		{hangs, "store", "TestMoveBothWays", way{"cycle-two-instances", "(*Dir).Move (*Dir).Write", "lock-cycle", "deadlock", "v"}},
		{tests, "store", "TestSizesWhileWriting", way{"reader-helper", "(*Dir).Sizes (*Dir).Read", "rwmutex-recursion", "deadlock", "v"}},
		{hangs, "store", "TestFetchInParallel", way{"convoy-network", "(*Remote).Fetch", "lock-convoy", "contention", ""}},
		{tests, "queue", "TestSubmitMany", way{"mixed-send", "(*Queue).Submit (*Queue).finish (*Queue).work", "lock-channel-cycle", "deadlock", "v"}},
		{hangs, "queue", "TestCloseWithWorkLeft", way{"mixed-waitgroup", "(*Queue).Close (*Queue).finish (*Queue).work", "lock-channel-cycle|waitgroup-stuck", "deadlock", ""}},
		{hangs, "queue", "TestPauseWhileBusy", way{"mixed-semaphore", "(*Queue).Pause (*Queue).Do (*Queue).finish", "lock-channel-cycle", "deadlock", ""}},
		{tests, "queue", "TestPeek", way{"mixed-receive", "(*Queue).Peek (*Queue).finish (*Queue).Report", "lock-channel-cycle", "deadlock", ""}},
		{hangs, "group", "TestGroupRefuses", way{"waitgroup-add-failed", "(*Group).Wait TestGroupRefuses", "waitgroup-stuck", "leak", "v"}},
		{hangs, "group", "TestBarrier", way{"cond-one-signal", "(*Barrier).Arrive", "cond-missed-signal", "leak", ""}},
		{tests, "group", "TestSignalFirst", way{"cond-early-signal", "(*Barrier).AwaitSignal TestSignalFirst", "cond-missed-signal", "leak", ""}},
		{hangs, "stream", "TestCloseAfterFirst", way{"send-consumer-left", "(*Subscription).produce (*Subscription).Close Subscribe", "channel-send-leak", "leak", "v"}},
		{tests, "stream", "TestCollect", way{"receive-range", "Collect TestCollect", "channel-receive-leak", "leak", ""}},
		{hangs, "stream", "TestUnknownMethod", way{"receive-reply", "(*Server).Call", "channel-receive-leak", "leak", ""}},
		{tests, "stream", "TestCopyAll", way{"send-errors", "CopyAll.func1 CopyAll", "channel-send-leak", "leak", ""}},
		{hangs, "stream", "TestWatchEndsWithContext", way{"select-context", "Watch", "select-leak", "leak", ""}},
		{tests, "stream", "TestNextBeforeOpen", way{"nil-receive", "(*Feed).Next", "nil-channel|channel-receive-leak", "leak", ""}},
	} {
		f := fixture{ // with the timeout that go test gives: a process without a timer would end as a deadlock
			name: "stucktest-" + w.kind, module: "stucktest", pkg: "./" + w.pkg, kind: w.kind, how: w.how, minors: []int{26},
			args: []string{"-test.count=1", "-test.timeout=10m0s", "-test.run=^" + w.test + "$"}, format: "signal", want: `^SIGQUIT`,
			culprit: w.below("example.com/fixtures/stucktest/" + w.pkg + "."), category: w.category, rule: w.rule,
		}
		if w.how == tests {
			f.args, f.flags = []string{"-count=1", "-run=^" + w.test + "$"}, []string{"-timeout=1s"}
			f.want, f.format = `test timed out`, "gotest"
		}
		if strings.Contains(w.dumps, "v") {
			f.minors = append(f.minors, stuckElsewhere...)
		}
		list = append(list, f)
	}
	return list
}
