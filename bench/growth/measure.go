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
	"github.com/gotriage/triage/bench/internal/page"
)

const (
	// runLimit ends one run.
	runLimit = 150 * time.Second
	// enough is the time after which a point is not measured again: what takes seconds differs by hundredths.
	enough = 25 * time.Second
)

// A meter runs triage.
type meter struct {
	work           string    // a folder of its own
	triage, rusage string    // programs
	until          time.Time // of the point that is being measured: no further run begins then
	rounds         int
	empty          point // a run over an empty file
}

// A point is what one size took: the least of each time, the most of memory, over its runs.
type point struct {
	size  float64
	bytes int64
	wall  time.Duration
	cpu   time.Duration
	peak  int64
	runs  int
	late  bool // it was ended at the limit
}

func (p *point) add(u page.Usage) {
	if p.runs == 0 || u.Wall < p.wall {
		p.wall = u.Wall
	}
	if p.runs == 0 || u.CPU < p.cpu {
		p.cpu = u.CPU
	}
	p.peak = max(p.peak, u.Peak)
	p.runs++
	p.late = p.late || u.Late
}

// late reports that the point's share of time is over.
func (m *meter) late() bool { return time.Now().After(m.until) }

// measure measures the sizes of all series in the order of plan, until ends.
func (m *meter) measure(figures []figure, ends time.Time) error {
	steps, largest := plan(figures)
	half := ends.Add(-time.Until(ends) / 2) // the other one is for the largest sizes
	for i, st := range steps {
		m.until = share(time.Now(), half, len(steps)-i)
		if err := m.step(st, ends); err != nil {
			return err
		}
	}
	quickestFirst(largest)
	for i, st := range largest {
		m.until = share(time.Now(), ends, len(largest)-i)
		if err := m.step(st, ends); err != nil {
			return err
		}
	}
	return nil
}

// step measures one size, unless the one before was ended or the time for all is over.
func (m *meter) step(st step, ends time.Time) error {
	f, s := st.figure, st.series
	if !st.wanted(time.Now(), ends) {
		s.left = append(s.left, st.size)
		return nil
	}
	p, err := m.point(s, st.size)
	if err != nil {
		return fmt.Errorf("%s of %.0f %s: %w", s.name, st.size, f.unit, err)
	}
	s.points = append(s.points, p)
	fmt.Fprintf(os.Stderr, "%-8s %-28s %10.0f  %7.2f s  %7.2f s of processor  %5d MB  %d runs\n",
		f.name, s.name, st.size, p.wall.Seconds(), p.cpu.Seconds(), p.peak/1e6, p.runs)
	return nil
}

// point measures a size until it ran often enough.
func (m *meter) point(s *series, size float64) (point, error) {
	p := point{size: size}
	input := s.input(size)
	feed := func() (page.Usage, error) { return m.pipe(input, &p.bytes, m.triage, "-") }
	if s.file != "" {
		path := filepath.Join(m.work, "input"+s.file)
		n, err := makeFile(path, input)
		defer os.Remove(path)
		if err != nil {
			return p, err
		}
		p.bytes = n
		feed = func() (page.Usage, error) { return m.run(nil, m.triage, path) }
	}
	began := time.Now()
	for p.runs < m.rounds && !p.late && (p.runs == 0 || time.Since(began) < enough && !m.late()) {
		u, err := feed()
		if err != nil {
			return p, err
		}
		if u.Exit != 0 && !u.Late {
			return p, fmt.Errorf("triage ended with status %d: it did not read all", u.Exit)
		}
		p.add(u)
	}
	return p, nil
}

func makeFile(path string, input gen.Input) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	if err := input(f); err != nil {
		return 0, errors.Join(err, f.Close())
	}
	info, err := f.Stat()
	if err != nil {
		return 0, errors.Join(err, f.Close())
	}
	return info.Size(), f.Close()
}

// pipe runs a command over what an input writes, and sets n to how much that was. A command may end before its input.
func (m *meter) pipe(input gen.Input, n *int64, command ...string) (page.Usage, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return page.Usage{}, err
	}
	defer r.Close()
	wrote := make(chan error, 1)
	c := &counter{w: w}
	go func() { wrote <- errors.Join(input(c), w.Close()) }()
	u, err := m.run(r, command...)
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

// run runs a command through rusage, with in as its standard input.
func (m *meter) run(in *os.File, command ...string) (u page.Usage, err error) {
	out := filepath.Join(m.work, "usage")
	cmd := exec.Command(m.rusage, append([]string{"-limit", runLimit.String(), out}, command...)...)
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

// startUp is what triage takes over an empty file, the best of many runs.
func (m *meter) startUp() (p point, err error) {
	path := filepath.Join(m.work, "empty")
	if _, err := makeFile(path, func(io.Writer) error { return nil }); err != nil {
		return p, err
	}
	for range 10 * m.rounds {
		u, err := m.run(nil, m.triage, path)
		if err != nil {
			return p, err
		}
		p.add(u)
	}
	return p, nil
}
