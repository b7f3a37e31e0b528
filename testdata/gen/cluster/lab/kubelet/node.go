package kubelet

import (
	"context"
	"sync"
	"time"

	coordination "k8s.io/api/coordination/v1"
	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/ptr"
)

// agent is a kubelet's user agent.
const agent = "kubelet/v1.34.4 (linux/amd64) kubernetes/2a2e1c3"

// leaseSeconds is how long a node's lease is valid.
const leaseSeconds = 20

// A node is one kubelet.
type node struct {
	fleet  *Fleet
	name   string
	index  int
	gate   *gate
	client kubernetes.Interface
	events record.EventRecorder
	object *v1.Node

	mu     sync.Mutex
	pods   map[types.UID]*worker
	images map[string]bool // that were pulled
}

// newNode makes the node's clients. The nodes are spread over the API servers.
func newNode(f *Fleet, name string, index int) (*node, error) {
	n := &node{fleet: f, name: name, index: index, gate: newGate(), pods: map[types.UID]*worker{}, images: map[string]bool{}}
	config, err := f.options.Config(index%f.options.Servers, "system:node:"+name, "system:nodes")
	if err != nil {
		return nil, err
	}
	config.UserAgent, config.QPS, config.Burst = agent, 50, 100
	config.Dial = n.gate.dial
	if n.client, err = kubernetes.NewForConfig(config); err != nil {
		return nil, err
	}
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typed.EventSinkImpl{Interface: n.client.CoreV1().Events("")})
	n.events = broadcaster.NewRecorder(scheme.Scheme, v1.EventSource{Component: "kubelet", Host: name})
	return n, nil
}

// start registers the node and runs it until the context ends.
func (n *node) start(ctx context.Context) error {
	server, err := n.serve(ctx)
	if err != nil {
		return err
	}
	n.object = n.describe()
	created, err := n.client.CoreV1().Nodes().Create(ctx, n.object, metav1.CreateOptions{})
	if err != nil {
		server.Close()
		return err
	}
	n.object.UID = created.UID
	go n.keepLease(ctx)
	go n.keepStatus(ctx)
	go n.watch(ctx)
	return nil
}

// describe is the node's object.
func (n *node) describe() *v1.Node {
	capacity := v1.ResourceList{
		v1.ResourceCPU: *resource.NewQuantity(int64(n.fleet.options.CPUs), resource.DecimalSI), v1.ResourcePods: resource.MustParse("110"),
		v1.ResourceMemory: resource.MustParse(n.fleet.options.Memory), v1.ResourceEphemeralStorage: resource.MustParse("100Gi"),
	}
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: n.name, Labels: map[string]string{
			v1.LabelHostname: n.name, v1.LabelOSStable: "linux", v1.LabelArchStable: "amd64",
			v1.LabelTopologyZone: string(rune('a' + n.index%3)),
		}},
		Status: v1.NodeStatus{
			Capacity: capacity, Allocatable: capacity, Conditions: n.conditions(metav1.Now()),
			Addresses:       []v1.NodeAddress{{Type: v1.NodeInternalIP, Address: "127.0.0.1"}, {Type: v1.NodeHostName, Address: n.name}},
			DaemonEndpoints: v1.NodeDaemonEndpoints{KubeletEndpoint: v1.DaemonEndpoint{Port: int32(n.port())}},
			NodeInfo: v1.NodeSystemInfo{
				KubeletVersion: "v1.34.4", OperatingSystem: "linux", Architecture: "amd64", KernelVersion: "6.1.0-28-amd64",
				OSImage: "Debian GNU/Linux 12 (bookworm)", ContainerRuntimeVersion: "containerd://2.1.4",
			},
		},
	}
}

func (n *node) port() int { return n.fleet.options.Port + n.index }

