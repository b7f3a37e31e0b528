package kubelet

import (
	"testing"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestNodeRejectsWhatDoesNotFit: a pod that names its node is rejected for the reasons that a kubelet gives.
func TestNodeRejectsWhatDoesNotFit(t *testing.T) {
	n := &node{fleet: &Fleet{options: Options{CPUs: 2, Memory: "1Gi"}}, name: "node-1", pods: map[types.UID]*worker{}}
	n.object = n.describe()
	n.pods["there"] = newWorker(n, pod("there", "1500m", "100Mi"))
	labelled := pod("labelled", "100m", "1Mi")
	labelled.Spec.NodeSelector = map[string]string{"disk": "fast"}
	for want, p := range map[string]*v1.Pod{
		"":             pod("small", "500m", "100Mi"),
		"OutOfcpu":     pod("busy", "501m", "100Mi"),
		"OutOfmemory":  pod("large", "100m", "1000Mi"),
		"NodeAffinity": labelled,
	} {
		rejected, got := n.admit(p), ""
		if rejected != nil {
			got = rejected.reason
		}
		if got != want {
			t.Errorf("pod %s is rejected for %q, want %q", p.Name, got, want)
		}
	}
}

func pod(name, cpu, memory string) *v1.Pod {
	return &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}, Spec: v1.PodSpec{Containers: []v1.Container{{
		Name: "app", Resources: v1.ResourceRequirements{Requests: v1.ResourceList{
			v1.ResourceCPU: resource.MustParse(cpu), v1.ResourceMemory: resource.MustParse(memory)}}}}}}
}
