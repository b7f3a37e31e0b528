package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// initWaits is init-waits (TR452): main.main runs when all init functions have returned, so that one that waits for
// another goroutine of the process keeps the program from starting. In 1,660 captures of healthy programs and servers
// none waits so.
func initWaits() *rules.Rule {
	const name = "init-waits"
	return withAgain(waitRule("TR452", name, rules.Deadlock, rules.Medium, actorRun(name,
		func(s *scene, w *actor) verdict {
			if s.ageOf(w) == young {
				return verdict{}
			}
			v := s.judgeInit(w)
			if v.severity != "" && s.ageOf(w) != sure { // it may go on in a moment
				v = v.lowered()
			}
			return v
		}, awaitingClasses...)),
		func(s *scene, w *actor, stayed stayed) verdict {
			if !stayed.timed || !stayed.all(w) {
				return verdict{}
			}
			return s.judgeInit(w)
		})
}

// awaitingClasses are the waits that another goroutine of the process ends, but for locks.
var awaitingClasses = []stackparse.Class{stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect,
	stackparse.ClassWaitGroup, stackparse.ClassCond, stackparse.ClassSemaphore, stackparse.ClassNilChan,
	stackparse.ClassNoCases}

// judgeInit is the verdict about a goroutine that waits below an init function.
func (s *scene) judgeInit(w *actor) verdict {
	if w.b.Active > 0 || w.site < 0 || w.root < 0 || !w.began || w.move > paced ||
		!slices.Contains(awaitingClasses, w.b.Class) {
		return verdict{}
	}
	root := &w.b.Frames[w.root]
	fn := s.name(root.Func)
	if fn.Receiver != "" || fn.Closure != "" || fn.Func != "init" && !strings.HasPrefix(fn.Func, "init.") {
		return verdict{}
	}
	return medium().with(account.Values{"init": rules.PlaceText(rules.PlaceOf(root.Frame))})
}

// shutdownWaits is shutdown-waits (TR453): Shutdown of an http.Server, and GracefulStop of a grpc.Server, wait until
// all requests have ended.
func shutdownWaits() *rules.Rule {
	const name = "shutdown-waits"
	return waitRule("TR453", name, rules.Deadlock, rules.Medium, sceneRun(func(s *scene) []rules.Finding {
		server := slices.IndexFunc(s.actors, func(a actor) bool { return gracefulStop(a.b) != "" })
		if server < 0 || s.d.Truncated.Head || s.d.Truncated.Tail {
			return nil
		}
		var found []rules.Finding
		for i := range s.actors {
			if w := &s.actors[i]; s.keepsServer(w, &s.actors[server]) {
				found = append(found, s.finding(name, w, s.judgeShutdown(w, &s.actors[server])))
			}
		}
		return found
	}, stackparse.ClassSelect, stackparse.ClassCond))
}

// gracefulStop is the call of a server in which goroutines wait until its requests have ended, "" for none.
func gracefulStop(b *stackparse.Bucket) string {
	for i := range b.Frames {
		switch b.Frames[i].Func {
		case "net/http.(*Server).Shutdown":
			return "Shutdown"
		case "google.golang.org/grpc.(*Server).GracefulStop":
			return "GracefulStop"
		}
	}
	return ""
}

// keepsServer reports whether requests wait for another goroutine while their server waits for their end: who accepted
// their connections has left Serve. What serves a request of another server, which goes on, does not.
func (s *scene) keepsServer(w, server *actor) bool {
	if w.b.Active > 0 || w.site < 0 || w.root < 0 || !w.own || w.role != nil || w.move == moves ||
		s.ageOf(w) == young || gracefulStop(w.b) != "" || !servesRequest(w.b.Frames[w.root].Func) {
		return false
	}
	grpc := strings.HasPrefix(w.b.Frames[w.root].Func, "google.golang.org/grpc")
	if grpc != (gracefulStop(server.b) == "GracefulStop") {
		return false
	}
	return grpc || !s.servedOn(w)
}

func (s *scene) judgeShutdown(w, server *actor) verdict {
	v := medium()
	if s.ageOf(w) != sure { // a request takes its time
		v = low()
	}
	v.at = s.ownCall(w)
	v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, server.b, " waits for the end of all requests")}
	return v.with(account.Values{"all": phrase.CountGoroutines(w.b.Count), "stop": gracefulStop(server.b),
		"verb": verb(w.b.Count, "serves a request and waits", "serve requests and wait")})
}
