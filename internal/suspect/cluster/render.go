package cluster

import (
	"strings"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds on what a suspect shows.
const (
	maxShown   = 3   // facts
	maxMessage = 220 // characters of a message, whose middle is left out: the reason of an error is at its end
	maxText    = 240 // of evidence
)

// suspect writes a chain down.
func (v *view) suspect(c *chain) suspect.Suspect {
	s := suspect.Suspect{Points: (c.points-least)/perPoint + suspect.Shown, Category: c.facts[0].of}
	s.Object, s.Client = v.object(c.subject)
	s.Title = title(c)
	for _, f := range c.facts[:min(len(c.facts), maxShown)] {
		text := f.text + f.more
		if f.about != c.subject {
			text = f.about.String() + ": " + text
		}
		if f.message != "" {
			text += ": " + phrase.Shorten(strings.Join(strings.Fields(f.message), " "), maxMessage)
		}
		s.For = append(s.For, text)
		e := f.at
		e.Text = phrase.Cut(text, maxText)
		s.Evidence = append(s.Evidence, e)
		if f.against != "" {
			s.Against = append(s.Against, f.against)
		}
	}
	s.Next = v.next(c)
	s.Usual = s.Points < suspect.Shown
	return s
}

// title is who, and the best fact about it in short.
func title(c *chain) string {
	const longName = 60
	f := c.facts[0]
	short := key{c.subject.kind, c.subject.namespace, phrase.Shorten(c.subject.name, longName)}
	who := short.String()
	if f.about != c.subject {
		who += ": " + f.about.String()
	}
	titles := []string{join(who, f), join(short.String(), f)}
	short.namespace = ""
	last := join(short.String(), f)
	return phrase.Fit(rules.FirstTitle(last, append(titles, last)...), phrase.MaxTitle)
}

// join writes a fact behind its subject: a client does something, an object shows it.
func join(who string, f *fact) string {
	if f.about.kind == client && f.kind != "failures" {
		return who + " " + f.text
	}
	return who + ": " + f.text
}

// object is the object to look at, and the client as an audit log names it.
func (v *view) object(k key) (*rules.Object, string) {
	if k.kind == client {
		if k.namespace == "" {
			return &rules.Object{API: "rbac.authorization.k8s.io/v1", Kind: "User", Name: k.name}, k.name
		}
		return &rules.Object{API: "v1", Kind: "ServiceAccount", Namespace: k.namespace, Name: k.name},
			"system:serviceaccount:" + k.namespace + ":" + k.name
	}
	o := &rules.Object{API: v.apis[k], Kind: k.kind, Namespace: k.namespace, Name: k.name}
	if m := v.objects[k]; m != nil {
		o.API = m.API
	}
	return o, ""
}

// next is the command that shows more of the subject.
func (v *view) next(c *chain) []rules.Step {
	k := c.subject
	space := ""
	if k.namespace != "" {
		space = "-n " + rules.Quote(k.namespace) + " "
	}
	switch o, _ := v.object(k); {
	case k.kind == client && k.namespace != "":
		return rules.Commands("kubectl " + space + "get pods -o wide --field-selector spec.serviceAccountName=" +
			rules.Quote(k.name))
	case k.kind == client:
		return rules.Commands("kubectl auth can-i --list --as " + rules.Quote(k.name))
	case c.facts[0].kind == "pile" || c.facts[0].kind == "creations" && !isWorkload(k.kind):
		return rules.Commands("kubectl " + space + "get " + resource(o) + " --sort-by=.metadata.creationTimestamp")
	default:
		return rules.Commands("kubectl " + space + "describe " + resource(o) + " " + rules.Quote(k.name))
	}
}

// resource is a kind for kubectl, with the group where there is one, so that two kinds of one name stay apart.
func resource(o *rules.Object) string {
	group, _, ok := strings.Cut(o.API, "/")
	if !ok || group == "apps" || group == "batch" {
		return rules.Quote(strings.ToLower(o.Kind))
	}
	return rules.Quote(strings.ToLower(o.Kind) + "." + group)
}
