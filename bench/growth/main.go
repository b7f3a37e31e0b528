// Command growth measures how time and memory of the whole command grow with its input, and prints a table. Inputs are
// generated (internal/gen); dumps, profiles and bundles are read from a file, logs and audit logs through a pipe. Each
// figure is the best of three runs, and of memory the worst.
//
//	cd bench && go run ./growth [-only dumps,logs] [-largest=false] >table.md
package main

import (
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
)

func main() {
	only := flag.String("only", "", "these series, separated by commas: "+strings.Join(names(), ", "))
	largest := flag.Bool("largest", true, "measure the largest size of each series too, which takes minutes")
	rounds := flag.Int("rounds", 3, "runs of each size")
	flag.Parse()
	if err := run(os.Stdout, *only, *largest, *rounds); err != nil {
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
	stacks := func(own bool) func(int) gen.Input {
		return func(n int) gen.Input { return gen.Program{Stacks: n, Own: own}.Dump(n) }
	}
	return []series{
		{"dumps", "a dump of 50 stacks", "goroutines", 2, 6,
			func(n int) gen.Input { return gen.Program{Stacks: 50}.Dump(n) }, ".txt"},
		{"stacks", "a dump, each goroutine with a stack of its own", "goroutines", 2, 6, stacks(false), ".txt"},
		{"functions", "a dump, each goroutine with a function of its own", "goroutines", 2, 6, stacks(true), ".txt"},
		{"logs", "a log, one hundredth of it dumps", "MB", 1, 4,
			func(n int) gen.Input { return gen.Sparse.Write(int64(n) * 1e6) }, ""},
		{"dense", "a log, nearly all of it dumps", "MB", 1, 4,
			func(n int) gen.Input { return gen.Dense.Write(int64(n) * 1e6) }, ""},
		{"profiles", "a CPU profile", "samples", 3, 6, gen.CPUProfile, ".pb.gz"},
		{"bundles", "a zip archive of files of 7 kB", "files", 2, 5, gen.Bundle, ".zip"},
		{"audit", "audit logs of 60 nodes", "events", 4, 7, gen.Audit, ""},
	}
}

func names() []string {
	var list []string
	for _, s := range all() {
		list = append(list, s.name)
	}
	return list
}

func run(out io.Writer, only string, largest bool, rounds int) error {
	wanted := names()
	if only != "" {
		wanted = strings.Split(only, ",")
	}
	for _, name := range wanted {
		if !slices.Contains(names(), name) {
			return fmt.Errorf("no series %q: there are %s", name, strings.Join(names(), ", "))
		}
	}
	work, err := os.MkdirTemp("", "growth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	m := meter{work: work, rounds: rounds}
	if err := m.build(); err != nil {
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
			p, err := m.measure(s, size)
			if err != nil {
				return fmt.Errorf("%s of %d %s: %w", s.title, size, s.unit, err)
			}
			mb := float64(p.bytes) / 1e6
			fmt.Fprintf(out, "| %s | %d %s | %.2f | %.3f | %.3f | %.0f | %d |\n",
				s.title, size, s.unit, mb, p.Wall.Seconds(), p.CPU.Seconds(), mb/p.Wall.Seconds(), p.Peak/1e6)
		}
	}
	return nil
}

// build makes the programs: triage as it is shipped, and rusage.
func (m *meter) build() error {
	m.triage, m.rusage = filepath.Join(m.work, "triage"), filepath.Join(m.work, "rusage")
	for _, b := range []struct{ dir, out, pkg string }{{"..", m.triage, "./cmd/triage"}, {".", m.rusage, "./rusage"}} {
		cmd := exec.Command("go", "build", "-trimpath", "-o", b.out, b.pkg)
		cmd.Dir, cmd.Env = b.dir, append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", b.pkg, err, out)
		}
	}
	return nil
}
