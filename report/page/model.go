package page

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// A model is what the template shows: texts as they are in the report, escaped by safe where they come from the
// inputs. Lists are bounded; what is left out is counted and lies in the report's block.
type model struct {
	CSP              string
	Style, Script    template.HTML
	Report, Drawings template.HTML

	R        *schema.Report
	Headline string
	// Severity is that of the finding in the headline, "" where that is none.
	Severity string
	Redacted bool

	Suspects     []*schema.Lead // among the first leads
	Findings     []finding
	MoreFindings int // that the page leaves out
	Pods         []schema.Pod
	Blocked      []schema.BlockedLine // of a merged report
	Waits        []waitDrawing
	Areas        []areaDrawing
	Groups       groups
	Roles        []schema.RoleCount
	Running      []schema.Runnable
	Needs        []report.Need
	Asides       []report.Aside
	HasFlame     bool
	Gone         []finding // of the before side of a comparison
	names        report.Names
	timelines    map[string]*schema.ObjectTimeline // that no finding shows yet
}

// SuspectsFirst reports whether the first lead is a suspect: they come before the findings then.
func (m *model) SuspectsFirst() bool { return len(m.Suspects) > 0 && m.Suspects[0].Rank == 1 }

// Bounds of a page's lists.
const (
	maxFindings = 100
	// openFindings is how many are unfolded: as many as text shows in full.
	openFindings = 3
	maxEvidence  = 20
	openEvidence = 5
	maxRows      = 500
)

func newModel(r *schema.Report, o Options) *model {
	names := report.InputNames(r)
	m := &model{
		names: names, timelines: timelinesOf(r), R: r, Pods: r.Pods,
		Suspects: report.Suspects(r), Headline: report.Headline(r),
		Redacted: o.Redacted,
		Areas:    drawAreas(r), Groups: groupsOf(r), Roles: rolesOf(r), Running: runningOf(r),
		Needs: report.Needs(r), Asides: report.Asides(r),
		HasFlame: len(r.Dumps)+len(r.Stacks) > 0 || r.Diff != nil && len(r.Diff.Stacks) > 0,
	}
	m.Waits = m.drawWaits(r)
	if r.Merged != nil {
		m.Blocked = r.Merged.Blocked[:min(len(r.Merged.Blocked), maxRows)]
	}
	found := r.Found()
	if d := r.Diff; d != nil {
		for i := range d.Findings.Gone[:min(len(d.Findings.Gone), maxFindings)] {
			m.Gone = append(m.Gone, m.newFinding(&d.Findings.Gone[i], "gone-"+strconv.Itoa(i+1), false))
		}
	}
	if len(r.Leads) > 0 && r.Leads[0].Certainty != schema.OnlySuspect && len(found) > 0 {
		m.Severity = string(found[0].Severity)
	}
	for i := range found[:min(len(found), maxFindings)] {
		m.Findings = append(m.Findings, m.newFinding(&found[i], "finding-"+strconv.Itoa(i+1), i < openFindings))
	}
	m.MoreFindings = len(found) - len(m.Findings)
	return m
}

// At is INPUT:LINE with the input's short name.
func (m *model) At(input string, line int64) string {
	return safe(m.names.At(input, line))
}

// An evidencePlace is a piece of evidence with the place to look at.
type evidencePlace struct {
	rules.Evidence
	Place string
}

// A finding is one finding with its stack ready to be shown.
type finding struct {
	*rules.Finding
	ID       string // of the element
	Open     bool
	Seen     []evidencePlace
	Further  []evidencePlace // that is folded
	MoreSeen int
	Stack    []pathFrame // leaf first
	Links    []template.URL
	Notes    []string
	Lanes    *laneDrawing
}

// A pathFrame is a frame of a finding's path.
type pathFrame struct {
	rules.PathFrame
	Culprit bool
	Quiet   bool // runtime and standard library
}

