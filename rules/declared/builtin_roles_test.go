package declared

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// assigned returns the dumps of a file with roles, and how many goroutines there are and have one.
func assigned(t *testing.T, path string, roles *match.RoleSet) (dumps []*rules.DumpInput, all, with int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dumptest.ParseDumps(data) {
		dumps = append(dumps, &rules.DumpInput{Dump: d, Input: filepath.Base(path)})
	}
	rulestest.Prepare(dumps, roles)
	for _, d := range dumps {
		for i, b := range d.Buckets {
			all += b.Count
			if d.Roles[i] != nil {
				with += b.Count
			}
		}
	}
	return dumps, all, with
}

func TestNearlyAllGoroutinesOfARealControllerHaveARole(t *testing.T) {
	path := filepath.Join(rulestest.Corpus(t), "dumps", "harvester-2558.txt")
	dumps, all, with := assigned(t, path, Roles())
	if all != 2764 {
		t.Fatalf("%d goroutines in %d dumps, want 2764", all, len(dumps))
	}
	if share := float64(with) / float64(all); share < 0.97 {
		t.Errorf("%d of %d goroutines (%.1f %%) have a role, want 97 %%", with, all, share*100)
	}
	for _, d := range dumps {
		for i, b := range d.Buckets {
			if d.Roles[i] == nil {
				t.Logf("no role: %d × %s [%s]", b.Count, b.Frames[0].Func, b.Class)
			}
			for _, f := range b.Frames {
				if f.Func == "runtime.Gosched" && d.Roles[i] != nil {
					t.Errorf("the spinner has the role %s", d.Roles[i].Name)
				}
			}
		}
	}
}

// TestRoleOnlyWhereTheFrameworkWaits holds roles against made-up stacks: the leaf's place decides.
func TestRoleOnlyWhereTheFrameworkWaits(t *testing.T) {
	roles := Roles()
	const worker = "k8s.io/apimachinery/pkg/util/wait.BackoffUntil.func1|k8s.io/apimachinery/pkg/util/wait.BackoffUntil|k8s.io/apimachinery/pkg/util/wait.Until"
	for _, tt := range []struct {
		claim, stack, creator string
		class                 stackparse.Class
		want                  string
	}{
		{"a worker without work", "sync.runtime_notifyListWait|sync.(*Cond).Wait|k8s.io/client-go/util/workqueue.(*Typed[...]).Get|example.com/a.(*C).next|" + worker, "", stackparse.ClassCond, "workqueue-worker"},
		{"a worker within a reconcile", "example.com/a.(*C).reconcile|example.com/a.(*C).next|" + worker, "", stackparse.ClassChanSend, ""},
		{"a worker that waits for a lock in Get", "sync.(*Mutex).Lock|k8s.io/client-go/util/workqueue.(*Type).Get|example.com/a.(*C).next|" + worker, "", stackparse.ClassMutex, ""},
		{"a listener without events", "k8s.io/client-go/tools/cache.(*processorListener).run.func1|" + worker + "|k8s.io/client-go/tools/cache.(*processorListener).run|k8s.io/apimachinery/pkg/util/wait.(*Group).Start.func1", "k8s.io/apimachinery/pkg/util/wait.(*Group).Start", stackparse.ClassChanReceive, "informer-listener"},
		{"a listener within a handler", "example.com/a.(*H).OnAdd|k8s.io/client-go/tools/cache.(*processorListener).run.func1|" + worker, "k8s.io/apimachinery/pkg/util/wait.(*Group).Start", stackparse.ClassChanSend, ""},
		{"between two rounds", "k8s.io/apimachinery/pkg/util/wait.BackoffUntil|k8s.io/apimachinery/pkg/util/wait.Until", "example.com/a.Run", stackparse.ClassSelect, "periodic-loop"},
		{"an idle connection", "internal/poll.runtime_pollWait|internal/poll.(*FD).Read|net.(*conn).Read|net/http.(*connReader).Read|bufio.(*Reader).Peek|net/http.(*conn).serve", "net/http.(*Server).Serve", stackparse.ClassIO, "http-keepalive"},
		{"a request that is served", "example.com/a.(*H).ServeHTTP|net/http.serverHandler.ServeHTTP|net/http.(*conn).serve", "net/http.(*Server).Serve", stackparse.ClassChanReceive, ""},
		{"a request of a program's own code", "net/http.(*persistConn).roundTrip|net/http.(*Client).Do|example.com/a.fetch", "example.com/a.Run", stackparse.ClassSelect, ""},
		{"a watch", "sync.runtime_notifyListWait|sync.(*Cond).Wait|net/http.(*http2pipe).Read|net/http.http2transportResponseBody.Read|k8s.io/apimachinery/pkg/util/framer.(*lengthDelimitedFrameReader).Read|k8s.io/apimachinery/pkg/runtime/serializer/streaming.(*decoder).Decode|k8s.io/client-go/rest/watch.(*Decoder).Decode|k8s.io/apimachinery/pkg/watch.(*StreamWatcher).receive", "k8s.io/apimachinery/pkg/watch.NewStreamWatcher", stackparse.ClassCond, "watch-stream"},
		{"a stop channel that is nil", "k8s.io/client-go/tools/cache.(*controller).RunWithContext.func1", "k8s.io/client-go/tools/cache.(*controller).RunWithContext", stackparse.ClassNilChan, "informer-stop-watcher"},
		{"main in its own code", "main.main", "", stackparse.ClassNoCases, "main"},
		{"main behind a lock", "sync.(*Mutex).Lock|main.main", "", stackparse.ClassMutex, ""},
		{"finalizers that wait", "runtime.gopark|runtime.runfinq", "runtime.createfing", stackparse.ClassIdle, "finalizers"},
		{"a finalizer that hangs", "runtime.gopark|example.com/a.(*File).finalize|runtime.runfinq", "runtime.createfing", stackparse.ClassChanReceive, ""},
		{"a mere state", "example.com/a.wait", "example.com/a.Run", stackparse.ClassChanReceive, ""},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			got := roleOf(tt.class, tt.creator, tt.stack, roles)
			if got != tt.want {
				t.Errorf("role %q, want %q", got, tt.want)
			}
		})
	}
}

