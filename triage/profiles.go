package triage

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
)

// A Profile is one profile of the report. Goroutine profiles are dumps.
type Profile struct {
	Input string `json:"input"`
	// Kind is what it measures (cpu, heap, allocs, mutex, block, wall, threadcreate, other), Type and Unit the sample
	// type that shares are of ("inuse_space", "bytes").
	Kind string `json:"kind"`
	Type string `json:"type"`
	Unit string `json:"unit"`
	// Namespace, Pod and Container are those of the process, where the path tells.
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Time      string `json:"time"` // RFC 3339, "" where it doesn't tell
	Go        string `json:"go"`   // the releases that name functions so, "" where none is told
	Program   string `json:"program"`
	Total     int64  `json:"total"` // in Unit
	Duration  int64  `json:"duration_ns"`
	Samples   int64  `json:"samples"`
	// Cores is the CPUs that a CPU profile kept busy on average, 0 where that is not known.
	Cores float64 `json:"cores"`
	// Explained is the share of Total that findings speak of, 0 to 1.
	Explained float64 `json:"explained"`
	// Top is the functions with most of it: the first by what they use themselves, and the program's own by what is
	// used below them.
	Top    []TopFunction `json:"top"`
	Doubts []Doubt       `json:"doubts"`
	Labels []LabelShare  `json:"labels"`
}

// A TopFunction is a function with its part of a profile, in the profile's unit.
type TopFunction struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Class    string `json:"class"`
	Flat     int64  `json:"flat"` // spent in it
	Cum      int64  `json:"cum"`  // spent in it and what it calls
}

// A Doubt is a reason for caution with a profile: few samples, an idle process, missing names.
type Doubt struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Hint string `json:"hint"`
}

// A LabelShare is the share of a profile with one value of a label (pprof.Do).
type LabelShare struct {
	Key   string  `json:"key"`
	Value string  `json:"value"` // "" for what lacks the key
	Share float64 `json:"share"`
}

// Bounds on what is told of a profile. Chosen: more than anybody reads.
const (
	maxTop       = 20
	maxOwnTop    = 15
	maxLabelKeys = 5
	maxLabelVals = 10
)

// profile takes a binary profile, or a text form of one: goroutine profiles become dumps.
func (in *intake) profile(data []byte) {
	p, err := profile.Read(data)
	if err != nil {
		in.skips = append(in.skips, Skipped{Path: in.path, Reason: err.Error(), Hint: "is the file whole? go tool pprof -top " + rules.Quote(in.path)})
		return
	}
	switch p.Kind {
	case profile.KindGoroutine, profile.KindGoroutineLeak:
		in.take(goroutinesOf(p), -1)
		return
	}
	in.progress.profile()
	in.profiles = append(in.profiles, p)
}

// profileInputs brings the profiles of all readings into the form that rules look at.
func profileInputs(readings []*reading) []*rules.ProfileInput {
	var all []*rules.ProfileInput
	for _, rd := range readings {
		for _, p := range rd.profiles {
			from, path := rd.source.Origin, firstPath(rd.source)
			all = append(all, &rules.ProfileInput{
				View: &profile.View{Profile: p}, Input: path, Process: processName(from, ""), Target: targetFrom(path, from),
			})
		}
	}
	return all
}

// viewProfiles names the processes of profiles and works out what rules ask of each: whose code its functions are, and
// which rule its stacks belong to.
func viewProfiles(pass *rules.Pass, book RuleBook) {
	if len(pass.Profiles) == 0 {
		return
	}
	each(len(pass.Profiles), func(i int) { pass.Profiles[i].View = profile.NewView(pass.Profiles[i].Profile) })
	nameProfiles(pass)
	board := book.profileBoard()
	each(len(pass.Profiles), func(i int) { claim(board, pass.Profiles[i]) })
}

// claim gives a profile's stacks to rules. A fault of ours over a hostile profile costs that profile's findings alone:
// what has no claims is claimed rule by rule, where faults are caught.
func claim(board *rules.Board, p *rules.ProfileInput) {
	defer func() { _ = recover() }()
	p.Claims = board.Claims(p)
}

// nameProfiles settles which profiles are of one process, and of which dumps', where no pod names it: those in one
// folder of one program (its module and, where both tell one, its build). fetch writes one folder a process, and who
// collects by hand does as a rule. Replicas in one folder are told apart where they are of the same kind: see SameHeap.
func nameProfiles(pass *rules.Pass) {
	type group struct{ folder, module, build string }
	names := map[group]string{}
	for _, p := range pass.Profiles {
		if p.Process != "" {
			continue
		}
		g := group{filepath.Dir(p.Input), p.Program.Module, p.BuildID}
		name, ok := names[g]
		if !ok {
			name = dumpProcess(pass.Dumps, g.folder, p.Program.Module)
			if name == "" {
				name = "program " + cmp.Or(frame.ShortFile(p.Binary), p.Program.Module, "of "+p.Input)
				if len(names) > 0 {
					name += fmt.Sprintf(" (%d)", len(names)+1)
				}
			}
			names[g] = name
		}
		p.Process = name
	}
}

