package hotspot

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Words are the texts of a rule, with placeholders in braces, and the commands that its findings offer.
type Words struct {
	Title, Why, Fix string
	Unknown         string // the placeholder {unknown} where no stack shows who asks
	Next            []func(rules.Target) []rules.Step
}

// Placeholders returns the placeholders of texts about profiles, each with what replaces it in documentation, where
// there is no finding.
func Placeholders() []string {
	return []string{
		"{culprit}", "the culprit", "{function}", "the culprit", "{file}", "FILE", "{line}", "LINE",
		"{share}", "a share", "{own_share}", "a share", "{cores}", "", "{amount}", "an amount", "{entry}", "its caller",
	}
}

// Run returns the Run of a rule that claims stacks: a finding for each profile in which its claim fires, of severity
// most at most. words is called for the first finding.
func (c *Claimant) Run(most rules.Severity, conf rules.Confidence, words func() *Words) func(*rules.Pass) []rules.Finding {
	return func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		for _, in := range p.Profiles {
			cl := c.claimOf(in)
			if !cl.fires() || !inScope(p, in, cl) {
				continue
			}
			f := cl.finding(in, words())
			f.Severity, f.Confidence = cl.severity(in, most), conf
			found = append(found, f)
		}
		return found
	}
}

// claimOf is what c claims of a profile, nil for nothing.
func (c *Claimant) claimOf(in *rules.ProfileInput) *Claim {
	claims, ok := in.Claims.(*Claims)
	if !ok {
		claims = newBoard([]*Claimant{c}).Claims(in)
	}
	return claims.Of(c.ID)
}

// inScope leaves a heap's retainer to the rule about growth where a series shows that it grows, and a hot function to
// the one about labels where one value of a label has most.
func inScope(p *rules.Pass, in *rules.ProfileInput, cl *Claim) bool {
	switch {
	case cl.by.rest == restOwns:
		return topLabel(in).Key == "" // the label says more
	case cl.by.rest != restAll || in.Kind != profile.KindHeap:
		return true
	}
	for _, g := range heapGrowths(p) {
		for _, member := range g.of {
			if member == in && rules.PlainName(g.culprit.Function) == rules.PlainName(cl.Blame.Culprit.Function) {
				return false
			}
		}
	}
	return true
}

// minOther is the part of a claim from which another caller is named beside the culprit (chosen).
const minOther = 0.1

// finding is what the claim and its blame show, in the rule's words: culprit, path, evidence and where to look next.
func (cl *Claim) finding(in *rules.ProfileInput, w *Words) rules.Finding {
	b, count := cl.Blame, int(min(cl.Weight.Samples, 1<<31-1))
	f := rules.Finding{
		Culprit: b.Culprit, Path: b.Path, Count: count,
		Evidence: []rules.Evidence{{Input: in.Input, Text: measure(in, cl), Count: count, Share: min(cl.Share+cl.Caused, 1)}},
	}
	values := cl.values(in, w)
	name := "The process"
	if b.Known {
		name = frame.ShortFunc(b.Culprit.Function)
		f.Next = rules.Commands(pprofList(b.Culprit.Function, in))
	} else {
		f.Next = rules.Commands(dumpOverHTTP, "go tool pprof -top -cum "+rules.Quote(orFile(in.Input)))
	}
	f.Title = fitTitle(name, func(name string) string {
		values[1] = name
		return strings.NewReplacer(values...).Replace(w.Title)
	})
	fill := strings.NewReplacer(values...) // with the name that fits
	f.Why, f.Fix = strings.TrimLeft(fill.Replace(w.Why), " "), fill.Replace(w.Fix)
	for _, next := range w.Next {
		f.Next = rules.AddSteps(f.Next, next(in.Target)...)
	}
	if !in.Time.IsZero() {
		f.Evidence[0].Time = in.Time.UTC().Format(time.RFC3339)
	}
	for _, o := range b.Others {
		if o.Share >= minOther*cl.Share {
			f.Evidence = append(f.Evidence, rules.Evidence{
				Input: in.Input, Share: o.Share,
				Text: fmt.Sprintf("%s of it: %s", phrase.Percent(o.Share/cl.Share), rules.PlaceText(o.Place)),
			})
		}
	}
	return f
}

// values are placeholders and what they stand for by turns, the culprit's name first.
func (cl *Claim) values(in *rules.ProfileInput, w *Words) []string {
	b, unknown, function, entry := cl.Blame, w.Unknown, "the process", "its caller"
	if b.Known {
		unknown, function = "", frame.ShortFunc(b.Culprit.Function)
	}
	if b.Entry.Function != "" {
		entry = frame.ShortFunc(b.Entry.Function)
	}
	return []string{
		"{culprit}", "", "{function}", function, "{entry}", entry, "{unknown}", unknown,
		"{file}", frame.ShortFile(b.Culprit.File), "{line}", strconv.Itoa(b.Culprit.Line),
		"{where}", rules.PlaceText(b.Culprit), "{account}", accountOf(in, cl),
		"{share}", phrase.Percent(min(cl.Share+cl.Caused, 1)), "{own_share}", phrase.Percent(cl.Share),
		"{cores}", coresOf(in, cl.Share+cl.Caused),
		"{amount}", amount(in, cl.Index, cl.Weight.Value), "{total}", amount(in, cl.Index, cl.Total),
	}
}

// fitTitle fills a title within phrase.MaxTitle: with a function's name, without its package, with its last name alone,
// else cut.
func fitTitle(name string, fill func(name string) string) string {
	names := []string{name}
	if _, method, ok := strings.Cut(name, "."); ok {
		names = append(names, method, method[strings.LastIndexByte(frame.Base(method), '.')+1:])
	}
	title := ""
	for _, name := range names {
		if title = fill(name); utf8.RuneCountInString(title) <= phrase.MaxTitle {
			return title
		}
	}
	return phrase.CutTitle(title)
}
