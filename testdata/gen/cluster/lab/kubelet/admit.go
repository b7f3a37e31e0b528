package kubelet

import (
	"fmt"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// A rejection is why a node does not admit a pod. Reasons and messages are those of pkg/kubelet/lifecycle.
type rejection struct{ reason, message string }

// admit decides whether the node has room for a pod that the scheduler, or nodeName, has given it. n.mu is held, and
// the pod is among n.pods.
func (n *node) admit(pod *v1.Pod) *rejection {
	if pod.Status.Phase != v1.PodPending && pod.Status.Phase != "" {
		return nil
	}
	if !fits(pod, n.object) {
		return &rejection{"NodeAffinity", "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector"}
	}
	others := 0
	used := v1.ResourceList{}
	for _, w := range n.pods {
		if w.pod.UID == pod.UID || w.over() {
			continue
		}
		others++
		add(used, requests(w.pod))
	}
	if capacity := n.object.Status.Allocatable.Pods().Value(); int64(others)+1 > capacity {
		return &rejection{"OutOfpods", fmt.Sprintf("Node didn't have enough resource: pods, requested: 1, used: %d, capacity: %d", others, capacity)}
	}
	wanted := requests(pod)
	for _, name := range []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory} {
		w, u, c := amount(name, wanted), amount(name, used), amount(name, n.object.Status.Allocatable)
		if w > 0 && u+w > c {
			return &rejection{"OutOf" + string(name),
				fmt.Sprintf("Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d", name, w, u, c)}
		}
	}
	return nil
}

// fits reports whether a node has the labels that a pod wants.
func fits(pod *v1.Pod, node *v1.Node) bool {
	if !labels.SelectorFromSet(pod.Spec.NodeSelector).Matches(labels.Set(node.Labels)) {
		return false
	}
	ok, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node)
	return ok && err == nil
}

// requests is what a pod's containers ask for together.
func requests(pod *v1.Pod) v1.ResourceList {
	sum := v1.ResourceList{}
	for _, c := range pod.Spec.Containers {
		add(sum, c.Resources.Requests)
	}
	return sum
}

func add(sum, more v1.ResourceList) {
	for name, quantity := range more {
		total := sum[name]
		total.Add(quantity)
		sum[name] = total
	}
}

// amount is CPU in thousandths, and anything else in units.
func amount(name v1.ResourceName, list v1.ResourceList) int64 {
	quantity, ok := list[name]
	if !ok {
		quantity = resource.Quantity{}
	}
	if name == v1.ResourceCPU {
		return quantity.MilliValue()
	}
	return quantity.Value()
}
