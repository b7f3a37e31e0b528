package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

const (
	// eventSpan is how far apart the ends of one event may be. What the API server or etcd holds up ends a controller
	// when its renewal is overdue: with equal settings they end within one retry of each other, 2 s by default
	// (client-go, tools/leaderelection, RetryPeriod), 26 s in OpenShift's operators. Three controllers of a real
	// cluster ended within 7 s (must-gather of OpenShift 4.8), two more containers 10 s later. Controllers that restart
	// in order in a healthy install or upgrade are a minute and more apart; independent ends are hours apart.
	eventSpan = 30 * time.Second
	// followSpan is how long after an event what it ended may still end: the default renew deadline of 10 s.
	followSpan = 10 * time.Second
	// maxFollowers is how many names of what ended besides are listed.
	maxFollowers = 5
)

// An ending is one container that ended of a cause that others may share.
type ending struct {
	finding int // index; fromLog where only a log shows it
	e       rules.Evidence
	who     rules.Target
	at      time.Time
	address string // that did not answer; "" for a lost lease
}

func (e *ending) of(namespace, pod string) bool {
	return e.who.Namespace == namespace && e.who.Pod == pod
}

// fromLog is the finding of an end that only a log line shows: a program that ends by itself leaves no dump.
const fromLog = -1

// OneEvent makes one finding of those that one event caused in several programs within seconds: a lost lease ends each
// controller at a line of its own, while what they share is the API server. Lesser findings about the same containers
// then follow from it.
func OneEvent(found []rules.Finding, pass *rules.Pass) []rules.Finding {
	gone := make([]bool, len(found))
	for _, group := range events(found, pass) {
		group = slices.DeleteFunc(group, func(e ending) bool {
			return e.finding != fromLog && (gone[e.finding] ||
				!within(&found[e.finding], group[0].at, group[len(group)-1].at))
		})
		accused := slices.IndexFunc(group, func(e ending) bool { return e.finding != fromLog })
		if accused < 0 || programs(group) < 2 {
			continue
		}
		place := group[accused].finding
		var members []rules.Finding
		for i := range found {
			if slices.ContainsFunc(group, func(e ending) bool { return e.finding == i }) {
				members = append(members, found[i])
				place, gone[i] = min(place, i), true
			}
		}
		f := eventFinding(members, group, pass)
		for i := range found {
			if !gone[i] && follows(&found[i], group) {
				f.Notes = append(f.Notes, noteOf(&found[i]))
				f.Sources, gone[i] = union(f.Sources, found[i].Sources), true
			}
		}
		found[place], gone[place] = f, false
	}
	return without(found, func(i int) bool { return gone[i] })
}

// noteOf is a finding as a remark of another one.
func noteOf(f *rules.Finding) string {
	return fmt.Sprintf("%s (%s %s)", strings.TrimSuffix(f.Title, "."), f.Rule, f.Name)
}

// events are the ends that findings report, those of one kind within eventSpan together, in order of time. Only
// containers with a name count: one log may lie in a bundle in several forms.
func events(found []rules.Finding, pass *rules.Pass) [][]ending {
	targets := targetsByInput(pass)
	var all []ending
	for i := range found {
		if found[i].Category != rules.Crash || !found[i].Alarm() {
			continue
		}
		for _, e := range found[i].Evidence {
			address, ok := sharedCause(e.Text)
			at, err := time.Parse(time.RFC3339Nano, e.Time)
			if who := targets[e.Input]; ok && err == nil && who.Pod != "" {
				all = append(all, ending{i, e, who, at, address})
			}
		}
	}
	if len(all) > 0 {
		all = append(all, logEndings(pass)...)
	}
	slices.SortStableFunc(all, func(a, b ending) int {
		return cmp.Or(strings.Compare(a.address, b.address), a.at.Compare(b.at))
	})
	var groups [][]ending
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].address == all[0].address && all[n].at.Sub(all[0].at) <= eventSpan {
			n++
		}
		groups, all = append(groups, slices.Clone(all[:n])), all[n:]
	}
	return groups
}

// maxLossLines is how many lines one loss is logged by: the election's and the program's own. More are losses again and
// again, which have a cause of their own.
const maxLossLines = 2

// logEndings are the lost leases that logs report.
func logEndings(pass *rules.Pass) []ending {
	var all []ending
	for _, in := range pass.Logs {
		log := parsed.Log(in)
		if log == nil || log.Yearless || in.Target.Pod == "" {
			continue
		}
		for _, p := range log.Patterns {
			if p.Sign != logpattern.SignLeaderLost || p.Count > maxLossLines || p.First.IsZero() {
				continue
			}
			e := rules.Evidence{Input: in.Input, Line: p.FirstLine, Time: log.Format(p.First),
				Text: phrase.Cut(p.Message, maxLossText), Count: 1}
			if in.Locate != nil {
				e.Input, e.Line = in.Locate(p.FirstLine)
			}
			all = append(all, ending{fromLog, e, in.Target, p.First, ""})
		}
	}
	return all
}

