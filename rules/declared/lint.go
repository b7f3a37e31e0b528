package declared

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
)

// Doubts lists what works but is doubtful about a file: conditions that hold for nothing, texts that are too long,
// rules without a fixture that fires or a near miss. Fired and missed are the rules that fixtures want, and those that
// they are near misses of. Each is a *LoadError.
func (f *File) Doubts(fired, missed map[string]bool) []error {
	var doubts []error
	for i := range f.def.Rules {
		l := linter{def: &f.def.Rules[i], say: func(field, format string, args ...any) {
			doubts = append(doubts, f.src.at(fmt.Sprintf("$.rules[%d]", i), match.Fault(field, format, args...)))
		}}
		l.rule(f.def.Roles)
		if id := l.def.ID; !fired[id] {
			l.say("id", "no fixture wants %s: add one in which the rule fires next to the file", id)
		} else if !missed[id] {
			l.say("id", `no fixture says "near miss of %s": add a healthy case that looks alike next to the file`, id)
		}
	}
	return doubts
}

// A linter looks for doubts about one rule.
type linter struct {
	def *RuleDef
	say func(field, format string, args ...any)
}

// rule looks for doubts about all that the rule says by itself.
func (l *linter) rule(own []match.RoleDef) {
	l.texts()
	for i := range l.def.Match {
		l.match(fmt.Sprintf("match[%d]", i), &l.def.Match[i])
	}
	for i := range l.def.Stacks {
		for _, g := range l.def.Stacks[i].Groups() {
			l.patterns(fmt.Sprintf("stacks[%d].%s", i, g.Field), g.Texts)
		}
	}
	l.condition(own)
}

// texts are said as documentation has them, with words for placeholders.
func (l *linter) texts() {
	known := placeholdersOf(l.def)
	if !strings.Contains(l.def.Title, "{") {
		l.say("title", "it names no culprit or object: use a placeholder, such as %s", known[2])
	}
	oneLine := func(text string) string { return inSentences(strings.Join(strings.Fields(text), " "), known) }
	title, why, fix := oneLine(l.def.Title), oneLine(l.def.Why), oneLine(l.def.Fix)
	for _, t := range []struct {
		field, text string
		faults      []string
	}{
		{"title", title, phrase.Faults(title, "", "")}, {"why", why, phrase.Faults("", why, "")},
		{"fix", fix, phrase.Faults("", "", fix)},
	} {
		for _, fault := range t.faults {
			l.say(t.field, "%s", fault)
		}
		if strings.Contains(t.text, "  ") {
			l.say(t.field, "it leaves two spaces: a placeholder that may be empty, such as {waiting}, begins with one")
		}
	}
}

// valueReceiver is the receiver of a method as no function's name has it: those of pointers have a star in parentheses,
// those of values have none.
var valueReceiver = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(([^*()]+)\)\.`) })

func (l *linter) patterns(field string, texts []string) {
	for i, text := range texts {
		if m := valueReceiver().FindStringSubmatch(text); m != nil {
			l.say(fmt.Sprintf("%s[%d]", field, i), "it never matches: methods are (*%[1]s).Name or %[1]s.Name", m[1])
		}
	}
}

func (l *linter) match(field string, m *match.Match) {
	for _, g := range m.Groups() {
		l.patterns(field+"."+g.Field, g.Texts)
	}
	for _, r := range []struct {
		field string
		of    match.Range
	}{{"count", m.Count}, {"minutes", m.Minutes}} {
		if r.of.Max > 0 && r.of.Max < r.of.Min || r.of.Max < 0 {
			l.say(field+"."+r.field, "it never holds: no number is within these bounds")
		}
	}
	for i, p := range m.Frames.None {
		only := []string{p}
		if slices.Contains(m.Frames.All, p) || slices.Equal(m.At, only) || slices.Equal(m.Frames.Any, only) {
			l.say(fmt.Sprintf("%s.frames.none[%d]", field, i), "it never holds: the same frame is also required")
		}
	}
	for i := range m.Except {
		l.match(fmt.Sprintf("%s.except[%d]", field, i), &m.Except[i])
	}
}

// condition looks for words that are compared with what they never are.
func (l *linter) condition(own []match.RoleDef) {
	e := evidenceOf(l.def)
	if o := l.def.Objects; o != nil && o.Kind != "" {
		if _, known := kube.KindOf(o.Kind); !known && (o.Kind[0] < 'A' || o.Kind[0] > 'Z') {
			l.say("objects.kind", "triage knows no such kind: kinds begin with a capital, such as Certificate")
		}
	}
	tree, err := parser.Parse(e.ask.When)
	if err != nil {
		return // there is none
	}
	field := strings.TrimPrefix(e.field+".when", ".")
	ast.Walk(&tree.Node, comparisons(func(word, value string) {
		values := valuesOf(e.field, word, own)
		if len(values) > 0 && value != "" && !slices.Contains(values, value) {
			l.say(field, "%s is never %q; it is one of: %s", word, value, strings.Join(values, ", "))
		}
	}))
}

// valuesOf are the values that a word of a condition may have; nil for a word that may have any.
func valuesOf(field, word string, own []match.RoleDef) []string {
	switch field + " " + word {
	case " class":
		return strings.Split(match.Join(match.Classes()), ", ")
	case " role":
		var names []string
		for _, r := range slices.Concat(own, Roles().Defs()) {
			names = append(names, r.Name)
		}
		return names
	case "objects status":
		return []string{"True", "False", "Unknown"}
	case "objects type":
		return []string{"Normal", "Warning"}
	case "logs level":
		return []string{"debug", "info", "warning", "error", "fatal"}
	case "audit verb":
		return []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}
	}
	return nil
}

// comparisons is called for each word of a condition and each text that it is compared with.
type comparisons func(word, value string)

// Visit is called for each node of a condition.
func (c comparisons) Visit(node *ast.Node) {
	b, ok := (*node).(*ast.BinaryNode)
	if !ok || b.Operator != "==" && b.Operator != "!=" && b.Operator != "in" {
		return
	}
	word := ""
	switch n := b.Left.(type) {
	case *ast.IdentifierNode:
		word = n.Value
	case *ast.MemberNode:
		of, named := n.Node.(*ast.IdentifierNode)
		keyed := named && slices.Contains([]string{"labels", "annotations", "fields", "conditions"}, of.Value)
		if p, ok := n.Property.(*ast.StringNode); ok && !keyed {
			word = p.Value
		}
	}
	values := []ast.Node{b.Right}
	if list, ok := b.Right.(*ast.ArrayNode); ok {
		values = list.Nodes
	}
	for _, v := range values {
		if s, ok := v.(*ast.StringNode); ok {
			c(word, s.Value)
		}
	}
}