func (m *model) newFinding(f *rules.Finding, id string, open bool) finding {
	out := finding{
		Finding: f, ID: id, Open: open, Lanes: m.lanesOf(f),
	}
	for _, e := range f.Evidence[:min(len(f.Evidence), maxEvidence)] {
		out.Seen = append(out.Seen, evidencePlace{e, m.At(e.Input, e.Line)})
	}
	out.MoreSeen = len(f.Evidence) - len(out.Seen)
	if len(out.Seen) > openEvidence+1 {
		out.Seen, out.Further = out.Seen[:openEvidence], out.Seen[openEvidence:]
	}
	found := false
	for _, p := range slices.Backward(f.Path) {
		fr := pathFrame{PathFrame: p, Quiet: p.Class == "runtime" || p.Class == "stdlib"}
		if !found && p.Function == f.Culprit.Function && p.Line == f.Culprit.Line {
			fr.Culprit, found = true, true
		}
		out.Stack = append(out.Stack, fr)
	}
	for _, ref := range f.Refs {
		if m.R.Read {
			break // a stranger's address is text
		}
		if u, err := url.Parse(ref); err == nil && u.Scheme == "https" && u.Host != "" {
			out.Links = append(out.Links, template.URL(u.String()))
		}
	}
	return out
}

// Place is FILE:LINE of the culprit, "" where it is no code.
func (f finding) Place() string { return place(f.Culprit.File, f.Culprit.Line) }

// runningOf are the verdicts on running goroutines.
func runningOf(r *schema.Report) (list []schema.Runnable) {
	for i := range r.Dumps {
		for _, run := range r.Dumps[i].Runnable {
			if run.Verdict != "accused" && len(list) < maxRows {
				list = append(list, run)
			}
		}
	}
	return list
}

// rolesOf adds up the roles of all dumps, most goroutines first.
func rolesOf(r *schema.Report) (list []schema.RoleCount) {
	at := map[string]int{}
	for i := range r.Dumps {
		for _, c := range r.Dumps[i].Roles {
			j, known := at[c.Role]
			if !known {
				j = len(list)
				at[c.Role] = j
				list = append(list, schema.RoleCount{Role: c.Role, Doc: c.Doc})
			}
			list[j].Goroutines += c.Goroutines
			list[j].Buckets += c.Buckets
		}
	}
	slices.SortStableFunc(list, func(a, b schema.RoleCount) int { return cmp.Compare(b.Goroutines, a.Goroutines) })
	return list
}

// groups are the groups of goroutines, those without a role first.
type groups struct {
	Rows []group
	More int
}

// A group is one distinct stack of one dump.
type group struct {
	*schema.Bucket
	Dump, Index int // its places in the report, for the filter
	Input       string
	Blamed      schema.Frame // the frame nearest to the leaf that is neither runtime nor standard library
	Age         string
}

func groupsOf(r *schema.Report) (g groups) {
	for d := range r.Dumps {
		for b := range r.Dumps[d].Buckets {
			bucket := &r.Dumps[d].Buckets[b]
			row := group{
				Bucket: bucket, Dump: d, Index: b, Input: r.Dumps[d].Input, Age: report.Waited(bucket.Minutes),
			}
			if f, ok := schema.Blamed(bucket.Frames); ok {
				row.Blamed = f
			} else if n := len(bucket.Frames); n > 0 {
				row.Blamed = bucket.Frames[n-1]
			}
			g.Rows = append(g.Rows, row)
		}
	}
	slices.SortStableFunc(g.Rows, func(a, b group) int {
		return cmp.Or(cmp.Compare(min(len(a.Role), 1), min(len(b.Role), 1)), cmp.Compare(b.Count, a.Count))
	})
	if g.More = len(g.Rows) - maxRows; g.More > 0 {
		g.Rows = g.Rows[:maxRows]
	}
	return g
}

// place is FILE:LINE, "" for no file.
func place(file string, line int) string { return cutName(report.Place(file, line)) }

// functions are those of the template.
func functions() template.FuncMap {
	return template.FuncMap{
		"safe":     safe,
		"name":     cutName,
		"lines":    func(s string) string { return strings.ReplaceAll(safe(s), `\n`, "\n") },
		"short":    func(fn string) string { return cutName(symbol.ShortFunc(symbol.StripVendor(fn))) },
		"place":    place,
		"count":    func(n int, noun string) string { return phrase.Count(int64(n), noun) },
		"number":   func(n int) string { return phrase.Number(int64(n)) },
		"number64": func(n int64) string { return phrase.Number(n) },
		"share":    phrase.Share,
		"upper":    strings.ToUpper,
		"between":  report.Between,
		"object":   func(o *rules.Object) string { return safe(o.Text()) },
		"fleet":    report.Fleet, "fleetnotes": report.FleetNotes,
		"amount":    phrase.Amount,
		"codetitle": report.CodeTitle,
		"codeargs":  report.CodeArgs,
		"code":      func(c *rules.Code) string { return strings.Join(report.CodeLines(c, "▶"), "\n") },
	}
}
