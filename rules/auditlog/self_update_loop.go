package auditlog

import (
	"fmt"
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
	// loopChain is how many links prove a loop whose writes change nothing.
	loopChain = 10
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

// A loopVerdict is what a row of writes amounts to.
type loopVerdict struct {
	known      bool           // false where a judge has no say
	severity   rules.Severity // "" for what is no loop
	confidence rules.Confidence
	against    string // what speaks for another reason, "" for nothing
	act        string // what the writes do
	proof      string // how that is known
}

// strength orders verdicts: alarms first, then by severity.
func strength(f *rules.Finding) int {
	if f.Alarm() {
		return 10 + f.Severity.Rank()
	}
	return f.Severity.Rank()
}

func runSelfUpdateLoop(t *audit.Trail) []rules.Finding {
	type key struct {
		actor         int32
		resource, sub string
	}
	groups := map[key]int{}
	var found []rules.Finding
	for i := range t.Loops {
		l := &t.Loops[i]
		v, ok := judgeLoop(t, l)
		if !ok {
			continue
		}
		k, f := key{l.Actor, t.Objects[l.Object].Resource, l.Sub}, loopFinding(t, l, v)
		if at, known := groups[k]; known && strength(&found[at]) >= strength(&f) {
			joinLoop(t, &found[at], l, v)
			continue
		}
		groups[k] = len(found)
		found = append(found, f)
	}
	return found
}

// judgeLoop decides what a row is; ok is false for what is no loop.
func judgeLoop(t *audit.Trail, l *audit.Loop) (v loopVerdict, ok bool) {
	o := &t.Objects[l.Object]
	if controlPlane(&t.Actors[l.Actor]) || steadyResource(o.Resource) || l.Gap > loopSlow ||
		fought(t, l.Object, l.Actor) || electsLeader(t, l) {
		return loopVerdict{}, false
	}
	for _, judge := range []func(*audit.Trail, *audit.Loop) loopVerdict{chainedLoop, loopWithoutVersions, ledLoop,
		fastLoop} {
		if v := judge(t, l); v.known {
			return tempo(t, l, v), v.severity != ""
		}
	}
	return loopVerdict{}, false
}

// lastingLoop reports whether a row is too long to be a task that reports its progress.
func lastingLoop(l *audit.Loop) bool {
	return time.Duration(l.Last-l.First)*time.Microsecond >= loopLasts
}

// mostlyEmpty reports whether at most timestamps moved in most of the writes that were compared, at least so many.
func mostlyEmpty(l *audit.Loop, compared int) bool {
	return l.Compared >= compared && partOf(l.Nothing+l.TimeOnly, l.Compared) >= loopEmpty
}

// chainedLoop judges rows whose writes build on their actor's own last write, as versions show.
func chainedLoop(t *audit.Trail, l *audit.Loop) loopVerdict {
	links := l.Chained + l.Inferred
	v := loopVerdict{known: links >= loopChain, severity: rules.High, confidence: rules.ConfMedium,
		proof: chainProof(l, links)}
	switch {
	case links < loopChain:
	case mostlyEmpty(l, loopChain):
		v.confidence, v.act = rules.ConfHigh, movesOnly(t, l)
	case l.Writes >= loopNoOpWrites && partOf(l.NoOps, l.Writes) >= loopNoOps:
		v.act = "without changing it"
		if l.Chained > l.Inferred {
			v.confidence = rules.ConfHigh
		}
	case l.Writes >= loopSteadyWrites && lastingLoop(l) && partOf(links, l.Writes) >= 0.8:
		v.act = sameFields(t, l)
		if v.act == "" && l.Compared >= loopChain || progresses(t, l) {
			v.severity = "" // each write has something else to say
		}
	case links >= 3*loopChain && l.Compared == 0:
		v.severity = rules.Medium
	default:
		v.known = false
	}
	return v
}

// loopWithoutVersions judges rows of a log without versions: one write of the actor follows the other.
func loopWithoutVersions(t *audit.Trail, l *audit.Loop) loopVerdict {
	if l.Versioned != 0 {
		return loopVerdict{}
	}
	alone := partOf(l.Alone, l.Writes) >= 0.9
	switch {
	case alone && mostlyEmpty(l, loopNoOpWrites),
		l.Answered >= loopNoOpWrites && partOf(l.NoOps, l.Answered) >= loopEmpty:
		return loopVerdict{
			known: true, severity: rules.High, confidence: rules.ConfMedium, act: movesOnly(t, l),
			proof: fmt.Sprintf("%d of %d writes follow one of its own, and %d change nothing but timestamps",
				l.Alone, l.Writes, max(l.Nothing+l.TimeOnly, l.NoOps)),
		}
	case alone && l.Writes >= loopBlind && lastingLoop(l) &&
		(l.Compared == 0 || sameFields(t, l) != "" && !progresses(t, l)):
		v := loopVerdict{known: true, severity: rules.Medium, confidence: rules.ConfMedium, act: sameFields(t, l),
			proof: fmt.Sprintf("%d of %d writes follow one of its own", l.Alone, l.Writes)}
		if mayProgress(t, l) {
			v.against = "It writes no faster and no longer than a task that reports its progress."
		}
		return v
	}
	return loopVerdict{}
}

// mayProgress reports a status without bodies that is written no faster than a task reports how far it is, for no
// longer than some tasks last, of fewer objects than loopTogether. A loop writes all objects of its kind.
func mayProgress(t *audit.Trail, l *audit.Loop) bool {
	if l.Compared > 0 || l.Sub != "status" || l.Gap < loopReport || l.Writes >= loopTask {
		return false
	}
	alike := 0
	for i := range t.Loops {
		o := &t.Loops[i]
		if o.Actor == l.Actor && o.Sub == l.Sub && o.Writes >= loopBlind &&
			t.Objects[o.Object].Resource == t.Objects[l.Object].Resource {
			alike++
		}
	}
	return alike < loopTogether
}

// ledLoop judges rows between whose writes others wrote the status alone.
func ledLoop(t *audit.Trail, l *audit.Loop) loopVerdict {
	if l.Sub != "" || l.Writes < loopSteadyWrites || !lastingLoop(l) || partOf(l.Led, l.Writes) < 0.9 ||
		l.Gap > loopQuick {
		return loopVerdict{}
	}
	v := loopVerdict{
		known: true, severity: rules.Medium, confidence: rules.ConfMedium, act: sameFields(t, l),
		proof: fmt.Sprintf("%d of its %d writes follow one of its own, others having written nothing but the status",
			l.Led, l.Writes),
	}
	switch {
	case mostlyEmpty(l, loopChain):
		v.severity, v.confidence, v.act = rules.High, rules.ConfMedium, movesOnly(t, l)
	case l.Compared >= loopChain && (v.act == "" || progresses(t, l)):
		v.severity = ""
	}
	return v
}

// fastLoop judges rows of which the rate speaks: several writes a second, and hardly any of others but of the status.
// Where bodies show what moves, it is the same each time.
func fastLoop(t *audit.Trail, l *audit.Loop) loopVerdict {
	lasts := time.Duration(l.Last-l.First) * time.Microsecond
	own := max(l.Alone, l.Led)
	act := sameFields(t, l)
	says := l.Compared > 0 && (act == "" || progresses(t, l))
	if says || l.Gap > loopFast || l.Writes < loopFastWrites || lasts < loopFastLasts ||
		partOf(own, l.Writes) < 0.8 {
		return loopVerdict{}
	}
	return loopVerdict{known: true, severity: rules.Medium, confidence: rules.ConfMedium, act: act,
		proof: fmt.Sprintf("%d of %d writes follow one of its own", own, l.Writes)}
}

// progresses reports that what moves is content of the status: a value that is new with each write, such as a share
// that is done, how many are ready, a load. Such writes have something to say. A count of rounds says nothing, nor does
// a condition, whose text may hold the time.
func progresses(t *audit.Trail, l *audit.Loop) bool {
	if l.Compared == 0 {
		return false
	}
	for _, path := range t.Changes[l.Change].Paths {
		last := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
		if !strings.HasPrefix(path, "status.") || strings.HasPrefix(path, "status.conditions[") ||
			phrase.ContainsOne(last, "reconcil", "sync", "attempt", "retr", "observ", "revision", "generation",
				"counter",
				"iteration", "round", "hash", "checksum", "digest") {
			continue
		}
		for i := range t.Sets {
			if s := &t.Sets[i]; s.Object == l.Object && s.Actor == l.Actor && s.Path == path && !s.Time &&
				s.Count >= loopChain && 2*(int64(len(s.Values))+s.Others) >= s.Count && !countsTries(s) {
				return true
			}
		}
	}
	return false
}

// countsTries reports a text that is new with each write because it counts what was tried in vain: "attempt 41: no
// answer".
func countsTries(s *audit.Set) bool {
	for i := range s.Values {
		if !phrase.ContainsOne(strings.ToLower(s.Values[i].Text), "attempt", "retry", "retries", "try ", "tries") {
			return false
		}
	}
	return len(s.Values) > 0
}

// tempo weighs how fast the writes come: slow ones cost less, and a timer would write so as well.
func tempo(t *audit.Trail, l *audit.Loop, v loopVerdict) loopVerdict {
	if l.Gap > loopQuick && v.severity == rules.High {
		v.severity = rules.Medium
	}
	if l.Gap >= loopBeat && kube.Heartbeat(mostlyTime(t, l)) || l.Gap > loopQuick && l.Steady >= 0.9 ||
		l.Gap >= loopTimer {
		v.against = "It writes every " + phrase.Seconds(l.Gap.Seconds()) + ": a timer or a heartbeat does so, too."
	}
	return v
}

func chainProof(l *audit.Loop, links int) string {
	switch {
	case l.Chained > 0:
		return fmt.Sprintf("%d of its %d writes carry the resourceVersion that its own previous write returned",
			l.Chained, l.Writes)
	case l.Inferred > 0:
		return fmt.Sprintf("%d of its %d writes follow its own previous write, with no other client's in between",
			links, l.Writes)
	}
	return fmt.Sprintf("%d of its %d writes follow one of its own", l.Alone, l.Writes)
}

// movesOnly names what the writes of a row move.
func movesOnly(t *audit.Trail, l *audit.Loop) string {
	if l.TimeOnly == 0 {
		return "without changing it"
	}
	if c := mostlyTime(t, l); c != "" {
		return "moving only " + c
	}
	return "moving only timestamps"
}

func mostlyTime(t *audit.Trail, l *audit.Loop) string {
	c := &t.Changes[l.Change]
	if !c.TimeOnly || len(c.Paths) == 0 {
		return ""
	}
	return c.Paths[0]
}

// sameFields names the fields that the writes of a row move again and again; "" where they differ, or it is unknown.
func sameFields(t *audit.Trail, l *audit.Loop) string {
	c := &t.Changes[l.Change]
	if l.Compared == 0 || len(c.Paths) == 0 || partOf(l.ChangeCount, l.Compared) < 0.8 {
		return ""
	}
	if len(c.Paths) == 1 {
		return "moving only " + c.Paths[0]
	}
	return fmt.Sprintf("moving %s and %s", c.Paths[0], phrase.Plural(len(c.Paths)-1+c.More, "more field"))
}

// fought reports whether someone else writes the object in turns with the actor: that is another finding.
func fought(t *audit.Trail, object, actor int32) bool {
	for i := range t.Fights {
		f := &t.Fights[i]
		if f.Object == object && (f.A == actor || f.B == actor) {
			if severity, _, _, _ := judgeFight(t, f); severity != "" {
				return true
			}
		}
	}
	return false
}

// leaderAnnotation is what leader elections before Lease objects wrote every 2 s (client-go resourcelock).
const leaderAnnotation = "metadata.annotations[control-plane.alpha.kubernetes.io/leader]"

// electsLeader reports a row that renews a lock in a config map: by its annotation where bodies are logged, else by a
// period of no less than a second and a half (client-go's retry period is 2 s).
func electsLeader(t *audit.Trail, l *audit.Loop) bool {
	o := &t.Objects[l.Object]
	if o.Resource != "configmaps" {
		return false
	}
	c := &t.Changes[l.Change]
	if l.Compared > 0 {
		return len(c.Paths) > 0 && c.Paths[0] == leaderAnnotation
	}
	return l.Gap >= 1500*time.Millisecond
}

func loopFinding(t *audit.Trail, l *audit.Loop, v loopVerdict) rules.Finding {
	raw, user := &t.Objects[l.Object], t.Actors[l.Actor].Name()
	o := objectOf(raw)
	what := o.Name
	if l.Sub != "" {
		what += "'s " + l.Sub
	}
	f := finding(o, l.Writes, l.First, l.Last, user)
	f.Severity, f.Confidence, f.Next = v.severity, v.confidence, nextOf(t, raw)
	f.Title = loopTitle(short(user)+" rewrites "+o.Kind+" "+what, rate(l.Writes, l.First, l.Last), v.act)
	if v.against != "" && v.severity != "" {
		f.Doubt(v.against)
	}
	f.Why = fmt.Sprintf("%s wrote %s %d times in %s, one every %s. %s.", short(user), objectText(o), l.Writes,
		span(l.First, l.Last), phrase.Seconds(l.Gap.Seconds()), upper(v.proof))
	f.Fix = fmt.Sprintf("Let %s compare what it wants with what is stored, and write only what differs.", short(user))
	if p := mostlyTime(t, l); p != "" {
		f.Fix = fmt.Sprintf("Let %s write only when something other than %s differs.", short(user), p)
	} else if p := sameFields(t, l); p != "" {
		f.Fix = fmt.Sprintf("Find why %s sees %s differ after its own write: the API server may drop or round it.",
			short(user), strings.TrimPrefix(strings.TrimPrefix(p, "moving only "), "moving "))
	}
	if text := fieldsSentence(t, l); text != "" {
		f.Notes = append(f.Notes, text)
	}
	if l.Compared == 0 {
		f.Notes = append(f.Notes, "The log holds no bodies, and so not which field moves: log "+raw.Resource+
			" at level RequestResponse for a minute.")
	}
	if l.Conflicts > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%d of its writes were refused meanwhile because the object had "+
			"changed (409).", l.Conflicts))
	}
	whence(t, &f, l.Actor)
	f.Evidence = loopEvidence(t, l)
	return f
}

