package auditlog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of self-update-loop. The founding loop: 207 writes, 205 chained, 31% of them no-ops, a median gap of 0.9
// s.
const (
	// loopPause ends a row of writes: a loop that feeds itself goes on at once, a controller that was asked again after
	// more than this was asked by another client.
	loopPause = time.Minute
	// loopMin is the shortest row that is looked at, and how many links prove a loop whose writes change nothing.
	loopMin = 10
	// loopNoOps is the share of writes that leave the version as it is, over at least loopNoOpWrites: controllers that
	// have something to say change something. Chosen below the founding loop's 31 %.
	loopNoOps      = 0.25
	loopNoOpWrites = 20
	// loopEmpty is the share of compared writes in which at most timestamps moved.
	loopEmpty = 0.5
	// loopSteadyWrites and loopLasts keep a controller that reports progress, step by step and each step on top of the
	// last, from being a loop: installations and rollouts write some tens of times and end.
	loopSteadyWrites = 60
	loopLasts        = 2 * time.Minute
	// loopQuick is up to which median gap a loop runs by itself; beyond it a timer is as likely (heartbeats come every
	// 5 s and more, give or take a tenth), and beyond loopSlow a resync.
	loopQuick = 4500 * time.Millisecond
	// loopTimer is from which gap on a timer is likelier than a loop, steady or not: the cluster autoscaler writes its
	// status after each scan, every 10 s and as long as the scan takes (its --scan-interval).
	loopTimer = 10 * time.Second
	// loopBeat is from which gap on a field whose name says heartbeat is one.
	loopBeat = 2 * time.Second
	loopSlow = 30 * time.Second
	// loopFast is up to which median gap nobody who reports progress writes for loopFastLasts and loopFastWrites:
	// backups and installations do once a second at most.
	loopFast       = 250 * time.Millisecond
	loopFastLasts  = 20 * time.Second
	loopFastWrites = 200
	// loopBlind is how many writes in a row, without versions and bodies, are reported at all.
	loopBlind = 150
	// loopReport is how fast a task reports its progress at most, loopTask how often, and loopTogether how many objects
	// one client reports on at once: backups and installations write once a second for some minutes. Chosen.
	loopReport   = 500 * time.Millisecond
	loopTask     = 600
	loopTogether = 3
)

// A loop is a row of updates of one object, or of one of its subresources, by one client, each within loopPause of the
// one before: the longest of that client and object.
type loop struct {
	object, actor int32
	sub           string
	writes        []int32 // indexes
	// alone follow a write of the same client; led do so but for others' writes of the status.
	alone, led int
	// links carry the version that the client's own last write left, shown those of which the answer shows it.
	links, shown int
	versioned    int // carry a version
	noOps        int // left the version as it was
	// compared have a body that was compared with the one before: nothing changed, or timestamps only.
	compared, nothing, timeOnly int
	change                      int32 // the most frequent set of changed fields
	changed                     int   // how often that was
	conflicts                   int   // refused with 409 meanwhile
	gap                         time.Duration
	steady                      float64 // the share of gaps within a quarter of the median
	first, last                 int64
}

// loops are the rows of at least loopMin writes, the longest first.
func loops(t *audit.Trail) []*loop {
	type key struct {
		actor int32
		sub   uint16
	}
	var all []*loop
	for object, writes := range t.ByObject {
		if len(writes) < loopMin {
			continue
		}
		rows, longest := map[key][]int32{}, map[key][]int32{}
		for _, i := range writes {
			w := &t.Writes[i]
			if !w.OK() || w.Verb != audit.VerbUpdate && w.Verb != audit.VerbPatch {
				continue
			}
			k := key{w.Actor, w.Sub}
			if n := len(rows[k]); n > 0 && w.Time-t.Writes[rows[k][n-1]].Time > loopPause.Microseconds() {
				rows[k] = nil
			}
			if rows[k] = append(rows[k], i); len(rows[k]) > len(longest[k]) {
				longest[k] = rows[k]
			}
		}
		for k, row := range longest {
			if len(row) >= loopMin {
				l := &loop{object: int32(object), actor: k.actor, sub: t.Texts[k.sub], writes: row}
				l.measure(t)
				all = append(all, l)
			}
		}
	}
	slices.SortFunc(all, func(a, b *loop) int {
		return cmp.Or(len(b.writes)-len(a.writes), int(a.object-b.object), int(a.writes[0]-b.writes[0]))
	})
	return all
}

