package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A help is what `--help` of a command prints, taken apart.
type help struct {
	short           string // for the page's name, "" for the first sentence
	text            []string
	usage, examples []string
	commands, flags []entry
}

// An entry is a flag or a command with what it is for.
type entry struct{ name, text string }

// parseHelp takes apart what a command prints: its text, then sections that begin with a heading.
func parseHelp(text string) help {
	var h help
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case headings.MatchString(line):
			section = line
		case strings.HasPrefix(line, `Use "`):
		case section == "":
			h.text = append(h.text, line)
		case section == "Usage:" && line != "":
			h.usage = append(h.usage, strings.TrimSpace(line))
		case section == "Examples:" && line != "":
			h.examples = append(h.examples, line)
		case section == "Available Commands:":
			h.commands = addEntry(h.commands, line)
		default:
			h.flags = addEntry(h.flags, line)
		}
	}
	return h
}

var (
	headings = regexp.MustCompile(`^(Usage|Examples|Available Commands|Flags|Global Flags):$`)
	// begins matches the line that begins an entry: a name, two spaces or more, a text.
	begins = regexp.MustCompile(`^ {2,6}(\S.*?) {2,}(\S.*)$`)
)

// addEntry adds a line: a new entry, or more of the last one's text, which is indented further.
func addEntry(all []entry, line string) []entry {
	if m := begins.FindStringSubmatch(line); m != nil {
		return append(all, entry{m[1], m[2]})
	}
	if line = strings.TrimSpace(line); line != "" && len(all) > 0 {
		all[len(all)-1].text += " " + line
	}
	return all
}

// manual is the page in the format of man(7).
func (h help) manual(name string, related []entry) string {
	var b strings.Builder
	short := h.short
	if short == "" {
		short = "name the guilty line of a busy, hung or crashed Go process"
	}
	fmt.Fprintf(&b, ".TH %s 1 \"\" triage \"User Commands\"\n", strings.ToUpper(name))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", name, roff(short))
	for _, line := range h.usage {
		fmt.Fprintf(&b, ".B %s\n.br\n", roff(line))
	}
	b.WriteString(".SH DESCRIPTION\n")
	for _, line := range h.text {
		if line == "" {
			b.WriteString(".PP\n")
			continue
		}
		b.WriteString(roff(line) + "\n")
	}
	entries := func(heading string, all []entry) {
		if len(all) > 0 {
			fmt.Fprintf(&b, ".SH %s\n", heading)
		}
		for _, e := range all {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(e.name), roff(e.text))
		}
	}
	entries("COMMANDS", h.commands)
	entries("OPTIONS", h.flags)
	if len(h.examples) > 0 {
		b.WriteString(".SH EXAMPLES\n.nf\n")
		for _, line := range h.examples {
			b.WriteString(roff(line) + "\n")
		}
		b.WriteString(".fi\n")
	}
	b.WriteString(".SH SEE ALSO\n")
	for i, e := range related {
		page := "triage-" + e.name
		if e.name == "triage" || e.name == "help" {
			page = "triage"
		}
		if page == name {
			continue
		}
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, ".BR %s (1)", roff(page))
	}
	b.WriteString("\n")
	return b.String()
}

// roff escapes a line of text: its backslashes and minus signs, and a leading character that would start a request.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
