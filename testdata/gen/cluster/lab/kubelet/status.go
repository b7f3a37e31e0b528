package kubelet

import (
	"context"
	"encoding/json"
	"time"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// reportAll reports the pod's status whenever it has changed, until the pod's object is gone.
func (w *worker) reportAll() {
	for {
		select {
		case <-w.away.Done():
			return
		case <-w.dirty:
		}
		for !w.report() {
			if !sleep(w.away, time.Second) {
				return
			}
		}
		if !sleep(w.away, 100*time.Millisecond) {
			return
		}
	}
}

// report reports the status once, and whether that need not be tried again.
func (w *worker) report() bool {
	// A question that was asked is not taken back when the pod goes: kubelets don't.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.away), 20*time.Second)
	defer cancel()
	pods := w.node.client.CoreV1().Pods(w.pod.Namespace)
	current, err := pods.Get(ctx, w.pod.Name, metav1.GetOptions{})
	if err != nil || current.UID != w.pod.UID {
		return errors.IsNotFound(err) || err == nil
	}
	changed := current.DeepCopy()
	w.fill(&changed.Status)
	patch, err := twoWay(current, changed, v1.Pod{})
	if err != nil || string(patch) == "{}" {
		return true
	}
	_, err = pods.Patch(ctx, w.pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return err == nil || errors.IsNotFound(err)
}

// twoWay is the patch that makes one object of another.
func twoWay(from, to, kind any) ([]byte, error) {
	a, err := json.Marshal(from)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(to)
	if err != nil {
		return nil, err
	}
	return strategicpatch.CreateTwoWayMergePatch(a, b, kind)
}

// fill writes what the worker knows into a status.
func (w *worker) fill(s *v1.PodStatus) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.StartTime == nil {
		s.StartTime = &w.begun
	}
	if w.rejected != nil {
		s.Phase, s.Reason, s.Message = v1.PodFailed, w.rejected.reason, "Pod was rejected: "+w.rejected.message
		return
	}
	s.HostIP, s.HostIPs = "127.0.0.1", []v1.HostIP{{IP: "127.0.0.1"}}
	s.InitContainerStatuses, s.ContainerStatuses = statuses(w.inits), statuses(w.containers)
	ready, begun, ended, failed := true, true, true, false
	for _, c := range w.containers {
		ready = ready && c.ready
		begun = begun && (c.state.Waiting == nil || c.last.Terminated != nil)
		ended = ended && c.state.Terminated != nil
		failed = failed || c.state.Terminated != nil && c.state.Terminated.ExitCode != 0
	}
	initialized := true
	for _, c := range w.inits {
		initialized = initialized && c.succeeded()
		failed = failed || w.finished && !c.succeeded()
	}
	if begun {
		s.PodIP = w.address()
		s.PodIPs = []v1.PodIP{{IP: s.PodIP}}
	}
	over := w.finished && (!w.deleting || ended)
	switch {
	case over && failed:
		s.Phase = v1.PodFailed
	case over && ended:
		s.Phase = v1.PodSucceeded
	case begun && initialized:
		s.Phase = v1.PodRunning
	default:
		s.Phase = v1.PodPending
	}
	reason := ""
	switch {
	case over && ended && !failed:
		reason = "PodCompleted"
	case over && failed:
		reason = "PodFailed"
	case !ready:
		reason = "ContainersNotReady"
	}
	set(s, v1.PodReadyToStartContainers, begun && !over, "")
	if initialized {
		set(s, v1.PodInitialized, true, "")
	} else {
		set(s, v1.PodInitialized, false, "ContainersNotInitialized")
	}
	set(s, v1.ContainersReady, ready, reason)
	set(s, v1.PodReady, ready, reason)
	set(s, v1.PodScheduled, true, "")
}

// set sets a condition; its time changes with its status only.
func set(s *v1.PodStatus, kind v1.PodConditionType, is bool, reason string) {
	condition := v1.PodCondition{Type: kind, Status: v1.ConditionFalse, Reason: reason, LastTransitionTime: metav1.Now()}
	if is {
		condition.Status, condition.Reason = v1.ConditionTrue, ""
	}
	for i, old := range s.Conditions {
		if old.Type != kind {
			continue
		}
		if old.Status == condition.Status {
			condition.LastTransitionTime = old.LastTransitionTime
			condition.ObservedGeneration = old.ObservedGeneration
		}
		s.Conditions[i] = condition
		return
	}
	s.Conditions = append(s.Conditions, condition)
}

// statuses are the statuses of containers. w.mu is held.
func statuses(all []*container) []v1.ContainerStatus {
	var list []v1.ContainerStatus
	for _, c := range all {
		started := c.state.Running != nil
		status := v1.ContainerStatus{Name: c.spec.Name, Image: c.spec.Image, State: *c.state.DeepCopy(),
			LastTerminationState: *c.last.DeepCopy(), Ready: c.ready, RestartCount: c.restarts, Started: &started}
		if c.id != "" {
			status.ContainerID = "containerd://" + c.id
			status.ImageID = c.spec.Image + "@sha256:" + digest(c.spec.Image)
		}
		list = append(list, status)
	}
	return list
}
