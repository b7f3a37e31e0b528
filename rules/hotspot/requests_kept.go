package hotspot

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/profile"
)

// requestsRule is the rule about requests that outlive their handlers.
const requestsRule = "TR625"

// Bounds of requests-kept. A server has one request a connection, and in the profile none of those that are over: the
// healthy ones measured have 0 to 300 in use, a leak had 65,000 after half a minute.
const (
	// minRequests is how many requests a heap holds at least, and minRequestBytes what is read for them.
	minRequests     = 10_000
	minRequestBytes = 8 << 20
	// perConnection is how many there are for each connection: a thousand clients that wait for events have one each.
	perConnection = 8
)

// takeRequests takes what no other rule does of a server's requests and their handlers, where the heap holds more
// requests than its connections can be reading: something keeps them, and all that they refer to.
func (hs *Hotspots) takeRequests(board *kindBoard, given []bool) {
	by, objects := board.matcher(requestsRule), hs.TypeIndex("inuse_objects")
	if by == nil || objects < 0 {
		return
	}
	var requests, size, connections int64
	for i := range hs.Stacks {
		st := &hs.Stacks[i]
		switch hs.allocator(st) {
		case "net/http.readRequest":
			requests += st.Values[objects]
		case "net.newFD":
			connections += st.Values[objects]
		}
		if hs.shows(st, "net/http.(*conn).readRequest") {
			size += st.Values[hs.Value]
		}
	}
	if requests < minRequests || size < minRequestBytes || requests < perConnection*connections {
		return
	}
	sel := hs.Select(func(i int, st *profile.Stack) (inner, outer int, ok bool) {
		return 0, -1, !given[i] && st.Values[hs.Value] > 0 && hs.shows(st, "net/http.(*conn).serve") &&
			!slices.ContainsFunc(st.Frames, func(fr int32) bool {
				return strings.HasPrefix(hs.FuncAt(fr), "net/http/pprof.")
			})
	})
	for _, h := range sel.Hits {
		given[h.Stack] = true
	}
	hs.ByRule[by.ID] = &Hotspot{by: by, Selection: *sel}
}

// allocator is the function that asked the runtime for memory.
func (hs *Hotspots) allocator(st *profile.Stack) string {
	i := slices.IndexFunc(st.Frames, func(fr int32) bool { return !strings.HasPrefix(hs.FuncAt(fr), "runtime.") })
	if i < 0 {
		return ""
	}
	return hs.FuncAt(st.Frames[i])
}

// shows reports whether a function is on a stack.
func (hs *Hotspots) shows(st *profile.Stack, function string) bool {
	return slices.ContainsFunc(st.Frames, func(fr int32) bool { return hs.FuncAt(fr) == function })
}