// maxLossText is how much of a line is quoted.
const maxLossText = 160

// sharedCause recognises what a program logs as it ends because of something that it shares with others: its lease, or
// an address that does not answer.
func sharedCause(text string) (address string, ok bool) {
	lower := strings.ToLower(text)
	if lostLease(lower) {
		return "", true
	}
	_, rest, found := strings.Cut(lower, "dial tcp ")
	address, why, _ := strings.Cut(rest, ": ")
	return address, found && address != "" && len(address) <= maxAddress && !strings.ContainsAny(address, " \t\"'") &&
		phrase.ContainsOne(why, "connection refused", "i/o timeout", "no route to host", "connection timed out",
			"network is unreachable")
}

// lostLease reports whether a text in lower case says that a lease or the leadership is lost. Words are whole: a
// release that is no longer there is no lease, and a flag is no leader.
func lostLease(lower string) bool {
	if strings.Contains(lower, "stopped leading") || strings.Contains(lower, "lost master") {
		return true
	}
	about := false
	words := []string{"leader", "leadership", "leaderelection", "lease", "election", "leading"}
	for word := range strings.FieldsSeq(lower) {
		for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
			about = about || !strings.HasPrefix(word, "-") && slices.Contains(words, part)
		}
	}
	return about && phrase.ContainsOne(lower, " lost", "lost ", "no longer", "not the leader", "to renew", "be renewed",
		"expired", "revoked")
}

// maxAddress is how long a host's name with its port is at most (RFC 1035, 2.3.4).
const maxAddress = 260

// within reports whether all that a finding shows is of the time of an event: what ends again and again has a cause of
// its own.
func within(f *rules.Finding, from, to time.Time) bool {
	return !slices.ContainsFunc(f.Evidence, func(e rules.Evidence) bool {
		at, err := time.Parse(time.RFC3339Nano, e.Time)
		return err == nil && (at.Before(from.Add(-eventSpan)) || at.After(to.Add(eventSpan)))
	})
}

// programs counts the workloads' containers of an event: replicas of one program, which restart one after the other in
// a rollout, are one.
func programs(group []ending) int {
	type program struct{ namespace, workload, container string }
	distinct := map[program]bool{}
	for _, e := range group {
		w := pods.WorkloadOf(e.who.Pod, e.who.Container, e.who.Node, false)
		distinct[program{e.who.Namespace, w.Name, e.who.Container}] = true
	}
	return len(distinct)
}

// follows reports whether a finding that is no alarm is about containers of the event, at its time.
func follows(f *rules.Finding, group []ending) bool {
	if f.Alarm() || len(f.Pods) == 0 || f.PodsTotal > len(f.Pods) {
		return false
	}
	at, err := time.Parse(time.RFC3339Nano, f.FirstSeen)
	if err != nil || at.Before(group[0].at.Add(-followSpan)) || at.After(group[len(group)-1].at.Add(eventSpan)) {
		return false
	}
	return !slices.ContainsFunc(f.Pods, func(p rules.PodCount) bool {
		return !slices.ContainsFunc(group, func(e ending) bool {
			return e.of(p.Namespace, p.Pod) && e.who.Container == p.Container
		})
	})
}

// eventFinding is the finding about an event; the members are those of its ends. No line of code is its culprit: each
// program ends by design.
func eventFinding(members []rules.Finding, group []ending, pass *rules.Pass) rules.Finding {
	f := join(members)
	f.Culprit, f.Path, f.Refs, f.Notes = rules.Place{}, nil, nil, nil
	if f.Object != nil {
		f.Object, f.Objects = nil, append([]rules.Object{*f.Object}, f.Objects...)
	}
	f = pods.Complete(f, podsOfEvent(f.Pods, group))
	from, to := group[0].at, group[len(group)-1].at
	node, conclusive := nodeOf(group, pass)
	n, look := programs(group), "the API server and etcd"
	if conclusive {
		look = "node " + node
	}
	span := "at once"
	if to.Sub(from) >= time.Second {
		span = "within " + phrase.Spell(to.Sub(from).Round(time.Second))
	}
	at := from.UTC().Format(time.TimeOnly)
	f.Title = phrase.CutTitle(fmt.Sprintf("%d controllers lost their leases %s: look at %s at %s", n, span, look, at))
	f.Why = "Programs that each hold their own lease lost it at the same time. Each exits by design when it can't " +
		"renew its lease in time (client-go, tools/leaderelection). They share the API server, etcd behind it, " +
		"and the network to both."
	f.Fix = "Find out what held up the API server or etcd at that time: a restart, a slow disk, an overloaded node. " +
		"The controllers need no change: longer leases only hide the problem."
	if address := group[0].address; address != "" {
		f.Title = phrase.CutTitle(fmt.Sprintf("%d programs exit %s: %s does not answer them, from %s on", n, span,
			address, at))
		f.Why = "Programs of different workloads exit together with the same error: they can't reach " + address + "."
		f.Fix = "Find out what serves " + address + ", and why it did not answer at that time. The programs " +
			"need no change, except for a retry at startup."
	}
	if node != "" {
		f.Why += " All of them ran on node " + node + "."
	}
	f.Evidence = eventEvidence(group)
	if note := endedBesides(group, clusterIn(pass)); note != "" {
		f.Notes = append(f.Notes, note)
	}
	f.FirstSeen, f.LastSeen = group[0].e.Time, group[len(group)-1].e.Time
	f.Next = eventSteps(group[0], f.Next)
	return f
}

