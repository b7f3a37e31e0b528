package crash

import (
	"fmt"
	"strings"
)

// explainNil is nil-dereference (TR201).
func explainNil(g *crashGroup) account {
	a := account{
		act: "dereferences a nil pointer",
		fix: g.fill("Check what {who} uses there: a receiver, a field, a map's or a function's result that can be " +
			"nil. Set it where it is made, or return an error before using it. A typed nil inside an interface is " +
			"not == nil."),
	}
	addr, hasAddr := fieldAfter(g.cause.Detail, "addr=")
	offset, _ := parseUint(addr)
	pc, _ := fieldAfter(g.cause.Detail, "pc=")
	switch {
	case strings.Contains(g.text, "go of nil func value"):
		a.act = "starts a goroutine with a nil function"
		a.why = g.fill("The go statement{at} was given a function value that is nil.")
	case strings.Contains(g.text, "called using nil *"):
		a.act = "calls a value method through a nil pointer"
		a.why = g.fill("{who}{at} called a method whose receiver is a value on a nil pointer: {text}.")
	case pc == "0x0":
		a.act = "calls a nil function"
		a.why = g.fill("The program jumped to address 0: {who}{at} called a function value or a callback that was " +
			"never set.")
		a.fix = g.fill("Set the function before {who} calls it (a callback field, an option, a registered handler), " +
			"or check it for nil.")
	case hasAddr && offset > 0:
		a.why = fmt.Sprintf("The fault is at address %s: %s%s reached for what lies %d bytes behind a nil pointer, a "+
			"field or an element of it.", addr, g.who(), g.at(), offset)
	case hasAddr:
		a.why = g.fill("The fault is at address 0x0: {who}{at} used a nil pointer itself, the first field behind it, " +
			"a nil function or a method of a nil interface.")
	default:
		a.why = g.fill("{who}{at} used a nil pointer.")
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
