// Command release-agent runs the agent of the bundles' story for some seconds and writes a CPU profile of itself.
//
//	go build -trimpath -o /tmp/release-agent . && /tmp/release-agent cpu.pb.gz
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"time"

	"example.com/release-agent/internal/controller"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "release-agent:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Second)
	defer cancel()
	m := controller.NewMonitor(controller.NewAPI(), 1500)
	if err := m.Run(ctx, "observability-agent"); err != nil {
		return err
	}
	pprof.StopCPUProfile()
	fmt.Println(m.Updates, "updates")
	return f.Close()
}
