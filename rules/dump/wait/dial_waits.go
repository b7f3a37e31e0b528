package wait

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
)

// dialRules are the rules about connections that do not come up.
func dialRules(c *calls) []*rules.Rule {
	return []*rules.Rule{dialStuck(c), dnsPileUp(c)}
}

// dialStuck is handshake-stuck (TR429).
func dialStuck(c *calls) *rules.Rule {
	// Linux gives a connect up after 127 s by default (tcp_syn_retries, ip-sysctl), a TLS handshake has no end of its
	// own.
	waiting := c.compile(match.Match{
		Frames: match.FramesMatch{Any: []string{
			"crypto/tls.(*Conn).clientHandshake", "crypto/tls.(*Conn).serverHandshake", "net.(*netFD).connect",
		}},
		Class: []stackparse.Class{stackparse.ClassIO, stackparse.ClassSelect},
	})
	asking := c.compile(match.Match{At: []string{"net/http.(*Transport).getConn"},
		Class: []stackparse.Class{stackparse.ClassSelect}})
	return c.rule("TR429", "handshake-stuck", rules.Leak, rules.Medium, waiting, func(w *waiters) account {
		w.blameRequest(asking)
		return account{
			level: callSeverity(w),
			act:   w.fill("stands in a handshake that does not end: {count}{span}"),
			why: w.fill("{waits} for the other side of a connection that is being set up ({in}){span}: no deadline " +
				"has ended that."),
			fix: w.fill("Give the connection of {in} a deadline: tls.Dialer with a context, " +
				"Transport.TLSHandshakeTimeout, http.Server.ReadHeaderTimeout."),
			next: []rules.Step{rules.Command("ss -tnp state established '( sport = :443 or dport = :443 )'").Note(
				"who the peers are")},
		}
	})
}

// minLookups is how many look-ups are more than a burst of new connections. Ten per cent of what the standard library
// allows itself at a time in C: 500, a thread each (net.concurrentThreadsLimit).
const minLookups = 50

// dnsPileUp is dns-lookups-pile-up (TR430).
func dnsPileUp(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At: []string{"net.(*Resolver).lookupIPAddr", "net.(*Resolver).LookupHost", "net.(*Resolver).LookupAddr",
			"net.(*Resolver).LookupSRV", "net.(*Resolver).LookupTXT", "net.(*Resolver).LookupCNAME"},
		Class: []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive, stackparse.ClassIO},
		// The look-up's own goroutines: their callers are counted.
		Except: []match.Match{{Creator: []string{"net.*", "internal/singleflight.*"}}},
	})
	inC := c.compile(onStack("net._C_getaddrinfo", "net._C_getnameinfo", "net.cgoLookupIPCNAME", "net.cgoLookupHostIP",
		"net.cgoLookupPort", "net.cgoResSearch"))
	asking := c.compile(match.Match{At: []string{"net/http.(*Transport).getConn"},
		Class: []stackparse.Class{stackparse.ClassSelect}})
	return c.rule("TR430", "dns-lookups-pile-up", rules.Contention, rules.Medium, waiting, func(w *waiters) account {
		threads := w.countIn(inC)
		ch := account{
			act: w.fill("waits for DNS: {count}{span}"),
			fix: "Look at the cluster's DNS and at ndots in the pod's resolv.conf, keep connections alive " +
				"instead of dialling anew, and bound how many requests start at a time.",
			next: []rules.Step{rules.Command("kubectl -n kube-system logs -l k8s-app=kube-dns --tail=100"),
				rules.Command("cat /etc/resolv.conf").Note("in the pod")},
		}
		w.blameRequest(asking)
		ch.why = w.fill("{waits} for a name to be resolved below {in}{span}.")
		if threads > 0 {
			ch.why += fmt.Sprintf(" %d look-ups are in C, with a thread each; the standard library allows "+
				"itself 500.", threads)
		}
		switch {
		case w.since(sureMinutes) >= pileUp || w.count >= minLookups && w.since(sureMinutes) > 0:
			ch.level = level{rules.Medium, rules.ConfMedium}
		case w.count >= minLookups:
			ch.level = level{rules.Low, rules.ConfLow}
		}
		return ch
	})
}

// blameRequest names the caller of most requests that wait for a connection where w dials one for net/http, whose dials
// have goroutines of their own that name no one.
func (w *waiters) blameRequest(asking *call) {
	if w.blame.Index >= 0 || !hasFunction(w.buckets[0], "net/http.(*Transport).dialConn") {
		return
	}
	if asks, ok := w.mostCalls(asking); ok {
		w.blame.Culprit = asks.Culprit
	}
}
