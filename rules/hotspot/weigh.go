package hotspot

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
)

// Shares are the shares of a profile, 0 to 1, from which a hotspot is worth a finding of that severity. Low is where a
// healthy process may be; 0 means never.
type Shares struct {
	Low    float64 `yaml:"low"`
	Medium float64 `yaml:"medium"`
	High   float64 `yaml:"high"`
}

// Bounds below which a share says little.
const (
	// minSamples is how many samples a profile must have: with 20 an interval is still 40 points wide.
	minSamples = 20
	// idleCores is the CPU below which a process is mostly idle: 5% of one core, what an operator takes that has
	// nothing to do. Nothing found there is worse than low.
	idleCores = 0.05
	// namelessCores is the CPU from which a hotspot that names no one is worse than low (chosen: a tenth of a core; the
	// runtime's own work, for less than that, is seen in any process that has little to do).
	namelessCores = 0.1
	// highCores is how much avoidable work makes a finding high: half a core, which is what many pods may use at all.
	highCores = 0.5
	// floorCores is how much work makes a finding medium where a rule says nothing else. Over 581 CPU profiles with a
	// label (237 guilty ones of made waste and published bugs, 344 healthy ones: servers, twins, batches) a floor of
	// 0.05, 0.1, 0.15, 0.2, 0.25, 0.35, 0.5 cores gives 197, 192, 188, 182, 175, 167, 159 guilty ones a medium finding
	// that is true, and 8, 4, 1, 0, 0, 0, 0 healthy ones one. The healthy one at 0.18 reads a map under a lock, so that
	// 0.2 has no distance. Rules about work that is never what a program is for have lower floors.
	floorCores = 0.25
)

// weigh works out each hotspot's share and level, and which hotspots are the doing of others.
func (hs *Hotspots) weigh(in *rules.ProfileInput) {
	total, samples, n := totalOf(in), in.Samples(), in.EffectiveSamples()
	for _, hot := range hs.ByRule {
		hot.Total, hot.TotalSamples, hot.effective = total, samples, n
		hot.Share = float64(hot.Weight.Value) / float64(max(total, 1))
		hot.Lower = profile.Wilson(hot.Share*n, n)
		if hot.by.AtLeast > 0 {
			hot.leastValue = hot.by.AtLeast * cmp.Or(atLeastUnits[in.Types[in.Value].Unit], 1)
		}
		if in.Kind == profile.KindAllocs {
			hot.leastValue = max(hot.leastValue, idleAllocRate*in.Age.Seconds())
		}
	}
	for _, hot := range hs.inOrder() {
		if hot.by.doubt != nil && hot.by.doubt(hs, hot) {
			hot.Into = noRule
		}
	}
	hs.attributeCollector(in)
	hs.explain()
	for _, hot := range hs.inOrder() {
		hot.Blame = hs.attribute(hot)
	}
	hs.joinFamilies()
	hs.keepWorst(in)
}

// noRule is the Hotspot.Into of a hotspot that is taken back.
const noRule = "-"

// maxHotspots is how many findings one profile gives at most (chosen: what someone acts on); the least are left out.
const maxHotspots = 4

// waitingOrder is where the rules begin that are about what the runtime and the kernel do: in a process that is mostly
// idle that is all there is, and says nothing.
const waitingOrder = 430

func (hs *Hotspots) keepWorst(in *rules.ProfileInput) {
	firing := hs.inOrder()
	weight := func(hot *Hotspot) int {
		if len(hot.against(in)) > 0 {
			return rules.Low.Rank()
		}
		return hot.severity(in, rules.High).Rank()
	}
	slices.SortStableFunc(firing, func(a, b *Hotspot) int { return cmp.Compare(weight(b), weight(a)) })
	for i, hot := range firing {
		if i >= maxHotspots || hot.by.Order >= waitingOrder && in.Cores() > 0 && in.Cores() < idleCores {
			hot.Into = noRule
		}
	}
}

// totalOf adds up what is above 0; past the largest number it is that.
func totalOf(in *rules.ProfileInput) int64 {
	var n int64
	for i := range in.Stacks {
		if v := in.Stacks[i].Values[in.Value]; v > math.MaxInt64-n {
			return math.MaxInt64
		} else if v > 0 {
			n += v
		}
	}
	return n
}

// fires reports whether the hotspot is worth a finding by itself.
func (hot *Hotspot) fires() bool {
	return hot != nil && hot.Into == "" && hot.effective >= minSamples && hot.by.Shares.Low > 0 &&
		hot.Lower >= hot.by.Shares.Low && float64(hot.Weight.Value) >= hot.leastValue
}

