package pods

import (
	"strings"
	"testing"
)

func TestPodsAreNamedForTheirWorkloads(t *testing.T) {
	for _, c := range []struct {
		what, pod, container, node string
		static                     bool
		want                       Workload
	}{
		{what: "Deployment", pod: "harbor-controller-5c9d8f7b6-x2x7k", want: Workload{"harbor-controller", "5c9d8f7b6"}},
		{what: "Deployment, ten digits", pod: "coredns-6d4b75cb6d-zzxwv", want: Workload{"coredns", "6d4b75cb6d"}},
		{what: "Deployment called as one with an ordinal", pod: "api-2-5c9d8f7b6-x2x7k", want: Workload{"api-2", "5c9d8f7b6"}},
		{what: "Deployment, hash of decimal digits", pod: "web-3066724191-x2x7k", want: Workload{"web", ""}},
		{what: "StatefulSet", pod: "postgres-0", want: Workload{"postgres", ""}},
		{what: "StatefulSet, many", pod: "kafka-broker-117", want: Workload{"kafka-broker", ""}},
		{what: "DaemonSet", pod: "node-agent-7xk2p", want: Workload{"node-agent", ""}},
		{what: "Job", pod: "migrate-schema-8qwzj", want: Workload{"migrate-schema", ""}},
		{what: "indexed Job", pod: "train-3-8qwzj", want: Workload{"train", ""}},
		{what: "CronJob, minutes", pod: "cleanup-29384755-8qwzj", want: Workload{"cleanup", ""}},
		{what: "CronJob, seconds", pod: "cleanup-1612137600-8qwzj", want: Workload{"cleanup", ""}},
		{what: "static pod of a known node", pod: "audit-proxy-master-1", node: "Master-1", want: Workload{"audit-proxy", ""}},
		{what: "static pod by its UID", pod: "cloud-manager-ip-10-0-0-7", container: "cloud-manager", static: true, want: Workload{"cloud-manager", ""}},
		{what: "static pod of the control plane", pod: "etcd-worker-vwxzb", container: "etcd", want: Workload{"etcd", ""}},
		{what: "a pod of its own", pod: "debugger", want: Workload{"debugger", ""}},
		{what: "near: a word with vowels is no suffix", pod: "load-maker", want: Workload{"load-maker", ""}},
		{what: "near: a hash needs its alphabet", pod: "web-5c9d8f7b1-x2x7k", want: Workload{"web-5c9d8f7b1", ""}},
		{what: "near: a hash needs six signs", pod: "web-bcd9-x2x7k", want: Workload{"web-bcd9", ""}},
		{what: "near: a version is no ordinal", pod: "web-v2", want: Workload{"web-v2", ""}},
		{what: "near: no ordinal begins with 0", pod: "web-01", want: Workload{"web-01", ""}},
		{what: "near: a container called like a Deployment's pod", pod: "nginx-5c9d8f7b6-x2x7k", container: "nginx", want: Workload{"nginx", "5c9d8f7b6"}},
		{what: "nothing", pod: "", want: Workload{}},
		{what: "only dashes", pod: "-----bcdfg", want: Workload{"----", ""}},
	} {
		if got := WorkloadOf(c.pod, c.container, c.node, c.static); got != c.want {
			t.Errorf("%s: %q is of %+v, want %+v", c.what, c.pod, got, c.want)
		}
	}
}

func TestAPodWhoseNameWasCutToFitKeepsItsWorkload(t *testing.T) {
	name := "certificate-rotation-controller-for-clusters-at-the-edge" // 55 signs
	a := (name + "-5c9d8f7b6-")[:maxGenerated-suffixLen] + "x2x7k"
	b := (name + "-5c9d8f7b6-")[:maxGenerated-suffixLen] + "8fk2p"
	if len(a) != maxGenerated || strings.HasSuffix(a, "-x2x7k") {
		t.Fatalf("%q is no name that was cut", a)
	}
	if x, y := WorkloadOf(a, "", "", false), WorkloadOf(b, "", "", false); x != y || x.Name != name {
		t.Errorf("workloads %+v and %+v, want %q for both", x, y, name)
	}
}

// FuzzWorkload: a name from a log may be anything; what comes out is its beginning.
func FuzzWorkload(f *testing.F) {
	f.Add("harbor-controller-5c9d8f7b6-x2x7k", "controller", "node-1", false)
	f.Add("-", "", "", true)
	f.Add("etcd-a", "etcd", "A", true)
	f.Fuzz(func(t *testing.T, pod, container, node string, static bool) {
		w := WorkloadOf(pod, container, node, static)
		if !strings.HasPrefix(pod, w.Name) || pod != "" && w.Name == "" {
			t.Errorf("%q is of %+v", pod, w)
		}
	})
}
