// Command harbor-registry is four replicas of a Deployment: one leads, two wait for its lease, and in the fourth news
// pile up that nobody takes any more. Called as it is, it runs them all, makes each dump its goroutines, and writes the
// logs as the kubelet keeps them.
//
//	go run -trimpath . -out ../../pods-fleet
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/klog/v2"

	"example.com/harbor-registry/internal/registry"
)

// leader is the pod that holds the lease.
const leader = "harbor-registry-7d4f9c8b65-8fk2p"

func main() {
	out := flag.String("out", "", "folder for the logs; without it, run one replica")
	pod := flag.String("pod", leader, "the replica's name")
	ships := flag.Int("ships", 0, "how many ships come that nobody hears of")
	open := flag.Int("open", 2, "calls that are being listened to")
	flag.Parse()
	time.AfterFunc(time.Minute, func() { os.Exit(3) })
	if *out != "" {
		if err := capture(*out); err != nil {
			fmt.Fprintln(os.Stderr, "harbor-registry:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run(ctx, *pod, *ships, *open)
}

func run(ctx context.Context, pod string, ships, listeners int) {
	klog.InfoS("Starting harbor-registry", "version", "v0.9.1", "pod", pod)
	r := registry.New(ctx, 6)
	go elect(ctx, pod, r)
	if ships == 0 {
		for range listeners {
			go r.Listen(ctx)
		}
	} else {
		klog.InfoS("The last listener has gone")
	}
	for n := range max(ships, 3) {
		r.Moor(n, fmt.Sprintf("barge-%d", n))
	}
	time.Sleep(time.Second)
	klog.InfoS("All desks are open")
	fmt.Println(ready)
	<-ctx.Done()
}

// elect runs for the lease; the leader surveys the quays.
func elect(ctx context.Context, pod string, r *registry.Registry) {
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Name: "harbor-registry", Lock: &lease{identity: pod, holder: leader},
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				for range 14 {
					go r.Survey(ctx)
				}
				<-ctx.Done()
			},
			OnStoppedLeading: func() { klog.InfoS("Lease lost") },
		},
	})
}