// severity is what the hotspot's share, and the CPU, memory or waiting behind it, are worth, at most most. Doubt is no
// part of it: see against.
func (hot *Hotspot) severity(in *rules.ProfileInput, most rules.Severity) rules.Severity {
	s, share := rules.Low, hot.Lower+hot.Caused
	switch {
	case hot.by.Shares.High > 0 && share >= hot.by.Shares.High:
		s = rules.High
	case hot.by.Shares.Medium > 0 && share >= hot.by.Shares.Medium:
		s = rules.Medium
	}
	if cores := in.Cores(); cores > 0 {
		work := (hot.Share + hot.Caused) * cores
		if s == rules.High && work < cmp.Or(hot.by.Cores, highCores) {
			s = rules.Medium
		}
		if cores < idleCores || work < cmp.Or(hot.by.Floor, floorCores) || !hot.Blame.Known && work < namelessCores {
			s = rules.Low
		}
	}
	if hot.costsLittle(in) {
		s = rules.Low
	}
	if s.Rank() > most.Rank() {
		return most
	}
	return s
}

// What speaks against a hotspot where the rule says nothing of its own.
const (
	againstLiving = "This may be the program's job: a profile does not show whether the work is needed"
	againstSpan   = "The profile counts since the process began, and does not show how long that is"
)

// against are the facts that speak for another reason than the rule's: with them its confidence is low.
func (hot *Hotspot) against(in *rules.ProfileInput) []string {
	var all []string
	if hot.purposeful() {
		all = append(all, cmp.Or(strings.Join(strings.Fields(hot.by.Against), " "), againstLiving))
	}
	if usage := hot.usage(in); usage != "" && !hot.kept(in) {
		all = append(all, usage)
	}
	if hot.spanless(in) {
		all = append(all, againstSpan)
	}
	return all
}

// purposeful reports work that may be what the program is for: by what the profile shows, where the rule asks for that
// (Matcher.Living, Purpose, NotMain), else in any program where it says so at all.
func (hot *Hotspot) purposeful() bool {
	by := hot.by
	if by.Living == 0 && len(by.Purpose) == 0 && !by.NotMain {
		return by.Against != ""
	}
	return hot.Blame.Purpose || hot.Blame.Living < by.Living && !hot.Blame.Recurs ||
		by.NotMain && hot.Blame.Culprit.Function == "main.main"
}

// Bounds below which waiting and allocating are part of life, all chosen.
const (
	// minWaiting is how many goroutines wait on average, where the duration of a profile is known, or the age of the
	// process: two servers that had run for half an hour, on a busy machine, had 0.01 and 0.05, in waits of 110 and
	// 130 ms.
	minWaiting = 0.1
	// minWait is how long one wait for a lock takes on average, where it counts since the process began and nothing
	// reports when that was: any number of short waits adds up to seconds. A write-ahead log that syncs under its lock
	// has 1 to 20 ms, a library's lock under churn 0.5; a tenth of a second is what a user notices.
	minWait = 100 * time.Millisecond
	// idleAllocRate is how many bytes a second add up to any number over the life of a process, and are not worth a
	// word: etcd and NATS, asked a few times a second for half an hour, allocate 0.3 MiB.
	idleAllocRate = 1 << 20
	// minAllocRate is how many bytes a second make the collector's work worth a change.
	minAllocRate = 50 << 20
)

// little reports what costs the process too little to matter: a small part of a heap, allocations and waits that the
// profile shows to be few for its time, or for the process's age.
func (hot *Hotspot) costsLittle(in *rules.ProfileInput) bool {
	span := cmp.Or(in.Duration, in.Age).Seconds()
	switch in.Kind {
	case profile.KindHeap:
		return float64(hot.Weight.Value) < hot.by.Large*(1<<20)
	case profile.KindAllocs:
		return span > 0 && float64(hot.Weight.Value)/span < minAllocRate
	case profile.KindMutex, profile.KindBlock:
		return span > 0 && in.Seconds(hot.Weight.Value)/span < minWaiting
	}
	return false
}

// spanless reports what adds up over the life of a process without a sign of how much that is at any time: allocations
// at an unknown rate, and waits of a mutex or block profile that are many rather than long.
func (hot *Hotspot) spanless(in *rules.ProfileInput) bool {
	switch {
	case in.Duration > 0:
		return false
	case in.Kind == profile.KindMutex:
		return in.Seconds(hot.Weight.Value)/float64(max(hot.Weight.Samples, 1)) < minWait.Seconds()
	}
	return in.Kind == profile.KindAllocs || in.Kind == profile.KindBlock
}