// loopTitle says as much of what the writes do as there is room for: the field's whole path, its end, or that it is a
// timestamp.
func loopTitle(subject, rate, act string) string {
	if act == "" {
		return title("%s %s", subject, rate)
	}
	short := act
	if p, ok := strings.CutPrefix(act, "moving only "); ok {
		short = "moving only " + p[strings.IndexByte(p, '.')+1:]
	}
	last := short
	if i := strings.LastIndexByte(short, '.'); i >= 0 {
		last = "moving only " + short[i+1:]
	}
	return rules.FirstTitle(title("%s %s", subject, rate), subject+" "+rate+", "+act, subject+" "+rate+", "+short,
		subject+", "+short, subject+" "+rate+", "+last)
}

func fieldsSentence(t *audit.Trail, l *audit.Loop) string {
	if l.Compared == 0 {
		return ""
	}
	var parts []string
	if l.TimeOnly > 0 {
		part := fmt.Sprintf("%d moved only timestamps", l.TimeOnly)
		if c := &t.Changes[l.Change]; c.TimeOnly {
			part += " (" + strings.Join(c.Paths, ", ") + ")"
		}
		parts = append(parts, part)
	}
	if l.Nothing > 0 {
		parts = append(parts, fmt.Sprintf("%d changed nothing at all", l.Nothing))
	}
	if len(parts) == 0 && l.ChangeCount > 0 {
		parts = append(parts, fmt.Sprintf("%d moved %s", l.ChangeCount, strings.Join(t.Changes[l.Change].Paths, ", ")))
	}
	text := fmt.Sprintf("Of the %d writes whose bodies were compared, %s.", l.Compared, strings.Join(parts, " and "))
	text = strings.Replace(text, fmt.Sprintf("compared, %d moved", l.Compared), "compared, all moved", 1)
	if l.NoOps > l.Nothing { // versions show it of writes whose bodies were not compared, too
		text += fmt.Sprintf(" Of all %d, %d left the version as it was.", l.Writes, l.NoOps)
	}
	return text
}

