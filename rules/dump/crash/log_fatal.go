package crash

import (
	"cmp"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

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
	pkg := frame.ParseName(frame.StripVendor(fn)).Package
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
	a := g.account(f)
	a.Severity, a.Notes = rules.High, interrupted(g.d)
	return a
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
	return []string{"Running or runnable beside it: " + phrase.CountGoroutines(n) + ". They were at work when the process " +
		"was ended, which is normal."}
}
