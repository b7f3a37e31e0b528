package auditlog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of creation-storm.
const (
	// stormWindow is the time in which a storm's creations are counted.
	stormWindow = 10 * time.Minute
	// stormFailed is how many pods of one owner must fail within ten minutes; stormCritical makes the storm a danger
	// for the API server (the founding one made 440 in 45 s; garbage collection begins at 12,500 terminated pods).
	stormFailed   = 20
	stormCritical = 100
	// stormRounds is how often what existed at one time must have been created: a rollout, a scale-up, a drain or the
	// loss of a node creates each replica once, an owner that is deleted takes as many as there are. The storm at hand
	// made 440 pods for 1 replica; of the ordinary days in ordinary_days_test.go the loss of nodes comes to 1.4, drains
	// and scalings up and down to 2.5, without any deletion that counts.
	stormRounds = 2
	// stormChurn is how many pods must be created and deleted again where no failure is logged, with a life of no more
	// than stormLife. Deletions by the pods' own controller (scale-downs, rollouts) and evictions don't count.
	stormChurn = 50
	stormSure  = 200
	stormLife  = 5 * time.Minute
	// stormNamed is how often one pod of a StatefulSet must be made anew: its rollouts keep the names, once each.
	stormNamed = 20
	// stormUnbound is how many pods of one owner kubelets must report that no scheduler bound, where others were: above
	// the 110 that a node takes (kubelet's maxPods), so that an owner that names its node on purpose is none.
	stormUnbound = 120
	// maxStorms bounds how many owners are kept apart.
	maxStorms = 20_000
)

// A storm is the pods of one owner, and what becomes of them.
type storm struct {
	namespace, name     string      // of the owner, or what the pods' names begin with
	owner, top          audit.Owner // its controller, and the controller's own; Kind "" where unknown
	inferred            bool        // owner was read off the names of pods that others wrote
	actor               int32       // who creates them
	count, window       int         // all of them, and the most within stormWindow
	alive, mostAlive    int         // neither failed nor deleted: now, and the most at one time
	failed, deleted     int
	nodeNamed, withBody int // created with spec.nodeName set, and with a body that shows whether they were
	bound               int // by a scheduler
	reported            int // by a kubelet
	statuses            int // writes of a status whose body is logged
	unnamed             int // of those that were created, their names are to come
	born, lives         []int64
	reasons             map[string]int
	nodes, remade       map[int32]int // by kubelet; by pod
	first, last         int32         // creations
	failure             int32         // the first write that shows one
}

// A stormPod is one pod of a storm.
type stormPod struct {
	of                     *storm
	born                   int64
	gone, failed, reported bool
}

// storms follow pods in order of time.
type storms struct {
	t    *audit.Trail
	of   map[string]*storm // by namespace and name
	all  []*storm
	pods map[int32]*stormPod // by object
	// maker is the last creation in each namespace of a pod whose name and owner the level leaves out.
	maker map[string]int32
}

// stormsOf are the owners of at least stormFailed pods, those with most in a window first.
func stormsOf(t *audit.Trail) []*storm {
	n := &storms{t: t, of: map[string]*storm{}, pods: map[int32]*stormPod{}, maker: map[string]int32{}}
	for i := range t.Writes {
		if w := &t.Writes[i]; w.OK() && t.Objects[w.Object].Resource == "pods" {
			n.take(int32(i), w)
		}
	}
	all := slices.DeleteFunc(n.all, func(s *storm) bool { return s.count < stormFailed })
	for _, s := range all {
		s.finish(t)
	}
	slices.SortStableFunc(all, func(a, b *storm) int { return b.window - a.window })
	return all
}

func (n *storms) take(i int32, w *audit.Write) {
	t, o := n.t, &n.t.Objects[w.Object]
	p, sub := n.pods[w.Object], t.Texts[w.Sub]
	switch gone := w.Verb == audit.VerbDelete || sub == "eviction"; {
	case w.Verb == audit.VerbCreate && w.Sub == 0:
		n.create(i, w, o)
		return
	case p == nil && o.Name == "":
		return
	case p == nil:
		s := n.firstSeen(w, o, gone)
		if s == nil {
			return
		}
		p = &stormPod{of: s, born: w.Time, gone: gone}
		n.pods[w.Object] = p
	}
	s := p.of
	switch {
	case p.gone:
	case w.Verb == audit.VerbDelete && w.Sub == 0:
		// Those that their creator deletes are too many for it (a scale-down, a rollout), those that are evicted go to
		// another node: both are meant.
		p.end(w.Time, w.Actor == s.actor)
		return
	case sub == "eviction":
		p.end(w.Time, true)
	case sub == "binding":
		s.bound++
	case w.Flags&audit.FlagFailedPod != 0 && !p.failed:
		p.failed = true
		s.alive--
		if s.failed++; s.failed == 1 {
			s.failure = i
		}
		s.reasons[t.Texts[w.Note]]++
	}
	if !p.reported && strings.HasPrefix(t.Actors[w.Actor].User, "system:node:") {
		p.reported = true
		s.reported++
		s.nodes[w.Actor]++
	}
	if w.Flags&audit.FlagPodStatus != 0 {
		s.statuses++
	}
}