// eventEvidence is one line a container, in order of time, with its name in front.
func eventEvidence(group []ending) []rules.Evidence {
	var all []rules.Evidence
	seen := map[rules.Target]bool{}
	for _, e := range group {
		if seen[e.who] || len(all) == maxEvidence {
			continue
		}
		seen[e.who] = true
		e.e.Text = fmt.Sprintf("%s/%s (%s): %s", e.who.Namespace, e.who.Pod, e.who.Container, e.e.Text)
		all = append(all, e.e)
	}
	return all
}

// podsOfEvent are the containers that the event shows: those of the members' findings, then those of logs alone.
func podsOfEvent(all []rules.PodCount, group []ending) []rules.PodCount {
	kept := slices.DeleteFunc(all, func(p rules.PodCount) bool {
		return !slices.ContainsFunc(group, func(e ending) bool { return e.of(p.Namespace, p.Pod) })
	})
	for _, e := range group {
		p := rules.PodCount{
			Namespace: e.who.Namespace, Pod: e.who.Pod, Container: e.who.Container, Node: e.who.Node, Input: e.e.Input,
			Line: e.e.Line, Count: 1,
		}
		if !slices.ContainsFunc(kept, func(k rules.PodCount) bool { return pods.KeyOf(k) == pods.KeyOf(p) }) {
			kept = append(kept, p)
		}
	}
	return kept
}

// nodeOf is the node that all of an event ran on, "" where there are several or one is not known; conclusive reports
// that so many are hardly there by chance.
func nodeOf(group []ending, pass *rules.Pass) (node string, conclusive bool) {
	c := clusterIn(pass)
	if len(c.Nodes) < 2 {
		return "", false
	}
	for _, e := range group {
		at := e.who.Node
		if p := c.Pod(e.who.Namespace, e.who.Pod); p != nil {
			at = cmp.Or(p.Node, at)
		}
		if at == "" || node != "" && at != node {
			return "", false
		}
		node = at
	}
	onNode, placed := 0.0, 0.0
	for _, p := range c.Pods {
		if !p.Gone && p.Node != "" {
			placed++
		}
		if !p.Gone && p.Node == node {
			onNode++
		}
	}
	return node, math.Pow(onNode/max(placed, 1), float64(programs(group))) < byChance
}

// byChance is how likely programs that end for causes of their own may be all on one node.
const byChance = 0.01

// endedBesides names other containers that ended then, as the objects show their last end; "" where none did.
func endedBesides(group []ending, c *kube.Cluster) string {
	from, to := group[0].at.Add(-time.Second), group[len(group)-1].at.Add(followSpan)
	var names []string
	for _, p := range c.Pods {
		for i := range p.Containers {
			ct := &p.Containers[i]
			t := cmp.Or(ct.Now, ct.Last)
			known := func(e ending) bool { return e.of(p.Namespace, p.Name) }
			if t != nil && t.Exit != 0 && !t.Finished.Before(from) && !t.Finished.After(to) &&
				!slices.ContainsFunc(group, known) {
				names = append(names, fmt.Sprintf("%s/%s (%s)", p.Namespace, p.Name, ct.Name))
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%s ended with an error within the same few seconds: %s",
		phrase.Plural(len(names), "more container"), phrase.Some(names, maxFollowers))
}

// eventSteps look at what the programs share, then at the first of them.
func eventSteps(first ending, more []rules.Step) []rules.Step {
	more = more[:min(len(more), 2)]
	if first.address != "" {
		return addSteps(nil, more)
	}
	since := first.at.Add(-time.Minute).UTC().Format(time.RFC3339)
	return addSteps([]rules.Step{
		rules.Command("kubectl get --raw '/readyz?verbose'").Note("the API server's own checks, including etcd"),
		rules.Command("kubectl -n kube-system logs -l component=etcd --timestamps --since-time=" + since).
			Note("where etcd runs as a pod: slow requests, elections"),
	}, more)
}
