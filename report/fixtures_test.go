package report_test

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// The reports below are made by hand: one a situation that a reader meets. Their programs are invented.

// situations are all of them by the name of their golden files.
func situations() map[string]*schema.Report {
	return withBundles(withProfiles(withFleets(withSeveralDumps(map[string]*schema.Report{
		"spin":     spinReport(),
		"crash":    crashReport(),
		"watch":    watchReport(),
		"no-dump":  noDumpReport(),
		"many":     manyReport(),
		"hostile":  hostileReport(),
		"deadlock": deadlockReport(),
		"empty":    {},
	}))))
}

func tool() schema.Tool { return schema.Tool{Name: "triage", Version: "1.2.3"} }

const vendored = "example.com/shop/manager/vendor/example.org/edge/certs"

func fn(function, file string, line int, class string) schema.Frame {
	return schema.Frame{Function: function, File: file, Line: line, Class: class}
}

func roles() []schema.Bucket {
	bucket := func(n int, state, role string) schema.Bucket {
		return schema.Bucket{State: state, Wait: "other", Count: n, Role: role,
			Frames: []schema.Frame{fn("runtime.gopark", "/usr/local/go/src/runtime/proc.go", 361, "runtime")}}
	}
	return []schema.Bucket{
		bucket(1204, "chan receive", "informer-listener"), bucket(611, "select", "reflector-watch"),
		bucket(402, "sync.Cond.Wait", "workqueue-worker"), bucket(280, "IO wait", "http2-read-loop"),
		bucket(131, "select", "ticker-loop"), bucket(60, "select", "http-keep-alive"), bucket(31, "chan receive", "leader-election"),
		bucket(18, "GC worker (idle)", "gc-worker"), bucket(2, "select", "klog-flush"), bucket(1, "syscall", "signal-handler"),
	}
}

func roleCounts() []schema.RoleCount {
	return []schema.RoleCount{
		{Role: "informer-listener", Doc: "hands informer events to one handler", Goroutines: 1204, Buckets: 1},
		{Role: "reflector-watch", Doc: "waits for the next event of a watch", Goroutines: 611, Buckets: 1},
		{Role: "workqueue-worker", Doc: "waits for the next key of a work queue", Goroutines: 402, Buckets: 1},
		{Role: "http2-read-loop", Doc: "reads frames of one HTTP/2 connection", Goroutines: 280, Buckets: 1},
		{Role: "ticker-loop", Doc: "waits for its next tick", Goroutines: 131, Buckets: 1},
		{Role: "http-keep-alive", Doc: "waits for the next request on an idle connection", Goroutines: 60, Buckets: 1},
	}
}