// create takes the creation of a pod.
func (n *storms) create(i int32, w *audit.Write, o *audit.Object) {
	owner, name := n.t.Owners[w.Owner], strings.TrimSuffix(n.t.Texts[w.Note], "-")
	if name = cmp.Or(owner.Name, stemOf(o.Name), name); name == "" && o.Name == "" {
		n.maker[o.Namespace] = i
		return
	}
	s := n.storm(o.Namespace, cmp.Or(name, "by "+strconv.Itoa(int(w.Actor))))
	if s == nil {
		return
	}
	s.owner, s.name, s.actor = owner, name, w.Actor
	s.add(i, w.Time)
	s.nodeNamed += boolInt(w.Flags&audit.FlagNodeNamed != 0)
	s.withBody += boolInt(w.UID != 0 || w.Owner != 0)
	if o.Name == "" {
		s.unnamed++
		return
	}
	s.remade[w.Object]++
	if p := n.pods[w.Object]; p != nil && !p.gone && !p.failed {
		p.of.alive-- // its end is not in the log
	}
	n.pods[w.Object] = &stormPod{of: s, born: w.Time}
}

// firstSeen is the storm of a pod whose creation shows no name: of what its name begins with. A pod whose first write
// is its deletion was there before.
func (n *storms) firstSeen(w *audit.Write, o *audit.Object, gone bool) *storm {
	name := stemOf(o.Name)
	if s := n.of[o.Namespace+"/"+name]; s != nil && s.unnamed > 0 {
		s.unnamed--
		return s
	}
	made, known := n.maker[o.Namespace]
	if !known || name == "" {
		return nil
	}
	s := n.storm(o.Namespace, name)
	if s != nil && !gone {
		s.inferred, s.name, s.actor = true, name, n.t.Writes[made].Actor
		s.add(made, w.Time)
	}
	return s
}

// storm returns the storm of a name; nil where there are too many.
func (n *storms) storm(namespace, name string) *storm {
	k := namespace + "/" + name
	s := n.of[k]
	if s == nil && len(n.of) < maxStorms {
		s = &storm{namespace: namespace, reasons: map[string]int{}, nodes: map[int32]int{}, remade: map[int32]int{}}
		n.of[k] = s
		n.all = append(n.all, s)
	}
	return s
}

// add counts a pod that write i created.
func (s *storm) add(i int32, at int64) {
	if s.count++; s.count == 1 {
		s.first = i
	}
	s.last = i
	s.born = append(s.born, at)
	s.alive++
	s.mostAlive = max(s.mostAlive, s.alive)
}

func (p *stormPod) end(at int64, meant bool) {
	p.gone = true
	if !p.failed {
		p.of.alive--
	}
	if !meant {
		p.of.deleted++
		p.of.lives = append(p.of.lives, at-p.born)
	}
}

// stemOf is what precedes the five characters that the server chose ("-x7k2p", apiserver names.SimpleNameGenerator), or
// the ordinal of a StatefulSet's pod; "" for other names.
func stemOf(pod string) string {
	stem := audit.ChosenPrefix(pod)
	if i := strings.LastIndexByte(pod, '-'); stem == "" && i > 0 && strings.Trim(pod[i+1:], "0123456789") == "" {
		stem = pod[:i]
	}
	return stem
}

func (s *storm) finish(t *audit.Trail) {
	slices.Sort(s.born)
	i := 0
	for j := range s.born {
		for s.born[j]-s.born[i] > stormWindow.Microseconds() {
			i++
		}
		s.window = max(s.window, j-i+1)
	}
	if s.owner.Kind == "" && s.name != "" {
		s.owner, s.inferred = s.inferOwner(t), true
	}
	s.top, _ = t.OwnerOf(s.owner.Kind, s.namespace, s.owner.Name)
}

