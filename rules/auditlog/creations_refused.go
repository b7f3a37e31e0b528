package auditlog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/refusal"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of webhook-fails-closed and creations-refused. Controllers retry with a backoff that begins at 5 ms and
// doubles (client-go workqueue), so that a refusal of ten seconds is some ten requests.
const (
	// refusalsMin and refusalLasts: a webhook's pod that is replaced, or a rollout whose surge waits for room, is
	// refused for some seconds, and then not. What a controller was refused it still lacks at the log's end, though by
	// then its backoff may be minutes: refusalLacks, above the 30 s that old pods take to end. Chosen.
	refusalsMin  = 3
	refusalLasts = 8 * time.Second
	refusalLacks = 40 * time.Second
	// A controller that still lacks what it was refused asks again after at most as long as it has asked so far, for
	// the backoff doubles, and after 1,000 s at the latest (client-go, DefaultControllerRateLimiter). One that is
	// silent for refusalSilent times as long, having asked for at least refusalAsked, or for refusalQuiet, lacks it no
	// more: what it was to do was taken back.
	refusalSilent = 3
	refusalAsked  = 30 * time.Second
	refusalQuiet  = 20 * time.Minute
	// refusalLong is from when on nobody can have missed it.
	refusalLong = 5 * time.Minute
	// programAsks is how often a program that is no controller of Kubernetes must have asked in vain, for programLasts:
	// a pipeline tries some times and fails. Chosen.
	programAsks  = 30
	programLasts = time.Minute
	// evictionsMin is how often an eviction must have been asked for, over budgetLasts where its budget let nothing
	// go at all: kubectl drain asks every 5 s. A budget at work lets one pod go after the other, as fast as their
	// successors start: budgetWorks. A drain that is still under way when the log ends may go on a moment later:
	// budgetWaits.
	// evictionsSlow are enough over budgetWaits: operators ask every 20 s to a minute (Cluster API, Karpenter).
	evictionsMin  = 8
	evictionsSlow = 4
	budgetLasts   = 20 * time.Second
	budgetWaits   = 90 * time.Second
	budgetWorks   = 5 * time.Minute
)

// A refusalCause is everything that one webhook, quota or budget refused.
type refusalCause struct {
	audit.Refusal // the first of all; Namespace "" where they are several
	all           []*audit.Refusal
	open, done    []*audit.Refusal // those that were never done after all, and the others
	openCount     int64
	oFirst, oLast int64
	settled       int64 // when the last of the others were done
	controlled    bool  // the control plane's controllers alone were refused
}

// refusalCauses groups the refusals of some kinds by what refused.
func refusalCauses(t *audit.Trail, kinds ...refusal.Kind) []*refusalCause {
	type key struct {
		kind          refusal.Kind
		by, namespace string
	}
	done := settled(t, kinds)
	of := map[key]*refusalCause{}
	var order []*refusalCause
	for i := range t.Refusals {
		x := &t.Refusals[i]
		if !slices.Contains(kinds, x.Kind) {
			continue
		}
		k := key{x.Kind, x.By, x.Namespace}
		if x.Kind == refusal.ByWebhook || x.Kind == refusal.DeniedByWebhook {
			k.namespace = "" // webhooks are the cluster's
		}
		c := of[k]
		if c == nil {
			c = &refusalCause{Refusal: *x, oFirst: x.First, controlled: true}
			c.Count = 0
			of[k] = c
			order = append(order, c)
		}
		c.add(t, x, done[x])
	}
	return order
}

// add adds a refusal that was done after all at a time, 0 for never.
func (c *refusalCause) add(t *audit.Trail, x *audit.Refusal, done int64) {
	c.all = append(c.all, x)
	c.Count += x.Count
	c.First, c.Last = min(c.First, x.First), max(c.Last, x.Last)
	c.Service = cmp.Or(c.Service, x.Service)
	if c.Namespace != x.Namespace {
		c.Namespace = ""
	}
	c.controlled = c.controlled && controlPlane(&t.Actors[x.Actor])
	if done != 0 {
		c.settled, c.done = max(c.settled, done), append(c.done, x)
		return
	}
	if len(c.open) == 0 {
		c.oFirst = x.First
	}
	c.open = append(c.open, x)
	c.openCount += x.Count
	c.oFirst, c.oLast = min(c.oFirst, x.First), max(c.oLast, x.Last)
}

