package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// explainExplicit is explicit-panic (TR213).
func explainExplicit(g *crashGroup) account {
	text := strings.TrimSpace(g.text)
	a := account{
		act: "panics: " + text,
		why: fmt.Sprintf("%s%s called panic with %s.", g.who(), g.at(), phrase.Quoted(text)),
		fix: g.fill("Mend what the text complains of; if it can happen in operation, let {who} return an error " +
			"instead of panicking."),
		next: g.logNext(),
	}
	switch {
	case text == "":
		a.act = "panics"
		a.why = g.fill("{who}{at} panicked; the log does not hold the panic's text.")
	case strings.Contains(text, "net/http: abort Handler"):
		// A handler raises it to drop the connection: ReverseProxy does when its backend goes away.
		a.severity = rules.Low
		a.act = "aborts a request on purpose"
		a.why = g.fill("{who}{at} raised http.ErrAbortHandler, which drops the connection of a half written answer: a " +
			"client or a backend went away.")
		a.fix = "Nothing, unless it happens often: then see why backends or clients break off."
	case strings.HasPrefix(text, "(") && strings.Contains(text, "0x") && strings.HasSuffix(text, "}"),
		strings.HasPrefix(text, "(") && strings.Contains(text, ") 0x"):
		a.why += " The runtime prints only the address of such a value: give its type an Error or String method, or " +
			"panic with an error, to see what it says."
	case strings.Contains(text, "[controller-runtime] log.SetLogger(...) was never called"):
		a.severity = rules.Low
	}
	return a
}
