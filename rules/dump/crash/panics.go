package crash

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// explainNil is nil-dereference (TR201).
func explainNil(g *crashGroup, f account.Facts) account.Account {
	addr, hasAddr := fieldAfter(g.cause.Detail, "addr=")
	offset, _ := parseUint(addr)
	pc, _ := fieldAfter(g.cause.Detail, "pc=")
	f.Values["address"], f.Values["offset"] = addr, strconv.FormatUint(offset, 10)
	switch chain := g.cause.Panics; {
	case raisedAnother(chain) && chain[len(chain)-1].Text == chain[0].Text:
		// The runtime prints the address of the last fault, which is the deferred call's.
	case pc == "0x0":
		f.Cases = append(f.Cases, "jump to 0")
	case hasAddr && offset > 0:
		f.Cases = append(f.Cases, "address behind 0")
	case hasAddr:
		f.Cases = append(f.Cases, "address 0")
	}
	if g.nilReceiver() {
		f.Cases = append(f.Cases, "nil receiver")
	}
	return g.account(f)
}

// unaligned reports whether the goroutine of a nil dereference faulted in a 64-bit atomic operation whose address, its
// first argument, is no multiple of 8: on 32-bit systems that was how it was refused (Go 1.2 to 1.13).
func unaligned(d *rules.DumpInput) bool {
	_, b := crashGoroutine(d)
	if b == nil {
		return false
	}
	from, _ := raisedBelow(b.Frames)
	args := b.Args()
	for i := from; i < len(b.Frames); i++ {
		pkg, fn := symbol.SplitPackage(b.Frames[i].Func)
		if pkg != "sync/atomic" && pkg != "runtime/internal/atomic" {
			return false
		}
		words := args[i].Words
		if strings.HasSuffix(fn, "64") && len(words) > 0 && words[0].Known && words[0].Value%8 != 0 {
			return true
		}
	}
	return false
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

// explainBounds is index-out-of-range (TR203).
func explainBounds(g *crashGroup, f account.Facts) account.Account {
	f.Values["index"] = ""
	if i := strings.LastIndex(g.text, "out of range ["); i >= 0 {
		f.Values["index"] = " " + g.text[i+len("out of range "):]
	}
	return g.account(f)
}

// explainAssertion is failed-type-assertion (TR205).
func explainAssertion(g *crashGroup, f account.Facts) account.Account {
	_, what, _ := strings.Cut(g.text, "interface conversion: ")
	what = strings.ReplaceAll(strings.TrimRight(what, ")\" "), "interface {}", "any")
	f.Text, f.Values["what"], f.Values["short"] = what, what, phrase.Cut(what, phrase.MaxQuoted)
	return g.account(f)
}

// explainExplicit is explicit-panic (TR213).
func explainExplicit(g *crashGroup, f account.Facts) account.Account {
	text := strings.TrimSpace(g.text)
	f.Values["trimmed"], f.Values["quoted"] = text, phrase.Quoted(text)
	g.roots(text, "panics")
	printed := strings.HasPrefix(text, "(") && (strings.Contains(text, ") 0x") ||
		strings.Contains(text, "0x") && strings.HasSuffix(text, "}"))
	var severity rules.Severity
	switch {
	case text == "":
		f.Cases = []string{"no text"}
	case strings.Contains(text, "net/http: abort Handler"):
		// A handler raises it to drop the connection: ReverseProxy does when its backend goes away.
		severity = rules.Low
	case printed:
		f.Cases = []string{"address"}
	case strings.Contains(text, "[controller-runtime] log.SetLogger(...) was never called"):
		severity = rules.Low
	}
	a := g.account(f)
	a.Severity = severity
	return a
}

// unsure explains heap-corruption and runtime-fatal: the goroutine that noticed need not be the culprit.
func unsure(g *crashGroup, f account.Facts) account.Account {
	a := g.account(f)
	a.Confidence = rules.ConfMedium
	return a
}

// locateLogger blames the nearest frame below the logger's own.
func locateLogger(c *crash) {
	if c.b == nil {
		return
	}
	for i, f := range c.b.Frames {
		if f.Elided == 0 && !rules.Blameable(c.d.Program.Class(f.Frame)) || logs(f.Func) {
			continue
		}
		if i > 0 {
			c.blameFrom(i)
		}
		return
	}
}

// logs reports whether fn belongs to a logger, by what such packages are called.
func logs(fn string) bool {
	pkg := symbol.ParseName(symbol.StripVendor(fn)).Package
	for _, elem := range strings.Split(pkg, "/") {
		switch elem {
		case "klog", "glog", "zap", "zapr", "logr", "logrus", "zerolog", "log", "logging", "logger", "zapcore", "slog":
			return true
		}
	}
	return false
}

// explainLogFatal is log-fatal (TR224).
func explainLogFatal(g *crashGroup, f account.Facts) account.Account {
	text := strings.TrimSpace(cmp.Or(g.cause.Text, g.cause.LogLine))
	f.Text, f.Values["logged"], f.Values["quoted"] = strings.ToLower(text), text, phrase.Quoted(text)
	f.Values["lease"] = leaseCommand(g.d.Target)
	g.roots(text, "exits")
	for _, before := range g.cause.Before {
		if unanswered(before.Text) {
			f.Cases, f.Values["error"] = []string{"unanswered"}, phrase.Quoted(failedWith(before.Text))
			break
		}
	}
	a := g.account(f)
	a.Severity, a.Notes = rules.High, interrupted(g.d)
	for _, before := range g.cause.Before {
		a.Evidence = append(a.Evidence, rules.EvidenceAt(g.d, before.Line, phrase.Cut(before.Text, 2*phrase.MaxQuoted)))
	}
	return a
}

// unanswered reports whether a line says that a request for a lease was not served in time, or did not get there.
func unanswered(text string) bool {
	return phrase.ContainsOne(text, "/leases/", "retrieving resource lock ", "update lock") &&
		phrase.ContainsOne(text, "deadline exceeded", "Client.Timeout", "etcdserver: ", "connection refused",
			"i/o timeout", "no route to host", "TLS handshake timeout", "connection reset", "EOF")
}

// failedWith is the error at the end of a line about a request: what follows its URL, or the names before.
func failedWith(text string) string {
	if i := strings.LastIndex(text, `": `); i >= 0 {
		return text[i+len(`": `):]
	}
	_, err, ok := strings.Cut(text, ": ")
	if !ok {
		return text
	}
	return err
}

func leaseCommand(t rules.Target) string {
	if t.Namespace != "" {
		return "kubectl -n " + rules.Quote(t.Namespace) + " get lease -o wide"
	}
	return "kubectl get lease -A -o wide"
}

// interrupted explains why goroutines that ran are no suspects.
func interrupted(d *rules.DumpInput) []string {
	n := 0
	for _, b := range d.Buckets {
		for i := range b.Goroutines {
			if g := &b.Goroutines[i]; g.Flags&stackparse.FlagFirst == 0 && stackparse.Runnable(stateText(d, g)) {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{"Also running or runnable: " + phrase.CountGoroutines(n) + ". They were at work when " +
		"the process ended, which is normal."}
}