// inOrder are the hotspots that fire, the greatest share first.
func (hs *Hotspots) inOrder() []*Hotspot {
	all := slices.DeleteFunc(slices.Collect(maps.Values(hs.ByRule)), func(hot *Hotspot) bool { return !hot.fires() })
	slices.SortFunc(all, func(a, b *Hotspot) int {
		return cmp.Or(cmp.Compare(b.Share+b.Caused, a.Share+a.Caused), cmp.Compare(a.by.Order, b.by.Order),
			cmp.Compare(a.by.ID, b.by.ID))
	})
	return all
}

// fold makes from's share a part of what into explains.
func (hs *Hotspots) fold(from, into *Hotspot) {
	from.Into = into.by.ID
	into.Caused += from.Share + from.Caused
	into.Also = append(append(into.Also, from.by.Name), from.Also...)
}

// explain folds hotspots into those that name their cause: a collection that the program asks for explains the
// collector's work, on any stack.
func (hs *Hotspots) explain() {
	for _, hot := range hs.inOrder() {
		for _, id := range hot.by.Explains {
			if other := hs.ByRule[id]; other != nil && other.Into == "" && hot.Into == "" {
				hs.fold(other, hot)
			}
		}
	}
}

// collectors are the rules about allocation and garbage collection in general: their hotspots are what no other rule
// names the cause of; all code that allocates causes them.
var collectors = []string{"TR555", "TR560"}

// attributeCollector folds the collector's work into the hotspot that makes most of the allocations, where one does:
// half of the time spent allocating (chosen: below that it is not the one cause).
func (hs *Hotspots) attributeCollector(in *rules.ProfileInput) {
	if in.Kind != profile.KindCPU {
		return
	}
	all := hs.sumOf(func(fr int32) bool { return hs.mallocs[in.Frames[fr].Func] })
	for _, hot := range hs.inOrder() {
		if 2*hot.Allocating <= all || slices.Contains(collectors, hot.by.ID) {
			continue
		}
		for _, id := range collectors {
			if gc := hs.ByRule[id]; gc != nil && gc.Into == "" {
				hs.fold(gc, hot)
			}
		}
		return
	}
}

// sumOf adds up the stacks with a frame for which has holds, all for a nil has.
func (hs *Hotspots) sumOf(has func(frame int32) bool) int64 {
	var n int64
	for i := range hs.Stacks {
		if st := &hs.Stacks[i]; has == nil || slices.ContainsFunc(st.Frames, has) {
			n += st.Values[hs.Value]
		}
	}
	return n
}

// minSibling is the part of a hotspot that a second one with the same culprit must have to be a finding of its own
// (chosen: what is less is what that function does besides).
const minSibling = 0.5

// joinFamilies folds hotspots of one family whose culprit is the same function, or unknown, into the greatest of them,
// and small hotspots of any family into a greater one with the same culprit.
func (hs *Hotspots) joinFamilies() {
	firing := hs.inOrder()
	for i, hot := range firing {
		for _, other := range firing[i+1:] {
			a, b := hot.Blame, other.Blame
			family := hot.by.Family != "" && hot.by.Family == other.by.Family
			switch {
			case hot.Into != "" || other.Into != "":
			case family && (!a.Known || !b.Known || sameWork(a, b)):
				hs.fold(other, hot)
			case a.Known && b.Known && other.Share+other.Caused < minSibling*(hot.Share+hot.Caused) &&
				rules.PlainName(a.Culprit.Function) == rules.PlainName(b.Culprit.Function):
				// It is no consequence of the greater one.
				other.Into, hot.Beside = hot.by.ID, append(hot.Beside, other)
			}
		}
	}
}

// sameWork reports whether two hotspots are made by one part of the program: one culprit, or one entry.
func sameWork(a, b *Attribution) bool {
	return rules.PlainName(a.Culprit.Function) == rules.PlainName(b.Culprit.Function) ||
		a.Entry.Function != "" && a.Entry.Function == b.Entry.Function
}

// atLeastUnits are what a rule's at_least is of, in a sample type's unit: a MiB in bytes, a second in nanoseconds.
var atLeastUnits = map[string]float64{"bytes": 1 << 20, "nanoseconds": 1e9, "microseconds": 1e6}

func (s Shares) Valid() bool {
	return s.Low > 0 && s.Low <= 1 && (s.Medium == 0 || s.Medium >= s.Low && s.Medium <= 1) &&
		(s.High == 0 || s.High >= max(s.Low, s.Medium) && s.High <= 1)
}
