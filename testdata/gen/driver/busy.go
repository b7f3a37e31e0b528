package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"example.com/capture"
)

// busyTasks are of services under the load that they ask for: what grows is captured when it has enough memory, all
// others after some seconds.
func busyTasks(p *capture.Program, l limits) []task {
	t := task{build: capture.Build{Release: runtime.Version(), Module: "busy", Package: "."}, heavy: computes,
		Process: capture.Process{Command: []string{p.Name}, Age: l.atAge(5 * time.Second), Forms: []string{"debug2", "cpu", "two"},
			Line: func(ctx context.Context, line string) { load(ctx, strings.Fields(line)) }}}
	if p.Kind == "heap" || p.Kind == "well" {
		t.Forms = append(t.Forms, "heap")
	}
	if p.Kind == "heap" {
		t.Age, t.Warm = l.atAge(time.Minute), func(pid int) bool { return resident(pid) > 160<<20 }
	}
	return []task{t}
}

// resident is how much memory a process has, in bytes.
func resident(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if f := strings.Fields(string(text)); err == nil && len(f) > 1 {
		pages, _ := strconv.Atoi(f[1])
		return pages * os.Getpagesize()
	}
	return 0
}

// load plays clients: "load URL clients pause body [new]". With new each request has a connection of its own.
func load(ctx context.Context, f []string) {
	if len(f) < 5 || f[0] != "load" {
		return
	}
	clients, _ := strconv.Atoi(f[2])
	pause, _ := strconv.Atoi(f[3])
	size, _ := strconv.Atoi(f[4])
	body := bytes.Repeat([]byte("order invoice "), size/14+1)[:size]
	client := &http.Client{Timeout: 4 * time.Second, Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		DisableKeepAlives: len(f) > 5, MaxIdleConnsPerHost: clients,
	}}
	for range clients {
		go func() {
			for ctx.Err() == nil {
				time.Sleep(time.Duration(pause) * time.Millisecond)
				method, content := "GET", io.Reader(nil)
				if size > 0 {
					method, content = "POST", bytes.NewReader(body)
				}
				r, err := http.NewRequestWithContext(ctx, method, f[1], content)
				if err != nil {
					return
				}
				answer, err := client.Do(r)
				if err != nil {
					continue
				}
				io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}()
	}
}
