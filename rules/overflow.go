package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/stackparse"
)

// stackOverflow is TR219.
func stackOverflow() *Rule {
	return &Rule{
		ID: idStackOverflow, Name: "stack-overflow", Category: Crash, Severity: Critical, Needs: NeedsCause,
		Run: crashRun(idStackOverflow, locateCycle, explainOverflow),
	}
}

// locateCycle blames one function of the cycle, the same whichever of them ran when the stack was full: the one
// through which the recursion was entered where the outer frames are shown (since Go 1.21), else the first by name.
func locateCycle(c *crash) {
	if c.b == nil {
		return
	}
	cyc, ok := findCycle(c.b.Frames)
	if !ok {
		return
	}
	suspects := c.suspects(cyc)
	if len(suspects) == 0 {
		return
	}
	best := suspects[0]
	for _, i := range suspects {
		if c.b.Frames[i].Func < c.b.Frames[best].Func {
			best = i
		}
	}
	for _, f := range slices.Backward(c.b.Frames[cyc.start+2*cyc.period:]) {
		entered := slices.IndexFunc(suspects, func(i int) bool { return c.b.Frames[i].Func == f.Func })
		if f.Elided != 0 {
			break
		}
		if entered >= 0 {
			best = suspects[entered]
			break
		}
	}
	c.blameFrom(cyc.start)
	c.blame.Index, c.blame.Culprit = best, PlaceOf(c.b.Frames[best].Frame)
}

// suspects are the frames of a cycle's first round that can be blamed: the program's and its dependencies', without
// frameworks unless there is nothing else.
func (c *crash) suspects(cyc cycle) []int {
	var own, all []int
	for i := cyc.start; i < cyc.start+cyc.period; i++ {
		f := c.b.Frames[i].Frame
		if !blameable(c.d.Program.Class(f)) {
			continue
		}
		all = append(all, i)
		if !c.d.Program.Framework(f) {
			own = append(own, i)
		}
	}
	if len(own) > 0 {
		return own
	}
	return all
}

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
			// A whole stack ends in the frames that entered the recursion: there the rounds must speak for themselves.
			if start+run+period == n || whole && run >= 3*period && run+period >= n/2 {
				return cycle{start, period}, true
			}
		}
	}
	return cycle{}, false
}

func explainOverflow(g *crashGroup) account {
	a := account{
		act:        "recurses until the stack overflows",
		why:        fmt.Sprintf("The stack outgrew its limit%s in %s%s.", inBrackets(stackLimit(g.cause)), g.who(), g.at()),
		fix:        fmt.Sprintf("Give the recursion through %s an end: a base case, a depth limit, or a set of what was visited.", g.who()),
		next:       g.logNext(),
		confidence: ConfMedium,
	}
	if g.b == nil {
		return a
	}
	cyc, ok := findCycle(g.b.Frames)
	if !ok {
		return a
	}
	a.confidence = ConfHigh
	round := g.b.Frames[cyc.start : cyc.start+cyc.period]
	names := g.callOrder(cyc)
	a.act = cycleAct(g.who(), names, g.where())
	a.why = fmt.Sprintf("The same %s on and on until the stack outgrew its limit%s: %s.", rounds(cyc.period), inBrackets(stackLimit(g.cause)), strings.Join(firstNames(names), " -> "))
	if n := elided(g.b.Frames); n > 0 {
		a.why += fmt.Sprintf(" %d frames were not even shown.", n)
	}
	if how := selfCall(round); how != "" {
		a.fix = how
	}
	return a
}

func rounds(period int) string {
	if period == 1 {
		return "function calls itself"
	}
	return fmt.Sprintf("%d calls repeat", period)
}

// callOrder names the functions of a cycle in the order of calls, from the culprit around to the culprit again.
func (c *crash) callOrder(cyc cycle) []string {
	first := min(max(0, c.blame.Index-cyc.start), cyc.period-1)
	names := make([]string, 0, cyc.period+1)
	for i := range cyc.period + 1 {
		// Frames are leaf first, so the callee of one is the one before it.
		at := (first - i%cyc.period + cyc.period) % cyc.period
		names = append(names, frame.ShortFunc(c.b.Frames[cyc.start+at].Func))
	}
	return names
}

// cycleAct writes the cycle into the title where it fits: "A" acts "-> B -> A overflows the stack", or with "…" for
// the second A.
func cycleAct(who string, names []string, where string) string {
	if len(names) == 2 {
		return "calls itself until the stack overflows"
	}
	pkg, _, ok := strings.Cut(who, ".")
	short := make([]string, len(names))
	for i, n := range names {
		short[i] = n
		if ok {
			short[i] = strings.TrimPrefix(n, pkg+".")
		}
	}
	short[len(short)-1] = short[0]
	for _, act := range []string{
		"-> " + strings.Join(short[1:], " -> ") + " overflows the stack",
		"-> " + strings.Join(short[1:len(short)-1], " -> ") + " -> … overflows the stack",
	} {
		if utf8.RuneCountInString(short[0]+" "+act+" ("+where+")") <= MaxTitle {
			return act
		}
	}
	return fmt.Sprintf("overflows the stack in a cycle of %d calls: -> %s", len(names)-1, strings.Join(short[1:], " -> "))
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
				return fmt.Sprintf("%s formats its own receiver, which calls %s again: format its fields, or convert it to a type without that method first.", frame.ShortFunc(f.Func), name)
			}
		case "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalYAML", "UnmarshalYAML", "MarshalXML", "UnmarshalXML":
			if through == "encoding" || strings.Contains(f.Func, "YAML") {
				return fmt.Sprintf("%s encodes or decodes its own type, which calls %s again: convert to `type plain T` first, which has no methods.", frame.ShortFunc(f.Func), name)
			}
		}
	}
	return ""
}

func elided(frames []stackparse.Frame) int {
	n := 0
	for _, f := range frames {
		n += max(0, f.Elided)
	}
	return n
}

// stackLimit is "1000000000-byte limit" of the runtime's note.
func stackLimit(c *stackparse.Cause) string {
	for _, s := range causeLines(c) {
		if _, rest, ok := strings.Cut(s, "goroutine stack exceeds "); ok {
			return cut(rest, 40)
		}
	}
	return ""
}
