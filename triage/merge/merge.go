// Package merge folds reports into one, so that a fleet can be judged in parts: findings and suspects by their place,
// with how many instances show them and what sets these apart. A merge of merges is the merge of all, byte for byte.
//
// A Merger takes reports one by one and returns one report. Begin reading at Merger.Add.
package merge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/leads"
	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

const (
	// maxFindings bounds the distinct findings of a merge, and maxLines its distinct lines of waits. Chosen: programs
	// have hundreds, and hostile reports any number.
	maxFindings = 10_000
	maxLines    = 4 * schema.MaxBlocked
	// maxListed bounds the lists of inputs that were not read, and maxSuspects those of suspects.
	maxListed   = 1000
	maxSuspects = 1000
)

// A Merger is a merge under way; New makes one.
type Merger struct {
	totals   schema.Merged
	traits   counts                  // of all instances
	findings map[string]*joined      // by fingerprint
	suspects map[string]*schema.Lead // by place
	blocked  map[blockedAt]*schema.BlockedLine
	skipped  []schema.Skipped // the first maxListed by their paths, or some more
	cut      int              // skipped ones that are not listed
	named    bool             // one of these was named by the user
	inputs   int
	tool     schema.Tool
	checked  int
}

// A joined is the gravest of the findings of one fingerprint, with the counts of all.
type joined struct {
	*rules.Finding
	traits counts
}

type blockedAt struct {
	function, file, wait string
	line                 int
}

// New is a merge of no report.
func New() *Merger {
	return &Merger{
		traits: counts{}, findings: map[string]*joined{},
		suspects: map[string]*schema.Lead{}, blocked: map[blockedAt]*schema.BlockedLine{},
	}
}

// Add takes a report, which may be a merged one. name is what its process is called where nothing names pods. The
// report's findings may be changed.
func (m *Merger) Add(r *schema.Report, name string) {
	part := r.Merged
	if part == nil {
		part = single(r, name)
	}
	m.totals.Reports += part.Reports
	m.totals.Instances += part.Instances
	m.totals.Cut += part.Cut
	m.totals.Known += part.Known + len(r.AllFindings()) - len(r.Findings)
	if m.totals.Shards = append(m.totals.Shards, part.Shards...); len(m.totals.Shards) >= 2*schema.MaxShards {
		m.sortShards()
	}
	m.traits.addAll(part.Traits)
	for i := range r.Findings {
		if f := &r.Findings[i]; r.Merged != nil && f.Spread != nil && len(f.Notes) > 0 {
			f.Notes = f.Notes[1:] // Report adds it again
		}
		m.finding(&r.Findings[i])
	}
	for i := range r.Leads {
		if l := &r.Leads[i]; l.Finding == "" {
			m.suspect(l)
		}
	}
	for i := range part.Blocked {
		m.line(&part.Blocked[i])
	}
	for _, s := range r.Skipped {
		m.Skip(s)
	}
	m.cut += r.SkippedCut
	m.named = m.named || r.NamedCut
	m.inputs += len(r.Inputs) + r.InputsCut
	m.tool.Version = max(m.tool.Version, r.Tool.Version)
	m.checked = max(m.checked, r.Rules.Checked)
}

// Skip notes an input that was not read, here or where a report was written.
func (m *Merger) Skip(s schema.Skipped) {
	if m.skipped = append(m.skipped, s); len(m.skipped) >= 2*maxListed {
		m.sortSkipped()
	}
}

// sortSkipped keeps the first ones, each once: every part lists what the user named and none could read.
func (m *Merger) sortSkipped() {
	compare := func(a, b schema.Skipped) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Reason, b.Reason),
			strings.Compare(a.Hint, b.Hint))
	}
	named := func(s schema.Skipped) bool { return s.Named }
	slices.SortFunc(m.skipped, func(a, b schema.Skipped) int {
		if c := compare(a, b); c != 0 || a.Named == b.Named {
			return c
		} else if a.Named {
			return -1
		}
		return 1
	})
	m.skipped = slices.CompactFunc(m.skipped, func(a, b schema.Skipped) bool { return compare(a, b) == 0 })
	n := min(len(m.skipped), maxListed)
	m.cut += len(m.skipped) - n
	m.named = m.named || slices.ContainsFunc(m.skipped[n:], named)
	m.skipped = m.skipped[:n]
}

// sortShards keeps the first ones.
func (m *Merger) sortShards() {
	slices.SortFunc(m.totals.Shards, func(a, b schema.Shard) int {
		return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.Index, b.Index))
	})
	m.totals.Shards = m.totals.Shards[:min(len(m.totals.Shards), schema.MaxShards)]
}

