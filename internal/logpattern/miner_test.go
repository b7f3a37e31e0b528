package logpattern

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// mine mines lines without a framing's stamps, three times over: what hardly repeats is not kept.
func mine(lines ...string) *Log {
	m := NewMiner()
	for i := range keptRepeats * len(lines) {
		m.Line([]byte(lines[i%len(lines)]), int64(i+1), 0, nil)
	}
	return m.Close()
}

// every repeats a line n times with the stamp of a framing, gap apart, {i} and {i/10} filled in.
func every(m *Miner, gap time.Duration, n int, line string) {
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	for i := range n {
		text := strings.NewReplacer("{i}", fmt.Sprint(i), "{i/10}", fmt.Sprint(i/10)).Replace(line)
		m.Line([]byte(text), int64(i+1), 0, []byte(at.Format(time.RFC3339Nano)))
		at = at.Add(gap)
	}
}

func TestHeadsOfLoggersAreRead(t *testing.T) {
	for _, c := range []struct {
		name, line       string
		level            Level
		source, logger   string
		template, object string // object as kind namespace/name
		time             string
	}{
		{"klog", `E0304 10:11:12.131415       1 controller.go:114] error syncing 'prod/web': not found`, LevelError, "controller.go:114", "", `error syncing 'prod/web': not found`, " prod/web", "03-04 10:11:12.131Z"},
		{"klog, structured", `I0304 10:11:12.131415   12345 kubelet.go:2017] "SyncLoop ADD" source="api" pod="prod/web-0"`, LevelInfo, "kubelet.go:2017", "", "SyncLoop ADD", "pod prod/web-0", "03-04 10:11:12.131Z"},
		{"klog, object as JSON", `I0304 10:11:12.131415       1 a.go:1] "Reconciled" Deployment={"name":"web","namespace":"prod"} took="1s"`, LevelInfo, "a.go:1", "", "Reconciled", "", "03-04 10:11:12.131Z"},
		{"logrus", `time="2026-03-04T10:11:12Z" level=warning msg="bundle fleet-local/web: nothing to do" controller=bundle`, LevelWarn, "", "", "bundle fleet-local/web: nothing to do", "bundle fleet-local/web", "2026-03-04T10:11:12Z"},
		{"logfmt", `ts=2026-03-04T10:11:12.5Z caller=main.go:7 level=info component=web msg=started`, LevelInfo, "main.go:7", "web", "started", "", "2026-03-04T10:11:12.5Z"},
		{"zap, JSON", `{"level":"error","ts":1772619072.5,"logger":"controllers.Site","msg":"Reconciler error","controllerKind":"Site","name":"blog","namespace":"prod","error":"x"}`, LevelError, "", "controllers.Site", "Reconciler error", "Site prod/blog", "2026-03-04T10:11:12.5Z"},
		{"zap, console", "2026-03-04T10:11:12.500Z\tINFO\tcontrollers.Site\tcontroller/controller.go:298\treconciling\t{\"request\": \"prod/blog\"}", LevelInfo, "controller/controller.go:298", "controllers.Site", "reconciling", " prod/blog", "2026-03-04T10:11:12.5Z"},
		{"slog, text", `time=2026-03-04T10:11:12.500Z level=ERROR msg="cannot sync" deployment=prod/web`, LevelError, "", "", "cannot sync", "deployment prod/web", "2026-03-04T10:11:12.5Z"},
		{"slog, JSON", `{"time":"2026-03-04T10:11:12.5+01:00","level":"WARN","msg":"release web is late"}`, LevelWarn, "", "", "release web is late", "release /web", "2026-03-04T09:11:12.5Z"},
		{"Go's log", `2026/03/04 10:11:12 getting history for release web-1`, LevelUnknown, "", "", "getting history for release web-1", "release /web-1", "2026-03-04T10:11:12Z"},
		{"Go's log with a place", `2026/03/04 10:11:12 main.go:12: done`, LevelUnknown, "main.go:12", "", "done", "", "2026-03-04T10:11:12Z"},
		{"capnslog", `2026-03-04 10:11:12.131415 W | etcdserver: read-only range request took too long`, LevelWarn, "", "", "etcdserver: read-only range request took too long", "", "2026-03-04T10:11:12.131415Z"},
		{"Python", `2026-03-04 10:11:12,131 ERROR worker.tasks Task failed`, LevelError, "", "", "worker.tasks Task failed", "", "2026-03-04T10:11:12.131Z"},
		{"Java", `2026-03-04 10:11:12.131 [main] WARN  com.acme.Pool - idle`, LevelWarn, "", "main", "com.acme.Pool - idle", "", "2026-03-04T10:11:12.131Z"},
		{"brackets", `[2026-03-04T10:11:12Z] [info] ready`, LevelInfo, "", "", "ready", "", "2026-03-04T10:11:12Z"},
		{"syslog", `Mar  4 10:11:12 node1 kernel: usb 1-1: new device`, LevelUnknown, "", "", "node1 kernel: usb 1-1: new device", "", "03-04 10:11:12Z"},
		{"access log", `10.0.0.1 - - [04/Mar/2026:10:11:12 +0200] "GET /a HTTP/1.1" 200 1`, LevelUnknown, "", "", `10.0.0.1 - - [04/Mar/2026:10:11:12 +0200] "GET /a HTTP/1.1" 200 1`, "", ""},
		{"prefix before logfmt", `[manager] time="2026-03-04T10:11:12Z" level=debug msg="process pvc-1-e: done"`, LevelDebug, "", "", "process pvc-1-e: done", " /pvc-1-e", "2026-03-04T10:11:12Z"},
		{"an event, as client-go logs it", `I0304 10:11:12.131415       1 event.go:282] Event(v1.ObjectReference{Kind:"Pod", Namespace:"prod", Name:"web-0", UID:"x"}): type: 'Normal'`, LevelInfo, "event.go:282", "", `Event(v1.ObjectReference{Kind:"Pod", Namespace:"prod", Name:"web-0", UID:"x"}): type: 'Normal'`, "Pod prod/web-0", "03-04 10:11:12.131Z"},
		{"a conflict", `sync failed: Operation cannot be fulfilled on deployments.apps "web": the object has been modified`, LevelUnknown, "", "", `sync failed: Operation cannot be fulfilled on deployments.apps "web": the object has been modified`, "deployments /web", ""},
		{"a kind with a path", `patched Deployment/prod/web`, LevelUnknown, "", "", "patched Deployment/prod/web", "Deployment prod/web", ""},
		{"two names", `error syncing 'prod/web': secret "web-tls" not found`, LevelUnknown, "", "", `error syncing 'prod/web': secret "web-tls" not found`, " prod/web", ""},
		{"two names of one", `sync of "prod/web" failed: deployments.apps "web" is forbidden`, LevelUnknown, "", "", `sync of "prod/web" failed: deployments.apps "web" is forbidden`, "deployments prod/web", ""},
		{"a custom kind with a path", `INFO reconcile Foo/bar-baz: no changes`, LevelInfo, "", "", "reconcile Foo/bar-baz: no changes", "Foo /bar-baz", ""},
		{"a reference as JSON", `{"level":"info","msg":"sync","object":{"kind":"Website","name":"shop","namespace":"prod"}}`, LevelInfo, "", "", "sync", "Website prod/shop", ""},
		{"a namespace behind the name", `deleting secret tls-1 in namespace prod`, LevelUnknown, "", "", "deleting secret tls-1 in namespace prod", "secret prod/tls-1", ""},
		{"a bare name with its namespace behind", `reconciling cluster payments in namespace pay`, LevelUnknown, "", "", "reconciling cluster payments in namespace pay", "cluster pay/payments", ""},
		{"a kind before namespace and name", `updated App apps/app-c`, LevelUnknown, "", "", "updated App apps/app-c", "App apps/app-c", ""},
		{"a name in brackets", `2026/03/04 10:11:12 [net/edge] applied`, LevelUnknown, "", "", "[net/edge] applied", " net/edge", "2026-03-04T10:11:12Z"},
		{"a name inside the error", `E0304 10:11:12.131415       1 a.go:1] "Unhandled Error" err="sync \"prod/web\" failed: gone"`, LevelError, "a.go:1", "", "Unhandled Error", " prod/web", "03-04 10:11:12.131Z"},
		{"a kind's manifest", `Applying addon manifest core-dns2 at /manifests/core-dns2.yaml: unchanged`, LevelUnknown, "", "", "Applying addon manifest core-dns2 at /manifests/core-dns2.yaml: unchanged", " /core-dns2", ""},
		{"nothing known", `plain words`, LevelUnknown, "", "", "plain words", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := mine(c.line)
			if len(log.Patterns) != 1 {
				t.Fatalf("%d patterns", len(log.Patterns))
			}
			p := log.Patterns[0]
			if p.Level != c.level || p.Source != c.source || p.Logger != c.logger || p.Template != c.template {
				t.Errorf("got %q, %q, %q, %q", p.Level, p.Source, p.Logger, p.Template)
			}
			got := ""
			if o := p.Objects[0]; o.Name != "" {
				got = o.Kind + " " + o.Namespace + "/" + o.Name
			}
			if got != c.object {
				t.Errorf("object %q, want %q", got, c.object)
			}
			if at := log.Format(p.First); at != c.time && c.time != "" {
				t.Errorf("time %q, want %q", at, c.time)
			}
		})
	}
}

