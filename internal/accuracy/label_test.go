// Package accuracy measures how often triage is right: it replays all captures of the repository that have a label and
// writes what comes of them into docs/accuracy.md. There is nothing in it but tests.
package accuracy

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// healthy is the category of a label's root cause where nothing is wrong.
const healthy = "none"

// A label says what is wrong in one form of a case. It is older than the first capture of the case.
type label struct {
	*captures.Case
	// right are all answers that are right. Of a healthy input they are the alarms that are true of it.
	right []place
	// least is the severity with which the root cause has to be named.
	least rules.Severity
	// says is what the text of a finding contains that leaves nothing out: who does it, which field.
	says []string
}

// A place is where something is wrong. Module is where a package may be whose name is not the last element of its path.
type place struct {
	captures.Place
	module string
}

// labelOf is the label of one form of a case.
func labelOf(c *captures.Case, form string) *label {
	least, _ := c.Least(form)
	l := &label{Case: c, least: rules.Severity(least)}
	shown := func(forms []string) bool { return len(forms) == 0 || slices.Contains(forms, form) }
	if !l.isHealthy() {
		l.right = append(l.right, place{c.RootCause, c.Module})
	}
	for _, p := range c.Acceptable {
		if p.SamePlace {
			categories := p.Category
			p = c.RootCause
			p.Category = categories
		}
		if shown(p.Forms) {
			l.right = append(l.right, place{p, c.Module})
		}
	}
	for _, d := range c.Details {
		if shown(d.Forms) {
			l.says = append(l.says, d.Text)
		}
	}
	switch {
	case l.least != "":
	case slices.Contains([]string{"spin", "deadlock", "crash", "race"}, c.RootCause.Category[0]):
		l.least = rules.High // the process is lost, or of no use
	default:
		l.least = rules.Medium
	}
	return l
}

// nothing is the label of what is healthy, with the categories of alarms that are true of it.
func nothing(but ...string) *label {
	c := captures.Case{RootCause: captures.Place{Category: captures.OneOf{healthy}}}
	if len(but) > 0 {
		c.Acceptable = []captures.Place{{Category: but}}
	}
	return labelOf(&c, "")
}

// isHealthy reports whether nothing is wrong.
func (l *label) isHealthy() bool { return slices.Contains(l.RootCause.Category, healthy) }

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
	return l.heads(c) && slices.ContainsFunc(l.right, func(p place) bool {
		return p.at(c) && (p.somewhere() || p.is(c.category))
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
	return l.heads(claimOf(f)) && slices.ContainsFunc(l.right, func(p place) bool {
		return p.is(f.Category) && p.at(claimOf(f))
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
	return !slices.ContainsFunc(l.says, func(text string) bool { return !strings.Contains(all, text) })
}

// accuses reports whether a finding raises an alarm of high severity about something else, or one about a function that
// must not be flagged.
func (l *label) accuses(f *rules.Finding) bool {
	return f.Alarm() && f.Severity.Rank() >= rules.High.Rank() &&
		(!l.names(f) || slices.ContainsFunc(l.MustNotFlag, func(fn string) bool {
			return sameFunction(f.Culprit.Function, fn, "")
		}))
}

// alarms reports whether a finding raises an alarm that is not true of a healthy input.
func (l *label) alarms(f *rules.Finding) bool {
	return f.Alarm() && !slices.ContainsFunc(l.right, func(p place) bool {
		return p.is(f.Category) && p.at(claimOf(f))
	})
}

// somewhere reports whether a place is more than a category.
func (p *place) somewhere() bool {
	return len(p.Function)+len(p.Object)+len(p.Client) > 0 || p.FileSuffix != "" || p.Package != ""
}

// is reports whether a place is of a category.
func (p *place) is(category rules.Category) bool {
	return len(p.Category) == 0 || slices.Contains(p.Category, string(category))
}

// at reports whether a claim is at a place.
func (p *place) at(c claim) bool {
	switch {
	case len(p.Object) > 0:
		return slices.ContainsFunc(p.Object, func(pattern string) bool { return isObject(c, pattern) })
	case len(p.Client) > 0:
		return c.object == nil && slices.Contains(p.Client, c.client)
	case len(p.Function) > 0:
		return slices.ContainsFunc(p.Function, func(fn string) bool {
			fn, _, _ = strings.Cut(fn, " ") // the file and the line behind it are for people
			return sameFunction(c.culprit.Function, fn, p.module)
		})
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

// sameFunction reports whether a function is one of a label, or a closure in it. The label's name is full, or begins
// with the package's name instead of its path; before a star it is a part of one.
func sameFunction(fn, label, module string) bool {
	if fn == "" || label == "" {
		return false
	}
	if part, ok := strings.CutSuffix(label, "*"); ok {
		return strings.Contains(norm(fn), part)
	}
	got, want := outer(fn), outer(label)
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
	return module != "" && ours == theirs && pkg != "main" && strings.HasPrefix(got, module)
}