// single is what a report that was not merged counts, and completes its findings.
func single(r *schema.Report, name string) *schema.Merged {
	in := instances(r, name)
	all := counts{}
	for _, traits := range in {
		for trait, value := range traits {
			all.add(trait, value, 1)
		}
	}
	part := &schema.Merged{
		Reports: 1, Instances: len(in), Traits: all.list(), Blocked: in.blocked(r, name),
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if len(f.Pods) == 0 {
			f.Pods, f.PodsTotal = []rules.PodCount{in.only(name)}, 1
		}
		of := counts{}
		for k := range f.Pods {
			for trait, value := range in[pods.KeyOf(f.Pods[k])] {
				of.add(trait, value, 1)
			}
		}
		f.Spread = &rules.Spread{Instances: max(f.PodsTotal, len(f.Pods)), Traits: of.list()}
	}
	for i := range r.Leads {
		r.Leads[i].Instances = 1
	}
	return part
}

// finding joins a finding with those of its fingerprint: the gravest is shown, the counts are added.
func (m *Merger) finding(f *rules.Finding) {
	if f.Spread == nil { // in a merged report that triage did not write
		f.Spread = &rules.Spread{Instances: max(f.PodsTotal, 1)}
	}
	have := m.findings[f.Fingerprint]
	if have == nil {
		if len(m.findings) >= maxFindings {
			m.totals.Cut++
			return
		}
		have = &joined{f, counts{}}
		have.traits.addAll(f.Spread.Traits)
		m.findings[f.Fingerprint] = have
		return
	}
	have.traits.addAll(f.Spread.Traits)
	shown, other := have.Finding, f
	if graver(f, shown) {
		shown, other = f, shown
	}
	sum := *shown
	sum.Spread = &rules.Spread{Instances: shown.Spread.Instances + other.Spread.Instances}
	total := max(shown.PodsTotal, len(shown.Pods)) + max(other.PodsTotal, len(other.Pods))
	sum = pods.Complete(sum, slices.Concat(shown.Pods, other.Pods))
	sum.PodsTotal = total
	sum.FirstSeen = earlier(shown.FirstSeen, other.FirstSeen)
	sum.LastSeen = max(shown.LastSeen, other.LastSeen)
	have.Finding = &sum
}

// earlier is the earlier of two times; "" is none.
func earlier(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return min(a, b)
}

