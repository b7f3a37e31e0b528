package pods

import (
	"slices"
	"strings"
)

// A Workload is what a pod is a replica of, as far as its name shows: pods of one workload run one program.
type Workload struct {
	// Name is without what Kubernetes appended: the Deployment's, StatefulSet's, DaemonSet's, Job's or CronJob's. A pod
	// that nobody owns is its own workload.
	Name string
	// Revision is the hash of the Deployment's pod template, "" for others: in a rolling update pods of two templates
	// run side by side, and may run different code.
	Revision string
}

// Names that controllers make up (k8s.io/apiserver, pkg/storage/names, SimpleNameGenerator; k8s.io/apimachinery,
// pkg/util/rand; k8s.io/kubernetes, pkg/controller/deployment, pkg/controller/cronjob, as of Kubernetes 1.34).
const (
	// suffixLetters are the signs of a random suffix: no vowels and no 0, 1, 3, so that it spells no word.
	suffixLetters = "bcdfghjklmnpqrstvwxz2456789"
	suffixLen     = 5
	// hashLetters are those of a pod template's hash: rand.SafeEncodeString maps each decimal digit of a 32-bit sum to
	// suffixLetters[digit's code % 27], which are these ten.
	hashLetters = "456789bcdf"
	// A 32-bit sum has up to ten digits; one of 50,000 has fewer than six, and shorter ones might be a word of the
	// name.
	minHash, maxHash = 6, 10
	// maxGenerated is how long a name gets before the generator cuts its base, the dash in front of the suffix too.
	maxGenerated = 63
	// A CronJob's Job is named for its minute since 1970 (8 digits until 2160), before Kubernetes 1.21 for its second
	// (10). Deployments before 1.9 had their hash in up to 10 digits.
	minStamp, maxStamp = 8, 10
	// maxIndex is how many digits a StatefulSet's ordinal or an indexed Job's index has at most: 100,000 is the limit
	// on the completions of an indexed Job that run in parallel.
	maxIndex = 5
)

// WorkloadOf takes the name of a pod apart. container, node and static help with a static pod, which is named after its
// node (etcd-node-1): its manifest's name is mostly that of its container. Node is "" where unknown.
func WorkloadOf(pod, container, node string, static bool) Workload {
	if name, ok := staticName(pod, container, node, static); ok {
		return Workload{Name: name}
	}
	base, ok := cutRandom(pod)
	if !ok {
		if name, last := cutLast(pod); name != "" && isIndex(last) {
			return Workload{Name: name} // a StatefulSet's ordinal
		}
		return Workload{Name: pod}
	}
	name, last := cutLast(base)
	switch {
	case name == "":
	case len(last) >= minHash && len(last) <= maxHash && allOf(last, hashLetters):
		return Workload{Name: name, Revision: last}
	case len(last) >= minStamp && len(last) <= maxStamp && allOf(last, "0123456789"), isIndex(last):
		return Workload{Name: name}
	}
	return Workload{Name: base}
}

// staticName is the name of a static pod's manifest. The kubelet appends the node's name (pkg/kubelet/config,
// generatePodName); that of a node may end like anything.
func staticName(pod, container, node string, static bool) (string, bool) {
	if node != "" {
		if name, ok := strings.CutSuffix(pod, "-"+strings.ToLower(node)); ok && name != "" {
			return name, true
		}
	}
	if container != "" && strings.HasPrefix(pod, container+"-") &&
		(static || slices.Contains(controlPlane, container)) {
		return container, true
	}
	return "", false
}

// controlPlane names the containers that kubeadm, and those who follow it, run as static pods called the same.
var controlPlane = []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"}

// cutRandom cuts off a random suffix. In a name of full length the base was cut, and no dash may be left before it.
func cutRandom(pod string) (base string, ok bool) {
	at := len(pod) - suffixLen
	if at < 2 || !allOf(pod[at:], suffixLetters) {
		return "", false
	}
	base, dashed := strings.CutSuffix(pod[:at], "-")
	if dashed {
		return base, true
	}
	if len(pod) != maxGenerated {
		return "", false
	}
	if name, last := cutLast(base); name != "" && allOf(last, hashLetters) {
		return name, true // the rest of a hash identifies no revision
	}
	return base, true
}

// cutLast splits a name at its last dash; before is "" where there is none.
func cutLast(name string) (before, last string) {
	i := strings.LastIndexByte(name, '-')
	if i <= 0 {
		return "", name
	}
	return name[:i], name[i+1:]
}

// isIndex reports whether s is a number as Kubernetes counts replicas: no leading zeros.
func isIndex(s string) bool {
	return s != "" && len(s) <= maxIndex && allOf(s, "0123456789") && (s == "0" || s[0] != '0')
}

func allOf(s, letters string) bool { return s != "" && strings.Trim(s, letters) == "" }
