// Command events-broadcaster-kept is an operator, on one processor: it looks after the volumes of a cluster and emits an
// event for each that it has resized.
//
// https://github.com/kubernetes/client-go/issues/649
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"

	"wild/kit"
)

const (
	arrival = 1250 * time.Millisecond // between two volumes
	patient = 5 * time.Second         // with an event
)

var resized, emitted atomic.Int64

func main() {
	// A small container has one processor.
	runtime.GOMAXPROCS(1)
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	http.HandleFunc("/volumes", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, resized.Load(), "resized,", emitted.Load(), "events")
	})
	volumes := make(chan *v1.PersistentVolumeClaim)
	go operator(volumes)

	arrivals := time.NewTicker(arrival)
	defer arrivals.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
			volumes <- &v1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{
				Name: fmt.Sprintf("data-%d", n), Namespace: "default",
			}}
		}
	}
}

// operator resizes volumes.
func operator(volumes <-chan *v1.PersistentVolumeClaim) {
	for volume := range volumes {
		resized.Add(1)
		emit(volume, "Resized", "the volume has its new size")
	}
}

// emit emits one event and waits until it is seen.
func emit(volume *v1.PersistentVolumeClaim, reason, message string) {
	broadcaster := record.NewBroadcaster()
	defer release(broadcaster)
	seen := make(chan bool, 1)
	watcher := broadcaster.StartEventWatcher(func(*v1.Event) { seen <- true })
	defer watcher.Stop()

	recorder := broadcaster.NewRecorder(scheme.Scheme, v1.EventSource{Component: "volume-operator"})
	recorder.Event(volume, v1.EventTypeNormal, reason, message)
	select {
	case <-seen:
		emitted.Add(1)
	case <-time.After(patient):
		log.Printf("%s: no event", volume.Name)
	}
}
