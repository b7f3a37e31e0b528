package crash

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
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
func explainLogFatal(g *crashGroup) account {
	text := strings.TrimSpace(cmp.Or(g.cause.Text, g.cause.LogLine))
	a := account{
		act:      "ends the process: " + text,
		why:      fmt.Sprintf("%s%s logged a fatal line, which ends the process: %s.", g.who(), g.at(), phrase.Quoted(text)),
		fix:      "Mend what the line complains of; if the process could go on, log an error instead of a fatal one.",
		next:     g.logNext(),
		severity: rules.High,
		notes:    interrupted(g.d),
	}
	lower := strings.ToLower(text)
	if strings.Contains(lower, "leaderelection lost") || strings.Contains(lower, "leader election lost") ||
		strings.Contains(lower, "lost leader") || strings.Contains(lower, "lost lease") {
		a.why = fmt.Sprintf("%s%s gave up: %s. The lease was not renewed in time, because the API server was slow or "+
			"unreachable or because this process did not get the CPU to do it; another replica takes over.", g.who(),
			g.at(), phrase.Quoted(text))
		a.fix = "See what kept it from renewing: errors about the lease just above in the log, the API server's and " +
			"etcd's latency at that time, CPU throttling of this pod. If it comes often, raise leaseDuration and " +
			"renewDeadline."
		a.next = g.logNext(leaseCommand(g.d.Target), "kubectl get --raw /metrics | grep "+
			"apiserver_request_duration_seconds_sum | grep leases")
	}
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
