// Package sidecar runs a tool for as long as the service lives and reads what it prints.
package sidecar

import (
	"bufio"
	"os/exec"

	"example.com/services/kit"
)

type Tool struct{ lines int }

func (t *Tool) supervise() error {
	cmd := exec.Command("/bin/sh", "-c", "while sleep 2; do echo tick; done")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			t.lines++
		}
		done <- nil
	}()
	<-done
	return cmd.Wait()
}

func Main() {
	kit.Start()
	for range 6 {
		go (&Tool{}).supervise()
	}
	kit.Wait()
}
