package profile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/symbol"
)

// A Doubt is one reason not to trust a profile. Name is stable, for tests and machines; Text is for people; Hint is a
// command or an advice, "" where there is none.
type Doubt struct {
	Name, Text, Hint string
}

// DoubtUnsymbolized is the name of the doubt about a profile without names of functions.
const DoubtUnsymbolized = "unsymbolized"

// Thresholds of doubts.
const (
	// fewSamples: with 100 samples a share of 10% may be anything from 5.5 to 17% (Wilson).
	fewSamples = 100
	// shortProfile: a second of one busy core is 100 samples; rare work does not show in less than five.
	shortProfile = 5 * time.Second
	// idleCores: 1.5 s of CPU in the 30 s that net/http/pprof takes. 32 of 110 real CPU profiles are below.
	idleCores = 0.05
	// truncatedShare is where JDK Mission Control's rule on truncated stacks begins to speak.
	truncatedShare = 0.01
	// unsymbolizedShare: a tenth without names hides a culprit that matters.
	unsymbolizedShare = 0.1
)

const takeDump = "take a goroutine dump: …/debug/pprof/goroutine?debug=2"

// Idle reports whether a CPU profile shows a process that hardly ran: it can't explain a hang.
func (p *Profile) Idle() bool { return p.Kind == KindCPU && p.Duration > 0 && p.Cores() < idleCores }

// Doubts judges a profile; path is how its file is named in commands, quoted for a shell where it needs to be.
func (p *Profile) Doubts(path string) []Doubt {
	var doubts []Doubt
	doubt := func(holds bool, name, hint, format string, args ...any) {
		if holds {
			doubts = append(doubts, Doubt{Name: name, Text: fmt.Sprintf(format, args...), Hint: hint})
		}
	}
	doubt(p.Kind == KindOther && p.Runtime != "" && p.Runtime != RuntimeGo, "other-runtime", "",
		"it is a profile of a %s program: no rule knows its functions", p.Runtime)
	if p.Total() == 0 {
		text, hint := p.whyEmpty()
		doubt(true, "empty", hint, "%s", text)
		return doubts
	}
	doubt(p.Difference, "difference", "give both profiles to triage: it compares them",
		"it was the difference of two profiles: triage left out the base, but the duration covers both")
	doubt(p.Kind != KindHeap && p.Kind != KindAllocs && p.hasNegatives(), "net",
		"give both profiles to triage: it compares them",
		"it is the difference of two profiles: decreases are negative, so shares may exceed 100%%")
	timed := p.Kind == KindCPU || p.Kind == KindWall
	samples := p.Samples()
	low, high := wilsonInterval(float64(samples)/10, float64(samples))
	doubt(timed && samples < fewSamples, "few-samples",
		"take a longer one under load: …/debug/pprof/profile?seconds=60",
		"%s: a share of 10%% may be anything from %.0f to %.0f%%", countSamples(samples), 100*low, 100*high)
	doubt(timed && 0 < p.Duration && p.Duration < shortProfile, "short", "",
		"a short profile (%.1f s): rare work may not show up in it", p.Duration.Seconds())
	doubt(p.Idle(), "idle", takeDump, "the process was mostly idle (%s cores): a CPU profile can't explain a hang",
		strconv.FormatFloat(p.Cores(), 'g', 2, 64))
	counts := p.Kind == KindAllocs || p.Kind == KindMutex || p.Kind == KindBlock
	doubt(counts && p.Duration == 0, "cumulative",
		"add ?seconds=30 to the address to cover only that time",
		"it counts since the process began: it includes old events, and doesn't show how often they happen")
	doubt(p.Truncated >= truncatedShare, "truncated", "",
		"%.0f%% of it is in stacks that the runtime cut: their callers are missing", 100*p.Truncated)
	binary, build := symbol.ShortFile(p.Binary), ""
	if !plainFile(binary) {
		binary = "BINARY"
	}
	if p.BuildID != "" {
		build = ", the build " + p.BuildID
	}
	doubt(p.Unsymbolized >= unsymbolizedShare, DoubtUnsymbolized,
		"go tool pprof -symbolize=local -proto -output named.pb.gz "+binary+" "+path,
		"%.0f%% of it is in stacks without function names: add them from the program's own file%s",
		100*p.Unsymbolized, build)
	doubt(p.Unparsed > 0, "unparsed", "",
		"%d lines are not in the runtime's format: the text was altered on its way", p.Unparsed)
	return doubts
}

// hasNegatives reports whether a stack's value is below zero, as in a profile from which another one was subtracted
// (pprof's -base). Deltas of heaps are made like that on purpose (net/http/pprof's seconds).
func (p *Profile) hasNegatives() bool {
	return slices.ContainsFunc(p.Stacks, func(s Stack) bool { return s.Values[p.Value] < 0 })
}

// countSamples is "1 sample", "51 samples".
func countSamples(n int64) string {
	if n == 1 {
		return "1 sample"
	}
	return strconv.FormatInt(n, 10) + " samples"
}

// plainFile reports whether a file name from a profile can be part of a command as it is: it means nothing to a shell
// and is no option.
func plainFile(name string) bool {
	return name != "" && name[0] != '-' && len(name) < 256 && strings.IndexFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-+", r)
	}) < 0
}

// whyEmpty is the likely reason for an empty profile, with a hint.
func (p *Profile) whyEmpty() (text, hint string) {
	switch p.Kind {
	case KindMutex:
		return "it is empty: nothing waited for a lock, or mutex profiling is off",
			"runtime.SetMutexProfileFraction(100)"
	case KindBlock:
		return "it is empty: nothing waited, or profiling is off (an empty profile doesn't show whether it is of " +
				"blocking or of mutexes)",
			"runtime.SetBlockProfileRate(100_000_000) or runtime.SetMutexProfileFraction(100)"
	case KindGoroutineLeak:
		return "it is empty: the collector found no goroutine that is stuck forever", ""
	case KindCPU:
		return "it is empty: the process used no CPU while it was taken", takeDump
	}
	return "it is empty", ""
}
