package hotspot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Words are the texts of a rule, with placeholders in braces, and the commands that its findings offer.
type Words struct {
	Title, Why, Fix string
	Next            []func(rules.Target) []rules.Step
}

// Placeholders returns the placeholders of texts about profiles, each with what replaces it in documentation, where
// there is no finding.
func Placeholders() []string {
	return []string{
		"{culprit}", "the culprit", "{function}", "the culprit", "{file}", "FILE", "{line}", "LINE",
		"{share}", "a large part", "{own_share}", "a large part", "{cores}", "", "{amount}", "a lot",
		"{entry}", "its caller", "{called}", "a function of this kind", "{work}", "a function of this kind",
	}
}

// Run returns the Run of a rule that takes stacks: a finding for each profile in which its hotspot fires, of severity
// most at most, and of confidence conf where nothing speaks against it. words is called for the first finding.
func (m *Matcher) Run(
	most rules.Severity, conf rules.Confidence, words func() *Words,
) func(*rules.Pass) []rules.Finding {
	return func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		for _, in := range p.Profiles {
			hot := m.hotspotOf(in)
			if !hot.fires() || !inScope(p, in, hot) {
				continue
			}
			f := hot.finding(in, words())
			f.Severity, f.Confidence, f.Against = hot.severity(in, most), conf, hot.against(in)
			if len(f.Against) > 0 {
				f.Confidence = rules.ConfLow
			}
			found = append(found, f)
		}
		return found
	}
}

// hotspotOf is what m takes of a profile, nil for nothing.
func (m *Matcher) hotspotOf(in *rules.ProfileInput) *Hotspot {
	hotspots, ok := in.Hotspots.(*Hotspots)
	if !ok {
		hotspots = newKindBoard([]*Matcher{m}).hotspots(in)
	}
	return hotspots.Of(m.ID)
}

// inScope leaves a heap's retainer to the rule about growth where a series shows that it grows.
func inScope(p *rules.Pass, in *rules.ProfileInput, hot *Hotspot) bool {
	if !hot.by.rest {
		return true
	}
	return !slices.ContainsFunc(heapGrowths(p), func(g growthSite) bool {
		return slices.Contains(g.of, in) &&
			rules.PlainName(g.culprit.Function) == rules.PlainName(hot.Blame.Culprit.Function)
	})
}

// minOther is the part of a hotspot from which another caller is named beside the culprit (chosen).
const minOther = 0.1

// finding is what the hotspot and its blame show, in the rule's words: culprit, path, evidence and where to look next.
func (hot *Hotspot) finding(in *rules.ProfileInput, w *Words) rules.Finding {
	b, count := hot.Blame, int(min(hot.Weight.Samples, 1<<31-1))
	f := rules.Finding{
		Culprit: b.Culprit, Path: b.Path, Count: count,
		Evidence: []rules.Evidence{{
			Input: in.Input, Text: measure(in, hot), Count: count, Share: hot.whole(),
		}},
	}
	values := hot.values(in, w, 1)
	name, next := "The process", []rules.Step{rules.Command("go tool pprof -top -cum " + rules.Quote(in.Path())),
		in.Target.Dump()}
	if b.Known {
		name, next = symbol.ShortFunc(b.Culprit.Function), []rules.Step{in.Peek(b.Culprit.Function)}
	}
	f.Next = next
	ofTitle := values
	if strings.Contains(w.Title, "{culprit}") && b.Known && b.Rest > minPart { // what others ask for isn't its own
		ofTitle = hot.values(in, w, min(b.Share/hot.whole(), 1))
	}
	f.Title = fitTitle(name, func(name string) string {
		values[1], ofTitle[1] = name, name
		return strings.NewReplacer(ofTitle...).Replace(w.Title)
	})
	fill := strings.NewReplacer(values...) // with the name that fits
	f.Why, f.Fix = phrase.Sentence(fill.Replace(w.Why)), fill.Replace(w.Fix)
	for _, next := range w.Next {
		f.Next = rules.AddSteps(f.Next, next(in.Target)...)
	}
	if !in.Time.IsZero() {
		f.Evidence[0].Time = in.Time.UTC().Format(time.RFC3339)
	}
	for _, text := range hot.account(in) {
		f.Evidence = append(f.Evidence, rules.Evidence{Input: in.Input, Text: text})
	}
	for _, o := range b.Others {
		if o.Share >= minOther*hot.Share {
			f.Evidence = append(f.Evidence, rules.Evidence{
				Input: in.Input, Share: o.Share,
				Text: fmt.Sprintf("%s of %s: %s", phrase.Percent(o.Share), unit(in), rules.PlaceText(o.Place)),
			})
		}
	}
	return f
}

