package cluster

import (
	"strings"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// suspect writes a chain down.
func (v *view) suspect(c *chain) suspect.Suspect {
	const (
		shown      = 3   // facts
		maxMessage = 220 // characters of a message, whose middle is left out: the reason of an error is at its end
		maxText    = 240 // of evidence
	)
	s := suspect.Suspect{Title: title(c), Category: c.facts[0].kind.of}
	s.Points = (c.points-least)/perPoint + suspect.Shown
	s.Object, s.Client = v.object(c.subject)
	for _, f := range c.facts[:min(len(c.facts), shown)] {
		text := f.text() + f.more
		if f.about != c.subject {
			text = f.about.String() + ": " + text
		}
		if f.message != "" {
			text += ": " + phrase.Shorten(strings.Join(strings.Fields(f.message), " "), maxMessage)
		}
		s.For = append(s.For, text)
		e := f.at
		e.Text, e.Count = phrase.Cut(text, maxText), f.count
		s.Evidence = append(s.Evidence, e)
		if f.stopped() {
			s.Against = append(s.Against, "It stopped "+phrase.Spell(f.end.Sub(f.last))+" before the end of the input")
		}
	}
	s.Next = next(c.subject, s.Object)
	s.Usual = s.Points < suspect.Shown
	return s
}

// title is who, and the best fact about it in short: a client does something, an object shows it.
func title(c *chain) string {
	const longName = 60
	f, k := c.facts[0], c.subject
	text := ": " + f.text()
	if k.name = phrase.Shorten(k.name, longName); f.about != c.subject {
		text = ": " + f.about.String() + text
	} else if k.kind == client && f.kind != failures {
		text = text[1:]
	}
	return phrase.Fit(k.String()+text, phrase.MaxTitle)
}

// object is the object to look at, and the client as an audit log names it.
func (v *view) object(k key) (*rules.Object, string) {
	switch m := v.objects[k]; {
	case k.kind == client && k.namespace == "":
		return &rules.Object{API: "rbac.authorization.k8s.io/v1", Kind: "User", Name: k.name}, k.name
	case k.kind == client:
		return &rules.Object{API: "v1", Kind: "ServiceAccount", Namespace: k.namespace, Name: k.name},
			"system:serviceaccount:" + k.namespace + ":" + k.name
	case m != nil:
		return &rules.Object{API: m.API, Kind: k.kind, Namespace: k.namespace, Name: k.name}, ""
	}
	return &rules.Object{API: v.apis[k], Kind: k.kind, Namespace: k.namespace, Name: k.name}, ""
}

// next is the command that shows more of the subject.
func next(k key, o *rules.Object) []rules.Step {
	space := ""
	if k.namespace != "" {
		space = "-n " + rules.Quote(k.namespace) + " "
	}
	kind := strings.ToLower(k.kind)
	switch group, _, ok := strings.Cut(o.API, "/"); {
	case k.kind == client && k.namespace != "":
		return rules.Commands("kubectl " + space + "get pods -o wide --field-selector spec.serviceAccountName=" +
			rules.Quote(k.name))
	case k.kind == client:
		return rules.Commands("kubectl auth can-i --list --as " + rules.Quote(k.name))
	case ok && group != "apps" && group != "batch": // two kinds of one name stay apart
		kind += "." + group
	}
	return rules.Commands("kubectl " + space + "describe " + rules.Quote(kind) + " " +
		rules.Quote(k.name))
}
