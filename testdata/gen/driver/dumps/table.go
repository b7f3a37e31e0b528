package dumps

// catalog lists every fixture.
func catalog() []fixture {
	var all []fixture
	for _, part := range [][]fixture{zoo(), spins(), nears(), crashes(), moderns(), outsiders(), healthy(), founding(), stucks(), stuckTests()} {
		all = append(all, part...)
	}
	return all
}

func zoo() []fixture {
	profiles := []side{{"zoo-debug2.txt", "debug2"}, {"zoo-debug1.txt", "debug1"}, {"zoo.pb.gz", "proto"}}
	base := fixture{module: "simple", pkg: "./zoo", kind: "zoo", args: []string{}, how: abort, format: "signal", culprit: "-", category: "any"}
	signal, labels, minutes, all, ancestors := base, base, base, base, base
	signal.name, signal.also = "zoo-signal", profiles
	labels.name, labels.kind, labels.from = "zoo-labels-signal", "labels", "1.26"
	labels.env = []string{"GODEBUG=tracebacklabels=1"}
	minutes.name, minutes.kind, minutes.args = "zoo-minutes-signal", "minutes", []string{"-minutes"}
	all.name, all.kind, all.env, all.how = "zoo-crash-signal", "gotraceback-crash", []string{"GOTRACEBACK=crash"}, quit
	ancestors.name, ancestors.kind, ancestors.env = "zoo-ancestors-signal", "tracebackancestors", []string{"GODEBUG=tracebackancestors=3"}
	minutes.want = `, 1 minutes`
	minutes.minors, all.minors, ancestors.minors = []int{18, 26}, []int{26}, []int{26}
	counts := fixture{
		name: "zoo-counts", module: "simple", pkg: "./zoo", kind: "counts", args: []string{"-counts"}, minors: []int{26}, how: dies,
		path: "zoo-counts.tsv", format: table, culprit: "-",
	}
	return []fixture{signal, labels, minutes, all, ancestors, counts}
}

const fixtures = "example.com/fixtures/"

// everySecond are the Go versions in which a spinner looks different; in the others a few kinds are enough.
var everySecond = []int{12, 16, 18, 22, 26, 27}

// spins are the spinners. Of each 1.26 has two dumps, since a spinner is not always caught in the same frame.
func spins() []fixture {
	culprits := []struct{ kind, culprit string }{
		{"gosched", fixtures + "spin/internal/intake.(*Drain).Start.func1"},
		{"gosched-three", fixtures + "spin/internal/intake.(*Drain).Start.func1"},
		{"select-default", fixtures + "spin/internal/relay.(*Relay).Forward"},
		{"sleep-poll", "main.waitForFlag"},
		{"after-poll", "main.(*poller).run"},
		{"atomic-load", "main.awaitGeneration"},
		{"cas", fixtures + "spin/internal/spinlock.(*Lock).Acquire"},
		{"lock-poll", "main.(*gate).awaitOpen"},
		{"bool", "main.waitDone"},
		{"arith", "main.churn"},
	}
	var list []fixture
	for _, c := range culprits {
		f := fixture{
			name: "spin-" + c.kind, module: "simple", pkg: "./spin", kind: c.kind, how: abort,
			samples: 2, sampled: "1.26", format: "signal", culprit: c.culprit, creator: "main.start", category: "spin",
		}
		if c.kind != "gosched" && c.kind != "select-default" && c.kind != "arith" {
			f.minors = everySecond
		}
		list = append(list, f)
	}
	// Without asynchronous preemption a loop that calls nothing cannot be stopped: its stack is unavailable.
	unstoppable := fixture{
		name: "spin-unavailable", module: "simple", pkg: "./spin", kind: "arith", env: []string{"GODEBUG=asyncpreemptoff=1"}, from: "1.16",
		how: abort, want: "stack unavailable", format: "signal", culprit: "main.churn", creator: "main.start", category: "spin",
	}
	return append(list, unstoppable)
}

