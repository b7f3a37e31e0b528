package triage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/source"
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/coded"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/schema"
)

// A codeReader shows code below the folders of Options.Source, or else of Options.Nearby. The zero one has none and
// shows nothing.
type codeReader struct {
	dirs   []string
	tree   *source.Tree
	nearby bool // nobody named the folders: what they lack, or have of another version, is not mentioned
}

// openSource opens the folders of Options.Source, or else those of Options.Nearby that can be opened.
func (o Options) openSource() (codeReader, error) {
	if len(o.Source) > 0 {
		tree, err := source.Open(o.Source)
		return codeReader{dirs: o.Source, tree: tree}, err
	}
	if tree, err := source.Open(o.Nearby); err == nil && len(o.Nearby) > 0 {
		return codeReader{dirs: o.Nearby, tree: tree, nearby: true}, nil
	}
	return codeReader{}, nil
}

// packageReader reads the code of frames of the dumps for rules; nil without folders, and where those nearby have none
// of it.
func (c codeReader) packageReader(dumps []*rules.DumpInput) rules.Parsed {
	if c.tree == nil {
		return nil
	}
	packages := c.tree.Packages()
	packages.Doubt(calledFrames(dumps))
	if c.nearby && !packages.Any() {
		return nil
	}
	return gocode.NewReader(packages.Of, packages.Program)
}

// maxCalls bounds the frames that are compared before a rule asks for one.
const maxCalls = 1 << 14

// calledFrames are the distinct frames of dumps outside of the runtime and the standard library, each with what it
// calls, and the places where goroutines were created.
func calledFrames(dumps []*rules.DumpInput) (frames, created []gocode.Frame) {
	seen := map[gocode.Frame]bool{}
	add := func(list []gocode.Frame, f *stackparse.Frame, callee string) []gocode.Frame {
		call := gocode.Frame{Func: f.Func, File: f.File, Line: f.Line, Callee: callee}
		class := (frame.Program{}).Class(f.Frame)
		if class == frame.ClassRuntime || class == frame.ClassStdlib || seen[call] || len(seen) >= maxCalls {
			return list
		}
		seen[call] = true
		return append(list, call)
	}
	for _, d := range dumps {
		for _, b := range d.Buckets {
			for k := range b.Frames {
				callee := b.Class.ParksIn()
				if k > 0 {
					callee = b.Frames[k-1].Func
				}
				frames = add(frames, &b.Frames[k], callee)
			}
			if b.CreatedBy != nil {
				created = add(created, b.CreatedBy, "")
			}
		}
	}
	return frames, created
}

// close closes the folders. Nothing was written to them, so that no error matters.
func (c codeReader) close() {
	if c.tree != nil {
		_ = c.tree.Close()
	}
}

// addCode puts the code at their culprits into findings of a report, and what was found into the report. The words of
// calls are those of the dumps.
func (c codeReader) addCode(r *Report, list []rules.Finding, dumps []*rules.DumpInput) {
	if c.tree == nil {
		return
	}
	asks := make([]source.Ask, 0, len(list))
	var of []*rules.Finding
	for i := range list {
		if f := &list[i]; f.Culprit.File != "" {
			asks, of = append(asks, source.Ask{Place: f.Culprit}), append(of, f)
		}
	}
	addCalls(asks, of, dumps)
	for i, f := range of {
		if asks[i].Callee == "" {
			asks[i].Callee = calledFrom(f)
		}
	}
	r.Source = c.lookUp(asks, func(i int, code *rules.Code) { of[i].Code = code })
}

// maxNamed is how many inputs a command names.
const maxNamed = 4

// proposeSource adds the command that reads the program's source, where none was read: to the first finding that the
// source may prove, or else to what leads the report, unless that is an alarm.
func (c codeReader) proposeSource(r *Report, suspected []suspect.Suspect, pass *rules.Pass, inputs []string) {
	if pass.Code != nil || c.tree != nil && !c.nearby || len(pass.Dumps) == 0 {
		return
	}
	command := "triage --source DIR " + strings.Join(quoted(inputs), " ")
	add := func(next *[]rules.Step, note string) {
		*next = rules.AddSteps(*next, rules.Command(command).Note(note))
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; coded.Decides(f, pass) {
			add(&f.Next, "with the source of this build in DIR, triage may prove this")
			return
		}
	}
	if len(r.Leads) == 0 || r.Leads[0].Alarm || r.Leads[0].Culprit == nil {
		return
	}
	const note = "with the source of this build in DIR, triage shows the code, and what could end the wait"
	first := &r.Leads[0]
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Fingerprint == first.Finding && ofGoroutines(f.Evidence) {
			add(&f.Next, note)
		}
	}
	for i := range suspected {
		if s := &suspected[i]; first.Finding == "" && s.Culprit == *first.Culprit && ofGoroutines(s.Evidence) {
			add(&s.Next, note)
		}
	}
}

// ofGoroutines reports whether evidence is of goroutines.
func ofGoroutines(list []rules.Evidence) bool {
	return slices.ContainsFunc(list, func(e rules.Evidence) bool { return len(e.Goroutines) > 0 })
}