// spinReport: one goroutine of 2,764 spins, another was just woken.
func spinReport() *schema.Report {
	culprit := rules.Place{Function: vendored + ".(*listener).Refresh.func1", Package: vendored,
		File: "/go/src/example.com/shop/manager/vendor/example.org/edge/certs/listener.go", Line: 168}
	gosched := fn("runtime.Gosched", "/usr/local/go/src/runtime/proc.go", 317, "runtime")
	guilty := fn(culprit.Function, culprit.File, culprit.Line, "vendored")
	creator := fn(vendored+".(*listener).Refresh", culprit.File, 165, "vendored")
	pipe := fn("golang.org/x/net/http2.(*pipe).Read", "/go/src/example.com/shop/manager/vendor/golang.org/x/net/http2/pipe.go", 76, "vendored")
	own := fn("example.com/shop/manager/pkg/sync.(*Mirror).pull", "/go/src/example.com/shop/manager/pkg/sync/mirror.go", 88, "own")
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{{Path: "/var/log/pods/shop_manager-0_6b1f/manager/1.log", Kind: "pod-log", Bytes: 3_401_221, Lines: 37_021,
			Framing: "cri", Namespace: "shop", Pod: "manager-0", Container: "manager"}},
		Findings: []rules.Finding{{
			Rule: "TR101", Name: "busy-wait", Category: rules.Spin, Severity: rules.High, Confidence: rules.ConfMedium,
			Title:   "certs.(*listener).Refresh.func1 spins on runtime.Gosched",
			Culprit: culprit,
			Path: []rules.PathFrame{
				{Function: guilty.Function, File: guilty.File, Line: guilty.Line, Class: guilty.Class},
				{Function: gosched.Function, File: gosched.File, Line: gosched.Line, Class: gosched.Class},
			},
			Evidence: []rules.Evidence{{Input: "/var/log/pods/shop_manager-0_6b1f/manager/1.log", Line: 15178,
				Time: "2026-03-01T10:00:00Z", Text: "goroutine 6139 [runnable]", Goroutines: []uint64{6139}, Count: 1}},
			Why: "A goroutine that yields with runtime.Gosched and is runnable again at once polls instead of waiting: it takes a whole CPU " +
				"for as long as what it polls for doesn't come.",
			Fix:  "Wait on a channel, a sync.Cond or a context; if it must poll, sleep between the checks.",
			Next: rules.Commands("kubectl -n shop top pod --containers manager-0", "triage explain TR101"),
			Refs: []string{"https://pkg.go.dev/runtime#Gosched"}, Fingerprint: "8d3f0a11c5f2b7e0",
			Sources: []string{"/var/log/pods/shop_manager-0_6b1f/manager/1.log"},
			Count:   1, Creator: creator.Function,
		}},
		Dumps: []schema.Dump{{
			Input: "/var/log/pods/shop_manager-0_6b1f/manager/1.log", Line: 12, Time: "2026-03-01T10:00:00Z", Format: "signal",
			Signal: "SIGABRT: abort", Reason: "SIGABRT: abort", Go: "1.18", Goroutines: 2764, Seen: 1,
			Buckets: append(roles(),
				schema.Bucket{State: "runnable", Wait: "runnable", Count: 1, CreatedBy: &creator, Frames: []schema.Frame{gosched, guilty}, Goroutines: []uint64{6139}},
				schema.Bucket{State: "runnable", Wait: "cond", Count: 1, Role: "reflector-watch", CreatedBy: &creator, Frames: []schema.Frame{pipe}, Goroutines: []uint64{9033}},
				schema.Bucket{State: "IO wait", Wait: "io", Count: 3, Minutes: schema.Minutes{Min: 2, Max: 9}, CreatedBy: &creator, Frames: []schema.Frame{
					fn("internal/poll.(*FD).Read", "/usr/local/go/src/internal/poll/fd_unix.go", 167, "stdlib"), own}, Goroutines: []uint64{41, 42, 977}},
				schema.Bucket{State: "select (no cases)", Wait: "select no cases", Count: 1, Frames: []schema.Frame{
					fn("main.main", "/go/src/example.com/shop/manager/main.go", 61, "own")}, Goroutines: []uint64{1}},
			),
			Roles: roleCounts(),
			Runnable: []schema.Runnable{
				{Goroutines: []uint64{6139}, Count: 1, State: "runnable", Verdict: "accused", Reason: "yields in a loop", Frame: guilty},
				{Goroutines: []uint64{9033}, Count: 1, State: "runnable", Verdict: "innocent",
					Reason: "sync.(*Cond).Wait is on top: it was woken a moment ago and waits for its turn", Frame: pipe},
			},
		}},
		Rules: schema.RuleCounts{Checked: 41, Fired: 1, Clear: 33, NotApplicable: 7},
		NotApplicable: []schema.NotApplicable{
			{Rule: "TR151", Needs: "two dumps of one process"}, {Rule: "TR152", Needs: "two dumps of one process"},
			{Rule: "TR301", Needs: "a race detector's report"},
			{Rule: "TR153", Needs: "two dumps of one process"}, {Rule: "TR154", Needs: "two dumps of one process"},
			{Rule: "TR155", Needs: "two dumps of one process"}, {Rule: "TR156", Needs: "two dumps of one process"},
		},
	}
}