func TestWordsThatAreNoNamesAreNotTaken(t *testing.T) {
	for _, line := range []string{
		"deployment is not ready", "the pod was deleted", "Syncing secret for all namespaces", "cluster membership changed", "release v1.2.3 found", "rpc error: code = DeadlineExceeded desc = timeout",
		`PV "" bound to PVC`, "Starting controller for policy/v1beta1", "Content-Type: application/json", "listening on 10.0.0.1:80", "took 5m3.2s", "Service endpoints changed",
		"cluster payments in progress", "[INFO] [main] started",
	} {
		if o := mine(line).Patterns[0].Objects[0]; o.Name != "" {
			t.Errorf("%q: names %q %q/%q", line, o.Kind, o.Namespace, o.Name)
		}
	}
}

func TestALoopOfTwoLinesAboutOneObjectIsSteadyAndWithoutNews(t *testing.T) {
	m := NewMiner()
	every(m, 500*time.Millisecond, 1200, `time="2026-03-04T10:00:00Z" level=info msg="getting history for release web" reconcileID=a{i}`)
	p := m.Close().Patterns[0]
	if len(p.Objects) != 1 || p.Objects[0].Name != "web" || p.Objects[0].Kind != "release" {
		t.Fatalf("objects: %+v", p.Objects)
	}
	o := p.Objects[0]
	if o.Count != 1200 || o.News != 1 || o.Run().Count != 1200 || o.Run().Period() != 500*time.Millisecond || o.Gaps().VariationPercent > 1 {
		t.Errorf("got %+v", o)
	}
	if o.FirstLine != 1 || o.LastLine != 1200 || o.Run().Span() != 1199*500*time.Millisecond {
		t.Errorf("got %+v", o)
	}
}

