package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// nilDereference is TR201.
func nilDereference() *rules.Rule {
	return &rules.Rule{
		ID: idNilDereference, Name: "nil-dereference", Category: rules.Crash, Severity: rules.Critical, Needs: rules.NeedsCause,
		Run: crashRun(idNilDereference, nil, explainNil),
	}
}

func explainNil(g *crashGroup) account {
	a := account{
		act: "dereferences a nil pointer",
		fix: fmt.Sprintf("Check what %s uses there: a receiver, a field, a map's or a function's result that can be "+
			"nil. Set it where it is made, or return an error before using it. A typed nil inside an interface is "+
			"not == nil.", g.who()),
	}
	addr, hasAddr := fieldAfter(g.cause.Detail, "addr=")
	offset, _ := parseUint(addr)
	pc, _ := fieldAfter(g.cause.Detail, "pc=")
	switch {
	case strings.Contains(g.text, "go of nil func value"):
		a.act = "starts a goroutine with a nil function"
		a.why = fmt.Sprintf("The go statement%s was given a function value that is nil.", g.at())
	case strings.Contains(g.text, "called using nil *"):
		a.act = "calls a value method through a nil pointer"
		a.why = fmt.Sprintf("%s%s called a method whose receiver is a value on a nil pointer: %s.", g.who(), g.at(),
			phrase.Cut(g.text, phrase.MaxQuoted))
	case pc == "0x0":
		a.act = "calls a nil function"
		a.why = fmt.Sprintf("The program jumped to address 0: %s%s called a function value or a callback that was "+
			"never set.", g.who(), g.at())
		a.fix = fmt.Sprintf("Set the function before %s calls it (a callback field, an option, a registered "+
			"handler), or check it for nil.", g.who())
	case hasAddr && offset > 0:
		a.why = fmt.Sprintf("The fault is at address %s: %s%s reached for what lies %d bytes behind a nil pointer, a "+
			"field or an element of it.", addr, g.who(), g.at(), offset)
	case hasAddr:
		a.why = fmt.Sprintf("The fault is at address 0x0: %s%s used a nil pointer itself, the first field behind it, "+
			"a nil function or a method of a nil interface.", g.who(), g.at())
	default:
		a.why = fmt.Sprintf("%s%s used a nil pointer.", g.who(), g.at())
	}
	if g.nilReceiver() {
		a.act = "dereferences its nil receiver"
		a.why += " Its receiver is nil: the caller called a method on nothing."
	}
	a.next = g.logNext("staticcheck -checks SA5011,SA5000 ./...")
	return a
}

// nilReceiver reports whether the culprit is a method with a pointer receiver whose first argument word is surely 0.
func (c *crash) nilReceiver() bool {
	f := c.culpritFrame()
	if f == nil || !strings.Contains(f.Func, "(*") {
		return false
	}
	words := c.b.Args()[c.blame.Index].Words
	return len(words) > 0 && words[0].Known && !words[0].Uncertain && words[0].Value == 0
}