// crashReport: a nil pointer, deep below a handler, in a dump whose end is missing.
func crashReport() *schema.Report {
	const pkg = "example.com/shop/orders/internal/"
	frames := []schema.Frame{
		fn("panic", "/usr/local/go/src/runtime/panic.go", 792, "runtime"),
		fn("runtime.sigpanic", "/usr/local/go/src/runtime/signal_unix.go", 917, "runtime"),
		fn(pkg+"price.(*Table).Lookup", "/src/orders/internal/price/table.go", 70, "own"),
		fn(pkg+"price.Total[...]", "/src/orders/internal/price/total.go", 31, "own"),
		fn(pkg+"cart.(*Cart).Sum", "/src/orders/internal/cart/cart.go", 204, "own"),
		fn(pkg+"api.(*Server).checkout", "/src/orders/internal/api/checkout.go", 58, "own"),
		fn(pkg+"api.(*Server).Routes.func3", "/src/orders/internal/api/routes.go", 44, "own"),
		fn("net/http.HandlerFunc.ServeHTTP", "/usr/local/go/src/net/http/server.go", 2294, "stdlib"),
		fn("net/http.(*ServeMux).ServeHTTP", "/usr/local/go/src/net/http/server.go", 2822, "stdlib"),
		fn("net/http.serverHandler.ServeHTTP", "/usr/local/go/src/net/http/server.go", 3301, "stdlib"),
		fn("net/http.(*conn).serve", "/usr/local/go/src/net/http/server.go", 2102, "stdlib"),
	}
	creator := fn("net/http.(*Server).Serve", "/usr/local/go/src/net/http/server.go", 3454, "stdlib")
	var path []rules.PathFrame
	for i := len(frames) - 1; i >= 2; i-- {
		f := frames[i]
		path = append(path, rules.PathFrame{Function: f.Function, File: f.File, Line: f.Line, Class: f.Class})
	}
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{
			{Path: "orders/0.log", Kind: "pod-log", Bytes: 91_000, Lines: 1_204, Framing: "cri", Namespace: "shop", Pod: "orders-7", Container: "orders"},
			{Path: "orders/1.log", Kind: "pod-log", Bytes: 880, Lines: 12, Framing: "cri", Namespace: "shop", Pod: "orders-7", Container: "orders"},
		},
		Findings: []rules.Finding{{
			Rule: "TR201", Name: "nil-dereference", Category: rules.Crash, Severity: rules.Critical, Confidence: rules.ConfHigh,
			Title:   "price.(*Table).Lookup dereferences a nil pointer (table.go:70)",
			Culprit: rules.Place{Function: frames[2].Function, Package: pkg + "price", File: frames[2].File, Line: 70},
			Path:    path,
			Evidence: []rules.Evidence{
				{Input: "orders/0.log", Line: 1101, Text: "panic: runtime error: invalid memory address or nil pointer dereference", Goroutines: []uint64{88}, Count: 1},
				{Input: "orders/0.log", Line: 1102, Text: "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x6f2a01]", Count: 1},
			},
			Why:  "The process died of SIGSEGV at address 0x18, a field of a nil *Table: Lookup was called on a table that was never loaded.",
			Fix:  "Check the table for nil before the call at total.go:31, or return an error where it is loaded.",
			Next: rules.Commands("kubectl -n shop logs -p orders-7 -c orders", "kubectl -n shop describe pod orders-7"),
			Refs: []string{"https://go.dev/ref/spec#Run_time_panics"}, Fingerprint: "00aa11bb22cc33dd", Sources: []string{"orders/0.log"},
			Notes: []string{"20 other goroutines are runnable: a crash stops everybody where they are, this accuses nobody."},
			Count: 1, Creator: creator.Function,
		}},
		Dumps: []schema.Dump{{
			Input: "orders/0.log", Line: 1101, Format: "signal",
			Reason: "panic: runtime error: invalid memory address or nil pointer dereference", Go: "1.24", Goroutines: 21, Truncated: "tail", Seen: 3,
			Buckets: []schema.Bucket{{State: "running", Wait: "running", Count: 1, Frames: frames, CreatedBy: &creator, Goroutines: []uint64{88}}},
			Runnable: []schema.Runnable{{Goroutines: []uint64{1, 2, 3, 4, 5, 6, 7, 8}, Count: 20, State: "runnable", Verdict: "innocent",
				Reason: "the process crashed: all goroutines stopped where they were"}},
			Unparsed: 2, UnparsedLines: []schema.UnparsedLine{{Line: 1190, Text: "\trequest_id=4711 level=warn \x1b[33mslow\x1b[0m"}, {Line: 1191, Text: "…"}},
		}},
		Rules:         schema.RuleCounts{Checked: 41, Fired: 1, Clear: 39, NotApplicable: 1},
		NotApplicable: []schema.NotApplicable{{Rule: "TR301", Needs: "a race detector's report"}},
		Advice: []schema.Advice{{Why: "the dump ends in the middle of a goroutine; the newer file may have the rest",
			Commands: []rules.Step{rules.Command("ls -l /var/log/pods/shop_orders-7_*/orders").Note("on the pod's node")}}},
	}
}

