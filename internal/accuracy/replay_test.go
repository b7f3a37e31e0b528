package accuracy

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/internal/parallel"
	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

// An input is what triage is given at once: some files of one process or cluster.
type input struct {
	program string // of which it is a capture
	name    string // for people
	form    string
	files   []string
	source  []string
	label   *label
	hidden  bool // the form cannot show the fault: only accusations count
	dump    bool // it is a dump, which is judged beside that of a busy service too
	outcome outcome
}

// A batch is a part of a population that is unpacked and judged together.
type batch struct {
	population, half string
	archive          string // "" for none
	outside          bool   // its inputs are not in this repository, and may be absent
	inputs           func(t *testing.T, dir string) []*input
	judged           []*input
}

// of is the population of an input: what is judged with its source is one of its own.
func (b *batch) of(in *input) string {
	if in.source != nil {
		return b.population + sourced
	}
	return b.population
}

// An outcome is how a report holds against the label.
type outcome struct {
	lead        int  // the place of the first lead that is right, from 1; 0 for none
	beside      int  // the same beside the dump of a busy service
	named       bool // a finding is of the root cause, with enough severity
	whole       bool // and says all that it should
	accused     bool // an alarm of high severity is about something else
	alarmed     bool // a healthy input raises an alarm
	leads       int
	certainty   schema.Certainty // of the first lead
	alarm       bool             // so is the first lead
	naive       bool             // the largest group without a role is at the place
	dumps       bool             // there is a dump
	first, loud string           // the first lead, and the first wrong alarm, for people
	said        []string         // the leads, where a flag asks for them
}

// replay judges all inputs of the batches: several at a time.
func replay(t *testing.T, batches []*batch) {
	book, err := triage.LoadRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	busy := busyDumps(t)
	parallel.Each(len(batches), func(i int) {
		b, dir := batches[i], ""
		if b.archive != "" {
			dir = captures.Unpack(t, b.archive)
			defer os.RemoveAll(dir)
		}
		b.judged = slices.DeleteFunc(b.inputs(t, dir), func(in *input) bool {
			return *program != "" && in.program != *program
		})
		parallel.Each(len(b.judged), func(i int) { b.judged[i].judge(t, &book, busy) })
	})
}

// run gives triage some files. What it cannot read it reports.
func run(t *testing.T, book *triage.RuleBook, files, source []string) *schema.Report {
	r, err := triage.Run(context.Background(), triage.Options{Inputs: files, Source: source, Book: book})
	if err != nil {
		t.Errorf("%s: %v", files, err)
	}
	steptest.CheckReport(t, r)
	return r
}

// judge holds what triage says about an input, and about it beside the dump of a busy service, against its label.
func (in *input) judge(t *testing.T, book *triage.RuleBook, busy map[string]string) {
	r := run(t, book, in.files, in.source)
	o := outcome{lead: in.label.leadIn(r), leads: len(r.Leads), dumps: len(r.Dumps) > 0}
	o.naive = in.label.answers(claim{culprit: largestWithoutRole(r)})
	if o.leads > 0 {
		o.first, o.certainty, o.alarm = leadLine(&r.Leads[0]), r.Leads[0].Certainty, r.Leads[0].Alarm
	}
	for i := range min(len(r.Leads), one(*program != "")*10) {
		o.said = append(o.said, fmt.Sprintf("%d. %s", i+1, leadLine(&r.Leads[i])))
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		wrong := false
		if in.label.isHealthy() {
			wrong = in.label.alarms(f)
			o.alarmed = o.alarmed || wrong
		} else {
			wrong = in.label.accuses(f)
			o.accused = o.accused || wrong
			if in.label.names(f) && f.Severity.Rank() >= in.label.least.Rank() {
				o.named, o.whole = true, o.whole || in.label.isWhole(f)
			}
		}
		if wrong && o.loud == "" {
			o.loud = findingLine(f)
		}
	}
	if in.dump && !in.hidden && !in.label.isHealthy() {
		o.beside = in.label.leadIn(run(t, book, append([]string{busy[besideOf(in.name)]}, in.files...), in.source))
	}
	in.outcome = o
}

// leadIn is the place of the first lead that is right, from 1; 0 for none.
func (l *label) leadIn(r *schema.Report) int {
	for i := range r.Leads {
		if !l.isHealthy() && l.answers(claimOfLead(&r.Leads[i])) {
			return i + 1
		}
	}
	return 0
}

// largestWithoutRole is the program's frame nearest to the top of the largest group of goroutines without a role: what
// everybody sees who looks at a dump.
func largestWithoutRole(r *schema.Report) rules.Place {
	var largest *schema.Bucket
	for i := range r.Dumps {
		for k := range r.Dumps[i].Buckets {
			b := &r.Dumps[i].Buckets[k]
			if b.Role == "" && (largest == nil || b.Count > largest.Count) {
				largest = b
			}
		}
	}
	if largest == nil {
		return rules.Place{}
	}
	for _, f := range largest.Frames {
		if f.Class != "runtime" && f.Class != "stdlib" {
			return rules.Place{Function: f.Function, File: f.File, Line: f.Line}
		}
	}
	return rules.Place{}
}

func leadLine(l *schema.Lead) string {
	where := l.Client
	switch {
	case l.Object != nil:
		where = l.Object.Kind + " " + l.Object.Namespace + "/" + l.Object.Name
	case l.Culprit != nil:
		where = l.Culprit.Function
	}
	return fmt.Sprintf("%s: %s (%s)", l.Certainty, l.Title, where)
}

func findingLine(f *rules.Finding) string {
	where := f.Culprit.Function
	if f.Object != nil {
		where = f.Object.Kind + " " + f.Object.Namespace + "/" + f.Object.Name
	}
	return fmt.Sprintf("%s %s, confidence %s: %s (%s)", f.Severity, f.Name, f.Confidence, f.Title, where)
}

// busyServices are healthy programs with hundreds of goroutines.
var busyServices = []string{"chat", "proxy", "pubsub", "quotes", "rpcmux", "storefront"}

// busyDumps are dumps of the busy services, by name.
func busyDumps(t *testing.T) map[string]string {
	dumps := map[string]string{}
	for _, name := range busyServices {
		dumps[name] = filepath.Join(captures.Unpack(t, filepath.Join(testdata, "well", name+".tar.zst")), "debug2-01.txt")
	}
	return dumps
}

// besideOf is the busy service beside whose dump an input is judged too: its name decides.
func besideOf(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return busyServices[h.Sum32()%uint32(len(busyServices))]
}