// measure counts how the writes of a row follow from each other.
func (l *loop) measure(t *audit.Trail) {
	begin, end := l.writes[0], l.writes[len(l.writes)-1]
	l.first, l.last = t.Writes[begin].Time, t.Writes[end].Time
	var own *audit.Write // the client's last
	last, lead, version := int32(-1), int32(-1), uint64(0)
	var gaps []int64
	changes := map[int32]int{}
	for _, i := range t.ByObject[l.object] {
		w := &t.Writes[i]
		mine := w.Actor == l.actor && t.Texts[w.Sub] == l.sub
		switch {
		case !w.OK():
			if mine && w.Code == 409 && w.Time >= l.first-loopPause.Microseconds() &&
				w.Time <= l.last+loopPause.Microseconds() {
				l.conflicts++
			}
			continue
		case i > end, i < begin, !mine:
		default:
			if own != nil {
				gaps = append(gaps, w.Time-own.Time)
				l.link(own, w, last == l.actor, lead == l.actor)
			}
			l.count(t, w, version)
			if w.Flags&audit.FlagBodies != 0 {
				changes[w.Change]++
			}
			own = w
		}
		if last = w.Actor; t.Texts[w.Sub] != "status" {
			lead = w.Actor
		}
		if w.Out != 0 {
			version = w.Out
		}
	}
	l.change, l.changed = most(changes)
	l.gap = audit.Median(gaps)
	near := 0
	for _, g := range gaps {
		if m := l.gap.Microseconds(); g >= m*3/4 && g <= m*5/4 {
			near++
		}
	}
	l.steady = partOf(near, len(gaps))
}

// link counts how a write follows from the client's own last one.
func (l *loop) link(own, w *audit.Write, alone, led bool) {
	if alone {
		l.alone++
	}
	if led {
		l.led++
	}
	switch {
	case w.In == 0:
	case own.Out != 0:
		if w.In == own.Out {
			l.links++
			l.shown++
		}
	case alone && own.In != 0 && w.In >= own.In: // likely: no other client wrote in between
		l.links++
		if w.In == own.In { // the write before left the version as it was
			l.noOps++
		}
	}
}

// count counts what a write shows by itself; version is what the object's last write returned.
func (l *loop) count(t *audit.Trail, w *audit.Write, version uint64) {
	if w.In != 0 {
		l.versioned++
	}
	if w.Out != 0 {
		if w.In == w.Out || w.In == 0 && version == w.Out {
			l.noOps++
		}
	}
	if w.Flags&audit.FlagBodies != 0 {
		l.compared++
		switch c := &t.Changes[w.Change]; {
		case c.Nothing:
			l.nothing++
		case c.TimeOnly:
			l.timeOnly++
		}
	}
}

// A loopVerdict is what a row of writes amounts to.
type loopVerdict struct {
	severity   rules.Severity // "" for what is no loop
	confidence rules.Confidence
	act        string // what the writes do
	against    string // what speaks for another reason, "" for nothing
}

func runSelfUpdateLoop(t *audit.Trail) []rules.Finding {
	type key struct {
		actor         int32
		resource, sub string
	}
	groups := map[key]int{}
	var found []rules.Finding
	all, turns := loops(t), foughtOver(t)
	for _, l := range all {
		v := l.judge(t, all)
		if v.severity == "" || turns[[2]int32{l.object, l.actor}] {
			continue
		}
		k, f := key{l.actor, t.Objects[l.object].Resource, l.sub}, loopFinding(t, l, v)
		at, known := groups[k]
		if known && (found[at].Alarm() || !f.Alarm()) && found[at].Severity.Rank() >= f.Severity.Rank() {
			joinLoop(t, &found[at], l)
			continue
		}
		groups[k] = len(found)
		found = append(found, f)
	}
	return found
}

