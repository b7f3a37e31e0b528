package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var update = flag.Bool("update", false, "write the documentation's command blocks anew")

const prompt = "$ triage"

// An example is one command of the documentation and what it is said to print, as lines of a Markdown file.
type example struct {
	command    string
	line       int // of the command, 1-based
	from, upto int // its output: lines[from:upto]
}

// examples finds the commands of fenced blocks that begin with `$ triage`. A block may hold several; what follows a
// command up to the next prompt or the fence is its output.
func examples(lines []string) []example {
	var found []example
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "```") {
			continue
		}
		end := i + 1
		for end < len(lines) && !strings.HasPrefix(lines[end], "```") {
			end++
		}
		if i+1 < end && strings.HasPrefix(lines[i+1], prompt) {
			found = append(found, commands(lines, i+1, end)...)
		}
		i = end
	}
	return found
}

func commands(lines []string, from, end int) []example {
	var found []example
	for i := from; i < end; i++ {
		if !strings.HasPrefix(lines[i], prompt) {
			continue
		}
		e := example{command: strings.TrimPrefix(lines[i], "$ "), line: i + 1, from: i + 1, upto: i + 1}
		for e.upto < end && !strings.HasPrefix(lines[e.upto], "$ ") {
			e.upto++
		}
		found = append(found, e)
	}
	return found
}

