package wait

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// callbackRules are the rules about code that libraries call back and that does not return.
func callbackRules(c *calls) []*rules.Rule {
	return []*rules.Rule{callbackBlocked(c), timersPileUp(c)}
}

// A callbackLoop is a function of a library that calls the program back from the only goroutine that does its work.
type callbackLoop struct {
	function string
	role     string // who calls, with its article: "gRPC's frame reader"
	effect   string // what stops meanwhile
}

// callbackLoops are those that a wait in a callback is worst for. Callbacks that have a goroutine of their own each
// (HTTP and gRPC handlers, OnStartedLeading, time.AfterFunc) are none.
func callbackLoops() []callbackLoop {
	return []callbackLoop{
		{"google.golang.org/grpc/internal/transport.(*http2Client).reader", "a gRPC client's frame reader",
			"no answer is read from that connection"},
		{"google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams", "a gRPC server's frame reader",
			"no request is read from that connection"},
		{"google.golang.org/grpc/internal/grpcsync.(*CallbackSerializer).run", "gRPC's resolver and balancer",
			"no address and no connection state is updated"},
		{"net/http.(*http2ClientConn).readLoop", "an HTTP/2 client's frame reader", "no answer is read from that " +
			"connection"},
		{"golang.org/x/net/http2.(*ClientConn).readLoop", "an HTTP/2 client's frame reader", "no answer is read from " +
			"that connection"},
		{"github.com/nats-io/nats.go.(*Conn).waitForMsgs", "a NATS subscription's callback", "no further message of " +
			"that subscription is handed over, until the server drops it as a slow consumer"},
		{"github.com/eclipse/paho.mqtt.golang.(*router).matchAndDispatch", "the MQTT client's router",
			"no further message is handed over"},
		{"go.opentelemetry.io/otel/sdk/metric.(*PeriodicReader).run", "the metric reader's callbacks",
			"no metric is exported"},
		{"github.com/spf13/viper.(*Viper).WatchConfig", "the watch of the configuration file", "no further change of " +
			"the file is seen"},
		{"sigs.k8s.io/controller-runtime/pkg/certwatcher.(*CertWatcher).*", "the watch of the certificate",
			"a renewed certificate is not loaded"},
		{"k8s.io/client-go/tools/leaderelection.(*LeaderElector).renew", "the renewal of the lease",
			"the lease is not renewed, and another replica takes over"},
	}
}

// callbackBlocked is TR435.
func callbackBlocked(c *calls) *rules.Rule {
	const id = "TR435"
	loops := callbackLoops()
	callers := make([]*call, len(loops))
	for i, l := range loops {
		callers[i] = c.compile(match.Match{Frames: match.FramesMatch{Any: []string{l.function}}, Class: lockClasses()})
	}
	waiting := c.either(callers)
	return &rules.Rule{
		ID: id, Name: "callback-blocked", Category: rules.Deadlock, Severity: rules.High, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(s *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			if w.since(sureMinutes) == 0 {
				return waitFinding{}
			}
			for i, l := range loops {
				if !s.holds(callers[i], w.buckets[0]) || !s.calledBy(callers[i], w) {
					continue
				}
				return judgeHandler(s, w, l.role, l.effect,
					fmt.Sprintf("Let the callback only hand on what it got and return; do in a goroutine of its own "+
						"what %s waits for.", w.in()))
			}
			return waitFinding{}
		}),
	}
}

// lockClasses are waits for another goroutine of the same process.
func lockClasses() []stackparse.Class {
	return []stackparse.Class{
		stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect, stackparse.ClassMutex,
		stackparse.ClassRWMutexR,
		stackparse.ClassRWMutexW, stackparse.ClassWaitGroup, stackparse.ClassCond, stackparse.ClassSemaphore,
		stackparse.ClassNilChan, stackparse.ClassNoCases,
	}
}

// timersPileUp is TR436.
func timersPileUp(c *calls) *rules.Rule {
	const id = "TR436"
	waiting := c.compile(match.Match{Creator: []string{"time.goFunc"}, Class: lockClasses()})
	return &rules.Rule{
		ID: id, Name: "timer-callbacks-pile-up", Category: rules.Leak, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(s *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			if _, own := s.caller(w.buckets[0]); !own || w.since(sureMinutes) < pileUp {
				return waitFinding{}
			}
			return waitFinding{
				severity: rules.Medium, confidence: rules.ConfMedium,
				act: fmt.Sprintf("piles up behind time.AfterFunc: %s%s", phrase.CountGoroutines(w.count), w.span()),
				why: fmt.Sprintf("%s in %s%s, each started by a timer: they come faster than they go.", w.waits(),
					w.in(), w.span()),
				fix: fmt.Sprintf("Start the timer again at the end of %s instead of while it runs, and find out "+
					"what it waits for.", w.in()),
				next: secondDump(w.d.Target),
			}
		}),
	}
}