// graver reports whether a is shown instead of b, by what a merge does not change.
func graver(a, b *rules.Finding) bool {
	alarm := func(f *rules.Finding) int {
		if f.Alarm() {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(alarm(a), alarm(b)), cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
		cmp.Compare(a.Confidence.Rank(), b.Confidence.Rank()), bytes.Compare(own(b), own(a))) > 0
}

// own is the text of a finding without what a merge adds up.
func own(f *rules.Finding) []byte {
	plain := *f
	plain.Pods, plain.PodsTotal, plain.Spread, plain.FirstSeen, plain.LastSeen = nil, 0, nil, "", ""
	text, _ := json.Marshal(plain) // strings, numbers and slices of them: it can't fail
	return text
}

// suspect joins a suspect with those of the same place.
func (m *Merger) suspect(l *schema.Lead) {
	key := l.Client
	switch {
	case l.Culprit != nil:
		key = l.Culprit.Function + "\x00" + string(l.Category)
	case l.Object != nil:
		key = strings.Join([]string{l.Object.API, l.Object.Kind, l.Object.Namespace, l.Object.Name}, "\x00")
	}
	have := m.suspects[key]
	if have == nil {
		if len(m.suspects) >= maxSuspects {
			m.totals.Cut++
			return
		}
		m.suspects[key] = l
		return
	}
	shown, other := have, l
	if cmp.Or(cmp.Compare(l.Points, have.Points), strings.Compare(textOf(have), textOf(l))) > 0 {
		shown, other = l, have
	}
	joined := *shown
	joined.Instances = shown.Instances + other.Instances
	m.suspects[key] = &joined
}

// textOf is the text of a suspect without what a merge changes.
func textOf(l *schema.Lead) string {
	plain := *l
	plain.Rank, plain.Instances = 0, 0
	text, _ := json.Marshal(plain) // strings, numbers and slices of them: it can't fail
	return string(text)
}

func (m *Merger) line(b *schema.BlockedLine) {
	key := blockedAt{b.Function, b.File, b.Wait, b.Line}
	have := m.blocked[key]
	if have == nil {
		if len(m.blocked) >= maxLines {
			m.totals.Cut++
			return
		}
		line := *b
		m.blocked[key] = &line
		return
	}
	have.Goroutines += b.Goroutines
	have.Instances += b.Instances
	if b.Most > have.Most || b.Most == have.Most && b.MostAt < have.MostAt {
		have.Most, have.MostAt = b.Most, b.MostAt
	}
}

// Report is the merged report of what was added.
func (m *Merger) Report() *schema.Report {
	r := schema.New(m.tool.Version)
	m.sortShards()
	totals := m.totals
	totals.Traits, totals.Shards = m.traits.list(), slices.Clone(m.totals.Shards)
	r.Merged, r.InputsCut = &totals, m.inputs
	fired := map[string]bool{}
	for _, f := range m.findings {
		shown := *f.Finding
		shown.Spread = &rules.Spread{Instances: f.Spread.Instances, Traits: f.traits.list()}
		shown.Notes = append([]string{m.spread(f)}, f.Notes...)
		r.Findings = append(r.Findings, shown)
		fired[f.Rule] = true
	}
	slices.SortFunc(r.Findings, func(a, b rules.Finding) int {
		return cmp.Or(cmp.Compare(b.Severity.Rank(), a.Severity.Rank()), cmp.Compare(b.Confidence.Rank(),
			a.Confidence.Rank()), cmp.Compare(b.Spread.Instances, a.Spread.Instances),
			strings.Compare(a.Fingerprint, b.Fingerprint))
	})
	r.Leads, r.Findings = leads.Rank(r.Findings, nil)
	suspects := make([]schema.Lead, 0, len(m.suspects))
	for _, l := range m.suspects {
		suspects = append(suspects, *l)
	}
	slices.SortFunc(suspects, func(a, b schema.Lead) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Instances, a.Instances),
			strings.Compare(a.Title, b.Title), strings.Compare(textOf(&a), textOf(&b)))
	})
	for _, l := range suspects {
		l.Rank = len(r.Leads) + 1
		r.Leads = append(r.Leads, l)
	}
	for _, b := range m.blocked {
		totals.Blocked = append(totals.Blocked, *b)
	}
	slices.SortFunc(totals.Blocked, compareLines)
	r.Merged.BlockedTotal = len(totals.Blocked)
	r.Merged.Blocked = append([]schema.BlockedLine{}, totals.Blocked[:min(len(totals.Blocked), schema.MaxBlocked)]...)
	m.sortSkipped()
	r.Skipped = append(r.Skipped, m.skipped...)
	r.SkippedCut, r.NamedCut = m.cut, m.named
	r.Rules = schema.RuleCounts{Checked: m.checked, Fired: len(fired), Clear: max(0, m.checked-len(fired))}
	return r
}

func compareLines(a, b schema.BlockedLine) int {
	return cmp.Or(cmp.Compare(b.Goroutines, a.Goroutines), strings.Compare(a.Function, b.Function),
		strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Wait, b.Wait))
}

// spread is the sentence about who shows a finding, and about what sets them apart.
func (m *Merger) spread(f *joined) string {
	n, all := f.Spread.Instances, m.totals.Instances
	text := "Shown by " + phrase.Number(n) + " of " + phrase.Count(all, "instance") +
		phrase.OnlyIf(n < all, phrase.InBrackets(phrase.Percent(float64(n)/float64(max(all, 1))))) + "."
	best, lift := "", 0.0
	for trait, values := range f.traits {
		for value, n := range values {
			of, common := share(m.traits[trait], value), share(values, value)
			// The last is the chance that so many instances have the value in common, had they been drawn from all.
			if common < mostHave || of <= 0 || math.Pow(of, float64(n)) > byChance {
				continue
			}
			who := phrase.Number(n) + " of them"
			if n == f.Spread.Instances {
				who = "All of them"
			}
			sentence := " " + who + " " + traitWords[trait] + " " + value + "; " +
				phrase.Percent(of) + " of all instances do."
			if l := common / of; l > lift || l == lift && sentence < best {
				best, lift = sentence, l
			}
		}
	}
	return text + best
}

// traitWords say that instances have a value of a trait.
var traitWords = map[string]string{
	"namespace": "run in namespace", "workload": "belong to workload", "revision": "run revision",
	"node": "run on node", "go": "run Go",
}

// What a sentence about a trait takes: most instances with the finding have the value, and that is no coincidence: a
// trait has up to maxValues values, each of which could be one. Chosen.
const (
	mostHave = 0.9
	byChance = 0.001
)

// share is the part of the counted instances that have a value.
func share(values map[string]int, value string) float64 {
	total := 0
	for _, n := range values {
		total += n
	}
	return float64(values[value]) / float64(max(total, 1))
}