// run runs an example's command and returns its stdout as lines. A word `<` makes the next word the file on stdin.
func (e example) run(t *testing.T) []string {
	t.Helper()
	words := shellWords(e.command)[1:]
	var in bytes.Buffer
	if i := slices.Index(words, "<"); i >= 0 && i+1 < len(words) {
		data, err := os.ReadFile(words[i+1])
		if err != nil {
			t.Fatal(err)
		}
		in.Write(data)
		words = slices.Delete(words, i, i+2)
	}
	var out, errs bytes.Buffer
	if code := Main(context.Background(), words, Std{In: &in, Out: &out, Err: &errs, Getenv: func(string) string { return "" }}); code == exitUsage {
		t.Fatalf("wrong usage: %s", errs.String())
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func shellWords(s string) []string {
	var words []string
	word, quoted, any := "", false, false
	for _, c := range s {
		switch {
		case c == '\'':
			quoted, any = !quoted, true
		case c == ' ' && !quoted:
			if any {
				words = append(words, word)
			}
			word, any = "", false
		default:
			word, any = word+string(c), true
		}
	}
	if any {
		words = append(words, word)
	}
	return words
}

// matches compares output with what the documentation shows; a line "..." there stands for any lines.
func matches(shown, got []string) bool {
	for i, s := range shown {
		if s == "..." {
			for skip := i; skip <= len(got); skip++ {
				if matches(shown[i+1:], got[skip:]) {
					return true
				}
			}
			return false
		}
		if i >= len(got) || s != got[i] {
			return false
		}
	}
	return len(shown) == len(got)
}

// ruleCounts are the numbers of rules that a new rule may change, in the coverage line and in what triage diff prints.
var ruleCounts = regexp.MustCompile(
	`^checked (?:[0-9,]+ of )?[0-9,]+ rules(?:: [0-9,]+ needs? other input)?|[0-9,]+ rules checked`)

// withoutRuleCounts joins each coverage line, "checked 41 of 209 rules: …", with those that it is wrapped into, and
// drops all counts of rules, so that a page stays right when a rule is added.
func withoutRuleCounts(lines []string) []string {
	var out []string
	covered := false // the last line of out is a coverage line
	for _, line := range lines {
		if rest, wrapped := strings.CutPrefix(line, "  "); covered && wrapped {
			out[len(out)-1] += " " + rest
			continue
		}
		covered = strings.HasPrefix(line, "checked ")
		out = append(out, line)
	}
	for i := range out {
		out[i] = ruleCounts.ReplaceAllString(out[i], "N rules")
	}
	return out
}

func TestDocumentedCommandsPrintWhatIsShown(t *testing.T) {
	t.Chdir("../..")
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("README.md"); err == nil {
		files = append(files, "README.md")
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(data), "\n")
		found := examples(lines)
		slices.Reverse(found) // so that an update of one leaves the others' lines where they are
		changed := false
		for _, e := range found {
			t.Run(fmt.Sprintf("%s:%d", name, e.line), func(t *testing.T) {
				got := e.run(t)
				if matches(withoutRuleCounts(lines[e.from:e.upto]), withoutRuleCounts(got)) {
					return
				}
				if *update {
					lines = slices.Replace(lines, e.from, e.upto, got...)
					changed = true
					return
				}
				t.Errorf("%s prints\n%s\nbut the page shows\n%s\n(go test ./cmd/triage -run Documented -update writes it anew)",
					e.command, strings.Join(got, "\n"), strings.Join(lines[e.from:e.upto], "\n"))
			})
		}
		if changed {
			if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// link is a Markdown link to a file of the repository, with or without a heading of it.
var link = regexp.MustCompile(`\]\(([^)#:]*)(#[^)]*)?\)`)

func TestLinksOfTheDocumentationLeadSomewhere(t *testing.T) {
	t.Chdir("../..")
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := ""
	for _, name := range append(files, "README.md", "CONTRIBUTING.md", "SECURITY.md") {
		text := readPage(t, name)
		if name == "README.md" {
			readme = text
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to := name
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(name), m[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s leads nowhere", name, m[0])
				continue
			}
			if m[2] != "" && strings.HasSuffix(to, ".md") && !slices.Contains(anchors(readPage(t, to)), m[2]) {
				t.Errorf("%s: %s has no such heading", name, m[0])
			}
		}
	}
	for _, name := range files {
		if !strings.Contains(readme, "("+name+")") {
			t.Errorf("README.md doesn't link to %s", name)
		}
	}
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// anchors are the fragments of a page's headings, as GitHub makes them: "## Log framing" is "#log-framing".
func anchors(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		heading := strings.TrimLeft(line, "#")
		if heading == line || !strings.HasPrefix(heading, " ") {
			continue
		}
		var b strings.Builder
		for _, c := range strings.ToLower(strings.TrimSpace(heading)) {
			switch {
			case c == ' ':
				b.WriteByte('-')
			case c == '-' || c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c):
				b.WriteRune(c)
			}
		}
		all = append(all, "#"+b.String())
	}
	return all
}

func TestExamplesAreTheBlocksThatBeginWithTheCommand(t *testing.T) {
	page := strings.Split("text\n```console\n$ triage a\none\ntwo\n$ triage 'b c'\nthree\n```\n```\n$ kubectl logs x | triage\nno\n```\n    $ triage indented\n", "\n")
	var got []string
	for _, e := range examples(page) {
		got = append(got, fmt.Sprint(e.command, page[e.from:e.upto]))
	}
	if want := []string{"triage a[one two]", "triage 'b c'[three]"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestDotsOfAnExampleStandForAnyLines(t *testing.T) {
	got := []string{"a", "b", "c"}
	for _, w := range []struct {
		shown string
		want  bool
	}{
		{"a b c", true}, {"a ... c", true}, {"...", true}, {"a b c ...", true}, {"... c", true},
		{"a b", false}, {"a ... b", false}, {"b ...", false}, {"a b c d", false},
	} {
		if matches(strings.Fields(w.shown), got) != w.want {
			t.Errorf("%q matches: %v", w.shown, !w.want)
		}
	}
}

func TestAPageMayShowOtherCountsOfRules(t *testing.T) {
	const shown = "checked 99 of 232 rules: 133 need other input; --all lists them and\n  31 groups of goroutines\nend"
	for _, w := range []struct {
		shown, printed string
		want           bool
	}{
		{shown, "checked 100 of 1,233 rules: 1,133 need other input; --all lists them and 31\n  groups of goroutines\nend", true},
		{shown, "checked 232 rules; --all lists 31 groups of goroutines\nend", false},
		{shown, "checked 99 of 232 rules: 133 need other input; --all lists them and\n  32 groups of goroutines\nend", false},
		{shown, "checked 99 of 232 rules: 133 need other input; --all lists them and\n  31 groups of goroutines", false},
		{"as many; 232 rules checked on each side", "as many; 1,233 rules checked on each side", true},
		{"as many; 232 rules checked on each side", "as many; 232 rules checked on both sides", false},
	} {
		a, b := withoutRuleCounts(strings.Split(w.shown, "\n")), withoutRuleCounts(strings.Split(w.printed, "\n"))
		if matches(a, b) != w.want {
			t.Errorf("%q beside %q: %v", a, b, !w.want)
		}
	}
}