// TestRolesOfLoopsEndWhereTheProgramIsHeldUp holds roles of libraries and servers against their near misses.
func TestRolesOfLoopsEndWhereTheProgramIsHeldUp(t *testing.T) {
	roles := Roles()
	const gather = "github.com/prometheus/client_golang/prometheus.(*Registry).Gather"
	const suture = "|github.com/thejerf/suture/v4.(*Supervisor).runService.func2"
	const netRead = "internal/poll.(*FD).Read|net.(*conn).Read|"
	for _, tt := range []struct {
		claim, stack, creator string
		class                 stackparse.Class
		want                  string
	}{
		{"a reader behind a connection of the program's", netRead + "example.com/a.(*counted).Read|net/http.(*connReader).Read|bufio.(*Reader).Peek|net/http.(*conn).serve", "net/http.(*Server).Serve", stackparse.ClassIO, "http-keepalive"},
		{"the same connection, behind a lock", "sync.(*Mutex).Lock|example.com/a.(*counted).Read|net/http.(*connReader).Read|net/http.(*conn).serve", "net/http.(*Server).Serve", stackparse.ClassMutex, ""},
		{"a handler that reads its request", netRead + "example.com/a.(*counted).Read|net/http.(*connReader).Read|example.com/a.(*H).ServeHTTP|net/http.serverHandler.ServeHTTP|net/http.(*conn).serve", "net/http.(*Server).Serve", stackparse.ClassIO, ""},
		{"a client's connection without a request", netRead + "net/http.(*persistConn).Read|bufio.(*Reader).Peek|net/http.(*persistConn).readLoop", "net/http.(*Transport).dialConn", stackparse.ClassIO, "http-client-connection"},
		{"a response that nobody closes", "net/http.(*persistConn).readLoop", "net/http.(*Transport).dialConn", stackparse.ClassSelect, "http-client-response"},
		{"a feeder of messages, without any", "github.com/IBM/sarama.(*partitionConsumer).responseFeeder", "github.com/IBM/sarama.withRecover", stackparse.ClassChanReceive, "kafka-client"},
		{"a feeder of messages that nobody takes", "github.com/IBM/sarama.(*partitionConsumer).responseFeeder", "github.com/IBM/sarama.withRecover", stackparse.ClassSelect, ""},
		{"a session of etcd", "go.etcd.io/etcd/client/v3/concurrency.NewSession.func1", "go.etcd.io/etcd/client/v3/concurrency.NewSession", stackparse.ClassChanReceive, "etcd-client"},
		{"a lock of etcd that is not given", "go.etcd.io/etcd/client/v3/concurrency.waitDelete|go.etcd.io/etcd/client/v3/concurrency.(*Mutex).Lock|example.com/a.Run", "main.main", stackparse.ClassChanReceive, ""},
		{"an exporter of spans", "go.opentelemetry.io/otel/sdk/trace.(*batchSpanProcessor).processQueue", "go.opentelemetry.io/otel/sdk/trace.NewBatchSpanProcessor", stackparse.ClassSelect, "telemetry"},
		{"a span whose queue is full", "go.opentelemetry.io/otel/sdk/trace.(*batchSpanProcessor).enqueueBlockOnQueueFull|go.opentelemetry.io/otel/sdk/trace.(*recordingSpan).End|example.com/a.(*H).ServeHTTP", "net/http.(*Server).Serve", stackparse.ClassSelect, ""},
		{"a scrape that waits for its collectors", "sync.(*WaitGroup).Wait|" + gather + ".func2", gather, stackparse.ClassWaitGroup, "metrics-gather"},
		{"a collector that hangs", "example.com/a.(*C).Collect|" + gather + ".func1", gather, stackparse.ClassChanReceive, ""},
		{"a broadcaster without events", "k8s.io/client-go/tools/record.(*eventBroadcasterImpl).StartEventWatcher.func1", "k8s.io/client-go/tools/record.(*eventBroadcasterImpl).StartEventWatcher", stackparse.ClassChanReceive, "event-broadcaster"},
		{"a broadcaster that spins", "k8s.io/client-go/tools/record.(*eventBroadcasterImpl).StartEventWatcher.func1", "k8s.io/client-go/tools/record.(*eventBroadcasterImpl).StartEventWatcher", stackparse.ClassRunnable, ""},
		{"a service in its own loop", "example.com/a.(*S).Serve" + suture, "github.com/thejerf/suture/v4.(*Supervisor).runService", stackparse.ClassSelect, "supervised-service"},
		{"a service in its work", "example.com/a.(*S).fetch|example.com/a.(*S).Serve" + suture, "github.com/thejerf/suture/v4.(*Supervisor).runService", stackparse.ClassSelect, ""},
		{"an actor in its own function", "main.run.func3|github.com/oklog/run.(*Group).Run.func1", "github.com/oklog/run.(*Group).Run", stackparse.ClassSelect, "actor"},
		{"an actor in its work", "example.com/a.(*S).fetch|main.run.func3|github.com/oklog/run.(*Group).Run.func1", "github.com/oklog/run.(*Group).Run", stackparse.ClassChanReceive, ""},
		{"a handler of signals", "example.com/a.(*S).handleSignals.func1", "example.com/a.(*S).handleSignals", stackparse.ClassChanReceive, "signal-watch"},
		{"a wait for someone's signal", "example.com/a.(*S).waitForSignal", "example.com/a.Run", stackparse.ClassChanReceive, ""},
		{"a packet of MQTT to come", netRead + "bufio.(*Reader).ReadByte|github.com/mochi-mqtt/server/v2.(*Client).ReadFixedHeader|github.com/mochi-mqtt/server/v2.(*Client).Read", "github.com/mochi-mqtt/server/v2/listeners.(*TCP).Serve", stackparse.ClassIO, "mqtt-server"},
		{"a packet of MQTT within a hook", "example.com/a.(*Hook).OnPublish|github.com/mochi-mqtt/server/v2.(*Server).processPublish|github.com/mochi-mqtt/server/v2.(*Client).Read", "github.com/mochi-mqtt/server/v2/listeners.(*TCP).Serve", stackparse.ClassSelect, ""},
	} {
		if got := roleOf(tt.class, tt.creator, tt.stack, roles); got != tt.want {
			t.Errorf("%s: role %q, want %q", tt.claim, got, tt.want)
		}
	}
}

// roleOf is the name of the role of a made-up goroutine, "" where it has none.
func roleOf(class stackparse.Class, creator, stack string, roles *match.RoleSet) string {
	d := dumptest.DumpOf(class, creator, strings.Split(stack, "|")...)
	r := match.NewAssigner(frame.Program{Module: "example.com/a"}, roles).Assign(d)[0]
	if r == nil {
		return ""
	}
	return r.Name
}

func TestAssignGivesNothingForAnEmptyStack(t *testing.T) {
	d := &stackparse.Dump{Buckets: []*stackparse.Bucket{{Count: 1}}}
	if got := match.NewAssigner(frame.Program{}, Roles()).Assign(d); len(got) != 1 || got[0] != nil {
		t.Errorf("roles %v", got)
	}
}
