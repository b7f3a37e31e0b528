// Command event-watcher-closed-channel is a controller that reports in events what it does. It does so only as long as
// it is the leader.
//
// Report: https://github.com/kubernetes/kubernetes/pull/137398
package main

import (
	"fmt"
	"log"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/record"

	"wild/kit"
)

// A controller keeps objects as they should be, and reports it.
type controller struct {
	watcher  watch.Interface
	recorder record.EventRecorder
	leader   atomic.Bool
	told     atomic.Int64
}

// startEvents makes the controller tell what it does.
func (c *controller) startEvents() error {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster()
	c.watcher = broadcaster.StartEventWatcher(func(event *corev1.Event) {
		c.told.Add(1)
		log.Printf("%s: %s", event.Reason, event.Message)
	})
	c.recorder = broadcaster.NewRecorder(scheme, corev1.EventSource{Component: "sizer"})
	return nil
}

// stopEvents ends the events: another controller is the leader.
func stopEvents(c *controller) {
	c.leader.Store(false)
	c.watcher.Stop()
	log.Printf("no longer the leader, told %d events", c.told.Load())
}

// reconcile looks after the objects.
func (c *controller) reconcile() {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		<-tick.C
		if !c.leader.Load() {
			continue
		}
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("web-%d", n%3), Namespace: "shop"}}
		c.recorder.Eventf(pod, corev1.EventTypeNormal, "Resized", "gave it %d MiB", 64+n)
	}
}

func main() {
	kit.Serve()
	c := &controller{}
	if err := c.startEvents(); err != nil {
		log.Fatal(err)
	}
	c.leader.Store(true)
	go c.reconcile()
	time.AfterFunc(1100*time.Millisecond, func() { stopEvents(c) })
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
