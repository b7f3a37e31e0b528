// Package accuracy measures how often triage is right: it replays all captures of the repository that have a label and
// writes what comes of them into docs/accuracy.md. There is nothing in it but tests.
package accuracy

import (
	"bytes"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// healthy is the category of a label's root cause where nothing is wrong.
const healthy = "none"

// A label says what is wrong in an input, in the form of a case.json. It is older than the first capture of the input.
type label struct {
	RootCause place `json:"root_cause"`
	// Acceptable are other answers that are right too. Of a healthy input they are the alarms that are true of it.
	Acceptable []place `json:"acceptable"`
	// MustNotFlag are functions that a naive reading accuses.
	MustNotFlag []string `json:"must_not_flag"`
	// Least is the severity with which it has to be named; "" for that of its category.
	Least rules.Severity `json:"min_severity"`
	// Words, where there are any, begin a word of the name of a rule that names the right cause.
	Words []string `json:"words"`
	// Headline is what the title of a lead or finding contains that is right.
	Headline []string `json:"-"`
	// Says is what the text of a finding contains that leaves nothing out: who does it, which field.
	Says []string `json:"-"`
}

// A place is where something is wrong, and of what category it is. What is empty is not compared; one of function, file,
// package and object is, the first in this order that is there.
type place struct {
	Category string `json:"category"`
	// Function is a full name, or begins with the package's name instead of its path. Before a star it is a part of one.
	Function   string `json:"function"`
	FileSuffix string `json:"file_suffix"`
	Package    string `json:"package"`
	// Object names Kubernetes objects, any of which is right: by name, or as "Kind namespace/name" with stars.
	Object oneOf `json:"object"`
	// Client is who makes requests, as audit logs name it.
	Client string `json:"client"`
	// Module is where a package may be whose name is not the last element of its path.
	Module string `json:"-"`
	// samePlace is set for another category at the place of the root cause.
	samePlace bool
}

// UnmarshalJSON reads a place, or the category alone.
func (p *place) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte{'"'}) {
		p.samePlace = true
		return json.Unmarshal(data, &p.Category)
	}
	type plain place
	return json.Unmarshal(data, (*plain)(p))
}

// oneOf are names of which any is right.
type oneOf []string

// UnmarshalJSON reads one name or a list.
func (o *oneOf) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte{'['}) {
		return json.Unmarshal(data, (*[]string)(o))
	}
	var one string
	if err := json.Unmarshal(data, &one); err != nil || one == "" {
		return err
	}
	*o = oneOf{one}
	return nil
}

// newLabel is a label with several categories and several functions, of which all are right.
func newLabel(categories, functions []string, module string, least rules.Severity) *label {
	l := &label{Least: least}
	for _, c := range categories {
		for _, f := range functions {
			f, _, _ = strings.Cut(f, " ") // the file and the line behind it are for people
			l.Acceptable = append(l.Acceptable, place{Category: c, Function: f, Module: module})
		}
	}
	l.RootCause = l.Acceptable[0]
	return l
}

// isHealthy reports whether nothing is wrong.
func (l *label) isHealthy() bool { return l.RootCause.Category == healthy }

// least is the severity with which the root cause has to be named.
func (l *label) least() rules.Severity {
	switch {
	case l.Least != "":
		return l.Least
	case slices.Contains([]string{"spin", "deadlock", "crash", "race"}, l.RootCause.Category):
		return rules.High // the process is lost, or of no use
	}
	return rules.Medium
}

// wanted are all answers that are right.
func (l *label) wanted() []place {
	all := []place{l.RootCause}
	for _, p := range l.Acceptable {
		if p.samePlace {
			category := p.Category
			p = l.RootCause
			p.Category = category
		}
		all = append(all, p)
	}
	return all
}

// A claim is what a lead or a finding points at.
type claim struct {
	category rules.Category
	culprit  rules.Place
	object   *rules.Object
	client   string
	title    string
}

func claimOf(f *rules.Finding) claim {
	return claim{category: f.Category, culprit: f.Culprit, object: f.Object, title: f.Title}
}

func claimOfLead(l *schema.Lead) claim {
	c := claim{category: l.Category, object: l.Object, client: l.Client, title: l.Title}
	if l.Culprit != nil {
		c.culprit = *l.Culprit
	}
	return c
}

// answers reports whether a claim is at the place of the root cause; its category counts where that has no place.
func (l *label) answers(c claim) bool {
	return l.heads(c) && slices.ContainsFunc(l.wanted(), func(p place) bool {
		return p.at(c) && (p.somewhere() || p.Category == "" || p.Category == string(c.category))
	})
}

// heads reports whether a title contains all that it should.
func (l *label) heads(c claim) bool {
	return !slices.ContainsFunc(l.Headline, func(text string) bool { return !strings.Contains(c.title, text) })
}

