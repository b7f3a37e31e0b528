// Package program is what the programs of the lab share: the way to their API server, their pprof port and their log.
package program

import (
	"context"
	"flag"
	"net/http"
	_ "net/http/pprof" // served at PPROF_ADDRESS
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

// Run parses the flags, serves /debug/pprof and runs a program until SIGTERM. It exits with 1 if the program fails.
func Run(run func(ctx context.Context, config *rest.Config, client kubernetes.Interface) error) {
	klog.InitFlags(nil)
	flag.Parse()
	runtime.SetMutexProfileFraction(5)
	if address := os.Getenv("PPROF_ADDRESS"); address != "" {
		go http.ListenAndServe(address, nil)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		klog.ErrorS(err, "Failed to load the kubeconfig")
		klog.FlushAndExit(klog.ExitFlushTimeout, 1)
	}
	config.QPS, config.Burst = 200, 400
	client, err := kubernetes.NewForConfig(config)
	if err == nil {
		err = run(ctx, config, client)
	}
	if err != nil && ctx.Err() == nil {
		klog.ErrorS(err, "Failed")
		klog.FlushAndExit(klog.ExitFlushTimeout, 1)
	}
	klog.Flush()
}

// Namespace is the namespace of the program's pod.
func Namespace() string { return os.Getenv("POD_NAMESPACE") }