func TestAStateThatMovesIsNews(t *testing.T) {
	m := NewMiner()
	every(m, time.Second, 500, `level=info msg="reconciled" name=web namespace=prod generation={i/10}`)
	if o := m.Close().Patterns[0].Objects[0]; o.News != 50 || o.Versions {
		t.Errorf("news %d of %d, versions %v", o.News, o.Count, o.Versions)
	}
}

func TestTimesDurationsIDsCountersAndResourceVersionsAreNoNews(t *testing.T) {
	m := NewMiner()
	every(m, time.Second, 500, `{"level":"info","ts":1772619072.{i},"msg":"patched bundle web","took":"{i}ms","reconcileID":"ab{i}c","attempt":{i},"resourceVersion":"4{i}","from":"10.0.0.1:{i}"}`)
	o := m.Close().Patterns[0].Objects[0]
	if o.News != 1 || !o.Versions || o.Name != "web" {
		t.Errorf("news %d, versions %v, name %q", o.News, o.Versions, o.Name)
	}
}

func TestTheNumberOfARoundIsNoNewsAndThatOfAThingIs(t *testing.T) {
	for line, news := range map[string]int64{
		"INFO Reconciliation #{i}(timer) Topic(shop/orders): reconciled": 1,
		"INFO closed order #{i} of Topic(shop/orders)":                   500, // near miss: another order each time
	} {
		m := NewMiner()
		every(m, time.Second, 500, line)
		if o := m.Close().Patterns[0].Objects[0]; o.News != news || o.Name != "orders" {
			t.Errorf("%s: news %d, want %d, name %q", line, o.News, news, o.Name)
		}
	}
}

