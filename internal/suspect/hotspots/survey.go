package hotspots

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse/frame"
)

// A survey is who asks for what a profile counts.
type survey struct {
	*rules.ProfileInput
	dump   rules.Step // the one that shows what the process does otherwise
	total  float64
	places []*place // the largest first
	hidden tally    // what stacks without code of the program do, where nothing shows who asks for it
	names  []string // by function: the declared function, for closures too
	asks   []uint8  // by function, see choresOf
	does   []uint8
}

// A place is the function that asks for a part of a profile: for each stack the nearest to the leaf that is the
// program's own, a dependency's where there is none. The runtime, the standard library and frameworks ask for nothing.
type place struct {
	name          string
	direct, value float64 // what its stacks show, and with what the runtime does for it
	allocated     float64 // of a heap: since the process began
	samples       int64
	hits          []profile.Hit
	lines         map[int32]float64 // by frame
	callees       tally             // the functions that it calls, "" for its own code
	callers       tally             // the next functions of the program's own
	asks          []float64         // by chore: the part that asks for it
	system        tally             // by chore: what the runtime does for it
}

// waitingForWork is what goroutines do that show nothing but who has nothing to do.
const waitingForWork = "waiting for work"

// take surveys a profile.
func take(p *rules.Pass, in *rules.ProfileInput) *survey {
	n := len(in.Functions)
	s := &survey{ProfileInput: in, dump: in.Target.Dump(), hidden: tally{}, names: make([]string, n),
		asks: make([]uint8, n), does: make([]uint8, n)}
	of := func(d *rules.DumpInput) bool { return d.Process != "" && d.Process == in.Process }
	if slices.ContainsFunc(p.Dumps, of) {
		s.dump = in.Target.Capture() // a dump is there
	}
	for i := range n {
		s.names[i] = declared(in.Functions[i].Name)
		if in.Kind == profile.KindCPU {
			s.asks[i], s.does[i] = choresOf(in.Plain(int32(i)))
		}
	}
	by, waits := map[string]*place{}, 0.0
	for i := range in.Stacks {
		st := &in.Stacks[i]
		v := float64(st.Values[in.Value])
		switch at := s.Payer(st.Frames); {
		case v <= 0:
		case s.waitsForWork(st):
			waits += v
		case at < 0:
			s.total += v
			s.hidden[s.systemWork(st.Frames)] += v
		default:
			s.total += v
			name := s.names[s.Frames[st.Frames[at]].Func]
			if by[name] == nil {
				by[name] = &place{name: name, lines: map[int32]float64{}, asks: make([]float64, len(chores)),
					callees: tally{}, callers: tally{}, system: tally{}}
				s.places = append(s.places, by[name])
			}
			s.add(by[name], int32(i), at, v)
		}
	}
	if s.total == 0 && waits > 0 {
		s.total, s.hidden[waitingForWork] = waits, waits
	}
	s.shareOut()
	slices.SortFunc(s.places, func(a, b *place) int {
		return cmp.Or(cmp.Compare(b.value, a.value), strings.Compare(a.name, b.name))
	})
	return s
}

// add adds stack i to the place of its frame at.
func (s *survey) add(p *place, i int32, at int, v float64) {
	st := &s.Stacks[i]
	p.direct, p.value = p.direct+v, p.value+v
	p.samples = min(p.samples+min(st.Samples, 1<<40), 1<<40)
	p.hits = append(p.hits, profile.Hit{Stack: i, Outer: -1})
	p.lines[st.Frames[at]] += v
	if made := s.TypeIndex("alloc_space"); s.Kind == profile.KindHeap && made >= 0 {
		p.allocated += max(float64(st.Values[made]), v)
	}
	callee := ""
	if at > 0 {
		if name := s.Plain(s.Frames[st.Frames[at-1]].Func); !strings.HasPrefix(name, "runtime.asyncPreempt") {
			callee = name
		}
	}
	p.callees[callee] += v
	for _, fr := range st.Frames[at+1:] {
		if fn := s.Frames[fr].Func; s.Class[fn] == frame.ClassOwn && !s.Framework[fn] && s.names[fn] != p.name {
			p.callers[s.names[fn]] += v
			break
		}
	}
	var asks uint8
	for _, fr := range st.Frames[:at] {
		asks |= s.asks[s.Frames[fr].Func]
	}
	for i := range chores {
		if asks&(1<<i) != 0 {
			p.asks[i] += v
		}
	}
}

// systemWork is what a stack without code of the program does: a chore of the runtime, else what the outermost function
// of the standard library does that is no server's or connection's loop.
func (s *survey) systemWork(frames []int32) string {
	var does uint8
	outer, loop := "", ""
	for _, fr := range frames {
		fn := s.Frames[fr].Func
		does |= s.does[fn]
		switch name := s.Plain(fn); {
		case name == "" || s.Class[fn] == frame.ClassRuntime:
		case hasPrefix(name, []string{"net.", "net/http."}):
			loop = name
		default:
			outer = name
		}
	}
	switch {
	case does != 0:
		return chores[bits.TrailingZeros8(does)].work
	case outer+loop != "":
		return "in " + symbol.PlainPackage(cmp.Or(outer, loop))
	}
	return "in the runtime"
}

// minAsking is the part of a chore that must show who asks for it: of yields and wake-ups one sample in fifty does.
const minAsking = 0.01

// shareOut gives the runtime's chores to those who ask for them, where enough of a chore shows who does.
func (s *survey) shareOut() {
	for i, c := range chores {
		asked, all := 0.0, s.hidden[c.work]
		for _, p := range s.places {
			asked += p.asks[i]
		}
		if all == 0 || asked < minAsking*all {
			continue
		}
		for _, p := range s.places {
			p.system[c.work] = all * p.asks[i] / asked
			p.value += p.system[c.work]
		}
		delete(s.hidden, c.work)
	}
}

// waitsForWork reports a stack of a block profile in which a goroutine waits for what it is to do.
func (s *survey) waitsForWork(st *profile.Stack) bool {
	return s.Kind == profile.KindBlock && slices.ContainsFunc(st.Frames, func(fr int32) bool {
		return hasPrefix(s.FuncAt(fr), []string{"runtime.chanrecv", "runtime.selectgo", "reflect.rselect",
			"sync.(*Cond).Wait"})
	})
}

// where is the line that has most of a place.
func (s *survey) where(p *place) rules.Place {
	f := s.At(slices.MinFunc(slices.Collect(maps.Keys(p.lines)), func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.lines[b], p.lines[a]), cmp.Compare(a, b))
	}))
	f.Func = symbol.Written(f.Func)
	return rules.PlaceOf(f)
}
