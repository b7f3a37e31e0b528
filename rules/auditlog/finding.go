package auditlog

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// maxEvidence is how many events a finding about an audit log shows.
const maxEvidence = 8

// finding begins a finding about an object that actors wrote or asked for between two times.
func finding(about rules.Object, count int, first, last int64, actors ...string) rules.Finding {
	return rules.Finding{Object: &about, Actors: actors, Count: count, FirstSeen: timeText(first),
		LastSeen: timeText(last)}
}

// objectOf is an object of the trail as findings name it.
func objectOf(o *audit.Object) rules.Object {
	return rules.Object{API: strings.Trim(o.Group+"/"+o.Version, "/"), Kind: cmp.Or(o.Kind, kindOfResource(o.Resource)),
		Namespace: o.Namespace, Name: o.Name}
}

// kindOfResource is the kind of a known resource; another one keeps its resource's name, which kubectl understands as
// well.
func kindOfResource(resource string) string {
	if k, ok := kube.KindOf(resource); ok {
		return k.Kind
	}
	return resource
}

// short is a user's name without what all names of its kind begin with: "fleet-agent" for
// "system:serviceaccount:cattle-fleet-system:fleet-agent".
func short(user string) string {
	if i := strings.LastIndexByte(user, ':'); i >= 0 && i+1 < len(user) {
		return user[i+1:]
	}
	return user
}

// title puts a title together: subject, verb phrase; long names lose their middles to keep within MaxTitle.
func title(format string, args ...any) string {
	return phrase.Fit(fmt.Sprintf(format, args...), phrase.MaxTitle)
}

// wrote is the evidence of one write: who sent it ("" where that is plain), what it asked for, and more about it.
func wrote(t *audit.Trail, i int32, count int, who, more string) rules.Evidence {
	w := &t.Writes[i]
	return evidence(t.Place(w), w.Time, count, "%s", strings.TrimPrefix(who+": ", ": ")+requestText(t, i)+more)
}

func evidence(at audit.Place, micros int64, count int, format string, args ...any) rules.Evidence {
	text := fmt.Sprintf(format, args...)
	return rules.Evidence{Input: at.Path, Line: at.Line, Time: timeText(micros), Text: text, Count: count}
}

func timeText(micros int64) string {
	return phrase.OnlyIf(micros != 0, phrase.Time(audit.Time(micros)))
}

// requestText writes what a write asked for: "update bundledeployments/status, version 4711 -> 4713".
func requestText(t *audit.Trail, i int32) string {
	w := &t.Writes[i]
	o := &t.Objects[w.Object]
	s := w.Verb.String() + " " + o.Resource
	if sub := t.Texts[w.Sub]; sub != "" {
		s += "/" + sub
	}
	if o.Name != "" {
		s += " " + o.Name
	}
	switch {
	case w.In != 0 && w.Out != 0:
		s += fmt.Sprintf(", version %d -> %d", w.In, w.Out)
	case w.In != 0:
		s += fmt.Sprintf(", version %d", w.In)
	case w.Out != 0:
		s += fmt.Sprintf(", version -> %d", w.Out)
	}
	if w.Code != 0 && !w.OK() {
		s += fmt.Sprintf(", answered %d", w.Code)
	}
	return s
}

// whence notes which pods actors write from, as far as the tokens that they show are bound to one.
func whence(t *audit.Trail, f *rules.Finding, actors ...int32) {
	for _, i := range actors {
		a := &t.Actors[i]
		if len(a.Pods) == 0 {
			continue
		}
		from := "pod " + a.Pods[0]
		if len(a.Pods) > 1 {
			from = "pods " + phrase.Some(a.Pods, 3)
		}
		if len(a.Addresses) == 1 {
			from += " at " + a.Addresses[0]
		}
		note := short(a.Name()) + " writes from " + from + "."
		if !slices.Contains(f.Notes, note) {
			f.Notes = append(f.Notes, note)
		}
	}
}

// nextOf are the commands that show an object's life: in these logs, and as it goes on.
func nextOf(t *audit.Trail, o *audit.Object) []rules.Step {
	next := rules.Commands(command(t, o))
	if o.Name == "" {
		return next
	}
	resource := strings.TrimSuffix(o.Resource+"."+o.Group, ".")
	return append(next, rules.Command(rules.Kubectl(o.Namespace, "get "+rules.Quote(resource)+" "+
		rules.Quote(o.Name)+" -o yaml --show-managed-fields")))
}

// inNamespace is kubectl's option for a namespace, "" for none.
func inNamespace(namespace string) string {
	if namespace == "" {
		return ""
	}
	return "-n " + rules.Quote(namespace) + " "
}

// command is the call of triage audit that lists an object's writes.
func command(t *audit.Trail, o *audit.Object) string {
	cmd := "triage audit " + inputs(t) + " " + inNamespace(o.Namespace)
	if o.Name == "" {
		return cmd + "--resource " + rules.Quote(o.Resource) + " --writes"
	}
	return cmd + "--object " + rules.Quote(o.Resource+"/"+o.Name)
}

