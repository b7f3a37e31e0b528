// Package standby is the replica that does not lead: client-go's elector asks for the lease every two seconds, and
// twenty parts of the program wait until this replica leads.
//
// It looks like goroutines that wait for a channel that nobody closes (channel-receive-leak, call-stuck): the one that
// would close it is called by the elector, when it wins. Another replica leads and renews its lease.
package standby

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"example.com/services/kit"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// lease is what the API server answers: somebody else has the lease and has just renewed it.
func lease(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	now := time.Now().UTC().Format(metav1.RFC3339Micro)
	json.NewEncoder(w).Encode(map[string]any{
		"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
		"metadata": map[string]string{"name": "mill", "namespace": "shop", "resourceVersion": now},
		"spec": map[string]any{
			"holderIdentity": "mill-0", "leaseDurationSeconds": 15, "acquireTime": now, "renewTime": now,
		},
	})
}

// A mill waits until it leads, and grinds from then on.
type mill struct {
	elected chan struct{}
	ground  int
}

func (m *mill) start(ctx context.Context) {
	<-m.elected
	for ctx.Err() == nil {
		m.ground++
		time.Sleep(time.Second)
	}
}

func campaign(ctx context.Context, host string, elected chan struct{}) error {
	client, err := kubernetes.NewForConfig(&rest.Config{Host: host})
	if err != nil {
		return err
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "mill", Namespace: "shop"},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: "mill-1"},
		},
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(elected) },
			OnStoppedLeading: func() {},
		},
	})
	return nil
}

// Main waits for the lease.
func Main() {
	kit.Start()
	ctx, elected := context.Background(), make(chan struct{})
	for range 20 {
		go (&mill{elected: elected}).start(ctx)
	}
	if err := campaign(ctx, kit.API(http.HandlerFunc(lease)), elected); err != nil {
		panic(err)
	}
}
