package auditlog

import (
	"cmp"
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// readFinding begins the finding about what one client asks for.
func readFinding(t *audit.Trail, rule string, r *audit.Read) rules.Finding {
	actor := &t.Actors[r.Actor]
	f := finding(client(actor), int(r.Count), r.First, r.Last, actor.Name())
	f.Fingerprint = rules.FingerprintObject(rule, rules.Object{API: r.Group, Kind: r.Resource, Namespace: actor.Name(),
		Name: phrase.Cut(actor.Agent, 80)})
	f.Evidence = []rules.Evidence{evidence(r.Place, r.First, int(r.Count), "%s: %s %s, %d times", agentOf(actor),
		r.Verb, r.Resource, r.Count)}
	f.Next = rules.Commands(fmt.Sprintf("triage audit %s --user %s --resource %s --verb %s", inputs(t),
		rules.Quote(actor.Name()), rules.Quote(r.Resource), r.Verb))
	return f
}

// Thresholds of list-heavy-client.
const (
	// listsMin is how many full lists of one client, of all resources together, are reported at one a minute or more:
	// informers list each resource once and then watch. listsRate over listsLasts makes it a fault, and so does a
	// traffic of listsBytes a second of listsAll in all; chosen so that someone's watch -n 1 over a small resource, and
	// a program that begins with a list of fifty resources, is none.
	listsMin   = 30
	listsAgain = 10 // of one resource
	listsSlow  = time.Minute
	listsLasts = 30 * time.Second
	listsRate  = 1.5 // a second
	listsBytes = 1 << 20
	listsAll   = 100 << 20
)

// runListHeavyClient is list-heavy-client (TR769).
func runListHeavyClient(t *audit.Trail) (found []rules.Finding) {
	lists := map[int32][]*audit.Read{}
	var order []int32
	for i := range t.Reads {
		r := &t.Reads[i]
		if r.Verb != audit.VerbList || r.Full == 0 || controlPlane(&t.Actors[r.Actor]) {
			continue
		}
		if lists[r.Actor] == nil {
			order = append(order, r.Actor)
		}
		lists[r.Actor] = append(lists[r.Actor], r)
	}
	for _, actor := range order {
		if f := listHeavyClient(t, lists[actor]); f != nil {
			found = append(found, *f)
		}
	}
	return found
}

// listHeavyClient judges what one client lists; the resources are in order of their counts.
func listHeavyClient(t *audit.Trail, lists []*audit.Read) *rules.Finding {
	all := *lists[0]
	for _, r := range lists[1:] {
		all.Full += r.Full
		all.Count += r.Count
		all.Bytes += r.Bytes
		all.MaxBytes = max(all.MaxBytes, r.MaxBytes)
		all.First, all.Last = min(all.First, r.First), max(all.Last, r.Last)
	}
	actor, r := &t.Actors[all.Actor], &all
	lasts := time.Duration(r.Last-r.First) * time.Microsecond
	if r.Full < listsMin || lists[0].Full < listsAgain || lasts > time.Duration(r.Full)*listsSlow {
		return nil
	}
	f := readFinding(t, "TR769", lists[0])
	f.Count, f.FirstSeen, f.LastSeen = int(r.Full), timeText(r.First), timeText(r.Last)
	f.Severity, f.Confidence = faultOr(lasts >= listsLasts && float64(r.Full)/lasts.Seconds() >= listsRate ||
		r.Bytes >= listsAll && float64(r.Bytes) >= listsBytes*lasts.Seconds())
	what := r.Resource
	if len(lists) > 1 {
		what = phrase.Some(resources(lists), 3)
	}
	f.Title = rules.FirstTitle(title("%s lists all of %d resources %d times", short(actor.Name()), len(lists), r.Full),
		fmt.Sprintf("%s lists all %s %d times, %s, instead of watching", short(actor.Name()), what, r.Full,
			rate(int(r.Full), r.First, r.Last)),
		fmt.Sprintf("%s lists all of %d resources %d times, %s, instead of watching", short(actor.Name()), len(lists),
			r.Full, rate(int(r.Full), r.First, r.Last)))
	f.Why = fmt.Sprintf("%s (%s) listed %s %d times in %s without limit, selector or resourceVersion.",
		actor.Name(), phrase.Cut(actor.Agent, 60), phrase.Some(resources(lists), 8), r.Full, span(r.First, r.Last))
	f.Evidence = nil
	for _, one := range lists[:min(len(lists), maxEvidence)] {
		f.Evidence = append(f.Evidence, evidence(one.Place, one.First, int(one.Full),
			"%s: list %s, %d of %d without limit, selector or resourceVersion", agentOf(actor), one.Resource, one.Full,
			one.Count))
	}
	if r.Bytes > 0 {
		f.Why += fmt.Sprintf(" The answers in the log are %s together, the largest %s.", phrase.BytesText(r.Bytes),
			phrase.BytesText(r.MaxBytes))
	}
	return &f
}

func resources(lists []*audit.Read) (names []string) {
	for _, r := range lists {
		names = append(names, r.Resource)
	}
	return names
}

// Thresholds of short-lived-watches.
const (
	// watchesMin is how many watches must have ended within seconds, and half of all, to be reported; watchesMany are a
	// fault: chosen.
	watchesMin  = 30
	watchesMany = 200
)

// shortWatches is short-lived-watches (TR770).
func shortWatches(t *audit.Trail, r *audit.Read) *rules.Finding {
	if r.Verb != audit.VerbWatch || r.Short < watchesMin || 2*r.Short < r.Count {
		return nil
	}
	actor := &t.Actors[r.Actor]
	f := readFinding(t, "TR770", r)
	f.Severity, f.Confidence = faultOr(r.Short >= watchesMany && !controlPlane(actor))
	f.Title = title("%s begins %d watches of %s that end within seconds", short(actor.Name()), r.Short, r.Resource)
	f.Why = fmt.Sprintf("%d of the %d watches of %s by %s ended within ten seconds, over %s.", r.Short, r.Count,
		r.Resource, actor.Name(), span(r.First, r.Last))
	return &f
}

// Thresholds of busiest-api-client.
const (
	// talkerShare of all requests, talkerMin of them, at talkerRate a second or more make a client worth naming:
	// chosen.
	talkerShare = 0.5
	talkerMin   = 1000
	talkerRate  = 5.0
)

// runBusiestClient is busiest-api-client (TR771).
func runBusiestClient(t *audit.Trail) []rules.Finding {
	lasts := float64(t.Last-t.First) / 1e6
	for i := range t.Actors {
		a := &t.Actors[i]
		if a.Requests < talkerMin || partOf(a.Requests, t.Requests) < talkerShare || controlPlane(a) ||
			lasts <= 0 || float64(a.Requests)/lasts < talkerRate {
			continue
		}
		var top *audit.Read
		for j := range t.Reads {
			if r := &t.Reads[j]; int(r.Actor) == i && (top == nil || r.Count > top.Count) {
				top = r
			}
		}
		if top == nil {
			return nil
		}
		f := readFinding(t, "TR771", top)
		f.Severity, f.Confidence, f.Count = rules.Info, rules.ConfHigh, int(a.Requests)
		f.Title = title("%s makes %.0f%% of all requests, %.0f/s", short(a.Name()),
			100*partOf(a.Requests, t.Requests), float64(a.Requests)/lasts)
		f.Why = fmt.Sprintf("%s (%s) made %s of %s requests, %s of them writes. Most are %s %s (%s).", a.Name(),
			phrase.Cut(a.Agent, 60), phrase.Number(a.Requests), phrase.Number(t.Requests), phrase.NoneOr(a.Writes),
			top.Verb, top.Resource, phrase.Number(top.Count))
		return []rules.Finding{f}
	}
	return nil
}

// Thresholds of slow-api-requests.
const (
	// slowMin is from how many requests over a second, and slowShare of all, on slowness is reported; slowMany of them
	// over 5 s make it a fault. Kubernetes' own objective: 99% of requests for one object within 1 s, of lists within
	// 5 s or 30 s by scope (sig-scalability, API call latency).
	slowMin   = 20
	slowShare = 0.01
	slowMany  = 20
)

// runSlowRequests is slow-api-requests (TR768).
func runSlowRequests(t *audit.Trail) []rules.Finding {
	var found []rules.Finding
	for i := range t.Slow {
		s := &t.Slow[i]
		if s.Over1s < slowMin || partOf(s.Over1s, s.Requests) < slowShare || s.Actor < 0 || len(found) == 5 {
			continue
		}
		what := cmp.Or(s.Resource, "requests that are no resource's")
		slowest := phrase.Seconds(s.Max.Seconds())
		f := finding(objectOf(&audit.Object{Group: s.Group, Resource: s.Resource}), int(s.Over1s), s.First, s.Last,
			t.Actors[s.Actor].Name())
		f.Severity, f.Confidence = faultOr(s.Over5s >= slowMany && partOf(s.Over5s, s.Requests) >= slowShare)
		f.Fingerprint = rules.FingerprintObject("TR768", rules.Object{API: s.Group, Kind: s.Resource,
			Name: s.Verb.String()})
		f.Title = title("%d of %d requests to %s %s take over 1 s, the slowest %s", s.Over1s, s.Requests, s.Verb, what,
			slowest)
		f.Why = fmt.Sprintf("Of these %d requests, %s took over 5 s and %s over 30 s.", s.Over1s,
			phrase.NoneOr(s.Over5s), phrase.NoneOr(s.Over30s))
		if s.MaxEtcd > 0 {
			f.Why += fmt.Sprintf(" Up to %s of that was etcd.", phrase.Seconds(s.MaxEtcd.Seconds()))
		}
		f.Evidence = []rules.Evidence{evidence(s.Place, s.Time, int(s.Over1s), "%s: %s %s took %s, the slowest",
			agentOf(&t.Actors[s.Actor]), s.Verb, what, slowest)}
		f.Next = rules.Commands(command(t, &audit.Object{Resource: s.Resource}) + " --verb " + s.Verb.String())
		found = append(found, f)
	}
	return found
}