func TestObjectsOfOneStatementHaveTheirOwnGaps(t *testing.T) {
	m := NewMiner()
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	for i := range 1000 {
		name := "slow"
		if i%10 != 0 {
			name = "fast"
		}
		m.Line([]byte(`msg="Syncing" key=prod/`+name), int64(i+1), 0, []byte(at.Format(time.RFC3339Nano)))
		at = at.Add(100 * time.Millisecond)
	}
	p := m.Close().Patterns[0]
	if len(p.Objects) != 2 || p.Objects[0].Name != "fast" || p.Objects[0].Count != 900 || p.Objects[1].Namespace != "prod" || p.Objects[1].Count != 100 {
		t.Fatalf("objects %+v", p.Objects)
	}
	if d := p.Objects[1].Run().Period(); d != time.Second {
		t.Errorf("the slow one's period: %v", d)
	}
}

func TestNamesWithoutAnyWordBeforeThemAreFoundWhereLinesDiffer(t *testing.T) {
	log := mine("Skipping web-front today", "Skipping web-front today", "Skipping db-back today", "Skipping db-back today", "Skipping db-back today")
	if len(log.Patterns) != 1 || log.Patterns[0].Template != "Skipping <*> today" || len(log.Patterns[0].Objects) != 2 {
		t.Fatalf("got %+v", log.Patterns[0])
	}
	if a, b := log.Patterns[0].Objects[0], log.Patterns[0].Objects[1]; a.Name != "db-back" || a.Count != 3*keptRepeats ||
		b.Name != "web-front" || b.Count != 2*keptRepeats {
		t.Errorf("got %s %d, %s %d", a.Name, a.Count, b.Name, b.Count)
	}
}

func TestAWordOfTheLanguageMakesAnotherPattern(t *testing.T) {
	if log := mine("job web-1 started on node-1", "job web-2 stopped on node-1", "job web-3 started on node-2"); len(log.Patterns) != 2 {
		t.Errorf("%d patterns", len(log.Patterns))
	}
}

func TestPausesEndARunAndBackoffGrows(t *testing.T) {
	m := NewMiner()
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	gap := 10 * time.Millisecond
	for i := range 16 {
		m.Line([]byte("E0304 10:00:00.000000       1 c.go:9] sync of prod/web failed"), int64(i+1), 0, []byte(at.Format(time.RFC3339Nano)))
		at = at.Add(gap)
		gap *= 2
	}
	o := m.Close().Patterns[0].Objects[0]
	if !o.Gaps().Growing || o.Run().Count >= 16 {
		t.Errorf("growing %v, run of %d", o.Gaps().Growing, o.Run().Count)
	}
}

