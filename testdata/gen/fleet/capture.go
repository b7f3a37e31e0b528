package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// ready is the line, not part of a log, by which a replica says that it is.
const ready = "ready"

// replicas are the pods with their UIDs.
var replicas = []struct {
	suffix, uid string
	ships, open int
}{
	{"8fk2p", "0b6f2f3c-51d7-4a8e-9a53-6c1c8a7be901", 0, 2},
	{"m9xwt", "4e9d0a77-8c2b-4f15-b1f4-3d2a9c5e6f02", 0, 2},
	{"q4zvd", "9a1c7e55-2f08-4b6d-8e3a-7f4b1d0c2e03", 0, 5},
	{"zt7hn", "c3d8b246-6e91-47fa-a0c7-1b5e9f8d4a04", 22, 2},
}

// capture writes the logs of all replicas below dir, NAMESPACE_POD_UID/CONTAINER/RESTART.log.
func capture(dir string) error {
	for _, r := range replicas {
		pod := "harbor-registry-7d4f9c8b65-" + r.suffix
		log, err := dump("-pod", pod, "-ships", strconv.Itoa(r.ships), "-open", strconv.Itoa(r.open))
		if err != nil {
			return fmt.Errorf("dumping %s: %w", pod, err)
		}
		folder := filepath.Join(dir, "harbor-system_"+pod+"_"+r.uid, "registry")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, "0.log"), log, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// dump runs one replica until it is ready, sends it SIGABRT, and returns its standard error in CRI framing.
func dump(args ...string) ([]byte, error) {
	cmd := exec.Command(os.Args[0], args...)
	// Nothing of this machine's environment: a replica behaves the same wherever the logs are remade.
	cmd.Env = []string{"GOMAXPROCS=2"}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	framed := make(chan []byte)
	go func() { framed <- frame(stderr) }()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != ready+"\n" {
		cmd.Process.Kill()
		return nil, fmt.Errorf("waiting for it to be ready: %w", err)
	}
	if err := cmd.Process.Signal(syscall.SIGABRT); err != nil {
		return nil, err
	}
	log := <-framed
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) {
		return nil, fmt.Errorf("it should have died of the signal: %w", err)
	}
	return log, nil
}

// frame writes lines as a container runtime does when they come: time, stream, F for full, text.
func frame(r io.Reader) []byte {
	var log bytes.Buffer
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fmt.Fprintf(&log, "%s stderr F %s\n", time.Now().UTC().Format(time.RFC3339Nano), lines.Text())
	}
	return log.Bytes()
}