// judge decides what a row is, and weighs how fast the writes come: slow ones cost less, and a timer would write so as
// well.
func (l *loop) judge(t *audit.Trail, all []*loop) (v loopVerdict) {
	if controlPlane(&t.Actors[l.actor]) || steadyResource(t.Objects[l.object].Resource) || l.gap > loopSlow ||
		electsLeader(t, l) {
		return v
	}
	if v = l.empty(t); v.severity == "" {
		v = l.busy(t, all)
	}
	if l.gap > loopQuick && v.severity == rules.High {
		v.severity = rules.Medium
	}
	if l.gap >= loopBeat && kube.Heartbeat(mostlyTime(t, l)) || l.gap > loopQuick && l.steady >= 0.9 ||
		l.gap >= loopTimer {
		v.against = "It writes every " + phrase.Seconds(l.gap.Seconds()) + ": a timer or a heartbeat looks the same."
	}
	return v
}

func (l *loop) lasts() time.Duration { return time.Duration(l.last-l.first) * time.Microsecond }

func (l *loop) share(n int) float64 { return partOf(n, len(l.writes)) }

// chains reports writes that build on the client's own last write, as versions show.
func (l *loop) chains() bool { return l.links >= loopMin }

// long reports a row that is no task that reports its progress.
func (l *loop) long() bool { return len(l.writes) >= loopSteadyWrites && l.lasts() >= loopLasts }

// leads reports a long row between whose writes others wrote the status alone.
func (l *loop) leads() bool {
	return l.sub == "" && l.long() && l.share(max(l.alone, l.led)) >= 0.9 && l.gap <= loopQuick
}

// empty is the verdict on a row most of whose writes change nothing, or timestamps only.
func (l *loop) empty(t *audit.Trail) (v loopVerdict) {
	alone := l.share(l.alone) >= 0.9
	sure := map[bool]rules.Confidence{false: rules.ConfMedium, true: rules.ConfHigh}
	switch {
	case l.compared >= loopMin && partOf(l.nothing+l.timeOnly, l.compared) >= loopEmpty &&
		(l.chains() || l.leads() || alone && l.compared >= loopNoOpWrites):
		return loopVerdict{rules.High, sure[l.chains()], movesOnly(t, l), ""}
	case len(l.writes) >= loopNoOpWrites && l.share(l.noOps) >= loopNoOps && (l.chains() || alone):
		return loopVerdict{rules.High, sure[l.chains() && 2*l.shown > l.links], "without changing it", ""}
	}
	return v
}

// busy is the verdict on a row whose writes change something: the same each time, as far as bodies show it, too often
// or for too long to be a task.
func (l *loop) busy(t *audit.Trail, all []*loop) (v loopVerdict) {
	n, act := len(l.writes), sameFields(t, l)
	switch {
	case l.compared > 0 && (act == "" || progresses(t, l)): // each write has something else to say
	case l.chains() && l.long() && l.share(l.links) >= 0.8:
		v = loopVerdict{rules.High, rules.ConfMedium, act, ""}
	case l.links >= 3*loopMin && l.compared == 0, l.leads(),
		n >= loopFastWrites && l.lasts() >= loopFastLasts && l.share(max(l.alone, l.led)) >= 0.8 && l.gap <= loopFast:
		v = loopVerdict{rules.Medium, rules.ConfMedium, act, ""}
	case l.versioned == 0 && n >= loopBlind && l.lasts() >= loopLasts && l.share(l.alone) >= 0.9:
		v = loopVerdict{rules.Medium, rules.ConfMedium, act, mayProgress(t, l, all)}
	}
	return v
}