// quoted are inputs as a command names them.
func quoted(inputs []string) []string {
	switch {
	case len(inputs) > maxNamed:
		return []string{"INPUTS"}
	case len(inputs) == 0 || slices.Contains(inputs, "-"): // no name says what was piped
		return []string{"FILE"}
	}
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = rules.Quote(in)
	}
	return names
}

// addCodeToExcerpts puts the code of frames into the goroutines that are shown, the runtime's and the standard
// library's aside; picks are aligned with shown.
func (c codeReader) addCodeToExcerpts(picks []*pick, shown []schema.Excerpt) *schema.Source {
	if c.tree == nil {
		return nil
	}
	var asks []source.Ask
	var of []*schema.ExcerptLine
	for i, p := range picks {
		for j, k := range p.places {
			if k < 0 {
				continue
			}
			f := &p.frames[k]
			if f.Class == frame.ClassRuntime.String() || f.Class == frame.ClassStdlib.String() {
				continue
			}
			a := source.Ask{Place: rules.Place{Function: f.Function, File: f.File, Line: f.Line}}
			if a.Callee = p.class.ParksIn(); k > 0 {
				a.Callee = p.frames[k-1].Function
			}
			asks = append(asks, a)
			of = append(of, &shown[i].Lines[j])
		}
	}
	return c.lookUp(asks, func(i int, code *rules.Code) { of[i].Code = code })
}

// calledFrom is the function that comes behind the culprit on the path of a finding about a profile, "" where the
// culprit is not on it or at its end, and for findings about goroutines, whose paths leave frames out.
func calledFrom(f *rules.Finding) string {
	ofDumps := func(e rules.Evidence) bool { return len(e.Goroutines) > 0 || e.At != nil }
	if slices.ContainsFunc(f.Evidence, ofDumps) || len(f.Path) >= rules.MaxPath {
		return ""
	}
	for i := range f.Path[:max(len(f.Path)-1, 0)] {
		if p := &f.Path[i]; p.Function == f.Culprit.Function && p.Line == f.Culprit.Line {
			return f.Path[i+1].Function
		}
	}
	return ""
}

// lookUp answers the asks, and sums up what was found: nil where folders that nobody named have nothing of it.
func (c codeReader) lookUp(asks []source.Ask, found func(i int, code *rules.Code)) *schema.Source {
	s := &schema.Source{Dirs: c.dirs, Missing: []schema.MissingFile{}}
	seen := map[string]bool{}
	for i, a := range c.tree.Show(asks) {
		if c.nearby && (a.Code == nil || a.Code.Fits == rules.FitsNo) {
			continue
		}
		file := asks[i].Place.File
		if !seen[file] {
			seen[file] = true
			s.Files++
			switch {
			case a.Code != nil:
				s.Found++
			case len(s.Missing) < schema.MaxMissing:
				s.Missing = append(s.Missing, schema.MissingFile{File: file, Reason: a.Reason})
			}
		}
		if a.Code == nil {
			continue
		}
		switch a.Code.Fits {
		case rules.FitsYes:
			s.Fits++
		case rules.FitsNo:
			s.Differs++
		default:
			s.Unknown++
		}
		found(i, a.Code)
	}
	if c.nearby && s.Found == 0 {
		return nil
	}
	return s
}

// addCalls gives the asks what dumps show of the call at their place: the callee, and the words of a goroutine that the
// finding's evidence names, where the dump has its text.
func addCalls(asks []source.Ask, of []*rules.Finding, dumps []*rules.DumpInput) {
	type call struct {
		function string
		line     int
	}
	at := map[call][]int{}
	for i, a := range asks {
		key := call{a.Place.Function, a.Place.Line}
		at[key] = append(at[key], i)
	}
	for _, d := range dumps {
		words := braced(d.Go)
		for _, b := range d.Buckets {
			for k := range b.Frames {
				for _, i := range at[call{b.Frames[k].Func, b.Frames[k].Line}] {
					if asks[i].Callee == "" {
						asks[i].Callee = b.Class.ParksIn()
						if k > 0 {
							asks[i].Callee = b.Frames[k-1].Func
						}
					}
					if asks[i].Words == "" && words && len(b.Goroutines) > 0 && speaksOf(of[i], d, &b.Goroutines[0]) {
						asks[i].Words, asks[i].Goroutine = b.WordLists()[k], b.Goroutines[0].ID
					}
				}
			}
		}
	}
}

// speaksOf reports whether a finding's evidence names the goroutine of a dump.
func speaksOf(f *rules.Finding, d *rules.DumpInput, g *stackparse.Goroutine) bool {
	input, _ := d.Locate(int64(g.Line))
	return slices.ContainsFunc(f.Evidence, func(e rules.Evidence) bool {
		return e.Input == input && slices.Contains(e.Goroutines, g.ID)
	})
}

// braced reports whether a release of Go, as Dump.Go has it ("1.26", "1.22-1.23", ">=1.22"), is 1.17 or later: before,
// words of a call were those of the stack, and no braces showed which of them are one value.
func braced(release string) bool {
	_, minor, _ := strings.Cut(release, "1.")
	if i := strings.IndexFunc(minor, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		minor = minor[:i]
	}
	n, err := strconv.Atoi(minor)
	return err == nil && n >= 17 && !strings.HasPrefix(release, "<")
}
