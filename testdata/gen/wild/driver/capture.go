package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// A file is one capture.
type file struct {
	name string
	data []byte
}

// between is the time between the two dumps of one process, and the length of a CPU profile.
const between = 10 * time.Second

// captures takes every form that a living process gives: the CPU profile between the two dumps, then the others.
func (d *driver) captures(ctx context.Context, t task, address string) ([]file, error) {
	var files []file
	for _, form := range []struct{ name, path string }{
		{"debug2.txt", "goroutine?debug=2"},
		{"cpu.pb.gz", fmt.Sprintf("profile?seconds=%d", between/time.Second)},
		{"debug2-later.txt", "goroutine?debug=2"},
		{"debug1.txt", "goroutine?debug=1"},
		{"goroutine.pb.gz", "goroutine"},
		{"heap.pb.gz", "heap"},
		{"allocs.pb.gz", "allocs"},
		{"mutex.pb.gz", "mutex"},
		{"block.pb.gz", "block"},
	} {
		if t.healthy() && slices.Contains([]string{"allocs", "mutex", "block"}, form.path) {
			continue // what a profile accuses of says little of programs that were written to wait
		}
		data, err := get(ctx, "http://"+address+"/debug/pprof/"+form.path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", form.name, err)
		}
		files = append(files, file{form.name, data})
	}
	if d.triage == "" || t.healthy() {
		return files, nil
	}
	data, err := d.fetch(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("fetch.zip: %w", err)
	}
	return append(files, file{"fetch.zip", data}), nil
}

// get reads what a URL answers.
func get(ctx context.Context, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, between+patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", url, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// fetch captures the process as `triage fetch` does. What it concludes is not looked at: its status may be any.
func (d *driver) fetch(ctx context.Context, address string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "wild")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	archive := filepath.Join(dir, "fetch.zip")
	out, runErr := exec.CommandContext(ctx, d.triage, "fetch", "--out", archive, "http://"+address).CombinedOutput()
	data, err := os.ReadFile(archive)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)\n%.2000s", err, runErr, out)
	}
	return data, nil
}