// settled finds when what was refused was done after all: the same object was written, or one whose name the server
// chose after the same stem; a pod whose eviction was refused is gone. A webhook that failed answers again where its
// caller has the same kind of request done: names may be new with each try.
func settled(t *audit.Trail, kinds []refusal.Kind) map[*audit.Refusal]int64 {
	type key struct {
		actor                     int32 // -1 for any
		verb                      audit.Verb
		resource, namespace, name string // name is a stem, or the subresource of an actor's request
	}
	waiting, done := map[key][]*audit.Refusal{}, map[*audit.Refusal]int64{}
	for i := range t.Refusals {
		x := &t.Refusals[i]
		if !slices.Contains(kinds, x.Kind) {
			continue
		}
		k := key{-1, 0, x.Resource, x.Namespace, x.Stem}
		waiting[k] = append(waiting[k], x)
		if x.Kind == refusal.ByWebhook {
			k = key{x.Actor, x.Verb, x.Resource, x.Namespace, x.Sub}
			waiting[k] = append(waiting[k], x)
		}
	}
	for i := range t.Writes {
		w := &t.Writes[i]
		if !w.OK() || len(waiting) == 0 {
			continue
		}
		o, sub := &t.Objects[w.Object], t.Texts[w.Sub]
		stem := cmp.Or(audit.StemOf(o.Name), audit.StemOf(t.Texts[w.Note])) // a creation's note is its generateName
		for n, k := range []key{{w.Actor, w.Verb, o.Resource, o.Namespace, sub}, {-1, 0, o.Resource, o.Namespace, ""},
			{-1, 0, o.Resource, o.Namespace, stem}} {
			for _, x := range waiting[k] {
				if w.Time > x.Last && done[x] == 0 && (n == 0 || does(w, sub, x)) {
					done[x] = w.Time
				}
			}
		}
	}
	return done
}

// does reports a write of what was refused that does the same, or makes it unneeded.
func does(w *audit.Write, sub string, x *audit.Refusal) bool {
	switch {
	case x.Kind == refusal.OverBudget:
		return w.Verb == audit.VerbDelete || sub == "eviction"
	case x.Verb == audit.VerbCreate:
		return w.Verb == audit.VerbCreate && (sub == x.Sub || sub == "binding")
	}
	return w.Verb != audit.VerbDelete && sub == x.Sub
}

// stays reports whether what was refused was not done for long enough to be more than an interruption.
func (c *refusalCause) stays(t *audit.Trail) bool {
	return c.openCount >= refusalsMin && !c.givenUp(t) && (c.lasts() >= refusalLasts ||
		c.controlled && time.Duration(t.Last-c.oFirst)*time.Microsecond >= refusalLacks)
}

// program reports requests of service accounts that go on in vain until the log's end: nobody types that often.
func (c *refusalCause) program(t *audit.Trail) bool {
	silent := time.Duration(t.Last-c.oLast) * time.Microsecond
	return c.openCount >= programAsks && c.lasts() >= programLasts && silent <= programLasts &&
		!slices.ContainsFunc(c.open, func(x *audit.Refusal) bool {
			return !strings.HasPrefix(t.Actors[x.Actor].Name(), "system:serviceaccount:")
		})
}

// givenUp reports whether a controller has stopped asking.
func (c *refusalCause) givenUp(t *audit.Trail) bool {
	silent := time.Duration(t.Last-c.oLast) * time.Microsecond
	return c.controlled && (silent > refusalQuiet ||
		c.lasts() >= refusalAsked && silent > refusalSilent*c.lasts())
}

// lasts is how long it went on for those that were never done.
func (c *refusalCause) lasts() time.Duration {
	return time.Duration(c.oLast-c.oFirst) * time.Microsecond
}

