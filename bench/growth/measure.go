package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gotriage/triage/bench/internal/gen"
)

// A meter runs triage.
type meter struct {
	work           string // a folder of its own
	triage, rusage string // programs
	rounds         int
}

// A point is what one size took: the least of each time, the most of memory, over its runs.
type point struct {
	usage
	bytes int64
}

// usage is what ../rusage writes.
type usage struct {
	Wall, CPU  time.Duration
	Peak, Exit int64
}

// measure runs triage over one size of a series.
func (m *meter) measure(s series, size int) (point, error) {
	var p point
	input := s.input(size)
	feed := func() (usage, error) { return m.pipe(input, &p.bytes) }
	if s.file != "" {
		path := filepath.Join(m.work, "input"+s.file)
		n, err := makeFile(path, input)
		defer os.Remove(path)
		if err != nil {
			return p, err
		}
		p.bytes = n
		feed = func() (usage, error) { return m.run(nil, path) }
	}
	for round := range m.rounds {
		u, err := feed()
		if err != nil {
			return p, err
		}
		if u.Exit != 0 {
			return p, fmt.Errorf("triage ended with status %d: it did not read all", u.Exit)
		}
		if round == 0 {
			p.usage = u
		}
		p.Wall, p.CPU, p.Peak = min(p.Wall, u.Wall), min(p.CPU, u.CPU), max(p.Peak, u.Peak)
	}
	return p, nil
}

func makeFile(path string, input gen.Input) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	c := &counter{w: f}
	err = errors.Join(input(c), f.Close())
	return c.n, err
}

// pipe runs triage over what an input writes, and sets n to how much that was. triage may end before its input.
func (m *meter) pipe(input gen.Input, n *int64) (usage, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return usage{}, err
	}
	wrote := make(chan error, 1)
	c := &counter{w: w}
	go func() { wrote <- errors.Join(input(c), w.Close()) }()
	u, err := m.run(r, "-")
	r.Close() // a writer that still writes gets EPIPE
	if werr := <-wrote; werr != nil && !errors.Is(werr, syscall.EPIPE) {
		err = errors.Join(err, fmt.Errorf("generating: %w", werr))
	}
	*n = c.n
	return u, err
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// run runs triage through rusage, with in as its standard input.
func (m *meter) run(in *os.File, arg string) (u usage, err error) {
	out := filepath.Join(m.work, "usage")
	cmd := exec.Command(m.rusage, out, m.triage, arg)
	if in != nil {
		cmd.Stdin = in
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		return u, fmt.Errorf("measuring: %w: %s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return u, err
	}
	return u, json.Unmarshal(data, &u)
}
