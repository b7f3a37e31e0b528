package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"example.com/fixtures/crash/internal/volume"
)

// logged survives a panic and writes it to its log, or dies after a log line that says why.
func logged(kind string) bool {
	switch kind {
	case "http": // net/http recovers a handler's panic and logs it, here three times
		if err := callPanickingHandler(3); err != nil {
			fmt.Fprintln(os.Stderr, "crash:", err)
			os.Exit(1)
		}
	case "observed": // a controller's worker recovers and logs, twice, and goes on
		for i := 0; i < 2; i++ {
			logLine('I', "controller.go:118", fmt.Sprintf("syncing volume missing, attempt %d", i+1))
			syncSafely("missing")
		}
		logLine('I', "main.go:71", "still serving")
	case "log-fatal": // the lease is lost: a fatal line, all goroutines, exit 255
		startIdle(6)
		go renewLease()
		time.Sleep(10 * time.Second)
	default:
		return false
	}
	return true
}

// logLine writes a line in the form of Kubernetes' components: severity, date, process, place, message.
func logLine(severity rune, place, message string) {
	fmt.Fprintf(os.Stderr, "%c%s %7d %s] %s\n", severity, time.Now().UTC().Format("0102 15:04:05.000000"), 1, place, message)
}

func callPanickingHandler(times int) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %v", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/volumes", serveVolumes)
	go http.Serve(l, mux)
	for i := 0; i < times; i++ {
		// The server closes the connection on a panic, so that an error here is what is expected.
		if resp, err := http.Get("http://" + l.Addr().String() + "/volumes"); err == nil {
			resp.Body.Close()
		}
		logLine('I', "main.go:52", "client asked for volumes")
	}
	return nil
}

func serveVolumes(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, volume.NewStore().Desired("missing"))
}

func syncSafely(name string) {
	defer handleCrash()
	volume.NewStore().Desired(name)
}

// handleCrash logs a panic with its stack, as controllers do.
func handleCrash() {
	if r := recover(); r != nil {
		logLine('E', "runtime.go:79", fmt.Sprintf("Observed a panic: %#v (%v)\n%s", r, r, debug.Stack()))
	}
}

func renewLease() {
	time.Sleep(50 * time.Millisecond)
	logLine('E', "leaderelection.go:330", `error retrieving resource lock harbor-system/harbor-controller: Get "https://10.43.0.1:443/apis/coordination.k8s.io/v1/namespaces/harbor-system/leases/harbor-controller": context deadline exceeded`)
	logLine('I', "leaderelection.go:283", "failed to renew lease harbor-system/harbor-controller: timed out waiting for the condition")
	die("leaderelection.go:104", "leaderelection lost")
}

// die logs a fatal line and all goroutines, and ends the process.
func die(place, message string) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	logLine('F', place, message)
	os.Stderr.Write(stacks)
	os.Exit(255)
}
