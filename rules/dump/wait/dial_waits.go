package wait

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// dialRules are the rules about connections that do not come up.
func dialRules(c *calls) []*rules.Rule {
	return []*rules.Rule{dialStuck(c), dnsPileUp(c)}
}

// dialStuck is TR429.
func dialStuck(c *calls) *rules.Rule {
	const id = "TR429"
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
	return &rules.Rule{
		ID: id, Name: "handshake-stuck", Category: rules.Leak, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(s *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			s.blameRequest(w, asking)
			ch := waitFinding{
				act: fmt.Sprintf("stands in a handshake that does not end: %s%s", phrase.CountGoroutines(w.count), w.span()),
				why: fmt.Sprintf("%s for the other side of a connection that is being set up (%s)%s: no deadline "+
					"has ended that.", w.waits(), w.in(), w.span()),
				fix: fmt.Sprintf("Give the connection of %s a deadline: tls.Dialer with a context, "+
					"Transport.TLSHandshakeTimeout, http.Server.ReadHeaderTimeout.", w.in()),
				next: []rules.Step{rules.Command("ss -tnp state established '( sport = :443 or dport = :443 )'").Note(
					"who the peers are")},
			}
			ch.severity, ch.confidence = callSeverity(w)
			return ch
		}),
	}
}

// minLookups is how many look-ups are more than a burst of new connections. Ten per cent of what the standard library
// allows itself at a time in C: 500, a thread each (net.concurrentThreadsLimit).
const minLookups = 50

// dnsPileUp is TR430.
func dnsPileUp(c *calls) *rules.Rule {
	const id = "TR430"
	waiting := c.compile(match.Match{
		At: []string{
			"net.(*Resolver).lookupIPAddr", "net.(*Resolver).LookupHost", "net.(*Resolver).LookupAddr",
			"net.(*Resolver).LookupSRV",
			"net.(*Resolver).LookupTXT", "net.(*Resolver).LookupCNAME",
		},
		Class: []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive, stackparse.ClassIO},
		// The look-up's own goroutines: their callers are counted.
		Except: []match.Match{{Creator: []string{"net.*", "internal/singleflight.*"}}},
	})
	inC := c.compile(match.Match{Frames: match.FramesMatch{Any: []string{"net._C_getaddrinfo", "net._C_getnameinfo",
		"net.cgoLookupIPCNAME", "net.cgoLookupHostIP", "net.cgoLookupPort", "net.cgoResSearch"}}})
	asking := c.compile(match.Match{At: []string{"net/http.(*Transport).getConn"},
		Class: []stackparse.Class{stackparse.ClassSelect}})
	return &rules.Rule{
		ID: id, Name: "dns-lookups-pile-up", Category: rules.Contention, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(s *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			threads := s.count(inC)
			ch := waitFinding{
				act: fmt.Sprintf("waits for DNS: %s%s", phrase.CountGoroutines(w.count), w.span()),
				fix: "Look at the cluster's DNS and at ndots in the pod's resolv.conf, keep connections alive " +
					"instead of dialling anew, and bound how many requests start at a time.",
				next: []rules.Step{rules.Command("kubectl -n kube-system logs -l k8s-app=kube-dns --tail=100"),
					rules.Command("cat /etc/resolv.conf").Note("in the pod")},
			}
			s.blameRequest(w, asking)
			ch.why = fmt.Sprintf("%s for a name to be resolved below %s%s.", w.waits(), w.in(), w.span())
			if threads > 0 {
				ch.why += fmt.Sprintf(" %d look-ups are in C, with a thread each; the standard library allows "+
					"itself 500.", threads)
			}
			switch {
			case w.since(sureMinutes) >= pileUp || w.count >= minLookups && w.since(sureMinutes) > 0:
				ch.severity, ch.confidence = rules.Medium, rules.ConfMedium
			case w.count >= minLookups:
				ch.severity, ch.confidence = rules.Low, rules.ConfLow
			}
			return ch
		}),
	}
}

// blameRequest names the caller of most requests that wait for a connection where w dials one for net/http, whose dials
// have goroutines of their own that name no one.
func (s *dumpIndex) blameRequest(w *waiters, asking *call) {
	if w.blame.Index >= 0 || !hasFunction(w.buckets[0], "net/http.(*Transport).dialConn") {
		return
	}
	if asks, ok := s.mostCalls(asking); ok {
		w.blame.Culprit = asks.Culprit
	}
}
