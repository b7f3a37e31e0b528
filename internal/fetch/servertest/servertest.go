// Package servertest starts real servers for tests; only tests import it.
package servertest

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"
)

// Launch runs a program that serves HTTP until the test ends, and returns its address once a path answers OK. The
// program runs in a new folder; args are its arguments, given its address and that folder.
func Launch(t *testing.T, program, ready string, args func(address, dir string) []string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, args(address, dir)...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, &out, &out, 10*time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _ = cmd.Wait(); t.Failed() {
			t.Logf("%s said:\n%.4000s", program, out.String())
		}
	})
	Await(t, program+" is ready", func() bool {
		resp, err := http.Get("http://" + address + ready)
		return err == nil && resp.Body.Close() == nil && resp.StatusCode == http.StatusOK
	})
	return address
}

// VictoriaLogs starts a server of VictoriaLogs, for logs of any age.
func VictoriaLogs(t *testing.T, binary string) (address string) {
	t.Helper()
	return Launch(t, binary, "/health", func(address, dir string) []string {
		return []string{"-httpListenAddr=" + address, "-storageDataPath=" + dir, "-retentionPeriod=100y",
			"-futureRetention=100y", "-memory.allowedBytes=200MB"}
	})
}

// Await asks until it holds, at most 90 seconds: Loki is ready after 15.
func Await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(90 * time.Second); !holds(); {
		select {
		case <-tick.C:
		case <-end:
			t.Fatal("not in time: " + what)
		}
	}
}