func TestReversedLogsHaveTheSameRuns(t *testing.T) {
	m := NewMiner()
	for i := range 100 {
		m.Line(fmt.Appendf(nil, "Mar  4 10:%02d:%02d node1 kubelet: synced pod prod/web", 59-i/60, 59-i%60), int64(i+1), 0, nil)
	}
	log := m.Close()
	if !log.Yearless || log.Format(log.First) != "03-04 10:58:20Z" || log.Format(log.Last) != "03-04 10:59:59Z" {
		t.Errorf("yearless %v, from %s to %s", log.Yearless, log.Format(log.First), log.Format(log.Last))
	}
	if o := log.Patterns[0].Objects[0]; o.Run().Count != 100 || o.Run().Period() != time.Second {
		t.Errorf("run %+v", o.Run())
	}
}

func TestTheYearComesFromALineThatHasOne(t *testing.T) {
	m := NewMiner()
	m.Line([]byte("starting"), 1, 0, []byte("Mar 04 10:11:12"))
	m.Line([]byte(`time="2026-03-04T10:11:13Z" level=info msg=on`), 2, 0, []byte("Mar 04 10:11:13"))
	log := m.Close()
	if log.Yearless || log.Format(log.First) != "2026-03-04T10:11:12Z" {
		t.Errorf("first %s", log.Format(log.First))
	}
	m = NewMiner()
	m.year = 2024
	m.Line([]byte("I1231 23:59:59.000000       1 a.go:1] old"), 1, 0, nil)
	m.Line([]byte("I0101 00:00:01.000000       1 a.go:1] new"), 2, 0, nil)
	if log := m.Close(); log.Format(log.First) != "2024-12-31T23:59:59Z" || log.Format(log.Last) != "2025-01-01T00:00:01Z" {
		t.Errorf("from %s to %s", log.Format(log.First), log.Format(log.Last))
	}
}

func TestSignsAreRead(t *testing.T) {
	for line, want := range map[string]Sign{
		`Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes`:         SignConflict,
		`Waited for 1.2s due to client-side throttling, not priority and fairness, request: GET:https://a`:           SignThrottled,
		`"Waited before sending request" delay="1.2s" reason="client-side throttling, not priority and fairness"`:    SignThrottled,
		`Throttling request took 1.2s, request: GET:https://a`:                                                       SignThrottled,
		`{"level":"warn","msg":"apply request took too long","took":"120ms"}`:                                        SignEtcdSlow,
		`read-only range request "key:\"a\" " with result "range_response_count:1" took too long (120ms) to execute`: SignEtcdSlow,
		`rpc error: code = Unavailable desc = etcdserver: request timed out`:                                         SignEtcdTimeout,
		`8e9e05c52164694d became leader at term 4`:                                                                   SignEtcdLeader,
		`failed to renew lease prod/lock: timed out waiting for the condition`:                                       SignLeaderLost,
		`leaderelection lost`:                                                   SignLeaderLost,
		`successfully acquired lease prod/lock`:                                 SignLeaderGained,
		`watch of *v1.Pod ended with: very short watch: Unexpected watch close`: SignWatchEnded,
		`Unexpected EOF during watch stream event decoding: unexpected EOF`:     SignWatchEnded,
		`requeuing key prod/web`:                                                SignRequeued,
		`Memory cgroup out of memory: Killed process 12 (web) total-vm:1kB`:     SignOOMKilled,
		`Starting Kubernetes Scheduler`:                                         SignStarted,
		`10.0.0.1 - - [04/Mar/2026:10:11:12 +0200] "GET /a HTTP/1.1" 200 1`:     SignLiveness,
		`running probe`: SignLiveness,
		`bundle rancher-monitoring: Resource is current`:             SignNone,
		`mapping of stats-server is done`:                            SignNone,
		`the lease of the flat was modified`:                         SignNone,
		`{"msg":"syncing","key":"cattle-monitoring-system/probe-0"}`: SignNone,
	} {
		if got := mine(line).Patterns[0].Sign; got != want {
			t.Errorf("%q: sign %d, want %d", line, got, want)
		}
	}
}