// inferOwner reads the owner's name off the names of its pods where the log knows one of that name, or where a
// controller creates them.
func (s *storm) inferOwner(t *audit.Trail) audit.Owner {
	for _, c := range controllers {
		if t.Find(strings.ToLower(c.kind)+"s", s.namespace, s.name) >= 0 || isController(&t.Actors[s.actor], c.name) {
			return audit.Owner{API: c.api, Kind: c.kind, Name: s.name}
		}
	}
	return audit.Owner{}
}

// judge is the severity of pods that were created, "" where they are no storm. A controller that replaces what is gone
// makes them: pods of Jobs and of clients that create them one by one come and go by design.
func (s *storm) judge(t *audit.Trail) (rules.Severity, rules.Confidence) {
	severity := rules.Medium
	if s.window >= stormSure {
		severity = rules.High
	}
	rounds := s.count >= stormRounds*s.mostAlive
	replaces := slices.Contains([]string{"ReplicaSet", "DaemonSet", "ReplicationController"}, s.owner.Kind)
	switch {
	case rounds && s.failed >= stormFailed && s.window >= stormFailed && 2*s.failed >= s.count:
		if s.window >= stormCritical {
			return rules.Critical, rules.ConfHigh
		}
		return rules.High, rules.ConfHigh
	case s.ofOneNode(), s.ofOneName() > 0,
		replaces && rounds && s.window >= stormChurn && 2*s.deleted >= s.count && audit.Median(s.lives) <= stormLife,
		replaces && s.unbound(t):
		return severity, rules.ConfMedium
	}
	return "", ""
}

// ofOneNode reports pods of a DaemonSet of which one kubelet reported stormFailed within ten minutes. A DaemonSet has
// one pod for each node, and its rollout and a node's return make one more.
func (s *storm) ofOneNode() bool {
	_, n := most(s.nodes)
	return n >= stormFailed && s.window >= stormFailed && s.owner.Kind == "DaemonSet"
}

// ofOneName is how often a StatefulSet's controller made one pod, 0 for less than stormNamed times within ten minutes:
// a rollout and a node's loss make each pod once.
func (s *storm) ofOneName() int {
	if _, n := most(s.remade); n >= stormNamed && s.window >= stormNamed && s.owner.Kind == "StatefulSet" {
		return n
	}
	return 0
}

// unbound reports pods that kubelets report and no scheduler bound, while others were bound, in a log that does not
// show what became of them: their node was named, and kubelets that refuse them are why there are so many.
func (s *storm) unbound(t *audit.Trail) bool {
	return t.Bound && s.bound == 0 && s.statuses == 0 && s.window >= stormUnbound && 2*s.reported >= s.count
}

// object is the owner to fix: the Deployment if it is known.
func (s *storm) object() rules.Object {
	switch top := cmp.Or(s.top, s.owner); {
	case top.Kind != "":
		return rules.Object{API: top.API, Kind: top.Kind, Namespace: s.namespace, Name: top.Name}
	case s.name != "":
		return rules.Object{API: "v1", Kind: "Pod", Namespace: s.namespace, Name: s.name + "-"}
	}
	return rules.Object{API: "v1", Kind: "Namespace", Name: s.namespace} // the level doesn't show whose they are
}

// creationStorms is creation-storm (TR764).
func creationStorms(t *audit.Trail) (found []rules.Finding) {
	for _, s := range stormsOf(t) {
		severity, confidence := s.judge(t)
		if severity == "" || s.failed == 0 && ownerRemade(t, s.object()) {
			continue
		}
		f := s.finding(t)
		f.Severity, f.Confidence = severity, confidence
		found = append(found, f)
	}
	return found
}