// values are placeholders and what they stand for by turns, the culprit's name first; shares and amounts are those of
// a part of the hotspot, 0 to 1.
func (hot *Hotspot) values(in *rules.ProfileInput, w *Words, part float64) []string {
	b, function, entry := hot.Blame, "the process", "its caller"
	if b.Known {
		function = symbol.ShortFunc(b.Culprit.Function)
	}
	if b.Entry.Function != "" {
		entry = symbol.ShortFunc(b.Entry.Function)
	}
	called := calledBy(b)
	return []string{
		"{culprit}", "", "{function}", function, "{entry}", entry,
		"{file}", symbol.ShortFile(b.Culprit.File), "{line}", strconv.Itoa(b.Culprit.Line),
		"{called}", cmp.Or(symbol.ShortFunc(called), "a function that it calls"),
		"{work}", cmp.Or(symbol.ShortFunc(workOf(&hot.Selection).Function), "a function that it calls"),
		"{share}", phrase.Percent(part * hot.whole()), "{own_share}", phrase.Percent(part * hot.Share),
		"{cores}", coresOf(in, part*hot.whole()),
		"{amount}", amount(in, int64(part*hot.whole()*float64(hot.Total))),
		"{total}", amount(in, hot.Total),
	}
}

// calledBy returns the function that the culprit calls on the way to the leaf; "" where none is known.
func calledBy(b *Attribution) string {
	for i := len(b.Path) - 2; b.Known && i >= 0; i-- {
		if b.Path[i].Function == b.Culprit.Function {
			return b.Path[i+1].Function
		}
	}
	return ""
}

// fitTitle fills a title within phrase.MaxTitle: with a function's name, without its package, with its last name alone,
// else cut.
func fitTitle(name string, fill func(name string) string) string {
	names := []string{name}
	if _, method, ok := strings.Cut(name, "."); ok {
		names = append(names, method, method[strings.LastIndexByte(symbol.Base(method), '.')+1:])
	}
	title := ""
	for _, name := range names {
		if title = fill(name); utf8.RuneCountInString(title) <= phrase.MaxTitle {
			return title
		}
	}
	return phrase.CutTitle(title)
}

// coresOf writes what a share of a CPU profile is in cores, " (1.9 cores)"; "" where it is unknown.
func coresOf(in *rules.ProfileInput, share float64) string {
	c := in.Cores() * share
	return phrase.OnlyIf(c > 0, " ("+phrase.Cores(c)+")")
}

// amount writes a value of a profile with its unit: "57.0 s", "103 MB", "1,204".
func amount(in *rules.ProfileInput, value int64) string {
	switch in.Types[in.Value].Unit {
	case "nanoseconds":
		return phrase.Seconds(float64(value) / 1e9)
	case "bytes":
		return phrase.BytesText(value)
	}
	if s := in.Seconds(value); s > 0 {
		return phrase.Seconds(s)
	}
	return phrase.Number(value)
}

// whole is the share of a hotspot with what it causes.
func (hot *Hotspot) whole() float64 { return min(hot.Share+hot.Caused, 1) }