func TestDurationsOfThrottledRequestsAreSummed(t *testing.T) {
	log := mine("I0304 10:00:00.000000       1 request.go:668] Waited for 1.5s due to client-side throttling, request: GET:https://a", "I0304 10:00:02.000000       1 request.go:668] Waited for 500ms due to client-side throttling, request: GET:https://a")
	if took := log.Patterns[0].Took; took.Count != 2*keptRepeats || took.Sum != keptRepeats*2*time.Second || took.Longest != 1500*time.Millisecond {
		t.Errorf("took %+v", took)
	}
}

func TestStacksOutsideDumpsAreOnePattern(t *testing.T) {
	var lines []string
	for i := range 500 {
		lines = append(lines, fmt.Sprintf("example.com/app/pkg%d.(*T).Method%d(0xc000%d, 0x1)", i, i, i), fmt.Sprintf("\t/src/pkg%d/file.go:%d +0x1d", i, i))
	}
	if log := mine(lines...); log.Forms != 1 || log.Patterns[0].Count != 1000*keptRepeats {
		t.Errorf("%d patterns", log.Forms)
	}
}

func TestAHostileLogStaysWithinBoundsAndWhatComesLateIsStillFound(t *testing.T) {
	m := NewMiner()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	num := int64(0)
	word := func(n int) string {
		return strings.Repeat(string(rune('a'+n%26)), 3+n%7) + string(rune('a'+n/26%26)) + string(rune('a'+n/676%26))
	}
	for i := range 200_000 {
		num++
		m.Line(fmt.Appendf(nil, "%s %s %s name=%s-%s", word(i), word(i*7), word(i*31), word(i*13), word(i*17)), num, int32(i%3), nil)
	}
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	for range 500 {
		num++
		m.Line([]byte(`level=info msg="bundle late-one: Resource is current"`), num, 0, []byte(at.Format(time.RFC3339Nano)))
		at = at.Add(time.Second)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > 48<<20 {
		t.Errorf("%d MiB are held", used>>20)
	}
	log := m.Close()
	if log.Cut.Evicted == 0 || len(log.Patterns) > 2*keptPatterns {
		t.Errorf("cut %+v, %d patterns", log.Cut, len(log.Patterns))
	}
	i := 0
	for i < len(log.Patterns) && !strings.Contains(log.Patterns[i].Template, "Resource is current") {
		i++
	}
	if i == len(log.Patterns) || log.Patterns[i].Objects[0].Name != "late-one" || log.Patterns[i].Count != 500 {
		t.Errorf("the loop at the end is lost: %d patterns, cut %+v", len(log.Patterns), log.Cut)
	}
}

func TestNamesByTheThousandInOneStatementCostNoOtherPattern(t *testing.T) {
	m := NewMiner()
	num := int64(0)
	name := func(n int) string {
		b := []byte("aaaa")
		for i := range b {
			b[i] += byte(n % 26)
			n /= 26
		}
		return string(b)
	}
	for i := range 60_000 {
		num++
		m.Line(fmt.Appendf(nil, "I0304 10:00:00.000000       1 a.go:1] syncing service %s of the shop", name(i)), num, 0, nil)
		if i%6000 == 0 {
			num++
			m.Line([]byte("I0304 10:00:00.000000       1 a.go:2] a rare line without any name"), num, 0, nil)
		}
	}
	log := m.Close()
	if len(log.Patterns) != 2 || log.Cut.Evicted != 0 || log.Patterns[0].Count != 60_000 || log.Patterns[1].Count != 10 {
		t.Errorf("%d patterns, cut %+v", len(log.Patterns), log.Cut)
	}
}

func TestTimesFarApartEnd(t *testing.T) {
	m := NewMiner()
	num := int64(0)
	for _, year := range []int{2200, 1970, 2026, 1999, 2199, 1971} {
		for range 3 {
			num++
			m.Line([]byte("syncing pod prod/web"), num, 0, fmt.Appendf(nil, "%d-12-31T23:59:59Z", year))
		}
	}
	checkLog(t, m.Close(), num)
}

func TestTheMostFrequentOfManyObjectsKeepsItsPlace(t *testing.T) {
	m := NewMiner()
	num := int64(0)
	for i := range 20_000 {
		num++
		m.Line(fmt.Appendf(nil, "syncing pod prod/web-%d", i), num, 0, nil)
		if i%20 == 0 {
			num++
			m.Line([]byte("syncing pod prod/hot-1"), num, 0, nil)
		}
	}
	p := m.Close().Patterns[0]
	if o := p.Objects[0]; o.Name != "hot-1" || o.Count < 900 {
		t.Errorf("first of %d objects: %s %d", p.ObjectsSeen, o.Name, o.Count)
	}
}

func TestLongLinesAreCutAndCounted(t *testing.T) {
	long := "dumping " + strings.Repeat("word ", 5000)
	log := mine(long, strings.Repeat("x", 1<<20))
	if log.Cut.LongLines != 2*keptRepeats || len(log.Patterns) != 2 {
		t.Errorf("cut %+v", log.Cut)
	}
	for _, p := range log.Patterns {
		if len(p.Example) > maxExample || len(p.Template) > 2*maxExample+8 {
			t.Errorf("kept %d and %d bytes", len(p.Example), len(p.Template))
		}
	}
}

// TestRealLogsGroupWell holds bounds that a miner which lumps or splits would break, over real logs.
func TestRealLogsGroupWell(t *testing.T) {
	corpus := os.Getenv("TRIAGE_CORPUS")
	if corpus == "" {
		t.Skip("TRIAGE_CORPUS is not set: no real logs")
	}
	names, err := filepath.Glob(filepath.Join(corpus, "cases", "*", "*.log"))
	if err != nil || len(names) == 0 {
		t.Skip("no logs")
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m := NewMiner()
		num := int64(0)
		for line := range strings.Lines(string(data)) {
			num++
			m.Line([]byte(strings.TrimRight(line, "\r\n")), num, 0, nil)
		}
		checkLog(t, m.Close(), num)
	}
}

// checkLog holds what every log keeps: counts that add up, times in order, readable text, bounds.
func checkLog(t *testing.T, log *Log, lines int64) {
	t.Helper()
	if log.Lines != lines || log.Stamped > lines || log.Stamped > 0 && log.First.After(log.Last) {
		t.Fatalf("%d lines of %d, %d with a time, %v to %v", log.Lines, lines, log.Stamped, log.First, log.Last)
	}
	sum := log.Cut.Unmined + log.Cut.EvictedLines
	for _, p := range log.Patterns {
		sum += p.Count
		checkRepeats(t, p.Repeats, lines)
		if !utf8.ValidString(p.Template) || len(p.Objects) > keptObjects || p.Objects != nil && p.ObjectsSeen < len(p.Objects) {
			t.Fatalf("pattern %+v", p)
		}
		objects := int64(0)
		for _, o := range p.Objects {
			objects += o.Count
			checkRepeats(t, o.Repeats, lines)
			if len(o.Name) > maxName || !utf8.ValidString(o.Name) || o.News > o.Count {
				t.Fatalf("object %+v", o)
			}
		}
		if objects > p.Count {
			t.Fatalf("objects have %d lines of %d", objects, p.Count)
		}
	}
	if sum > lines {
		t.Fatalf("patterns have %d lines of %d", sum, lines)
	}
}

func checkRepeats(t *testing.T, r Repeats, lines int64) {
	t.Helper()
	if r.Count < 1 || r.FirstLine < 1 || r.LastLine > lines || r.FirstLine > r.LastLine || r.First.After(r.Last) || r.Run().Count > r.Count ||
		r.Run().First.After(r.Run().Last) {
		t.Fatalf("%+v", r)
	}
}
