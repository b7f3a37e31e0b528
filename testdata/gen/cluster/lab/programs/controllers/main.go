// Command controllers is the controllers of the lab's scenes, each with one fault, or with none. The first argument
// names the controller; the flags say what it works on.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"cluster/lab/program"
)

// A controller works until the context ends.
type controller func(ctx context.Context, config *rest.Config, cl kubernetes.Interface) error

var controllers = map[string]controller{
	"stamper":  runStamper,
	"indexer":  runIndexer,
	"backups":  runBackups,
	"probes":   runProbes,
	"setter":   runSetter,
	"maker":    runMaker,
	"remover":  runRemover,
	"refused":  runRefused,
	"invalid":  runInvalid,
	"stale":    runStale,
	"crossing": runCrossing,
	"leader":   runLeader,
	"minter":   runMinter,
	"hasher":   runHasher,
	"checker":  runChecker,
	"scanner":  runScanner,
	"lister":   runLister,
	"pager":    runPager,
	"catalog":  runCatalog,
	"merger":   runMerger,
	"watcher":  runWatcher,
	"resync":   runResync,
	"caller":   runCaller,
}

// What a controller works on. Each uses some of these.
var (
	name     = flag.String("name", "", "of the object")
	resource = flag.String("resource", "configmaps.v1.", "resource.version.group")
	path     = flag.String("path", "", "of the field, with dots")
	value    = flag.String("value", "", "of the field, as JSON")
	pace     = flag.Duration("pace", time.Second, "between two rounds")
	workers  = flag.Int("workers", 1, "goroutines")
	lease    = flag.Duration("lease", 15*time.Second, "how long a leader's lease lasts")
	qps      = flag.Float64("qps", 50, "requests a second")
	burst    = flag.Int("burst", 100, "requests at once")
)

func main() {
	run := controllers[os.Args[min(1, len(os.Args)-1)]]
	if run == nil {
		fmt.Fprintln(os.Stderr, "usage: controllers NAME [flags]")
		os.Exit(2)
	}
	os.Args = append(os.Args[:1], os.Args[2:]...)
	program.Run(func(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
		if agent := os.Getenv("AGENT"); agent != "" {
			config.UserAgent = agent
		}
		cl, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		klog.InfoS("Starting", "namespace", program.Namespace(), "resource", *resource, "name", *name)
		return run(ctx, config, cl)
	})
}

// groupResource is the resource that the flag names.
func groupResource() schema.GroupVersionResource {
	parts := strings.SplitN(*resource, ".", 3)
	return schema.GroupVersionResource{Resource: parts[0], Version: parts[1], Group: parts[2]}
}

// every does something at a fixed pace until the context ends.
func every(ctx context.Context, t time.Duration, do func(i int)) {
	for i := 0; ctx.Err() == nil; i++ {
		do(i)
		select {
		case <-ctx.Done():
		case <-time.After(t):
		}
	}
}

// complain logs an error of a round.
func complain(ctx context.Context, err error, doing, object string) {
	if err != nil && ctx.Err() == nil {
		klog.ErrorS(err, doing, "object", klog.KRef(program.Namespace(), object))
	}
}
