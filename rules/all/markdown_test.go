package all

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
)

// markdown writes docs/rules.md: every rule with its documentation, the file that holds it and a finding, by id, then
// every role.
func markdown(all []*rules.Rule, roles []rules.Role, files map[string]string, found map[string]rules.Finding) []byte {
	var b bytes.Buffer
	b.WriteString("# Rules\n\n<!-- Generated from the rules themselves by `make docs`. -->\n\n")
	fmt.Fprintf(&b, "triage knows %d rules and %d roles. `triage explain ID` prints one rule, `triage rules` lists "+
		"them.\n", len(all), len(roles))
	b.WriteString("The severity is the highest that a rule gives: the impact if the finding is true. Each text block " +
		"shows what the rule reports on one of its fixtures.\n\n")
	b.WriteString("| id | name | category | severity | finds | in |\n|---|---|---|---|---|---|\n")
	for _, r := range all {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s | %s | [%s](../rules/%s) |\n", r.ID, anchor(r), r.Name, r.Category,
			r.Severity, cell(r.Doc().Title), files[r.ID], files[r.ID])
	}
	for _, r := range all {
		ruleMarkdown(&b, r)
		if f, ok := found[r.ID]; ok {
			sampleMarkdown(&b, f)
		}
	}
	b.WriteString("\n## Roles\n\nA role says what goroutines with a given stack do in normal operation. triage sets " +
		"goroutines with a role\n")
	b.WriteString("aside before it looks for a culprit. Idle ones may wait for ever; the others should finish.\n\n")
	b.WriteString("| role | idle | what it does |\n|---|---|---|\n")
	for _, r := range roles {
		idle := ""
		if r.Idle {
			idle = "idle"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.Name, idle, cell(r.Doc))
	}
	return b.Bytes()
}

func ruleMarkdown(b *bytes.Buffer, r *rules.Rule) {
	doc := r.Doc()
	fmt.Fprintf(b, "\n## %s %s\n\n%s.\n\n", r.ID, r.Name, capital(text(doc.Title)))
	fmt.Fprintf(b, "Category %s, severity up to %s. Needs %s.", r.Category, r.Severity, r.Needs)
	if doc.Since != "" {
		fmt.Fprintf(b, " Since %s.", text(doc.Since))
	}
	b.WriteString("\n\n")
	for _, part := range []struct{ head, body string }{
		{"Why", doc.Why}, {"Fix", doc.Fix}, {"False positives", doc.FalsePositives},
	} {
		fmt.Fprintf(b, "**%s.** %s\n\n", part.head, paragraphs(part.body))
	}
	if len(doc.Refs) > 0 {
		b.WriteString("**See.** ")
		for i, ref := range doc.Refs {
			if i > 0 {
				b.WriteString(", ")
			}
			if strings.HasPrefix(ref, "https://") {
				ref = "<" + ref + ">"
			}
			b.WriteString(ref)
		}
		b.WriteString("\n")
	}
	trimEnd(b)
}

// trimEnd leaves one line end at the end of b.
func trimEnd(b *bytes.Buffer) {
	b.Truncate(len(bytes.TrimRight(b.Bytes(), "\n")))
	b.WriteByte('\n')
}

// anchor is the fragment that Markdown viewers make of a rule's heading.
func anchor(r *rules.Rule) string { return strings.ToLower(r.ID) + "-" + r.Name }

// text keeps documentation from being read as HTML.
func text(s string) string {
	return strings.NewReplacer("<", "&lt;", "\n", " ").Replace(strings.TrimSpace(s))
}

// paragraphs are the lines of a rule's documentation, each a paragraph or an item of a list.
func paragraphs(s string) string {
	var b strings.Builder
	listed := false
	for i, line := range strings.Split(strings.TrimSpace(s), "\n") {
		item := strings.HasPrefix(line, "- ")
		switch {
		case i > 0 && item && listed:
			b.WriteString("\n")
		case i > 0:
			b.WriteString("\n\n")
		}
		b.WriteString(text(line))
		listed = item
	}
	return b.String()
}

func cell(s string) string { return strings.ReplaceAll(text(s), "|", `\|`) }

// capital begins a title with a capital letter, unless its first word has one further on: gRPC.
func capital(title string) string {
	if first, _, _ := strings.Cut(title, " "); first != strings.ToLower(first) {
		return title
	}
	return strings.ToUpper(title[:1]) + title[1:]
}
