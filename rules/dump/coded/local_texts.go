package coded

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of what a finding names.
const (
	maxStacks  = 5  // further stacks that wait as the culprit does
	maxEnders  = 3  // operations that could have ended a wait
	maxReturns = 3  // ways out
	maxWords   = 40 // of an expression, in bytes
)

// write makes a finding of goroutines that can never go on, about the first of them in order of cause.
func (l *locals) write(rule string, v verdict, group []*waiter) rules.Finding {
	w := group[0]
	on := w.on[0]
	blame := rules.BlameBucket(l.d, w.b)
	culprit := rules.PlaceOf(w.b.Frames[w.frame].Frame)
	name := on.Var.Name()
	values := account.Values{
		"who": whoWaits(w, like(w, group)...), "at": rules.PlaceText(culprit), "spot": l.place(w, w.wait.At),
		"for": acts[w.wait.Kind] + name, "name": name, "made": l.place(w, on.Made), "maker": gocode.Name(on.Maker()),
		"gone": l.gone(w, group), "what": titles[w.wait.Kind],
	}
	if enders := on.Enders(w.wait.Ops[0]); len(enders) > 0 {
		values["end"], values["by"] = l.place(w, enders[0].At), gocode.Name(enders[0].Fn, enders[0].Decl)
	}
	text := findings().Account(rule, account.Facts{Cases: l.cases(w), Values: values, Target: l.d.StepTarget(),
		Doubt: v.doubt})
	f := rules.Finding{Severity: v.severity, Confidence: v.confidence(), Title: title(culprit, text.Act),
		Culprit: culprit, Path: blame.Path, Creator: blame.Creator, Why: text.Why, Fix: text.Fix, Next: text.Next,
		Against: text.Against,
		Notes:   l.ender(w)}
	for i, other := range group {
		f.Count += other.b.Count
		if i <= maxStacks {
			f.Evidence = append(f.Evidence, rules.EvidenceOf(l.d, other.b, ""))
		}
	}
	return f
}

// acts are what a goroutine waits for, before the variable's name; titles are what it waits for without.
var (
	acts = map[gocode.Kind]string{gocode.Send: "to send to ", gocode.Receive: "to receive from ",
		gocode.Select: "in a select for ", gocode.GroupWait: "for ", gocode.CondWait: "for "}
	titles = map[gocode.Kind]string{gocode.Send: " to send what nobody is left to receive",
		gocode.Receive: " for what nobody is left to send", gocode.Select: " in a select that nobody is left to end",
		gocode.GroupWait: " for a Done that nobody is left to call",
		gocode.CondWait:  " for a signal that nobody is left to send"}
)

// like are those of a group that wait in the same line as w, on other stacks.
func like(w *waiter, group []*waiter) (all []*waiter) {
	for _, other := range group {
		if other != w && other.wait.At == w.wait.At {
			all = append(all, other)
		}
	}
	return all
}

func whoWaits(w *waiter, others ...*waiter) string {
	n := w.b.Count
	for _, other := range others {
		n += other.b.Count
	}
	return account.WhoWaits(n, w.b)
}

func title(culprit rules.Place, act string) string {
	name, bare, at := rules.TitleParts(culprit)
	return rules.FirstTitle(phrase.CutTitle(bare+" "+act), name+" "+act+at, bare+" "+act+at, bare+" "+act)
}

// place is a place of a package in a sentence: "pool.go:31".
func (l *locals) place(w *waiter, pos token.Pos) string {
	file, line := w.site.Place(pos)
	return fmt.Sprintf("%s:%d", symbol.ShortFile(file), line)
}

// cases choose the fix.
func (l *locals) cases(w *waiter) []string {
	enders := w.on[0].Enders(w.wait.Ops[0])
	if maker, _ := w.on[0].Maker(); len(w.on) == 1 && len(enders) == 1 && w.wait.Kind != gocode.GroupWait &&
		!enders[0].Deferred && enders[0].Fn != maker && len(enders[0].ReturnsBefore()) > 0 {
		return []string{"missed"}
	}
	switch w.wait.Kind {
	case gocode.Send:
		if w.site.InLoop(w.wait.At) || len(w.on) > 1 {
			return []string{"repeated"}
		}
		return nil
	case gocode.Receive:
		return []string{"receive"}
	case gocode.GroupWait:
		return []string{"group"}
	}
	return []string{"other"}
}

// gone is why nobody ends the wait.
func (l *locals) gone(w *waiter, group []*waiter) string {
	name := w.on[0].Var.Name()
	for _, other := range group {
		if other.wait.At != w.wait.At {
			return fmt.Sprintf("All who have it wait as well: %s at %s %s%s.", lower(whoWaits(other)),
				l.place(other, other.wait.At), acts[other.wait.Kind], other.on[0].Var.Name())
		}
	}
	return "No other function that has " + name + " is on any stack, and it never leaves its package's functions."
}

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// ender is what in the code would have ended the wait, and why it may not have come to that.
func (l *locals) ender(w *waiter) []string {
	enders := w.on[0].Enders(w.wait.Ops[0])
	if len(enders) == 0 {
		return nil
	}
	what := map[gocode.Op]string{gocode.OpSend: "sends to it", gocode.OpReceive: "receives from it",
		gocode.OpClose: "closes it", gocode.OpDone: "calls Done", gocode.OpSignal: "signals"}
	var parts []string
	for i, u := range enders {
		if i == maxEnders {
			parts = append(parts, fmt.Sprintf("%d more", len(enders)-maxEnders))
			break
		}
		part := fmt.Sprintf("%s %s at %s", gocode.Name(u.Fn, u.Decl), what[u.Op], l.place(w, u.At))
		parts = append(parts, part+l.missed(w, &u))
	}
	return []string{"What would end it: " + strings.Join(parts, "; ") + "."}
}

// missed is why a function may have ended without an operation.
func (l *locals) missed(w *waiter, u *gocode.Use) string {
	others, hasDefault := u.Others()
	var ways []string
	for _, e := range others {
		ways = append(ways, phrase.Cut(types.ExprString(e), maxWords))
	}
	switch {
	case hasDefault:
		return ", in a select with a default"
	case len(ways) > 0:
		return ", in a select that ends on " + strings.Join(ways[:min(len(ways), maxReturns)], " or ") + " too"
	case u.Deferred:
		return ""
	}
	var lines []string
	for _, pos := range u.ReturnsBefore() {
		if at := l.place(w, pos); !slices.Contains(lines, at) && len(lines) < maxReturns {
			lines = append(lines, at)
		}
	}
	if len(lines) > 0 {
		return ", but may return before that at " + strings.Join(lines, ", ")
	}
	return ""
}
