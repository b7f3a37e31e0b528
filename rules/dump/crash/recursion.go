package crash

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A cycle is a run of frames that repeats: frames[start:start+period] is its first round, leaf first.
type cycle struct{ start, period int }

// Bounds of the search for a cycle. The runtime shows 50 inner frames of an overflowed stack (100 before Go 1.21).
const (
	maxCycleFrames = 128
	// maxCycleStart: what lies above the cycle is what its last round was calling when the stack ended.
	maxCycleStart = 32
)

// findCycle finds the shortest cycle nearest to the leaf that repeats at least twice and goes on to where the shown
// frames end or a gap begins. Functions are compared, not lines: rounds may take different branches.
func findCycle(frames []stackparse.Frame) (cycle, bool) {
	n := slices.IndexFunc(frames, func(f stackparse.Frame) bool { return f.Elided != 0 })
	whole := n < 0
	if whole {
		n = len(frames)
	}
	n = min(n, maxCycleFrames)
	for start := 0; start < min(n, maxCycleStart); start++ {
		for period := 1; start+2*period <= n; period++ {
			run := 0
			for i := start; i+period < n && frames[i].Func == frames[i+period].Func; i++ {
				run++
			}
			// A whole stack ends in the frames that entered the recursion: there the rounds must be many.
			if start+run+period == n || whole && run >= 3*period && run+period >= n/2 {
				return cycle{start, period}, true
			}
		}
	}
	return cycle{}, false
}

// rounds describes what repeats, as the rest of a sentence that begins with "The same".
func rounds(period int) string {
	if period == 1 {
		return "function calls itself"
	}
	return fmt.Sprintf("%d calls repeat", period)
}

// firstNames shortens a long cycle: its first functions are enough to find it.
func firstNames(names []string) []string {
	const maxNamed = 8
	if len(names) <= maxNamed {
		return names
	}
	return append(slices.Clone(names[:maxNamed-1]), "…", names[len(names)-1])
}

// selfCall knows the methods that the standard library calls back: a method that formats or encodes its own receiver
// calls itself through it.
func selfCall(round []stackparse.Frame) string {
	through := ""
	for _, f := range round {
		switch {
		case strings.HasPrefix(f.Func, "fmt."):
			through = "fmt"
		case strings.HasPrefix(f.Func, "encoding/"):
			through = "encoding"
		}
	}
	for _, f := range round {
		name := f.Func[strings.LastIndexByte(f.Func, '.')+1:]
		switch name {
		case "String", "Error", "GoString", "Format":
			if through == "fmt" {
				return fmt.Sprintf("In %s, format the receiver's fields, or convert it to a type without that "+
					"method first: formatting the receiver itself calls %s again.", symbol.ShortFunc(f.Func), name)
			}
		case "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalYAML", "UnmarshalYAML",
			"MarshalXML", "UnmarshalXML":
			if through == "encoding" || strings.Contains(f.Func, "YAML") {
				return fmt.Sprintf("In %s, convert to `type plain T` first, which has no methods: encoding or "+
					"decoding its own type calls %s again.", symbol.ShortFunc(f.Func), name)
			}
		}
	}
	return ""
}

// elided is the number of frames that a traceback left out.
func elided(frames []stackparse.Frame) int {
	n := 0
	for _, f := range frames {
		n += max(0, f.Elided)
	}
	return n
}

// blameCycle blames one function of a cycle, the same whichever of them ran when the dump was made: the one through
// which the recursion was entered where the outer frames are shown (since Go 1.21), else the first by name. It returns
// false where no function of the cycle can be blamed.
func blameCycle(d *rules.DumpInput, b *stackparse.Bucket, cyc cycle) (rules.Blame, bool) {
	suspects := cycleSuspects(d.Program, b.Frames, cyc)
	if len(suspects) == 0 {
		return rules.Blame{}, false
	}
	best := suspects[0]
	for _, i := range suspects {
		if b.Frames[i].Func < b.Frames[best].Func {
			best = i
		}
	}
	for _, f := range slices.Backward(b.Frames[cyc.start+2*cyc.period:]) {
		entered := slices.IndexFunc(suspects, func(i int) bool { return b.Frames[i].Func == f.Func })
		if f.Elided != 0 {
			break
		}
		if entered >= 0 {
			best = suspects[entered]
			break
		}
	}
	bl := rules.BlameFrom(d, b, cyc.start)
	bl.Index, bl.Culprit = best, rules.PlaceOf(b.Frames[best].Frame)
	return bl, true
}

// cycleSuspects are the frames of a cycle's first round that can be blamed: the program's and its dependencies',
// without frameworks unless there is nothing else.
func cycleSuspects(p frame.Program, frames []stackparse.Frame, cyc cycle) []int {
	var own, all []int
	for i := cyc.start; i < cyc.start+cyc.period; i++ {
		f := frames[i].Frame
		if !rules.Blameable(p.Class(f)) {
			continue
		}
		all = append(all, i)
		if !p.Framework(f) {
			own = append(own, i)
		}
	}
	if len(own) > 0 {
		return own
	}
	return all
}

// callOrder names the functions of a cycle in the order of calls, from the culprit around to the culprit again.
func callOrder(frames []stackparse.Frame, culprit int, cyc cycle) []string {
	first := min(max(0, culprit-cyc.start), cyc.period-1)
	names := make([]string, 0, cyc.period+1)
	for i := range cyc.period + 1 {
		// Frames are leaf first, so the callee of one is the one before it.
		at := (first - i%cyc.period + cyc.period) % cyc.period
		names = append(names, symbol.ShortFunc(frames[cyc.start+at].Func))
	}
	return names
}
