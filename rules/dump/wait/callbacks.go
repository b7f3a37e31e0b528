package wait

import (
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/match"
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

// callbackBlocked is callback-blocked (TR435).
func callbackBlocked(c *calls) *rules.Rule {
	loops := callbackLoops()
	callers, all := make([]*call, len(loops)), make([]match.Match, len(loops))
	for i, l := range loops {
		all[i] = match.Match{Frames: match.FramesMatch{Any: []string{l.function}}, Class: lockClasses()}
		callers[i] = c.compile(all[i])
	}
	waiting := c.compile(all...)
	return c.rule("TR435", "callback-blocked", rules.Deadlock, rules.High, waiting, func(w *waiters) verdict {
		if w.since(sureMinutes) == 0 {
			return verdict{}
		}
		for i, l := range loops {
			if w.holds(callers[i], w.buckets[0]) && w.calledBy(callers[i]) {
				return judgeHandler(w, account.Values{"role": l.role, "effect": l.effect})
			}
		}
		return verdict{}
	})
}

// lockClasses are waits for another goroutine of the same process.
func lockClasses() []stackparse.Class {
	return []stackparse.Class{stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect,
		stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW, stackparse.ClassWaitGroup,
		stackparse.ClassCond, stackparse.ClassSemaphore, stackparse.ClassNilChan, stackparse.ClassNoCases}
}

// timersPileUp is timer-callbacks-pile-up (TR436).
func timersPileUp(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{Creator: []string{"time.goFunc"}, Class: lockClasses()})
	return c.rule("TR436", "timer-callbacks-pile-up", rules.Leak, rules.Medium, waiting, func(w *waiters) verdict {
		if _, own := w.caller(w.buckets[0]); !own || w.since(sureMinutes) < pileUp {
			return verdict{}
		}
		return medium()
	})
}
