package logs

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// maxLogEvidence is how many lines a finding about a log shows: one of each pattern of a loop.
const maxLogEvidence = 6

// maxLogText is how much of a line evidence shows.
const maxLogText = 240

// maxLogFields is how many fields of a line it shows: those that are the same in all its lines.
const maxLogFields = 6

// A logSeen is one object of one pattern of one log.
type logSeen struct {
	in *source
	p  *logpattern.Pattern
	o  *logpattern.Object
}

// begin begins a finding about an object, and returns how its title names that. Where the object is nil, the finding is
// about the pod that writes the log: otherwise names it, and what distinguishes it from other findings about the log.
func (s logSeen) begin(
	rule string, o *rules.Object, otherwise, what string, count int64, first, last time.Time,
) (f rules.Finding, who string) {
	f = rules.Finding{Severity: rules.Medium, Confidence: rules.ConfMedium, Object: o, Count: int(count),
		FirstSeen: logTime(s.in, first), LastSeen: logTime(s.in, last)}
	if o != nil {
		otherwise = objectTitle(*o)
	} else {
		f.Object, f.Fingerprint = s.pod(), logFingerprint(rule, s.in, what)
	}
	f.Next = s.next(f.Object)
	return f, otherwise
}

// actors are the pod that writes, none where it is not known.
func (s logSeen) actors() []string {
	if s.target().Pod == "" {
		return nil
	}
	return []string{s.writer()}
}

// evidence is the pattern's first line (of the run, where there is one) with how often it came: count times, where that
// is not 0.
func (s logSeen) evidence(r *logpattern.Repeats, count int64) rules.Evidence {
	num, at, seen := r.FirstLine, r.First, r.Count
	if r.Run().Count > 1 {
		num, at, seen = r.Run().FirstLine, r.Run().First, r.Run().Count
	}
	e := rules.Evidence{Input: s.in.Input, Line: num, Time: logTime(s.in, at), Goroutines: []uint64{},
		Text: phrase.Cut(logText(s.p), maxLogText), Count: int(cmp.Or(count, seen))}
	if s.in.Locate != nil {
		e.Input, e.Line = s.in.Locate(num)
	}
	if s.in.Lines > 0 {
		e.Share = float64(seen) / float64(s.in.Lines)
	}
	return e
}

// logText is a pattern's first line without its head, message first: a JSON line begins with what no one looks for.
func logText(p *logpattern.Pattern) string {
	s := p.Message
	if l := p.Level.String(); l != "" {
		s = l + ": " + s
	}
	isError := func(key string) bool { return key == "error" || key == "err" }
	shown := 0
	for _, errors := range []bool{true, false} {
		for _, f := range p.Fields {
			if f.Value == "" || shown == maxLogFields || f.Key == "logger" || f.Key == "component" ||
				isError(f.Key) != errors {
				continue
			}
			s += " " + f.Key + "=" + f.Value
			shown++
		}
	}
	return s
}

// logTime writes a time of a log: "" where the log has no year, because findings are ordered over inputs by it.
func logTime(in *source, t time.Time) string {
	return phrase.OnlyIf(!in.Yearless, phrase.Time(t))
}

// rhythm writes how often something comes: "2.1 times a second", "every 3.2 s".
func rhythm(period time.Duration) string {
	switch s := period.Seconds(); {
	case s <= 0:
		return "many times a second"
	case s < 0.95:
		return fmt.Sprintf("%.2g times a second", 1/s)
	case s < 1.05:
		return "once a second"
	default:
		return "every " + phrase.Seconds(s)
	}
}

// lasting writes a span: "3.2 h", "25 min".
func lasting(d time.Duration) string { return phrase.Seconds(d.Seconds()) }

// logFingerprint distinguishes findings that name no object: by rule, log and wording.
func logFingerprint(rule string, in *source, what string) string {
	return rules.FingerprintObject(rule, rules.Object{Kind: "log", Namespace: in.Input, Name: what})
}

// next are commands to see it happen: the object's versions, where it is not about the pod that writes the log, then
// the log.
func (s logSeen) next(o *rules.Object) []rules.Step {
	var next []rules.Step
	t := s.target()
	itself := o != nil && o.Kind == "Pod" && o.Name == t.Pod
	if o != nil && !itself {
		next = append(next, kubectlGet(*o, resourceOf(s.p, *o))...)
		if o.Kind == "Release" {
			next = append(next, rules.Command("helm list -A --all --filter "+rules.Quote("^"+o.Name+"$")))
		}
	}
	if t.Pod != "" {
		next = append(next, t.Logs().With("--timestamps --tail=200"))
	}
	return next
}

// kubectlGet prints an object with its writers, then its versions as they come.
func kubectlGet(o rules.Object, resource string) []rules.Step {
	if resource == "" || o.Name == "" {
		return nil
	}
	get, versions := "kubectl get "+resource+" "+rules.Quote(o.Name), "shows what changes from version to version"
	if o.Namespace != "" {
		get = "kubectl -n " + rules.Quote(o.Namespace) + strings.TrimPrefix(get, "kubectl")
	} else if k, _ := kube.KindOf(o.Kind); !k.ClusterWide {
		get = "kubectl get " + resource + " -A --field-selector metadata.name=" + rules.Quote(o.Name)
		versions = ""
	}
	return []rules.Step{rules.Command(get + " -o yaml --show-managed-fields"),
		rules.Command(get + " -w -o json").Note(versions)}
}

// logTitle is "WHO ACT" in at most MaxTitle characters: the namespace goes first, then the middles of names, whose ends
// distinguish them.
func logTitle(who, act string) string {
	bare := who
	if slash := strings.IndexByte(who, '/'); slash >= 0 {
		bare = who[:strings.LastIndexByte(who[:slash], ' ')+1] + who[slash+1:]
	}
	return rules.FirstTitle(phrase.Fit(bare+" "+act, phrase.MaxTitle), who+" "+act, bare+" "+act)
}

// objectTitle names an object in a title: "Bundle fleet-local/web".
func objectTitle(o rules.Object) string {
	if o.Kind == "" && o.Namespace == "" {
		return phrase.Quoted(o.Name)
	}
	return strings.TrimSpace(o.Text())
}

// target is the process that writes the lines.
func (s logSeen) target() rules.Target {
	if s.in.StreamTarget != nil {
		return s.in.StreamTarget(s.p.Stream)
	}
	return s.in.Target
}

// writer names the process in a sentence: "cattle-fleet-system/fleet-agent-0", or its log.
func (s logSeen) writer() string {
	t := s.target()
	if t.Pod == "" {
		return s.in.Input
	}
	return strings.TrimPrefix(t.Namespace+"/"+t.Pod, "/")
}

// pod is the pod that writes the lines, nil where it is not known.
func (s logSeen) pod() *rules.Object {
	t := s.target()
	if t.Pod == "" {
		return nil
	}
	return &rules.Object{API: "v1", Kind: "Pod", Namespace: t.Namespace, Name: t.Pod}
}