func (s *storm) finding(t *audit.Trail) rules.Finding {
	from, to := s.born[0], s.born[s.count-1]
	o, user, took := s.object(), short(t.Actors[s.actor].Name()), span(from, to)
	f := finding(o, s.count, from, to, t.Actors[s.actor].Name())
	who := o.Kind + " " + o.Name
	if s.owner.Kind == "" {
		who = user
	}
	f.Why = fmt.Sprintf("%s created %s for %s in %s; at most %d of them existed at a time.", user,
		phrase.Plural(s.count, "pod"), o.Text(), took, s.mostAlive)
	if s.top.Kind != "" {
		f.Objects = append(f.Objects, rules.Object{API: s.owner.API, Kind: s.owner.Kind, Namespace: s.namespace,
			Name: s.owner.Name})
	}
	f.Evidence = append(f.Evidence, wrote(t, s.first, s.count, user, fmt.Sprintf(", the first of %d", s.count)))
	what := fmt.Sprintf("%s creates %d pods in %s, ", who, s.count, took)
	switch {
	case s.failed > 0:
		reason, _ := most(s.reasons)
		reason = cmp.Or(reason, "Failed")
		f.Title = title("%sand they fail with %s", what, reason)
		f.Why += fmt.Sprintf(" %d of them failed with %s", s.failed, reason)
		if s.namesNode() {
			f.Why += fmt.Sprintf(", and %d had spec.nodeName from the start", s.nodeNamed)
		}
		f.Why += "."
		f.Evidence = append(f.Evidence, wrote(t, s.failure, s.failed,
			short(t.Actors[t.Writes[s.failure].Actor].Name()), ": phase Failed, reason "+reason))
	case s.ofOneNode():
		_, n := most(s.nodes)
		f.Title = title("%s%d of them for one node", what, n)
	case s.ofOneName() > 0:
		pod, n := most(s.remade)
		f.Title = title("%s%d of them %s", what, n, t.Objects[pod].Name)
	case s.unbound(t):
		f.Title = title("%snone of them bound by a scheduler", what)
		f.Why += " None of them was bound by a scheduler, though others were."
	default:
		f.Title = title("%sand they are deleted again", what)
		f.Why += fmt.Sprintf(" %d were deleted again (median age %s).", s.deleted,
			phrase.Seconds(audit.Median(s.lives).Seconds()))
	}
	if s.failed == 0 && s.statuses == 0 {
		f.Notes = append(f.Notes, "The log doesn't show why the pods failed: at this audit level it does not "+
			"contain their status.")
	}
	if s.inferred {
		f.Notes = append(f.Notes, "At this audit level the log doesn't show the pods' owner: it is inferred from "+
			"the names of deleted or reported pods.")
	}
	f.Evidence = append(f.Evidence, wrote(t, s.last, 1, "", fmt.Sprintf(": the last of %d", s.count)))
	f.Fix, f.Next = s.fix(t, o), s.next(t, o)
	return f
}

// namesNode reports pods whose template names their node.
func (s *storm) namesNode() bool { return s.nodeNamed > 0 && 2*s.nodeNamed >= s.count }

// fix is what ends the storm. Advice never speaks of a nodeName that isn't there.
func (s *storm) fix(t *audit.Trail, o rules.Object) string {
	switch {
	case s.namesNode():
		return fmt.Sprintf("Remove spec.nodeName from the template of %s; until then, scale it to 0.", o.Text())
	case s.bound == 0 && t.Bound && s.withBody < s.count:
		return fmt.Sprintf("Check whether the template of %s sets spec.nodeName, and remove it.", o.Text())
	case s.owner.Kind == "":
		return fmt.Sprintf("Find the owner of the pods in namespace %s, and scale it to 0 until you know why they "+
			"fail.", s.namespace)
	case o.Kind == "Job" || o.Kind == "CronJob" || o.Kind == "DaemonSet":
		return fmt.Sprintf("Find out why the pods of %s fail, and suspend it until then.", o.Text())
	}
	return fmt.Sprintf("Scale %s to 0, and find out why its pods fail or are deleted before you scale it up "+
		"again.", o.Text())
}

func (s *storm) next(t *audit.Trail, o rules.Object) []rules.Step {
	ns := inNamespace(s.namespace)
	next := rules.Commands("triage audit "+inputs(t)+" "+ns+"--resource pods --writes",
		"kubectl "+ns+"get pods --field-selector=status.phase=Failed")
	if !slices.Contains([]string{"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"}, o.Kind) {
		return next
	}
	name := strings.ToLower(o.Kind) + " " + rules.Quote(o.Name)
	if s.namesNode() || s.unbound(t) {
		next = append(next, rules.Command("kubectl "+ns+"get "+name+" "+rules.ShowTemplateNode))
	}
	switch o.Kind {
	case "DaemonSet": // which has no scale
	case "ReplicaSet": // a Deployment scales its own back
		next = append(next, rules.Command("kubectl "+ns+"get "+name+
			" -o jsonpath='{.metadata.ownerReferences[*].name}'"))
	default:
		next = append(next, rules.Step{Command: "kubectl " + ns + "scale " + name + " --replicas=0",
			Comment: "ends the storm", Changes: true})
	}
	return next
}