// watchReport: a debug=2 dump of a busy server, where nobody can be accused yet.
func watchReport() *schema.Report {
	rebuild := fn("example.com/shop/search/index.(*Cache).rebuild", "/src/search/index/cache.go", 88, "own")
	rank := fn("example.com/shop/search/index.rank", "/src/search/index/rank.go", 14, "own")
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{{Path: "-", Kind: "goroutine-dump", Bytes: 81_000, Lines: 1_900, Framing: "plain"}},
		Dumps: []schema.Dump{{
			Input: "-", Line: 1, Format: "debug2", Go: "1.26", Goroutines: 212, Seen: 1,
			Buckets: []schema.Bucket{
				{State: "IO wait", Wait: "io", Count: 207, Role: "http-keep-alive", Frames: []schema.Frame{rank}, Goroutines: []uint64{9, 10}},
				{State: "running", Wait: "running", Count: 1, Frames: []schema.Frame{rebuild}, Goroutines: []uint64{71}},
				{State: "runnable", Wait: "runnable", Count: 4, Frames: []schema.Frame{rank}, Goroutines: []uint64{80, 81, 82, 83}},
			},
			Roles: []schema.RoleCount{{Role: "http-keep-alive", Doc: "waits for the next request on an idle connection", Goroutines: 207, Buckets: 1}},
			Runnable: []schema.Runnable{
				{Goroutines: []uint64{71}, Count: 1, State: "running", Verdict: "watch", Reason: "was preempted while it computed", Frame: rebuild},
				{Goroutines: []uint64{80, 81, 82, 83}, Count: 4, State: "runnable", Verdict: "watch", Reason: "waits for a CPU in its own code", Frame: rank},
			},
		}},
		Rules:         schema.RuleCounts{Checked: 41, Clear: 34, NotApplicable: 7},
		NotApplicable: []schema.NotApplicable{{Rule: "TR151", Needs: "two dumps of one process"}},
	}
}

// noDumpReport: a log that holds no dump, and a file that can't be read.
func noDumpReport() *schema.Report {
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{{Path: "/var/log/pods/shop_manager-0_6b1f/manager/0.log", Kind: "pod-log", Bytes: 120_000, Lines: 1_402, Framing: "cri",
			Namespace: "shop", Pod: "manager-0", Container: "manager"}},
		Rules: schema.RuleCounts{Checked: 41, NotApplicable: 41},
		NotApplicable: []schema.NotApplicable{{Rule: "TR101", Needs: "a goroutine dump"}, {Rule: "TR102", Needs: "a goroutine dump"},
			{Rule: "TR301", Needs: "a race detector's report"}},
		Skipped: []schema.Skipped{{Path: "/var/log/pods/shop_manager-0_6b1f/manager/0.log.20260301-100000.gz", Reason: "unexpected end of gzip data after 0 bytes",
			Hint: "the file may still be being written; copy it again"}},
		Advice: []schema.Advice{{Why: "no input holds a dump. SIGABRT makes the process print all its goroutines and die; the container restarts, so that the dump is in the previous log:",
			Commands: []rules.Step{
				{Command: "kubectl -n shop exec manager-0 -c manager -- kill -ABRT 1", Changes: true},
				{Command: "kubectl -n shop logs -p manager-0 -c manager > manager-0.log"},
				{Command: "kubectl -n shop debug -it manager-0 --image=busybox --target=manager -- sh -c 'kill -ABRT 1'", Comment: "where the image has no kill", Changes: true},
			}}},
	}
}