// dumpProcess is the process of the dumps in a folder, "" where there is none, where there are several, and where a dump is
// of another program than module; "" for that is unknown and may be any. A dump that stands alone gets a name.
func dumpProcess(dumps []*rules.DumpInput, folder, module string) string {
	var name string
	var nameless []*rules.DumpInput
	for _, d := range dumps {
		if filepath.Dir(d.Input) != folder {
			continue
		}
		if m := d.Program.Module; m != module && m != "" && module != "" {
			return ""
		}
		switch {
		case d.Process == "":
			nameless = append(nameless, d)
		case name == "":
			name = d.Process
		case name != d.Process:
			return ""
		}
	}
	if name == "" && len(nameless) == 1 {
		name = "program " + cmp.Or(module, "of "+nameless[0].Input)
		nameless[0].Process = name
	}
	return name
}

// convertProfile brings a profile into the form of the report's contract.
func convertProfile(in *rules.ProfileInput, found []rules.Finding) Profile {
	t := valueType(in.Profile)
	out := Profile{
		Input: in.Input, Kind: string(in.Kind), Type: t.Type, Unit: t.Unit, Namespace: in.Target.Namespace, Pod: in.Target.Pod,
		Container: in.Target.Container, Go: in.Go, Program: in.Program.Module, Total: in.Total(), Duration: int64(in.Duration),
		Samples: in.Samples(), Cores: math.Round(1e4*in.Cores()) / 1e4, Top: topOf(in.View), Doubts: []Doubt{}, Labels: labelsOf(in.View),
	}
	if !in.Time.IsZero() {
		out.Time = in.Time.UTC().Format("2006-01-02T15:04:05Z07:00")
	}
	for _, d := range in.Quality(rules.Quote(in.Input)).Doubts {
		out.Doubts = append(out.Doubts, Doubt(d))
	}
	for i := range found {
		if found[i].Severity.Rank() == rules.Info.Rank() {
			continue
		}
		// A finding's first evidence of an input is the whole of it, the others are parts.
		if k := slices.IndexFunc(found[i].Evidence, func(e rules.Evidence) bool { return e.Input == in.Input }); k >= 0 {
			out.Explained += found[i].Evidence[k].Share
		}
	}
	out.Explained = math.Round(1e4*min(out.Explained, 1)) / 1e4
	return out
}

func valueType(p *profile.Profile) profile.ValueType {
	if p.Value < len(p.Types) {
		return p.Types[p.Value]
	}
	return profile.ValueType{}
}

func topOf(v *profile.View) []TopFunction {
	ranked := v.Top(maxTop, profile.ByFlat, func(r *profile.Ranked) bool { return r.Flat.Value > 0 })
	listed := map[int32]bool{}
	for _, r := range ranked {
		listed[r.Func] = true
	}
	for _, r := range v.Top(maxOwnTop, profile.ByCum, func(r *profile.Ranked) bool {
		return v.Class[r.Func] == frame.ClassOwn && r.Cum.Value > 0
	}) {
		if !listed[r.Func] {
			ranked = append(ranked, r)
		}
	}
	top := make([]TopFunction, 0, len(ranked))
	for _, r := range ranked {
		fn := &v.Functions[r.Func]
		top = append(top, TopFunction{Function: fn.Name, File: fn.File, Class: v.Class[r.Func].String(), Flat: r.Flat.Value, Cum: r.Cum.Value})
	}
	return top
}

func labelsOf(v *profile.View) []LabelShare {
	shares := []LabelShare{}
	keys := v.LabelKeys()
	for _, key := range keys[:min(len(keys), maxLabelKeys)] {
		split := v.SplitByLabel(key, nil)
		for _, l := range split[:min(len(split), maxLabelVals)] {
			shares = append(shares, LabelShare{Key: l.Key, Value: l.Value, Share: math.Round(1e4*v.Share(l.Weight)) / 1e4})
		}
	}
	return shares
}

// adviseProfiles says what to collect where the profiles alone can't tell: a dump for a process that hardly ran.
func adviseProfiles(r *Report, pass *rules.Pass) []Advice {
	for _, p := range pass.Profiles {
		if q := p.Quality(""); q.Idle && len(pass.Dumps) == 0 {
			why := fmt.Sprintf("the process of %s was mostly idle (%.2g cores): what it waits for stands in a goroutine dump, not in a CPU profile.", p.Input, q.Cores)
			return []Advice{{Why: why, Commands: dumpCommands(p.Target)}}
		}
	}
	return nil
}

// dumpCommands collect a dump from a process that was just profiled: it serves pprof.
func dumpCommands(t rules.Target) []string {
	commands := []string{note("curl -s 'http://localhost:6060/debug/pprof/goroutine?debug=2' | triage", "the port that the profile came from")}
	if t.Known() {
		commands = append([]string{t.PortForward()}, commands...)
	}
	return append(commands, note(strings.TrimSpace(t.Abort()), "where nothing serves pprof: the process prints its goroutines and ends"))
}
