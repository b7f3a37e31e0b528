// Command growth measures how time and memory of the whole command grow with its input, and prints a table. Inputs are
// generated (internal/gen) by a process of their own. Logs come through a pipe, all others are read from a file. Each
// figure is the best of three runs, and of memory the worst.
//
//	cd bench && go run ./growth [-only dumps,logs] [-largest=false] >table.md
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gotriage/triage/bench/internal/gen"
	"github.com/gotriage/triage/bench/internal/run"
)

func main() {
	only := flag.String("only", "", "these series, separated by commas: "+strings.Join(names(), ", "))
	largest := flag.Bool("largest", true, "measure the largest size of each series too, which takes minutes")
	rounds := flag.Int("rounds", 3, "runs of each size")
	size := flag.Int("write", 0, "write the input of this size of the one series to stdout instead, and how "+
		"many bytes it has to stderr")
	flag.Parse()
	var err error
	if *size > 0 {
		err = write(*only, *size)
	} else {
		err = measureAll(os.Stdout, *only, *largest, *rounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

// A series is one way in which an input grows.
type series struct {
	name, title, unit string
	from, to          int // sizes are the powers of ten between these exponents
	input             func(size int) gen.Input
	file              string // the extension of the file that is read; a pipe where empty
}

func all() []series {
	log := func(every int64, goroutines int) func(int) gen.Input {
		return func(n int) gen.Input { return gen.Log(int64(n)*1e6, every, goroutines) }
	}
	return []series{
		{"dumps", "a dump of 50 stacks", "goroutines", 2, 6,
			func(n int) gen.Input { return gen.Dump(n, 50) }, ".txt"},
		{"functions", "a dump, each goroutine with a function of its own", "goroutines", 2, 6,
			func(n int) gen.Input { return gen.Dump(n, n) }, ".txt"},
		{"logs", "a log, one hundredth of it dumps", "MB", 1, 4, log(9_000_000, 100), ""},
		{"dense", "a log, nearly all of it dumps", "MB", 1, 4, log(3_000, 1000), ""},
		{"profiles", "a CPU profile", "samples", 3, 6, gen.CPUProfile, ".pb.gz"},
		{"bundles", "a zip archive of 7 kB files", "files", 2, 5, gen.Bundle, ".zip"},
		{"audit", "audit logs of 60 nodes", "events", 4, 6, gen.Audit, ".log"},
	}
}

func names() []string {
	var list []string
	for _, s := range all() {
		list = append(list, s.name)
	}
	return list
}

// write writes an input of a series. It leaves the process by SIGPIPE where its reader has enough.
func write(name string, size int) error {
	for _, s := range all() {
		if s.name == name {
			n := &counter{}
			w := bufio.NewWriterSize(io.MultiWriter(os.Stdout, n), 1<<18)
			err := errors.Join(s.input(size)(w), w.Flush())
			fmt.Fprintln(os.Stderr, n.n)
			return err
		}
	}
	return fmt.Errorf("no series %q", name)
}

type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

// A meter has the programs, triage as it is shipped and this one, and a folder for inputs.
type meter struct{ work, triage, growth string }

func measureAll(out io.Writer, only string, largest bool, rounds int) error {
	wanted := names()
	if only != "" {
		wanted = strings.Split(only, ",")
	}
	for _, name := range wanted {
		if !slices.Contains(names(), name) {
			return fmt.Errorf("no series %q: there are %s", name, strings.Join(names(), ", "))
		}
	}
	m := meter{}
	var err error
	m.work, m.triage, m.growth, err = run.Programs("growth")
	defer os.RemoveAll(m.work)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| input | size | MB | wall, s | processor time, s | MB/s | peak memory, MB |\n"+
		"|---|--:|--:|--:|--:|--:|--:|")
	for _, s := range all() {
		if !slices.Contains(wanted, s.name) {
			continue
		}
		for e := s.from; e < s.to || largest && e == s.to; e++ {
			size := int(math.Pow10(e))
			u, bytes, err := m.measure(s, size, rounds)
			if err != nil {
				return fmt.Errorf("%s of %d %s: %w", s.title, size, s.unit, err)
			}
			mb := float64(bytes) / 1e6
			fmt.Fprintf(out, "| %s | %d %s | %.2f | %.3f | %.3f | %.0f | %d |\n",
				s.title, size, s.unit, mb, u.Wall.Seconds(), u.CPU.Seconds(), mb/u.Wall.Seconds(), u.Peak/1e6)
		}
	}
	return nil
}

// measure runs triage over one size of a series, of so many bytes.
func (m *meter) measure(s series, size, rounds int) (best run.Usage, bytes int64, err error) {
	path := filepath.Join(m.work, "input"+s.file)
	if s.file != "" {
		defer os.Remove(path)
		f, err := os.Create(path)
		if err != nil {
			return best, 0, err
		}
		wait, err := m.generate(s, size, f)
		if err == nil {
			bytes, err = wait()
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return best, 0, err
		}
	}
	for round := range rounds {
		u, n, err := m.once(s, size, path)
		if err != nil {
			return best, 0, err
		}
		if round == 0 {
			best = u
		}
		best, bytes = best.Best(u), max(bytes, n)
	}
	return best, bytes, nil
}

// once runs triage over the file, or else over what the generator writes meanwhile.
func (m *meter) once(s series, size int, path string) (u run.Usage, bytes int64, err error) {
	if s.file != "" {
		u, err = run.Measure(nil, m.triage, path)
		return u, 0, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return u, 0, err
	}
	defer r.Close()
	wait, err := m.generate(s, size, w)
	if err = errors.Join(err, w.Close()); err != nil {
		return u, 0, err
	}
	if u, err = run.Measure(r, m.triage, "-"); err != nil {
		return u, 0, err
	}
	bytes, err = wait()
	return u, bytes, err
}

// generate starts to write an input. What it returns waits for the end, and is how many bytes there were.
func (m *meter) generate(s series, size int, to *os.File) (wait func() (int64, error), err error) {
	cmd := exec.Command(m.growth, "-only", s.name, "-write", fmt.Sprint(size))
	var text strings.Builder
	cmd.Stdout, cmd.Stderr = to, &text
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("generating: %w", err)
	}
	return func() (n int64, err error) {
		if err := cmd.Wait(); err != nil {
			return 0, fmt.Errorf("generating: %w: %s", err, text.String())
		}
		_, err = fmt.Sscan(text.String(), &n)
		return n, err
	}, nil
}