// names reports whether a finding is of the root cause: of its category, at its place, by a rule with one of the words.
func (l *label) names(f *rules.Finding) bool {
	if len(l.Words) > 0 && !slices.ContainsFunc(l.Words, func(word string) bool {
		return strings.Contains("-"+f.Name, "-"+word)
	}) {
		return false
	}
	return l.heads(claimOf(f)) && slices.ContainsFunc(l.wanted(), func(p place) bool {
		return (p.Category == "" || p.Category == string(f.Category)) && p.at(claimOf(f))
	})
}

func objectOf(f *rules.Finding) []rules.Object {
	if f.Object == nil {
		return nil
	}
	return []rules.Object{*f.Object}
}

// isWhole reports whether a finding says all that it should.
func (l *label) isWhole(f *rules.Finding) bool {
	texts := slices.Concat([]string{f.Title, f.Why, f.Fix}, f.Actors, f.Notes)
	for _, o := range slices.Concat(f.Objects, objectOf(f)) {
		texts = append(texts, o.Kind+" "+o.Namespace+"/"+o.Name)
	}
	for _, e := range f.Evidence {
		texts = append(texts, e.Text)
	}
	for _, p := range slices.Concat(f.Path, []rules.PathFrame{{Function: f.Culprit.Function}}) {
		texts = append(texts, p.Function)
	}
	all := strings.Join(texts, "\n")
	return !slices.ContainsFunc(l.Says, func(text string) bool { return !strings.Contains(all, text) })
}

// accuses reports whether a finding raises an alarm of high severity about something else, or one about a function that
// must not be flagged.
func (l *label) accuses(f *rules.Finding) bool {
	return f.Alarm() && f.Severity.Rank() >= rules.High.Rank() &&
		(!l.names(f) || slices.ContainsFunc(l.MustNotFlag, func(fn string) bool {
			return sameFunction(f.Culprit.Function, place{Function: fn})
		}))
}

// alarms reports whether a finding raises an alarm that is not true of a healthy input.
func (l *label) alarms(f *rules.Finding) bool {
	return f.Alarm() && !slices.ContainsFunc(l.Acceptable, func(p place) bool {
		return p.Category == string(f.Category) && p.at(claimOf(f))
	})
}

// somewhere reports whether a place is more than a category.
func (p *place) somewhere() bool {
	return p.Function != "" || p.FileSuffix != "" || p.Package != "" || len(p.Object) > 0 || p.Client != ""
}

// at reports whether a claim is at a place.
func (p *place) at(c claim) bool {
	switch {
	case len(p.Object) > 0:
		return slices.ContainsFunc(p.Object, func(pattern string) bool { return isObject(c, pattern) })
	case p.Client != "":
		return c.object == nil && c.client == p.Client
	case p.Function != "":
		return sameFunction(c.culprit.Function, *p)
	case p.Package != "":
		return strings.HasPrefix(norm(c.culprit.Function), p.Package+".")
	}
	return p.FileSuffix == "" || strings.HasSuffix("/"+c.culprit.File, "/"+p.FileSuffix)
}

// isObject reports whether a claim is about an object. A client is its service account, or a user.
func isObject(c claim, pattern string) bool {
	if c.object == nil {
		account, ok := strings.CutPrefix(c.client, "system:serviceaccount:")
		return ok && pattern == "ServiceAccount "+strings.Replace(account, ":", "/", 1) || c.client != "" && pattern == "User "+c.client
	}
	name := c.object.Name
	if !strings.Contains(pattern, " ") {
		return name == pattern
	}
	if c.object.Namespace != "" {
		name = c.object.Namespace + "/" + name
	}
	ok, err := path.Match(pattern, c.object.Kind+" "+name)
	return ok && err == nil
}

// closures are what compilers add to the name of the function that a closure belongs to.
var closures = regexp.MustCompile(`(\.(func|gowrap|deferwrap)\d*(\.\d+)*|\.\d+|-range\d+|-fm|dwrap\d+)+$`)

// norm is a function's name without vendor folder, type arguments and escapes.
func norm(fn string) string {
	if i := strings.LastIndex(fn, symbol.VendorDir); i >= 0 {
		fn = fn[i+len(symbol.VendorDir):]
	}
	return symbol.DropTypeArgs(strings.NewReplacer("%2e", ".", "·", "").Replace(fn))
}

// outer is the declared function that a closure belongs to.
func outer(fn string) string { return closures.ReplaceAllString(norm(fn), "") }

// sameFunction reports whether a function is that of a place, or a closure in it.
func sameFunction(fn string, p place) bool {
	if fn == "" || p.Function == "" {
		return false
	}
	if part, ok := strings.CutSuffix(p.Function, "*"); ok {
		return strings.Contains(norm(fn), part)
	}
	got, want := outer(fn), outer(p.Function)
	if got == want {
		return true
	}
	if strings.Contains(want, "/") {
		return false
	}
	short := outer(symbol.ShortFunc(symbol.Base(symbol.StripVendor(fn))))
	if short == want {
		return true
	}
	_, ours, _ := strings.Cut(short, ".")
	pkg, theirs, _ := strings.Cut(want, ".")
	return p.Module != "" && ours == theirs && pkg != "main" && strings.HasPrefix(got, p.Module)
}