// webhookFailsClosed is webhook-fails-closed (TR772).
func webhookFailsClosed(t *audit.Trail) (found []rules.Finding) {
	for _, c := range refusalCauses(t, refusal.ByWebhook) {
		if c.Count < refusalsMin || c.By == "" {
			continue
		}
		f := refusalFinding(t, "TR772", c)
		if c.lasts() >= refusalLong {
			f.Severity = rules.High
		}
		if !c.stays(t) {
			f.Doubt(c.passes(t))
		}
		where := ""
		if namespace, name, ok := strings.Cut(c.Service, "/"); ok {
			f.Objects = append([]rules.Object{*f.Object}, f.Objects...)
			f.Object = &rules.Object{API: "v1", Kind: "Service", Namespace: namespace, Name: name}
			where = " (Service " + c.Service + ")"
			f.Next = append(f.Next, rules.Command("kubectl -n "+rules.Quote(namespace)+" get endpointslices -l "+
				rules.Quote("kubernetes.io/service-name="+name)))
		} else if c.Service != "" {
			where = " (" + c.Service + ")"
		}
		subject, refuses := "Webhook "+c.By, fmt.Sprintf(" does not answer: %d requests", c.Count)
		f.Title = rules.FirstTitle(title("%s%s refused", subject, refuses),
			fmt.Sprintf("%s%s%s to %s %s refused", subject, where, refuses, c.Verb, c.Resource),
			subject+strings.Replace(where, "Service ", "", 1)+refuses+" refused")
		f.Why = fmt.Sprintf("The call to webhook %s%s failed, and its failurePolicy is Fail: the API server refused "+
			"%s. %s", c.By, where, phrase.Plural(int(c.Count), "request"), refusalStory(c))
		f.Fix = fmt.Sprintf("Bring back the service behind webhook %s, or set its failurePolicy to Ignore in the "+
			"meantime.", c.By)
		f.Next = append(f.Next, rules.Command("kubectl get validatingwebhookconfigurations,"+
			"mutatingwebhookconfigurations -o yaml"))
		found = append(found, f)
	}
	return found
}

// creationsRefused is creations-refused (TR773).
func creationsRefused(t *audit.Trail) (found []rules.Finding) {
	for _, c := range refusalCauses(t, refusal.OverQuota, refusal.DeniedByPolicy, refusal.NoServiceAccount,
		refusal.DeniedByWebhook) {
		if c.Count < refusalsMin {
			continue
		}
		f := refusalFinding(t, "TR773", c)
		// A person who is refused asks again or not; a controller leaves its workload without pods.
		if program := c.program(t); c.queue(t) || !program && (!c.stays(t) || !c.controlled) {
			f.Doubt(c.passes(t))
		} else if program && !(c.stays(t) && c.controlled) {
			f.Confidence = rules.ConfMedium
		}
		o := *f.Object
		by := refuser(c)
		if c.Kind == refusal.OverQuota && c.By != "" {
			f.Objects = append(f.Objects, rules.Object{API: "v1", Kind: "ResourceQuota", Namespace: c.Namespace,
				Name: c.By})
			f.Next = append(f.Next, rules.Command("kubectl "+inNamespace(c.Namespace)+"describe resourcequota "+
				rules.Quote(c.By)))
		}
		f.Fix = fmt.Sprintf("Change %s, or make %s meet its demands.", by, o.Text())
		switch c.Kind {
		case refusal.NoServiceAccount:
			f.Fix = fmt.Sprintf("Create the service account that the message names, or name another in %s.",
				o.Text())
		case refusal.OverQuota:
			f.Fix = fmt.Sprintf("Raise %s, or free resources that others in the namespace use.", by)
		}
		refusedTitle(t, c, &f)
		f.Why = fmt.Sprintf("%s refused %s of %s. %s", upper(by), phrase.Plural(int(c.Count), "request"),
			phrase.Some(owners(t, c.all), 2), refusalStory(c))
		found = append(found, f)
	}
	return found
}

// refusedTitle counts what is still refused at the log's end, or all of it where nothing is, for those that it was
// refused to.
func refusedTitle(t *audit.Trail, c *refusalCause, f *rules.Finding) {
	lack, n := c.open, c.openCount
	if len(lack) == 0 {
		lack, n = c.all, c.Count
	}
	who, by, what := f.Object.Text(), refuser(c), c.all[0].Resource
	verb := "gets"
	if others := len(owners(t, lack)) - 1; others > 0 {
		who += fmt.Sprintf(" and %d more", others)
		verb = "get"
	}
	times := phrase.Plural(int(n), "time")
	if n > 1 && len(lack) > 1 {
		times += " in all"
	}
	switch {
	case len(c.open) == 0 || c.givenUp(t):
		f.Title = rules.FirstTitle(title("%s waited: %s refused requests %s", who, by, times),
			fmt.Sprintf("%s waited for %s: %s refused them %s", who, what, by, times))
	case c.queue(t):
		f.Title = title("%s: waiting for quota %s, refused %s", who, c.By, times)
	default:
		f.Title = rules.FirstTitle(title("%s %s no more %s", who, verb, what),
			fmt.Sprintf("%s %s no more %s: %s refuses them, %s", who, verb, what, by, times),
			fmt.Sprintf("%s %s no more %s: %s refuses them", who, verb, what, by))
	}
}