// mayProgress says of a status without bodies that it is written no faster than a task reports how far it is, for no
// longer than some tasks last, of fewer objects than loopTogether; "" for others. A loop writes all objects of a kind.
func mayProgress(t *audit.Trail, l *loop, all []*loop) string {
	if l.compared > 0 || l.sub != "status" || l.gap < loopReport || len(l.writes) >= loopTask {
		return ""
	}
	alike := 0
	for _, o := range all {
		if o.actor == l.actor && o.sub == l.sub && len(o.writes) >= loopBlind &&
			t.Objects[o.object].Resource == t.Objects[l.object].Resource {
			alike++
		}
	}
	if alike >= loopTogether {
		return ""
	}
	return "It writes no faster and no longer than a task that reports its progress would."
}

// rounds are words in the names of fields that count rounds, which says nothing new.
var rounds = []string{"reconcil", "sync", "attempt", "retr", "observ", "revision", "generation", "counter", "iteration",
	"round", "hash", "checksum", "digest"}

// progresses reports that what moves is content of the status: a value that is new with each write, such as a share
// that is done, how many are ready, a load. Such writes have something to say. A count of rounds says nothing, nor does
// a condition, whose text may hold the time.
func progresses(t *audit.Trail, l *loop) bool {
	for _, path := range t.Changes[l.change].Paths {
		last := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
		if !strings.HasPrefix(path, "status.") || strings.HasPrefix(path, "status.conditions[") ||
			phrase.ContainsOne(last, rounds...) {
			continue
		}
		for i := range t.Sets {
			if s := &t.Sets[i]; s.Object == l.object && s.Actor == l.actor && s.Path == path && !s.Time &&
				s.Count >= loopMin && 2*(int64(len(s.Values))+s.Others) >= s.Count && !countsTries(s) {
				return true
			}
		}
	}
	return false
}

// countsTries reports a text that is new with each write because it counts what was tried in vain: "attempt 41: no
// answer".
func countsTries(s *audit.Set) bool {
	return len(s.Values) > 0 && !slices.ContainsFunc(s.Values, func(v audit.Value) bool {
		return !phrase.ContainsOne(strings.ToLower(v.Text), "attempt", "retry", "retries", "try ", "tries")
	})
}

// movesOnly names what the writes of a row move.
func movesOnly(t *audit.Trail, l *loop) string {
	switch c := mostlyTime(t, l); {
	case l.timeOnly == 0:
		return "without changing it"
	case c != "":
		return "changing only " + c
	}
	return "changing only timestamps"
}

func mostlyTime(t *audit.Trail, l *loop) string {
	c := &t.Changes[l.change]
	if !c.TimeOnly || len(c.Paths) == 0 {
		return ""
	}
	return c.Paths[0]
}

// sameFields names the fields that the writes of a row move again and again; "" where they differ, or it is unknown.
func sameFields(t *audit.Trail, l *loop) string {
	c := &t.Changes[l.change]
	if l.compared == 0 || len(c.Paths) == 0 || partOf(l.changed, l.compared) < 0.8 {
		return ""
	}
	if len(c.Paths) == 1 {
		return "changing only " + c.Paths[0]
	}
	return fmt.Sprintf("changing %s and %s", c.Paths[0], phrase.Plural(len(c.Paths)-1+c.More, "more field"))
}

// leaderAnnotation is what leader elections before Lease objects wrote every 2 s (client-go resourcelock).
const leaderAnnotation = "metadata.annotations[control-plane.alpha.kubernetes.io/leader]"

// electsLeader reports a row that renews a lock in a config map: by its annotation where bodies are logged, else by a
// period of no less than a second and a half (client-go's retry period is 2 s).
func electsLeader(t *audit.Trail, l *loop) bool {
	if t.Objects[l.object].Resource != "configmaps" {
		return false
	}
	if l.compared > 0 {
		return slices.Contains(t.Changes[l.change].Paths, leaderAnnotation)
	}
	return l.gap >= 1500*time.Millisecond
}

