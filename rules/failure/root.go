// Package failure finds the root of an error chain: what failed in the end (a refused connection, an expired
// certificate, a file that is not there), the address, path or object that it names, and how to fix that.
package failure

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gotriage/triage/rules/phrase"
)

// A Root is what an error chain ends in.
type Root struct {
	Class string // "refused", "" where no class is known
	// Text is the root in the error's own words: "connection refused". Rest is what the error says behind that.
	Text, Rest string
	// At is the address, path or object that the chain names, "" for none.
	At    string
	chain string // up to the root, where it names nothing: the reader may find there what it is about
	act   string
	fix   string
}

// Of finds the root of an error: of the wordings in it the last one.
func Of(text string) Root {
	text = strings.Join(strings.Fields(text), " ")
	low := strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
	at, end := -1, -1
	var of *class
	for i := range classes {
		for words := range strings.SplitSeq(classes[i].words, "; ") {
			if k := strings.LastIndex(low, words); k >= 0 && k+len(words) > end {
				at, end, of = k, k+len(words), &classes[i]
			}
		}
	}
	if of == nil {
		return Root{Text: strings.TrimSuffix(text, ".")}
	}
	r := Root{Class: of.name, Text: text[at:end], Rest: strings.TrimRight(text[end:], " ."), act: of.act, fix: of.fix}
	if of.whole {
		at = strings.LastIndex(text[:at], ": ") + len(": ")
		if at < len(": ") {
			at = 0
		}
		r.Text = text[at:end]
	}
	if i := strings.Index(r.Rest, " is after "); i >= 0 { // x509: when it expired
		date, _, _ := strings.Cut(r.Rest[i+len(" is after "):], "T")
		r.Text, r.Rest = r.Text+" on "+date, ""
	} else if !of.whole {
		r.Rest = ""
	}
	if r.At = of.place(text, end); r.At == "" {
		r.chain = text[:end]
	}
	return r
}

// place is what a chain names as its class does, before the root's end: the last match of the first pattern that has
// one.
func (c *class) place(text string, end int) string {
	for _, p := range c.at {
		in := text[:end]
		if p == "not" || p == "quota" { // these say it behind their words
			in = text
		}
		all := patterns[p].FindAllStringSubmatch(in, -1)
		for i := len(all) - 1; i >= 0; i-- {
			name := all[i][len(all[i])-1]
			if name == "" {
				name = all[i][1]
			}
			if name = strings.TrimRight(name, ":,."); name != "" && name != "tcp" && name != "udp" {
				return name
			}
		}
	}
	return ""
}

// patterns find what an error names. Operations are those of *net.OpError and *fs.PathError.
var patterns = map[string]*regexp.Regexp{
	"address": regexp.MustCompile(`(?:dial|read|write|listen) (?:tcp|udp|unix)\w* (\S+?)(?:->(\S+))?: `),
	"url":     regexp.MustCompile(`https?://([^/\s"'\\?]+)`),
	"ip":      regexp.MustCompile(`\b(\d+\.\d+\.\d+\.\d+(?::\d+)?)\b`),
	"host":    regexp.MustCompile(`\b([a-z][\w-]*(?:\.[\w-]+)*:\d{2,5})\b`),
	"lookup":  regexp.MustCompile(`lookup (\S+?)(?: on (?:\S+))?: `),
	"path":    regexp.MustCompile(`(?:^|[\s"'(=])(/[^\s"',;:)]+)`),
	"file":    regexp.MustCompile(`(?:open|stat|lstat|mkdir|read|write|create|remove|rename|exec) ([^\s:]+): `),
	"quota":   regexp.MustCompile(`exceeded quota: ([^\s,]+)`),
	"named":   regexp.MustCompile(`([a-z.]+(?: "[^"]+")?) is forbidden`),
	"not":     regexp.MustCompile(`, not (\S+)$`),
}

// Act is what the process can't do: "can't reach 10.43.0.1:443"; "" where nothing is known.
func (r *Root) Act() string {
	if r.At == "" || r.act == "" {
		return ""
	}
	return strings.ReplaceAll(r.act, "{at}", r.At)
}

// Fix is how to fix it, in the imperative; "" where no class is known.
func (r *Root) Fix() string {
	at := r.At
	if at == "" {
		at = "the target that the error names"
	}
	return strings.ReplaceAll(r.fix, "{at}", at)
}

// minWho is how much of a name a title keeps.
const minWho = 12

// Title writes "WHO can't reach ADDRESS and ENDS: ROOT (PLACE)" in at most phrase.MaxTitle characters. The root is
// never cut. What else does not fit goes in this order: the end of a long error, that it ends, the middle of who, the
// place, and the middle of a path.
func (r *Root) Title(who, ends, place string) string {
	act, tail := " "+ends, ": "+r.Text
	if a := r.Act(); a != "" {
		act = " " + a + " and " + ends
	}
	place = phrase.InBrackets(place)
	room := func() int { return phrase.MaxTitle - count(who+act+tail+place) }
	if a := r.Act(); room() < 0 && a != "" {
		act = " " + a
	}
	if n := room() + count(r.Text) - count(r.Rest); r.chain != "" && n > count(r.Text) {
		if c := phrase.Cut(r.chain, n); strings.HasSuffix(c, r.Text) {
			tail = ": " + c
		}
	}
	if room() >= min(minWho, count(r.Rest)) {
		tail += given(r.Rest, room())
	}
	if n := room(); n < 0 {
		who = phrase.Shorten(who, max(min(minWho, count(who)), count(who)+n))
	}
	if n := room(); n < 0 && r.Class == "" {
		tail = phrase.Cut(tail, max(count(tail)+n, phrase.MaxTitle/3))
	}
	if room() < 0 {
		place = ""
	}
	if at, n := strings.LastIndex(act, r.At), room(); n < 0 && r.At != "" && at >= 0 {
		act = act[:at] + phrase.Shorten(r.At, max(minWho, count(r.At)+n)) + act[at+len(r.At):]
	}
	return phrase.Cut(who+act+tail+place, phrase.MaxTitle)
}

func count(s string) int { return utf8.RuneCountInString(s) }

// given is what of the rest of an error fits: its beginning.
func given(rest string, room int) string {
	if r := []rune(rest); len(r) > room {
		return strings.TrimRight(string(r[:room-1]), " ") + "…"
	}
	return rest
}