func loopEvidence(t *audit.Trail, l *audit.Loop) []rules.Evidence {
	first := wrote(t, l.From, l.Writes, agentOf(&t.Actors[l.Actor]), "")
	first.Share = partOf(l.Writes, t.Objects[l.Object].Writes)
	out := []rules.Evidence{first}
	shown := 0
	for _, i := range t.ByObject[l.Object] {
		if w := &t.Writes[i]; i > l.From && i <= l.To && w.Actor == l.Actor && w.OK() && shown < 3 {
			change := ""
			if c := &t.Changes[w.Change]; len(c.Paths) > 0 {
				change = ": " + strings.Join(c.Paths, ", ")
			} else if c.Nothing {
				change = ": nothing changed"
			}
			out = append(out, wrote(t, i, 1, "", change))
			shown++
		}
	}
	return append(out, wrote(t, l.To, 1, "", fmt.Sprintf(": the last of %d", l.Writes)))
}

// joinLoop adds another object of the same actor's loop to a finding.
func joinLoop(t *audit.Trail, f *rules.Finding, l *audit.Loop, v loopVerdict) {
	o := objectOf(&t.Objects[l.Object])
	if len(f.Objects) < rules.MaxEvidenceIDs {
		f.Objects = append(f.Objects, o)
	}
	f.Count += l.Writes
	f.FirstSeen, f.LastSeen = min(f.FirstSeen, timeText(l.First)), max(f.LastSeen, timeText(l.Last))
	if len(f.Evidence) < maxEvidence {
		f.Evidence = append(f.Evidence, wrote(t, l.From, l.Writes,
			fmt.Sprintf("%s too, %d times", objectText(o), l.Writes), "; "+v.proof))
	}
}
