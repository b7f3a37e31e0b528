package main

import (
	"context"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"cluster/lab/program"
)

// runLeader works on ConfigMaps while it holds a lease. Its reads and the renewals share one client: with a low rate the
// reads hold the renewals back. It exits when it loses the lease, as most controllers do.
func runLeader(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	config = rest.CopyConfig(config)
	config.QPS, config.Burst = float32(*qps), *burst
	cl, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: program.Namespace(), Name: *name},
		Client:     cl.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: os.Getenv("POD_NAME")},
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: *lease, RenewDeadline: *lease * 2 / 3, RetryPeriod: *lease / 6, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) { settle(ctx, cl) },
			OnStoppedLeading: func() {
				if ctx.Err() == nil {
					klog.ErrorS(nil, "Leader election lost")
					klog.FlushAndExit(klog.ExitFlushTimeout, 1)
				}
			},
		},
	})
	return nil
}

// settle reads the accounts, all workers at once, and begins again.
func settle(ctx context.Context, cl kubernetes.Interface) {
	for worker := range *workers {
		go every(ctx, *pace, func(i int) {
			account := fmt.Sprint("account-", (worker+i)%8)
			_, err := cl.CoreV1().ConfigMaps(program.Namespace()).Get(ctx, account, metav1.GetOptions{})
			complain(ctx, err, "Failed to settle", account)
		})
	}
	<-ctx.Done()
}