// manyReport: thirty findings in three dumps of two inputs whose base names are equal.
func manyReport() *schema.Report {
	r := &schema.Report{Schema: schema.Schema, Tool: tool()}
	for _, path := range []string{"node-a/manager/1.log", "node-b/manager/1.log"} {
		r.Inputs = append(r.Inputs, schema.Input{Path: path, Kind: "pod-log", Bytes: 1000, Lines: 100, Framing: "cri"})
	}
	for i := range 9 {
		r.Inputs = append(r.Inputs, schema.Input{Path: fmt.Sprintf("app-%d.log", i), Kind: "text-log", Lines: int64(i) * 1000})
	}
	severities := []rules.Severity{rules.Critical, rules.High, rules.Medium, rules.Low, rules.Info}
	for i := range 30 {
		f := rules.Finding{
			Rule: fmt.Sprintf("TR%d", 110+i), Name: "stuck-send", Category: rules.Leak, Severity: severities[i/6],
			Confidence: rules.ConfLow,
			Title:      fmt.Sprintf("%d goroutines pile up behind queue.(*Topic[...]).Publish", 900-i),
			Culprit:    rules.Place{Function: "example.org/lib/queue.(*Topic[...]).Publish", File: "/go/pkg/mod/example.org/lib@v1.2.3/queue/topic.go", Line: 40 + i},
			Path: []rules.PathFrame{
				{Function: "example.com/shop/events.(*Hub).Run", File: "/src/events/hub.go", Line: 17, Class: "own"},
				{Function: "example.com/shop/events.(*Hub).send", File: "/src/events/hub.go", Line: 90, Class: "own"},
				{Function: "example.org/lib/queue.(*Topic[...]).Publish", File: "/go/pkg/mod/example.org/lib@v1.2.3/queue/topic.go", Line: 40 + i, Class: "dependency"},
				{Function: "runtime.chansend1", File: "/usr/local/go/src/runtime/chan.go", Line: 161, Class: "runtime"},
			},
			Why:       "They have waited for up to 90 minutes in a channel send, and all come from one place.",
			Fix:       "Give the send a way out: select on the context beside it.",
			Next:      rules.Commands("triage diff before.txt after.txt"),
			Sources:   []string{"node-a/manager/1.log", "node-b/manager/1.log"},
			FirstSeen: "2026-03-01T10:00:00Z", LastSeen: "2026-03-01T11:30:00Z", Count: 900 - i,
		}
		for j := range 5 {
			f.Evidence = append(f.Evidence, rules.Evidence{Input: r.Inputs[j%2].Path, Line: int64(100*j + i),
				Text: fmt.Sprintf("goroutine %d [chan send, 90 minutes], %d goroutines", j, 180-j), Goroutines: []uint64{1, 2, 3, 4, 5, 6}, Count: 180 - j, Share: 0.034})
		}
		r.Findings = append(r.Findings, f)
	}
	for i := range 3 {
		r.Dumps = append(r.Dumps, schema.Dump{Input: r.Inputs[i/2].Path, Line: int64(1 + 400*i), Format: "debug2", Go: ">=1.22", Goroutines: 1000 + i, Seen: 1,
			Buckets: []schema.Bucket{{State: "chan send", Wait: "chan send", Count: 1000 + i, Minutes: schema.Minutes{Min: 1, Max: 90},
				Frames: []schema.Frame{fn("example.com/shop/queue.drain", "/src/queue/drain.go", 12, "own")}}}})
	}
	r.Rules = schema.RuleCounts{Checked: 41, Fired: 12, Clear: 29}
	return r
}

