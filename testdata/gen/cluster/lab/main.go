// Command lab runs the scenes of package scenes in a cluster of its own, and keeps what a person on call could collect
// from each.
//
//	go run . -out ../../../cluster -scene quota -variant a
//
// It never looks at what triage makes of a capture.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"cluster/lab/plane"
)

func main() {
	klog.SetLogger(logr.Discard()) // clients complain when a scene ends
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "lab: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	l := &lab{}
	flag.StringVar(&l.out, "out", "../../../cluster", "folder for the captures")
	flag.StringVar(&l.cache, "cache", filepath.Join(cache, "triage-cluster"), "folder for binaries, which are used again")
	only := flag.String("scene", "", "only scenes whose name matches this regular expression")
	flag.StringVar(&l.variant, "variant", "", "only this variant")
	flag.BoolVar(&l.healthy, "healthy", false, "only healthy scenes")
	flag.BoolVar(&l.faulty, "faults", false, "only scenes with a fault")
	flag.StringVar(&l.dir, "dir", "/tmp/cluster", "folder for what the cluster writes while it runs; it is emptied")
	flag.IntVar(&l.base, "base", 16000, "first of the ports, of which there are five hundred")
	servers := flag.String("servers", "", "afterwards capture the control plane itself, under load, into this folder")
	triage := flag.String("triage", "", "a triage binary for the form `fetch` of -servers")
	build := flag.Bool("build", false, "only build the control plane and kubectl")
	flag.Parse()
	l.servers, l.triage = *servers, *triage
	if l.cache, err = filepath.Abs(l.cache); err != nil {
		return err
	}
	if *build {
		_, err = plane.BuildAll(ctx, "..", l.cache)
		return err
	}
	if l.only, err = regexp.Compile(*only); err != nil {
		return fmt.Errorf("-scene: %w", err)
	}
	return l.run(ctx)
}
