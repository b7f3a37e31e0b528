package kubelet

import (
	"context"
	"sync"
	"time"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// A worker runs one pod, from its admission until its object is gone.
type worker struct {
	node     *node
	stop     context.Context // ends when the pod is to end
	end      context.CancelFunc
	away     context.Context // ends when the pod's object is gone
	vanish   context.CancelFunc
	dirty    chan bool // the status is to be reported
	rejected *rejection
	begun    metav1.Time

	mu         sync.Mutex
	pod        *v1.Pod // as it was seen last
	inits      []*container
	containers []*container
	finished   bool // all containers have ended for good
	deleting   bool
	reported   bool // at least once
}

// newWorker makes the worker of a pod.
func newWorker(n *node, pod *v1.Pod) *worker {
	w := &worker{node: n, pod: pod, dirty: make(chan bool, 1), begun: metav1.Now()}
	w.away, w.vanish = context.WithCancel(context.Background())
	w.stop, w.end = context.WithCancel(w.away)
	for _, spec := range pod.Spec.InitContainers {
		w.inits = append(w.inits, newContainer(w, spec, "PodInitializing"))
	}
	reason := "ContainerCreating"
	if len(w.inits) > 0 {
		reason = "PodInitializing"
	}
	for _, spec := range pod.Spec.Containers {
		w.containers = append(w.containers, newContainer(w, spec, reason))
	}
	if pod.DeletionTimestamp != nil {
		w.deleting = true
		w.end()
	}
	return w
}

// update notes a newer version of the pod.
func (w *worker) update(pod *v1.Pod) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pod = pod
	if pod.DeletionTimestamp != nil && !w.deleting {
		w.deleting = true
		w.end()
	}
}

// over reports whether the pod needs nothing of its node any more.
func (w *worker) over() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.finished || w.rejected != nil
}

// run runs the pod.
func (w *worker) run(ctx context.Context, rejected *rejection) {
	context.AfterFunc(ctx, w.vanish)
	defer w.vanish()
	w.mu.Lock()
	w.rejected = rejected
	w.mu.Unlock()
	reports := make(chan bool)
	go func() {
		defer close(reports)
		w.reportAll()
	}()
	w.touch()
	if rejected != nil {
		w.warn(rejected.reason, rejected.message)
	} else {
		w.live()
		w.mu.Lock()
		w.finished = true
		w.mu.Unlock()
		w.touch()
	}
	<-w.stop.Done()
	w.remove()
	w.vanish()
	<-reports
}

// live runs all containers to their end.
func (w *worker) live() {
	if !w.mount() {
		return
	}
	for _, c := range w.inits {
		if !c.keep(w.stop, w.initAgain) || !c.succeeded() {
			return
		}
	}
	w.mu.Lock()
	for _, c := range w.containers {
		if waiting := c.state.Waiting; waiting != nil {
			waiting.Reason = "ContainerCreating"
		}
	}
	w.mu.Unlock()
	var wg sync.WaitGroup
	for _, c := range w.containers {
		wg.Go(func() { c.keep(w.stop, w.again) })
	}
	wg.Wait()
}

// again reports whether a container is started again after it ended with an exit code.
func (w *worker) again(code int32) bool {
	switch w.pod.Spec.RestartPolicy {
	case v1.RestartPolicyNever:
		return false
	case v1.RestartPolicyOnFailure:
		return code != 0
	}
	return true
}

func (w *worker) initAgain(code int32) bool {
	return code != 0 && w.pod.Spec.RestartPolicy != v1.RestartPolicyNever
}

// remove deletes the pod's object after its containers have ended, as the kubelet does.
func (w *worker) remove() {
	w.touch()
	if !sleep(w.away, 200*time.Millisecond) { // the last status goes first
		return
	}
	for {
		options := metav1.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0), Preconditions: metav1.NewUIDPreconditions(string(w.pod.UID))}
		err := w.node.client.CoreV1().Pods(w.pod.Namespace).Delete(context.WithoutCancel(w.away), w.pod.Name, options)
		if err == nil || errors.IsNotFound(err) || errors.IsConflict(err) || !sleep(w.away, 2*time.Second) {
			return
		}
	}
}

// touch has the status reported.
func (w *worker) touch() {
	select {
	case w.dirty <- true:
	default:
	}
}

// event and warn record events about the pod.
func (w *worker) event(reason, message string) { w.record(v1.EventTypeNormal, reason, message, "") }
func (w *worker) warn(reason, message string)  { w.record(v1.EventTypeWarning, reason, message, "") }

// record records an event about the pod, or one of its containers.
func (w *worker) record(kind, reason, message, container string) {
	w.mu.Lock()
	pod := w.pod
	w.mu.Unlock()
	reference := &v1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: pod.Namespace, Name: pod.Name,
		UID: pod.UID, ResourceVersion: pod.ResourceVersion}
	if container != "" {
		reference.FieldPath = "spec.containers{" + container + "}"
	}
	w.node.events.Event(reference, kind, reason, message)
}