// owners are the workloads that some refusals concern, each once.
func owners(t *audit.Trail, refused []*audit.Refusal) (names []string) {
	seen := map[string]bool{}
	for _, x := range refused {
		if s := workloadOf(t, x).Text(); !seen[s] {
			seen[s] = true
			names = append(names, s)
		}
	}
	return names
}

// queueMoves is how long ago a quota must have let one of a queue's pods through at the latest: Jobs run for some
// minutes. Chosen.
const queueMoves = 10 * time.Minute

// queue reports Jobs, or pods that a program makes one by one, of which a quota lets one after the other through.
func (c *refusalCause) queue(t *audit.Trail) bool {
	moved := time.Duration(t.Last-c.settled) * time.Microsecond
	return c.Kind == refusal.OverQuota && len(c.open) > 0 && c.settled > 0 && moved <= queueMoves &&
		!slices.ContainsFunc(c.open, func(x *audit.Refusal) bool {
			a := &t.Actors[x.Actor]
			return controlPlane(a) && workloadOf(t, x).Kind != "Job"
		})
}

// refuser names what refused, for a sentence.
func refuser(c *refusalCause) string {
	name := map[refusal.Kind]string{
		refusal.OverQuota: "quota", refusal.DeniedByPolicy: "policy",
		refusal.NoServiceAccount: "the missing service account",
		refusal.DeniedByWebhook:  "webhook", refusal.OverBudget: "disruption budget",
	}[c.Kind]
	if c.Kind == refusal.OverBudget && c.By == "" {
		name = "a disruption budget" // the message names none
	}
	return strings.TrimSpace(name + " " + c.By)
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// evictionsRefused is evictions-refused (TR779).
func evictionsRefused(t *audit.Trail) (found []rules.Finding) {
	for _, c := range refusalCauses(t, refusal.OverBudget) {
		if c.openCount < evictionsMin && (c.openCount < evictionsSlow || c.lasts() < budgetWaits) {
			continue
		}
		f := refusalFinding(t, "TR779", c)
		if c.lasts() < budgetWorks && (c.settled != 0 || c.lasts() < budgetNeeds(t, c)) {
			f.Doubt("A budget that lets pods go one by one may refuse evictions for as long as this.")
		}
		if c.By != "" {
			f.Objects = append([]rules.Object{*f.Object}, f.Objects...)
			f.Object = &rules.Object{API: "policy/v1", Kind: "PodDisruptionBudget", Namespace: c.Namespace, Name: c.By}
		}
		user := t.Actors[c.all[0].Actor].Name()
		f.Title = title("%s asks %d times to evict pods that %s protects", short(user), c.Count, refuser(c))
		f.Why = fmt.Sprintf("The API server answered %[2]s with %[3]d: %[1]s allows no disruption. %[4]s",
			refuser(c), phrase.Plural(int(c.Count), "eviction"), c.all[0].Code, refusalStory(c))
		f.Fix = fmt.Sprintf("Let %s allow one disruption, or run one more replica than it requires.", refuser(c))
		if c.all[0].Code >= 500 { // pkg/registry/core/pod/storage/eviction.go
			f.Title = title("%s asks %d times to evict pods that two disruption budgets select", short(user), c.Count)
			f.Why = fmt.Sprintf("The API server answered %s with %d: two disruption budgets select the pods. %s",
				phrase.Plural(int(c.Count), "eviction"), c.all[0].Code, refusalStory(c))
			f.Fix = "Delete or narrow one of the PodDisruptionBudgets."
		}
		f.Next = append(f.Next, rules.Command("kubectl "+inNamespace(c.Namespace)+"get poddisruptionbudgets"))
		found = append(found, f)
	}
	return found
}

// budgetNeeds is how long evictions must have been asked for in vain: longer where their client still asks at the log's
// end than where it has given up.
func budgetNeeds(t *audit.Trail, c *refusalCause) time.Duration {
	silent := time.Duration(t.Last-c.oLast) * time.Microsecond
	if silent >= 10*time.Second && silent > 2*c.lasts()/time.Duration(c.openCount) {
		return budgetLasts
	}
	return budgetWaits
}

// refusalFinding begins a finding about the workload that was refused most.
func refusalFinding(t *audit.Trail, rule string, c *refusalCause) rules.Finding {
	most := func(a, b *audit.Refusal) int { return int(b.Count - a.Count) }
	all := slices.Concat(slices.SortedStableFunc(slices.Values(c.open), most),
		slices.SortedStableFunc(slices.Values(c.done), most))
	o := workloadOf(t, all[0])
	f := finding(o, int(c.Count), c.First, c.Last)
	f.Severity, f.Confidence = rules.Medium, rules.ConfHigh
	for _, x := range all {
		if name := t.Actors[x.Actor].Name(); len(f.Actors) < 5 && !slices.Contains(f.Actors, name) {
			f.Actors = append(f.Actors, name)
		}
		if w := workloadOf(t, x); len(f.Objects) < 8 && w != o && !slices.Contains(f.Objects, w) {
			f.Objects = append(f.Objects, w)
		}
		if len(f.Evidence) < maxEvidence {
			f.Evidence = append(f.Evidence, evidence(x.Place, x.First, int(x.Count), "%s: %s %s %s answered %d: %s",
				short(t.Actors[x.Actor].Name()), x.Verb, strings.TrimSuffix(x.Resource+"/"+x.Sub, "/"), x.Stem, x.Code,
				phrase.Cut(x.Message, 200)))
		}
	}
	f.Fingerprint = rules.FingerprintObject(rule, rules.Object{Kind: refuser(c), Namespace: c.Namespace,
		Name: c.Service})
	f.Next = rules.Commands(fmt.Sprintf("triage audit %s %s--resource %s --code %d", inputs(t),
		inNamespace(c.Namespace), rules.Quote(all[0].Resource), all[0].Code))
	return f
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// refusalStory is from when to when requests were refused, and whether they succeeded later.
func refusalStory(c *refusalCause) string {
	s := fmt.Sprintf("The refusals run from %s to %s", clock(c.First), clock(c.Last))
	if c.settled == 0 {
		return s + ", and no retry succeeded before the log ends."
	}
	return s + fmt.Sprintf("; %d of %d succeeded later.", len(c.done), len(c.all))
}

// passes says why a refusal may be of no consequence.
func (c *refusalCause) passes(t *audit.Trail) string {
	switch {
	case len(c.open) == 0:
		return "All of them succeeded later, the last at " + clock(c.settled) + "."
	case c.queue(t):
		return "The quota lets them through one after another, the last at " + clock(c.settled) + "."
	case c.givenUp(t):
		return "Nobody retried after " + clock(c.oLast) + ": the request was withdrawn."
	case c.stays(t) && !c.controlled:
		return "No controller was refused: a person or a pipeline may no longer need this."
	}
	return "It lasted for " + phrase.Seconds(c.lasts().Seconds()) + ", and may pass."
}

func clock(micros int64) string { return audit.Time(micros).Format(time.TimeOnly) }

// workloadOf is what lacks what was refused: the owner, as bodies or the names of its pods show it, else the object.
func workloadOf(t *audit.Trail, x *audit.Refusal) rules.Object {
	if x.Owner != 0 {
		o := &t.Owners[x.Owner]
		if top, ok := t.OwnerOf(o.Kind, x.Namespace, o.Name); ok {
			o = &top
		}
		return rules.Object{API: o.API, Kind: o.Kind, Namespace: x.Namespace, Name: o.Name}
	}
	if o, ok := controlled(t, x); ok {
		if top, ok := t.OwnerOf(o.Kind, x.Namespace, o.Name); ok {
			return rules.Object{API: top.API, Kind: top.Kind, Namespace: x.Namespace, Name: top.Name}
		}
		return o
	}
	if x.Object >= 0 && t.Objects[x.Object].Name != "" {
		return objectOf(&t.Objects[x.Object])
	}
	o := rules.Object{API: strings.Trim(x.Group+"/v1", "/"), Kind: kindOfResource(x.Resource), Namespace: x.Namespace,
		Name: x.Stem}
	if o.Name == "" && x.Namespace != "" {
		return rules.Object{API: "v1", Kind: "Namespace", Name: x.Namespace} // the level doesn't show whose they are
	}
	return o
}

// controlled is the workload whose pods a controller was refused, by the controller and the pods' names, where nothing
// else of it is in the log.
func controlled(t *audit.Trail, x *audit.Refusal) (o rules.Object, ok bool) {
	if x.Resource != "pods" || x.Verb != audit.VerbCreate || x.Sub != "" {
		return o, false
	}
	for _, c := range controllers {
		if !isController(&t.Actors[x.Actor], c.name) {
			continue
		}
		name := x.Stem
		if i := strings.LastIndexByte(name, '-'); c.kind == "StatefulSet" && i > 0 {
			name = name[:i]
		}
		return rules.Object{API: c.api, Kind: c.kind, Namespace: x.Namespace, Name: name}, name != ""
	}
	return o, false
}