// conditions are those of a node where all is well.
func (n *node) conditions(since metav1.Time) []v1.NodeCondition {
	now := metav1.Now()
	condition := func(t v1.NodeConditionType, s v1.ConditionStatus, reason, message string) v1.NodeCondition {
		return v1.NodeCondition{Type: t, Status: s, Reason: reason, Message: message, LastHeartbeatTime: now, LastTransitionTime: since}
	}
	return []v1.NodeCondition{
		condition(v1.NodeMemoryPressure, v1.ConditionFalse, "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
		condition(v1.NodeDiskPressure, v1.ConditionFalse, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
		condition(v1.NodePIDPressure, v1.ConditionFalse, "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
		condition(v1.NodeReady, v1.ConditionTrue, "KubeletReady", "kubelet is posting ready status"),
	}
}

// keepLease renews the node's lease.
func (n *node) keepLease(ctx context.Context) {
	leases := n.client.CoordinationV1().Leases(v1.NamespaceNodeLease)
	for ; ctx.Err() == nil; sleep(ctx, leaseSeconds/4*time.Second) {
		lease, err := leases.Get(ctx, n.name, metav1.GetOptions{})
		if errors.IsNotFound(err) {
			_, _ = leases.Create(ctx, &coordination.Lease{
				ObjectMeta: metav1.ObjectMeta{Name: n.name, OwnerReferences: []metav1.OwnerReference{
					{APIVersion: "v1", Kind: "Node", Name: n.name, UID: n.object.UID}}},
				Spec: coordination.LeaseSpec{HolderIdentity: &n.name, LeaseDurationSeconds: ptr.To[int32](leaseSeconds),
					RenewTime: ptr.To(metav1.NowMicro())},
			}, metav1.CreateOptions{})
			continue
		}
		if err == nil {
			lease.Spec.RenewTime = ptr.To(metav1.NowMicro())
			_, _ = leases.Update(ctx, lease, metav1.UpdateOptions{})
		}
	}
}

// keepStatus looks at the node's status every five seconds, as a kubelet does every ten, and reports it when another
// component has changed it (the node controller, of a lost node), or every minute.
func (n *node) keepStatus(ctx context.Context) {
	last := time.Now()
	for sleep(ctx, 5*time.Second) {
		current, err := n.client.CoreV1().Nodes().Get(ctx, n.name, metav1.GetOptions{ResourceVersion: "0"})
		if err != nil {
			continue
		}
		since := metav1.Now()
		for _, c := range current.Status.Conditions {
			if c.Type == v1.NodeReady && c.Status == v1.ConditionTrue {
				since = c.LastTransitionTime
			}
		}
		if since.Add(time.Second).After(time.Now()) || time.Since(last) > time.Minute {
			changed := current.DeepCopy()
			changed.Status.Conditions = n.conditions(since)
			if err := n.patchNode(ctx, current, changed); err == nil {
				last = time.Now()
			}
		}
	}
}

func (n *node) patchNode(ctx context.Context, from, to *v1.Node) error {
	patch, err := twoWay(from, to, v1.Node{})
	if err != nil {
		return err
	}
	_, err = n.client.CoreV1().Nodes().Patch(ctx, n.name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

// watch gives each pod of the node to its worker.
func (n *node) watch(ctx context.Context) {
	source := cache.NewListWatchFromClient(n.client.CoreV1().RESTClient(), "pods", v1.NamespaceAll,
		fields.OneTermEqualSelector("spec.nodeName", n.name))
	update := func(object any) { n.update(ctx, object.(*v1.Pod)) }
	_, controller := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: source, ObjectType: &v1.Pod{},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    update,
			UpdateFunc: func(_, object any) { update(object) },
			DeleteFunc: func(object any) {
				if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
					object = gone.Obj
				}
				n.gone(object.(*v1.Pod).UID)
			},
		},
	})
	controller.Run(ctx.Done())
}

// update hands a pod to its worker, which it starts for a new one.
func (n *node) update(ctx context.Context, pod *v1.Pod) {
	n.mu.Lock()
	defer n.mu.Unlock()
	w := n.pods[pod.UID]
	if w == nil {
		if ended(pod) && pod.DeletionTimestamp == nil {
			return
		}
		w = newWorker(n, pod)
		n.pods[pod.UID] = w
		rejected := n.admit(pod)
		go func() {
			w.run(ctx, rejected)
			n.mu.Lock()
			defer n.mu.Unlock()
			delete(n.pods, pod.UID)
		}()
		return
	}
	w.update(pod)
}

// gone ends the worker of a pod whose object is gone.
func (n *node) gone(uid types.UID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if w := n.pods[uid]; w != nil {
		w.vanish()
	}
}

// killAll ends the containers of all pods.
func (n *node) killAll() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, w := range n.pods {
		w.vanish()
	}
}

// pull reports whether an image was pulled before, and notes it.
func (n *node) pull(image string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	pulled := n.images[image]
	n.images[image] = true
	return pulled
}

// ended reports whether all containers of a pod have ended for good.
func ended(pod *v1.Pod) bool {
	return pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
}