func loopFinding(t *audit.Trail, l *loop, v loopVerdict) rules.Finding {
	raw, user, n := &t.Objects[l.object], t.Actors[l.actor].Name(), len(l.writes)
	o := objectOf(raw)
	f := finding(o, n, l.first, l.last, user)
	f.Severity, f.Confidence, f.Next = v.severity, v.confidence, nextOf(t, raw)
	what := o.Name + phrase.OnlyIf(l.sub != "", "'s "+l.sub)
	f.Title = loopTitle(short(user)+" rewrites "+o.Kind+" "+what, rate(n, l.first, l.last), v.act)
	if v.against != "" && v.severity != "" {
		f.Doubt(v.against)
	}
	f.Why = fmt.Sprintf("%s wrote %s %d times in %s, once every %s. %s.", short(user), o.Text(), n,
		span(l.first, l.last), phrase.Seconds(l.gap.Seconds()), l.proof())
	f.Fix = fmt.Sprintf("Make %s compare the wanted state with the stored object, and write only the differences.",
		short(user))
	if p := mostlyTime(t, l); p != "" {
		f.Fix = fmt.Sprintf("Make %s write only when something other than %s differs.", short(user), p)
	} else if p := sameFields(t, l); p != "" {
		f.Fix = fmt.Sprintf("Find out why %s sees %s differ after its own write: the API server may drop or round "+
			"the value.",
			short(user), strings.TrimPrefix(strings.TrimPrefix(p, "changing only "), "changing "))
	}
	if l.compared == 0 {
		f.Notes = append(f.Notes, "The log has no bodies, so it doesn't show which field changes: log "+raw.Resource+
			" at level RequestResponse for a minute.")
	}
	if did := l.did(t); did != "" {
		f.Notes = append(f.Notes, fmt.Sprintf("Of the %d writes whose bodies were compared, %s.", l.compared, did))
	}
	if l.compared > 0 && l.noOps > l.nothing { // versions show it of writes whose bodies were not compared, too
		f.Notes = append(f.Notes, fmt.Sprintf("Of all %d writes, %d left the version unchanged.", n, l.noOps))
	}
	if l.conflicts > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("Meanwhile %d of its writes were refused because the object had "+
			"changed (409).", l.conflicts))
	}
	whence(t, &f, l.actor)
	first := wrote(t, l.writes[0], n, agentOf(&t.Actors[l.actor]), "")
	first.Share = partOf(n, t.Objects[l.object].Writes)
	f.Evidence = append(f.Evidence, first)
	for _, i := range l.writes[1:4] {
		change := ""
		if c := &t.Changes[t.Writes[i].Change]; c.Nothing {
			change = ": nothing changed"
		} else if len(c.Paths) > 0 {
			change = ": " + strings.Join(c.Paths, ", ")
		}
		f.Evidence = append(f.Evidence, wrote(t, i, 1, "", change))
	}
	f.Evidence = append(f.Evidence, wrote(t, l.writes[n-1], 1, "", fmt.Sprintf(": the last of %d", n)))
	return f
}

// joinLoop adds another object of the same client's loop to a finding.
func joinLoop(t *audit.Trail, f *rules.Finding, l *loop) {
	o, n := objectOf(&t.Objects[l.object]), len(l.writes)
	if len(f.Objects) < rules.MaxEvidenceIDs {
		f.Objects = append(f.Objects, o)
	}
	f.Count += n
	f.FirstSeen, f.LastSeen = min(f.FirstSeen, timeText(l.first)), max(f.LastSeen, timeText(l.last))
	if len(f.Evidence) < maxEvidence {
		f.Evidence = append(f.Evidence, wrote(t, l.writes[0], n, fmt.Sprintf("%s too, %d times", o.Text(), n), ""))
	}
}