// minDoubt is from which relative distance the lower end of the interval is given beside a share (chosen): "88%, at
// least 84%" says nothing more than "88%".
const minDoubt = 0.2

// measure is the evidence of a hotspot: how much, of how much, and how sure where samples are few: "88% of CPU (0.7
// cores); 349 of 398 samples".
func measure(in *rules.ProfileInput, hot *Hotspot) string {
	s := fmt.Sprintf("%s of %s", phrase.Percent(hot.whole()), unit(in))
	if hot.Blame.Rest > minPart { // the title speaks of the culprit's part
		s = "in all, " + s
	}
	if in.Kind != profile.KindCPU {
		return s + " (" + amount(in, int64(hot.whole()*float64(hot.Total))) + ")"
	}
	s += coresOf(in, hot.whole())
	if hot.Caused == 0 && hot.Lower < (1-minDoubt)*hot.Share {
		s += ", at least " + phrase.Percent(hot.Lower)
	}
	total := phrase.Number(hot.TotalSamples)
	if math.Abs(float64(hot.Weight.Samples)/float64(max(hot.TotalSamples, 1))-hot.whole()) > sameShare {
		return s + "; the profile has " + total + " samples" // those of what it causes are elsewhere
	}
	return s + "; " + phrase.Number(hot.Weight.Samples) + " of " + total + " samples"
}

// sameShare is how far the samples of a hotspot may be from its share to be given beside it: shares are printed without
// decimals.
const sameShare = 0.01

// minPart is the share of a profile from which a part of a hotspot is named (chosen).
const minPart = 0.005

// account is evidence of who asks and from where, and of what stacks don't show. It is short: reports cut lines.
func (hot *Hotspot) account(in *rules.ProfileInput) []string {
	b := hot.Blame
	var all []string
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if len(b.Sites) > 1 {
		say("%s calls it at %s", symbol.ShortFunc(b.Sites[0].Function), linesOf(b.Sites))
	}
	if hidden := hot.Share - b.Share - b.Rest; b.Known && hidden >= minOther*hot.Share {
		say("%s is on stacks that don't show the caller", phrase.Percent(hidden))
	}
	if hot.Caused > minPart {
		say("%s of it is %s that this causes", phrase.Percent(hot.whole()-hot.Share), phrase.List(hot.Also))
	}
	if usage := hot.usage(in); usage != "" && hot.kept(in) {
		all = append(all, usage)
	}
	for _, o := range hot.Beside {
		say("another %s is %s (%s)", phrase.Percent(o.Share+o.Caused), o.by.Name, o.by.ID)
	}
	return all
}

// maxLines is how many call sites are written out.
const maxLines = 6

// linesOf writes the lines of one function: "reconciler.go:41, :47, :52".
func linesOf(sites []rules.Place) string {
	sites = slices.Clone(sites)
	slices.SortStableFunc(sites, func(a, b rules.Place) int { return a.Line - b.Line })
	var lines []string
	for i, p := range sites {
		line := ":" + strconv.Itoa(p.Line)
		if i == 0 || p.File != sites[i-1].File {
			line = symbol.ShortFile(p.File) + line
		}
		lines = append(lines, line)
	}
	return phrase.Some(lines, maxLines)
}

// units are what shares of profiles are of, by their kind or by the type of their values.
var units = map[string]string{
	string(profile.KindCPU):   "CPU",
	string(profile.KindMutex): "the time that goroutines waited for locks",
	string(profile.KindBlock): "the time that goroutines were blocked",
	string(profile.KindWall):  "the time of all goroutines",
	"alloc_space":             "all bytes allocated",
	"inuse_space":             "the heap in use",
}

// unit is what a profile's shares are of, for sentences: "CPU", "the heap in use".
func unit(in *rules.ProfileInput) string {
	return cmp.Or(units[string(in.Kind)], units[in.Types[in.Value].Type], "the profile")
}
