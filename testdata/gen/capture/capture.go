// Package capture takes and keeps what a person on call could collect from a process: dumps and profiles of its pprof
// port, and a capture by `triage fetch`. Nothing here looks at what triage concludes.
package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"time"
)

// A File is one capture.
type File struct {
	Name string
	Data []byte
}

// between is the time between the two dumps of one process, and the length of a CPU profile.
const between = 10 * time.Second

// Patience is how long a process may take to open its port, and one capture besides its own duration.
const Patience = 30 * time.Second

// forms are the captures of a pprof port, in the order in which they are taken: the CPU profile lies between the two
// dumps.
var forms = []struct{ name, file, path string }{
	{"debug2", "debug2.txt", "goroutine?debug=2"},
	{"cpu", "cpu.pb.gz", fmt.Sprintf("profile?seconds=%d", between/time.Second)},
	{"two", "debug2-later.txt", "goroutine?debug=2"},
	{"debug1", "debug1.txt", "goroutine?debug=1"},
	{"goroutine", "goroutine.pb.gz", "goroutine"},
	{"heap", "heap.pb.gz", "heap"},
	{"allocs", "allocs.pb.gz", "allocs"},
	{"mutex", "mutex.pb.gz", "mutex"},
	{"block", "block.pb.gz", "block"},
}

// Live captures a process that serves /debug/pprof at an address, in the forms that are wanted. With the path of a
// triage binary it captures the form `fetch` too.
func Live(ctx context.Context, address, triage string, wanted func(form string) bool) ([]File, error) {
	var files []File
	for _, form := range forms {
		if !wanted(form.name) {
			continue
		}
		data, err := get(ctx, "http://"+address+"/debug/pprof/"+form.path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", form.file, err)
		}
		files = append(files, File{form.file, data})
	}
	if triage == "" || !wanted("fetch") {
		return files, nil
	}
	data, err := fetch(ctx, triage, address)
	if err != nil {
		return nil, fmt.Errorf("fetch.zip: %w", err)
	}
	return append(files, File{"fetch.zip", data}), nil
}

// get reads what a URL answers.
func get(ctx context.Context, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, between+Patience)
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
func fetch(ctx context.Context, triage, address string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "wild")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	archive := filepath.Join(dir, "fetch.zip")
	_, runErr := exec.CommandContext(ctx, triage, "fetch", "--out", archive, "http://"+address).CombinedOutput()
	data, err := os.ReadFile(archive)
	if err != nil {
		return nil, errors.Join(err, runErr)
	}
	return data, nil
}

// port is the last that FreeAddress has given: below those that the system gives to clients.
var port atomic.Int32

// FreeAddress returns an address of this machine on which nothing listens, and which it has not returned before.
func FreeAddress() (string, error) {
	for range 1000 {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 21000+port.Add(1)%10000))
		if err == nil {
			return l.Addr().String(), l.Close()
		}
	}
	return "", errors.New("no port is free")
}
