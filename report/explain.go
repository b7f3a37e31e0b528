package report

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Rules lists rules and roles, one line each, ordered by id and name.
func Rules(w io.Writer, rs []*rules.Rule, roles []rules.Role, o TextOptions) error {
	p := newPrinter(w, o)
	rs = slices.Clone(rs)
	slices.SortStableFunc(rs, func(a, b *rules.Rule) int { return cmp.Compare(a.ID, b.ID) })
	id := widest(slices.Values(rs), func(r *rules.Rule) string { return p.escape(r.ID) })
	name := widest(slices.Values(rs), func(r *rules.Rule) string { return p.escape(r.Name) })
	severity := widest(slices.Values(rs), func(r *rules.Rule) string { return p.escape(string(r.Severity)) })
	p.line(span{text: "RULES", style: p.colour.Heading}, plain("  "+phrase.Number(len(rs))+
		"; triage explain ID prints why, the fix and the false positives"))
	for _, r := range rs {
		head := pad(p.escape(r.ID), id) + "  " + pad(p.escape(r.Name), name) + "  "
		word := p.escape(string(r.Severity))
		title := cut(p.escape(collapse(r.Doc().Title)), max(p.width-2-width(head)-severity-2, 20), p.glyphs.ellipsis)
		p.line(plain("  "+head), span{text: word, style: p.colour.severity(r.Severity)},
			spaces(severity-width(word)+2), plain(title))
	}
	if len(roles) > 0 {
		p.roleList(roles)
	}
	return p.flush("the list of rules")
}

// A ruleRow is one rule of RulesJSON.
type ruleRow struct {
	ID             string         `json:"id"`
	Name           string         `json:"name"`
	Category       rules.Category `json:"category"`
	Severity       rules.Severity `json:"severity"`
	Needs          string         `json:"needs"`
	Title          string         `json:"title"`
	Why            string         `json:"why"`
	Fix            string         `json:"fix"`
	FalsePositives string         `json:"false_positives"`
	Refs           []string       `json:"refs"`
}

// A roleRow is one role of RulesJSON.
type roleRow struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// RulesJSON writes {"rules": [...], "roles": [...]}, with the documentation of each.
func RulesJSON(w io.Writer, set []*rules.Rule, roles []rules.Role) error {
	out := struct {
		Rules []ruleRow `json:"rules"`
		Roles []roleRow `json:"roles"`
	}{[]ruleRow{}, []roleRow{}}
	for _, r := range set {
		doc := r.Doc()
		out.Rules = append(out.Rules, ruleRow{
			ID: r.ID, Name: r.Name, Category: r.Category, Severity: r.Severity, Needs: r.Needs.String(),
			Title: doc.Title, Why: doc.Why, Fix: doc.Fix, FalsePositives: doc.FalsePositives,
			Refs: append([]string{}, doc.Refs...),
		})
	}
	for _, r := range roles {
		out.Roles = append(out.Roles, roleRow{r.Name, r.Doc})
	}
	return Indented(w, out)
}

func (p *printer) roleList(roles []rules.Role) {
	roles = slices.Clone(roles)
	slices.SortStableFunc(roles, func(a, b rules.Role) int { return cmp.Compare(a.Name, b.Name) })
	column := widest(slices.Values(roles), func(r rules.Role) string { return p.escape(r.Name) })
	p.section("ROLES", phrase.Number(len(roles))+"; goroutines that do what they should")
	for _, r := range roles {
		text := pad(p.escape(r.Name), column) + "  " + p.escape(collapse(r.Doc))
		p.line(plain("  " + cut(text, p.width-2, p.glyphs.ellipsis)))
	}
}

// documented writes a text of a rule's documentation behind a label. Each of its lines is a paragraph, which a blank
// line separates from what is before it, or an item of a list ("- ").
func (p *printer) documented(label, text string) {
	column := 2 + len("false positives")
	for i, line := range strings.Split(text, "\n") {
		item, listed := strings.CutPrefix(line, "- ")
		if listed {
			for k, l := range p.wrapped(item, column+4, 0) {
				p.line(spaces(column+2), plain(textIf(k == 0, "- ")), spaces(2*min(k, 1)), plain(l))
			}
			continue
		}
		if i > 0 {
			p.line()
		}
		p.labelled(span{text: "  " + pad(textIf(i == 0, label), column-2), style: p.colour.Dim}, line, 0)
	}
}

// Explain writes all that is known of one rule.
func Explain(w io.Writer, r *rules.Rule, o TextOptions) error {
	p := newPrinter(w, o)
	p.all = true // an explanation is never cut
	dot := " " + p.glyphs.dot + " "
	p.line(span{text: r.ID + "  " + r.Name, style: p.colour.Heading}, plain(dot+string(r.Category)+dot+"at most "),
		span{text: string(r.Severity), style: p.colour.severity(r.Severity)})
	doc := r.Doc()
	p.block(doc.Title, 2, 0, "")
	for _, s := range []struct{ label, text string }{
		{"why", doc.Why},
		{"fix", doc.Fix},
		{"false positives", doc.FalsePositives},
		{"needs", r.Needs.String()},
	} {
		if strings.TrimSpace(s.text) != "" {
			p.line()
			p.documented(s.label, s.text)
		}
	}
	if len(doc.Refs) > 0 {
		p.line()
	}
	for i, ref := range doc.Refs {
		label := "  " + pad(textIf(i == 0, "refs"), len("false positives"))
		p.line(span{text: label, style: p.colour.Dim}, plain("  "+ref))
	}
	return p.flush("the explanation of a rule")
}
