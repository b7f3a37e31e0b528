package rules

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A documentedRule is a rule's part of a documentation file.
type documentedRule struct {
	id, name string
	doc      Doc
	faults   []string
}

// Documented gives each rule of all its documentation from text, and returns all. The text is Markdown, for each rule:
//
//	# TR101 busy-wait
//
//	What the rule finds, one line
//
//	## Why
//
//	How the evidence leads to the claim.
//
//	## Fix
//
//	Do this.
//
//	## False positives
//
//	When it is wrong.
//
//	## See
//
//	- https://go.dev/doc
//
// "See" and "Since" may be missing. A blank line follows each heading. Line ends inside a paragraph or an item of
// a list ("- ") are spaces. A Doc's text has one line for each of them. The text is read when the first rule is asked
// for its documentation. Validate reports what is wrong with it.
func Documented(text string, all []*Rule) []*Rule {
	read := sync.OnceValue(func() map[string]documentedRule { return documentation(text, all) })
	for _, r := range all {
		id := r.ID
		r.Docs = func() Doc { return read()[id].doc }
		r.docFaults = func() []string { return read()[id].faults }
	}
	return all
}

// documentation is what text contains about each rule of all, by id. That it describes others is a fault of the first.
func documentation(text string, all []*Rule) map[string]documentedRule {
	read := make(map[string]documentedRule, len(all))
	for _, d := range parseDocs(text, len(all)) {
		i := slices.IndexFunc(all, func(r *Rule) bool { return r.ID == d.id })
		if i < 0 {
			if len(all) > 0 {
				first := read[all[0].ID]
				first.faults = append(first.faults, "the documentation beside it describes "+d.id+
					", which is no rule there")
				read[all[0].ID] = first
			}
			continue
		}
		before := read[d.id]
		if before.doc.Title != "" {
			d.faults = append(d.faults, "it is documented twice")
		}
		if all[i].Name != d.name {
			d.faults = append(d.faults, fmt.Sprintf("its documentation calls it %q", d.name))
		}
		d.faults = append(before.faults, d.faults...)
		read[d.id] = d
	}
	return read
}

// parseDocs takes a documentation file of about n rules apart.
func parseDocs(text string, n int) []documentedRule {
	all := make([]documentedRule, 0, n)
	section := ""
	for text = unwrap(text); text != ""; {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		switch {
		case line == "":
		case strings.HasPrefix(line, "# "):
			id, name, _ := strings.Cut(line[len("# "):], " ")
			all = append(all, documentedRule{id: id, name: name})
			section = "Title"
		case len(all) == 0: // a heading of the file
		case strings.HasPrefix(line, "## "):
			section = line[len("## "):]
			all[len(all)-1].open(section)
		default:
			all[len(all)-1].take(section, line)
		}
	}
	return all
}

// unwrap joins the lines of each paragraph of text with spaces.
func unwrap(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		n := strings.IndexByte(text, '\n')
		if n < 0 || n+1 == len(text) {
			b.WriteString(text)
			return b.String()
		}
		if next := text[n+1]; n > 0 && next != '\n' && next != '#' && next != '-' {
			b.WriteString(text[:n])
			b.WriteByte(' ')
		} else {
			b.WriteString(text[:n+1])
		}
		text = strings.TrimLeft(text[n+1:], " ") // an item's further lines are indented
	}
}

// open begins a section.
func (d *documentedRule) open(section string) {
	if to := d.doc.section(section); to == nil && section != "See" || to != nil && *to != "" {
		d.faults = append(d.faults, fmt.Sprintf("its documentation has an unknown or second section %q", section))
	}
}

// section is where a section's text belongs; nil where there is no such section, or where it is a list.
func (d *Doc) section(name string) *string {
	switch name {
	case "Title":
		return &d.Title
	case "Why":
		return &d.Why
	case "Fix":
		return &d.Fix
	case "False positives":
		return &d.FalsePositives
	case "Since":
		return &d.Since
	}
	return nil
}

// take stores a section's paragraph or list item; paragraphs are lines of the text.
func (d *documentedRule) take(section, line string) {
	to := d.doc.section(section)
	switch {
	case to == nil && section != "See":
	case to != nil && *to == "":
		*to = line
	case to != nil:
		*to += "\n" + line
	case strings.HasPrefix(line, "- "):
		d.doc.Refs = append(d.doc.Refs, line[len("- "):])
	default:
		d.faults = append(d.faults, `its documentation has a line under "See" that is not "- reference"`)
	}
}