// deadlockReport: two goroutines hold what the other waits for.
func deadlockReport() *schema.Report {
	lock := fn("sync.(*Mutex).Lock", "/usr/local/go/src/sync/mutex.go", 90, "stdlib")
	transfer := fn("example.com/shop/bank.(*Account).Transfer", "/src/bank/account.go", 27, "own")
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{{Path: "stacks.txt", Kind: "goroutine-dump", Bytes: 900, Lines: 40, Framing: "plain"}},
		Findings: []rules.Finding{{
			Rule: "TR202", Name: "lock-cycle", Category: rules.Deadlock, Severity: rules.High, Confidence: rules.ConfMedium,
			Title:   "bank.(*Account).Transfer takes two locks in both orders",
			Culprit: rules.Place{Function: transfer.Function, File: transfer.File, Line: transfer.Line},
			Path: []rules.PathFrame{{Function: transfer.Function, File: transfer.File, Line: transfer.Line, Class: "own"},
				{Function: lock.Function, File: lock.File, Line: lock.Line, Class: lock.Class}},
			Evidence: []rules.Evidence{{Input: "stacks.txt", Line: 9, Text: "goroutine 7 [sync.Mutex.Lock, 4 minutes], 2 goroutines", Goroutines: []uint64{7, 8}, Count: 2}},
			Why:      "Goroutine 7 waits for the account that 8 has locked, and 8 for the one that 7 has.",
			Fix:      "Lock accounts in one order, by id say.",
			Next:     rules.Commands("triage explain TR202"), Creator: "main.main",
		}},
		Dumps: []schema.Dump{{Input: "stacks.txt", Line: 1, Format: "debug2", Goroutines: 4, Seen: 1,
			Buckets: []schema.Bucket{
				{State: "sync.Mutex.Lock", Wait: "mutex", Count: 2, Minutes: schema.Minutes{Min: 4, Max: 4}, Locked: true, Labels: []string{"tenant: 7"},
					Frames: []schema.Frame{lock, {Elided: 12}, transfer}, Goroutines: []uint64{7, 8}},
				{State: "sync.WaitGroup.Wait", Wait: "waitgroup", Count: 1, Frames: []schema.Frame{fn("main.main", "/src/main.go", 19, "own")}, Goroutines: []uint64{1}},
				{State: "running", Wait: "running", Count: 1, Goroutines: []uint64{3}},
			},
			Waits: []schema.Wait{
				{Object: "0xc000012340", Kind: "mutex", Waiters: 1, Holders: []schema.Holder{{Goroutine: 8, Confidence: "medium"}}, BlockedBy: "mutex 0xc000012348"},
				{Object: "0xc000012348", Kind: "mutex", Waiters: 1, Holders: []schema.Holder{{Goroutine: 7, Confidence: "medium"}}, BlockedBy: "mutex 0xc000012340"},
			}}},
		Rules:         schema.RuleCounts{Checked: 41, Fired: 1, Clear: 38, NotApplicable: 2},
		NotApplicable: []schema.NotApplicable{{Rule: "TR151", Needs: "two dumps of one process"}, {Rule: "TR301", Needs: "a race detector's report"}},
	}
}

// nasty holds one of each thing that a terminal or a reader must be kept from.
const nasty = "a\x1b[31mred\x1b]0;title\x07 \u202egnp.exe\u202c \u2066x\u2069 b\rc\nd\te\x00f\x7fg\u009bh\u200bi\xff\xfej\ufeffk 世界"

func hostilePattern(long string) schema.Pattern {
	return schema.Pattern{Input: nasty, Line: 1, Namespace: nasty, Pod: nasty, Container: nasty, Template: nasty + long, Level: nasty, Source: nasty, Count: 99, First: nasty, Last: nasty,
		PerSecond: 9, Objects: []schema.PatternObject{{Name: nasty + long, Count: 1}}, Text: nasty}
}

