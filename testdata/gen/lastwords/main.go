// Command lastwords writes the logs of crash loops that leave no traceback, and of healthy processes that log errors,
// below /var/log/pods as containerd writes them. Each run is a process of its own with the real logger; the errors are
// those of the standard library's types. testdata/lastwords has the labels, and an archive of each half of the names.
//
//	go run -trimpath . -out DIR
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

func main() {
	out := flag.String("out", "", "the folder to write")
	child := flag.String("run", "", "run this process")
	flag.Parse()
	if *child != "" {
		run(*child, newLogger(libOf(*child)))
		return
	}
	for i, p := range programs() {
		if err := capture(*out, i, p); err != nil {
			log.Fatal(err)
		}
	}
}

// capture writes the logs of a program's last runs: of those that end, the two that the kubelet keeps, or one where
// the other was removed.
func capture(out string, i int, p program) error {
	first, last := i%7+1, i%7+2
	switch {
	case p.runs == 1 || i%4 == 0:
		first, last = 0, 0
	case i%4 == 1 && p.runs == 0:
		first = last
	}
	sum := sha256.Sum256([]byte(p.name))
	pod := fmt.Sprintf("%s-%x-%x", p.service, sum[:4], sum[4:6])
	uid := fmt.Sprintf("%x-%x-4%xa-a%xb-%x", sum[6:10], sum[10:12], sum[12:13], sum[13:14], sum[14:20])
	at := time.Date(2026, 11, 20, 3, i, 0, 0, time.UTC)
	for n := first; n <= last; n++ {
		text, err := framed(p.name, at)
		if err != nil {
			return err
		}
		dir := filepath.Join(out, p.name, "var/log/pods", p.namespace+"_"+pod+"_"+uid, p.service)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(n, ".log")), text, 0o644); err != nil {
			return err
		}
		at = at.Add(time.Duration(20<<min(n, 4)) * time.Second)
	}
	return nil
}

// framed runs a program and returns what it wrote, framed as CRI demands.
func framed(name string, at time.Time) ([]byte, error) {
	var stderr, log bytes.Buffer
	cmd := exec.Command(os.Args[0], "-run", name)
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		return nil, err
	}
	for stream, text := range map[string][]byte{"stdout": stdout, "stderr": stderr.Bytes()} {
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			at = at.Add(37 * time.Millisecond)
			fmt.Fprintf(&log, "%s %s F %s\n", at.Format(time.RFC3339Nano), stream, lines.Bytes())
		}
	}
	return log.Bytes(), nil
}
