// Command goversioninfo-ids is a release service: it stamps the version of each build into a Windows resource. The
// builds that come in are for architectures that have no such resources.
//
// https://github.com/josephspurrier/goversioninfo/issues/68
package main

import (
	"context"
	"fmt"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/josephspurrier/goversioninfo"

	"wild/kit"
)

const (
	stampers = 2
	arrival  = 200 * time.Millisecond // between two builds
)

// A build is a program for one architecture.
type build struct {
	number int
	arch   string
}

var stamped, skipped atomic.Int64

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	http.HandleFunc("/builds", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, stamped.Load(), "stamped,", skipped.Load(), "skipped")
	})
	builds := make(chan build, stampers)
	for range stampers {
		go stamper(builds)
	}
	arrivals := time.NewTicker(arrival)
	defer arrivals.Stop()
	architectures := []string{"riscv64", "s390x", "ppc64le"}
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
			builds <- build{n, architectures[n%len(architectures)]}
		}
	}
}

// stamper stamps builds.
func stamper(builds <-chan build) {
	for b := range builds {
		if err := stamp(b); err != nil {
			skipped.Add(1)
			continue
		}
		stamped.Add(1)
	}
}

// stamp writes the resource of a build.
func stamp(b build) error {
	info := goversioninfo.VersionInfo{
		StringFileInfo: goversioninfo.StringFileInfo{
			CompanyName:    "Example",
			ProductName:    "gateway",
			ProductVersion: fmt.Sprintf("1.4.%d", b.number),
		},
	}
	info.FixedFileInfo.FileVersion = goversioninfo.FileVersion{Major: 1, Minor: 4, Patch: b.number}
	info.Build()
	info.Walk()
	return info.WriteSyso(fmt.Sprintf("gateway_%s.syso", b.arch), b.arch)
}