// archiveMark is between an archive's path and that of an entry.
const archiveMark = "!/"

// inputs names the logs: their files where there are few, else the folder that holds them all.
func inputs(t *audit.Trail) string {
	var files []string
	seen := map[string]bool{}
	for i := range t.Servers {
		for _, p := range t.Servers[i].Paths {
			p, _, _ = strings.Cut(p, archiveMark)
			if !seen[p] {
				seen[p] = true
				files = append(files, p)
			}
		}
	}
	if len(files) == 0 {
		return "AUDIT_LOGS"
	}
	if len(files) > 3 {
		dir := path.Dir(files[0])
		for _, f := range files {
			for dir != "." && dir != "/" && !strings.HasPrefix(f, dir+"/") {
				dir = path.Dir(dir)
			}
		}
		files = []string{dir}
	}
	for i := range files {
		files[i] = rules.Quote(files[i])
	}
	return strings.Join(files, " ")
}

// controlPlane reports the API server's own clients whose writes follow from what others do: they carry out, they do
// not want. User names of kube-controller-manager with and without --use-service-account-credentials, of kubelets (node
// authorizer), of the scheduler and the server itself (kubernetes/pkg/controlplane,
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy).
func controlPlane(a *audit.Actor) bool {
	user := a.Name()
	switch user {
	case "system:apiserver", "system:kube-controller-manager", "system:kube-scheduler",
		"system:cloud-controller-manager":
		return true
	}
	if strings.HasPrefix(user, "system:node:") {
		return true
	}
	account, ok := strings.CutPrefix(user, "system:serviceaccount:kube-system:")
	return ok && (strings.HasPrefix(a.Agent, "kube-controller-manager") || managersOwn(account))
}

// managersOwn reports the service accounts of kube-controller-manager's controllers, which are known by their names
// where a log has lost the user agents (cmd/kube-controller-manager/names, bootstrappolicy/controller_policy.go of
// 1.34).
func managersOwn(account string) bool {
	switch account {
	case "attachdetach-controller", "certificate-controller", "clusterrole-aggregation-controller",
		"cronjob-controller", "daemon-set-controller", "deployment-controller", "disruption-controller",
		"endpoint-controller", "endpointslice-controller", "endpointslicemirroring-controller",
		"ephemeral-volume-controller", "expand-controller", "generic-garbage-collector",
		"horizontal-pod-autoscaler", "job-controller", "namespace-controller", "node-controller",
		"persistent-volume-binder", "pod-garbage-collector", "pv-protection-controller", "pvc-protection-controller",
		"replicaset-controller", "replication-controller", "resource-claim-controller", "resourcequota-controller",
		"root-ca-cert-publisher", "route-controller", "service-account-controller", "service-controller",
		"statefulset-controller", "token-cleaner", "ttl-after-finished-controller", "ttl-controller":
		return true
	}
	return false
}

// controllers are those of kube-controller-manager that make pods.
var controllers = []struct{ kind, api, name string }{
	{"ReplicaSet", "apps/v1", "replicaset-controller"}, {"Job", "batch/v1", "job-controller"},
	{"DaemonSet", "apps/v1", "daemon-set-controller"}, {"StatefulSet", "apps/v1", "statefulset-controller"},
}

// isController reports a controller of kube-controller-manager. Those of one user differ by the end of their user agent
// (controller.SimpleControllerClientBuilder).
func isController(a *audit.Actor, name string) bool {
	return strings.HasSuffix(a.Name(), ":"+name) || strings.HasSuffix(a.Agent, "/"+name)
}

// autoscaler reports the one controller of the control plane that has a will of its own: the horizontal pod autoscaler.
func autoscaler(a *audit.Actor) bool {
	return strings.HasSuffix(a.Name(), ":horizontal-pod-autoscaler") ||
		strings.HasSuffix(a.Agent, "horizontal-pod-autoscaler")
}

// steadyResource reports resources that are written again and again by nature; leases and events are not even kept.
func steadyResource(resource string) bool {
	switch resource {
	case "leases", "events", "endpoints", "endpointslices", "nodes", "csinodes", "csistoragecapacities":
		return true
	}
	return false
}

// partOf is a of b, 0 where b is 0.
func partOf[A, B int | int64](a A, b B) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// span is how long something went on, in words.
func span(from, to int64) string { return phrase.Seconds(float64(to-from) / 1e6) }

// rate writes how often something came: "1.2/s", "6/min".
func rate(n int, from, to int64) string {
	if to <= from || n < 2 {
		return "at once"
	}
	return phrase.Rate(n-1, time.Duration(to-from)*time.Microsecond)
}

// fieldValue writes a field's value for a sentence; removed fields have none.
func fieldValue(v string) string { return cmp.Or(v, "(removed)") }

// agentOf writes actors with their user agents, for evidence.
func agentOf(a *audit.Actor) string {
	return a.Name() + phrase.InBrackets(phrase.Cut(a.Agent, 60))
}