// hostileReport: every string is made to move the cursor.
func hostileReport() *schema.Report {
	place := rules.Place{Function: nasty + ".(*T).M", Package: nasty, File: "/src/" + nasty + ".go", Line: 7}
	frame := fn(place.Function, place.File, 7, nasty)
	long := strings.Repeat("W", 5000)
	return &schema.Report{
		Tool:   schema.Tool{Name: nasty, Version: nasty},
		Inputs: []schema.Input{{Path: nasty, Kind: nasty, Lines: 1, Framing: nasty, Namespace: nasty, Pod: nasty, Container: nasty, Node: nasty}, {Path: nasty}},
		Findings: []rules.Finding{
			{
				Rule: nasty, Name: nasty, Category: nasty, Severity: nasty, Confidence: nasty, Title: nasty + long, Culprit: place,
				Object: &rules.Object{API: nasty, Kind: nasty, Namespace: nasty, Name: nasty}, Actors: []string{nasty},
				Path:     []rules.PathFrame{{Function: place.Function, File: place.File, Line: 7, Class: nasty}, {Function: long, File: long, Line: 1}},
				Evidence: []rules.Evidence{{Input: nasty, Line: 3, Time: nasty, Text: nasty + long, Goroutines: []uint64{1}, Count: 1}},
				Why:      nasty + strings.Repeat(" word", 2000), Fix: long, Next: []rules.Step{{Command: "kubectl logs '" + nasty + "'", Comment: nasty, Changes: true}},
				Refs: []string{nasty}, Sources: []string{nasty, nasty + "2"}, FirstSeen: nasty, LastSeen: "now", Notes: []string{nasty},
			},
			{Title: nasty, Object: &rules.Object{Kind: nasty, Name: nasty + long}, Actors: []string{nasty}, Objects: []rules.Object{{Name: long}}, Evidence: []rules.Evidence{{Text: nasty, Time: "2026-03-04T10:00:00Z", Count: 7}, {Text: nasty, Time: "2026-03-04T10:00:01Z"}}}, {}, {Title: nasty + long},
		},
		Dumps: []schema.Dump{{Input: nasty, Line: 1, Time: nasty, Format: nasty, Reason: nasty, Go: nasty, Goroutines: -1, Truncated: nasty, Seen: 1 << 40,
			Buckets: []schema.Bucket{
				{State: nasty, Wait: nasty, Count: 3, Role: nasty, Labels: []string{nasty}, Frames: []schema.Frame{frame}, CreatedBy: &frame},
				{State: nasty, Wait: nasty, Count: 3, Labels: []string{nasty}, Frames: []schema.Frame{frame, {Elided: -1}, fn(long, long, 1<<30, "own")}, CreatedBy: &frame},
			},
			Roles:    []schema.RoleCount{{Role: nasty, Doc: nasty, Goroutines: 3, Buckets: 1}},
			Runnable: []schema.Runnable{{Count: 1, Verdict: "watch", Reason: nasty, Frame: frame}, {Count: 1, Verdict: "innocent", Reason: nasty + long, Frame: frame}},
			Waits:    []schema.Wait{{Object: nasty, Kind: nasty, Waiters: 2, Holders: []schema.Holder{{Goroutine: 1, Confidence: nasty}}, BlockedBy: nasty}},
			Unparsed: 1, UnparsedLines: []schema.UnparsedLine{{Line: 4, Text: nasty}}}},
		Profiles: []schema.Profile{hostileProfile()},
		Bundles:  []schema.Bundle{{Path: nasty, Layout: nasty, Files: 2, Kinds: []schema.Tally{{Name: nasty, Count: 2}}, First: nasty, Last: nasty}, {Path: nasty[:1], Files: 99, Layout: nasty + long}},
		Patterns: []schema.Pattern{hostilePattern(long)},
		Audit: &schema.Audit{Events: 1, First: nasty, Last: nasty, Levels: []schema.Tally{{Name: nasty, Count: 1}}, Talkers: []schema.Tally{{Name: nasty + long, Count: 1}}, Limits: []string{nasty, long},
			Writers: []schema.Writer{{Actor: nasty + long, Resource: nasty, Namespace: nasty, Name: nasty + long, Writes: 3, Fields: []string{nasty, long}, First: nasty, Last: nasty}}},
		Cluster: &schema.Cluster{Version: nasty, Time: nasty, Objects: 1, Kinds: []schema.Tally{{Name: nasty, Count: 1}}, Pods: []schema.Tally{{Name: nasty, Count: 1}},
			Gaps: []schema.Gap{{Input: nasty, Line: 1, Text: nasty + long}}},
		Rules:         schema.RuleCounts{Checked: 2, Fired: 1, NotApplicable: 1},
		NotApplicable: []schema.NotApplicable{{Rule: nasty, Needs: nasty}},
		Skipped:       []schema.Skipped{{Path: nasty, Reason: nasty, Hint: nasty}},
		Advice:        []schema.Advice{{Why: nasty, Commands: []rules.Step{{Command: nasty, Comment: nasty}}}},
	}
}
