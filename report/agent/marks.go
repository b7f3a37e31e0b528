package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
)

// Block puts lines of the inputs between two marks. The marks name the hash of what is between them, so that it can't
// contain them. Each line is cleaned.
func Block(lines []string) string {
	cleaned := make([]string, len(lines))
	for i, l := range lines {
		cleaned[i] = Clean(l)
	}
	body := strings.Join(cleaned, "\n")
	sum := sha256.Sum256([]byte(body))
	mark := hex.EncodeToString(sum[:8])
	return "<<<untrusted " + mark + "\n" + body + "\nuntrusted " + mark + ">>>"
}

// runs are what marks begin and end with.
var runs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<{3,}|>{3,}`) })

// Clean makes a text of the inputs one line without characters that act on a reader, and without runs that look like a
// mark.
func Clean(s string) string {
	s = report.Escape(s)
	if !strings.Contains(s, "<<<") && !strings.Contains(s, ">>>") {
		return s
	}
	return runs().ReplaceAllStringFunc(s, func(run string) string {
		return strings.TrimSuffix(strings.Repeat(run[:1]+" ", len(run)), " ")
	})
}

// hidden replaces a quoted text outside of the marks.
const hidden = "(quoted text: see the evidence)"

// index is how a title about an index ends, as the runtime prints it, with the times and the place that triage adds.
var index = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^ \[[0-9:-]*\](?: with (?:length|capacity) \d+)?(?:, (?:recovered|seen) \d+ times)?(?: \([^ ()]+:\d+\))?$`)
})

// Outside is a sentence of a finding as it may be read outside of the marks: without the texts of the inputs that it
// quotes. Those are between “ and ”; sentences about a crash also have the panic's text after a colon. The second
// result reports whether something was replaced.
func Outside(f *rules.Finding, s string) (string, bool) {
	open := strings.Index(s, "“")
	if f.Category == rules.Crash {
		at := colon(f, s)
		// A program may panic with a text that begins as the runtime's do.
		if i := strings.Index(s, " ["); i >= 0 && (at < 0 || i < at) && !index().MatchString(s[i:]) {
			at = i
		}
		if at >= 0 && (open < 0 || at < open) {
			return strings.TrimSuffix(s[:at+1], " ") + " " + hidden, true
		}
	}
	if open < 0 {
		return s, false
	}
	rest := ""
	// A text may hold quotes itself: the last one ends it. Where a sentence was cut, its own last quote may be gone.
	if i := strings.LastIndex(s, "”"); i > open {
		rest = s[i+len("”"):]
	}
	if strings.Contains(rest, "…") {
		rest = ""
	}
	return s[:open] + hidden + rest, true
}

// colon is where a panic's text begins in a sentence: after the title's first colon, or after its own.
func colon(f *rules.Finding, s string) int {
	if act, _, ok := strings.Cut(f.Title, ": "); ok {
		if i := strings.Index(s, act+": "); i >= 0 {
			return i + len(act)
		}
	}
	return strings.Index(s, ": ")
}
