package wait

import (
	"slices"

	"github.com/gotriage/triage/stackparse"
)

// shutdowns are calls that wait until all requests of a server have ended, with the function that serves one, and the
// server's loop: it starts the first, and ends when the shutdown begins.
var shutdowns = [...]struct{ ends, serves, loop string }{
	{"net/http.(*Server).Shutdown", "net/http.(*conn).serve", "net/http.(*Server).Serve"},
	{"net/http.(*Server).Shutdown", "net/http.(*http2serverConn).runHandler", ""},
	{"google.golang.org/grpc.(*Server).GracefulStop", "google.golang.org/grpc.(*Server).handleStream", ""},
}

// shutdownInside is the part of closed-circle (TR445) about a request that shuts its own server down, and waits until
// all requests have ended, itself included. A handler of another server, for operators, may do that: the loop that
// started it goes on.
func (s *view) shutdownInside(w *actor) verdict {
	for _, sd := range shutdowns {
		if s.d.Truncated.Head || s.d.Truncated.Tail || w.b.Active > 0 || !hasFunction(w.b, sd.ends) ||
			!hasFunction(w.b, sd.serves) {
			continue
		}
		parents := map[uint64]bool{}
		for i := range w.b.Goroutines {
			parents[w.b.Goroutines[i].Parent] = true
		}
		if slices.ContainsFunc(s.actors, func(a actor) bool {
			return hasFunction(a.b, sd.loop) && slices.ContainsFunc(a.b.Goroutines, func(g stackparse.Goroutine) bool {
				return parents[g.ID]
			})
		}) {
			return verdict{}
		}
		v := guilty().but(true, shutdownEnds).with(nil, "shutdown")
		v.at = s.ownCall(w)
		return v
	}
	return verdict{}
}