// nears look like spinners and are none.
func nears() []fixture {
	wants := []struct{ kind, want string }{
		{"near-json", `(?m)\[runnable\]:\n(.*\n){1,24}main\.decodeParcels`},
		{"near-select-sleep", `ForwardSlowly`},
		{"near-woken", `(?m)\[runnable\]:\n((runtime\.gopark.*|\t.*)\n){0,4}sync\.runtime_notifyListWait`},
		{"near-ticker", `main\.countTicks`},
		{"near-cas-work", `main\.hashBlocks`},
	}
	var list []fixture
	for _, w := range wants {
		f := fixture{
			name: "spin-" + w.kind, module: "simple", pkg: "./spin", kind: w.kind, how: abort, want: w.want,
			samples: 2, sampled: "1.26", format: "signal", culprit: "-", category: "none",
		}
		if w.kind != "near-woken" && w.kind != "near-json" {
			f.minors = everySecond
		}
		list = append(list, f)
	}
	return list
}

// crashes die, or log a panic that they survive.
func crashes() []fixture {
	const volume = fixtures + "crash/internal/volume."
	deaths := []struct{ kind, culprit, category, want string }{
		{"nil", volume + "(*Volume).desired", "crash", ""},
		{"nil-func", volume + "(*Hooks).Run", "crash", ""},
		{"nil-map", volume + "(*Store).Put", "crash", ""},
		{"index", volume + "(*Store).At", "crash", ""},
		{"slice", volume + "Head", "crash", ""},
		{"fault", volume + "ReadAt", "crash", ""},
		{"send-closed", "main.report", "crash", ""},
		{"close-nil", "main.finish", "crash", ""},
		{"close-closed", "main.finish", "crash", ""},
		{"waitgroup-negative", "main.release", "crash", ""},
		{"unlock-unlocked", "main.leave", "crash", ""},
		{"runlock-unlocked", "main.leaveReader", "crash", ""},
		{"type-assertion", "main.nameOf", "crash", ""},
		{"interface-assertion", "main.stringerOf", "crash", ""},
		{"divide", "main.share", "crash", ""},
		{"makeslice", "main.buffer", "crash", ""},
		{"custom-error", "main.valueFault", "crash", ""},
		{"multi-line", "main.valueFault", "crash", ""},
		{"panic-goroutine", "main.processOrder", "crash", ""},
		{"repanic-same", volume + "(*Volume).desired", "crash", ""},
		{"repanic-wrapped", volume + "(*Volume).desired", "crash", ""},
		{"repanic-chain", volume + "(*Volume).desired", "crash", ""},
		{"panic-in-defer", volume + "(*Volume).desired", "crash", ""},
		{"map-writes", "main.record", "race", `concurrent map writes(.*\n){1,8}main\.record`},
		{"map-read-write", "main.lookUp", "race", `concurrent map read and map write(.*\n){1,8}main\.lookUp`},
		{"map-iterate-write", "main.total", "race", `concurrent map iteration and map write(.*\n){1,8}main\.total`},
		{"stack-overflow", "main.visitHarbor", "crash", ""},
		{"out-of-memory", "main.grab", "memory", "out of memory"},
		{"threads", "main.waitForByte", "crash", "thread exhaustion"},
		{"deadlock", "main.transfer", "deadlock", "asleep"},
		{"goexit", "main.idleWorker", "deadlock", "deadlock"},
		{"http", volume + "(*Volume).desired", "crash", "panic serving"},
		{"observed", volume + "(*Volume).desired", "crash", "Observed a panic"},
		{"log-fatal", "main.die", "crash", "leaderelection lost"},
	}
	var list []fixture
	for _, d := range deaths {
		f := fixture{
			name: "crash-" + d.kind, module: "simple", pkg: "./crash", kind: d.kind, how: dies, want: d.want,
			format: "panic", culprit: d.culprit, category: d.category,
		}
		if d.kind == "http" || d.kind == "observed" || d.kind == "log-fatal" {
			f.format = "log"
		}
		list = append(list, f)
	}
	for level, culprit := range map[string]string{
		"crash": volume + "(*Volume).desired", "all": volume + "(*Volume).desired", "system": volume + "(*Volume).desired",
		"none": "-", // prints the panic's text and no stack
	} {
		list = append(list, fixture{
			name: "crash-nil-traceback-" + level, module: "simple", pkg: "./crash", kind: "nil", how: dies, env: []string{"GOTRACEBACK=" + level},
			from: "1.16", format: "panic", culprit: culprit, category: "crash",
		})
	}
	return list
}
