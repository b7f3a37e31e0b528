package crash

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
)

// explainSignal is fatal-signal (TR202).
func explainSignal(g *crashGroup, f account.Facts) account.Account {
	name := signalName(g.cause)
	address := faultAddress(g)
	f.Values["address"], f.Values["signal"] = cmp.Or(address, "an address"), ""
	f.Cases = append(f.Cases, name)
	if name == "SIGBUS" {
		f.Values["signal"] = " (SIGBUS)"
	}
	if name == "SIGBUS" || address != "" && g.mapsFiles() {
		f.Cases = []string{"mapped memory"}
	}
	return g.tell(f)
}

// faultAddress is where the fault was, as far as the runtime shows; "" otherwise.
func faultAddress(g *crashGroup) string {
	for _, s := range causeLines(g.cause) {
		if v, ok := fieldAfter(s, "unexpected fault address "); ok {
			return v
		}
	}
	addr, _ := fieldAfter(g.cause.Detail, "addr=")
	return addr
}

// mapsFiles reports whether the stack's own part goes through code that is known to map files, by what such
// packages and functions are called.
func (c *crash) mapsFiles() bool {
	return slices.ContainsFunc(c.blame.Path, func(p rules.PathFrame) bool {
		return phrase.ContainsOne(strings.ToLower(p.Function), "mmap", "bbolt", "boltdb")
	})
}
