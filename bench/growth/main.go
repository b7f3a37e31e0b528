// Command growth measures how time and memory of the whole command grow with its input, and writes tables into blocks
// of docs/performance.md and figures beside it. Inputs are generated (internal/gen); each point is the best of three
// runs.
//
//	cd bench && go run ./growth [-only dumps,logs] [-limit 14m]
//	go run ./growth -quick -doc FILE       the smallest sizes, once: that it works, not how fast
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/bench/internal/page"
)

func main() {
	var o options
	flag.StringVar(&o.doc, "doc", "../docs/performance.md", "the document; figures are written beside it")
	flag.BoolVar(&o.quick, "quick", false, "the smallest sizes of each series, one run each")
	flag.DurationVar(&o.limit, "limit", 14*time.Minute,
		"for all: the largest size of each series comes last, and is left out once this is over")
	only := flag.String("only", "", "these figures, separated by commas: "+strings.Join(names(), ", "))
	flag.Parse()
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

type options struct {
	doc   string
	quick bool
	limit time.Duration
	only  []string // all where empty
}

func run(o options) error {
	for _, name := range o.only {
		if !slices.Contains(names(), name) {
			return fmt.Errorf("no figure %q: there are %s", name, strings.Join(names(), ", "))
		}
	}
	work, err := os.MkdirTemp("", "growth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	m := &meter{work: work, rounds: 3}
	ends := time.Now().Add(o.limit)
	if o.quick {
		m.rounds = 1
	}
	if err := m.build(); err != nil {
		return err
	}
	if m.empty, err = m.startUp(); err != nil {
		return err
	}
	if len(o.only) == 0 {
		text, err := m.limits(o.quick)
		if err != nil {
			return err
		}
		if err := page.Put(o.doc, "limits", text); err != nil {
			return err
		}
	}
	chosen := o.figures()
	if err := m.measure(chosen, ends); err != nil {
		return err
	}
	for _, f := range chosen {
		picture := "growth-" + f.name + ".svg"
		path := filepath.Join(filepath.Dir(o.doc), picture)
		if err := os.WriteFile(path, []byte(f.plot(m.empty).SVG()), 0o644); err != nil {
			return err
		}
		if err := page.Put(o.doc, f.name, f.text(m.empty, picture)); err != nil {
			return err
		}
	}
	return nil
}

// figures are those that are to be drawn.
func (o options) figures() []figure {
	var chosen []figure
	for _, f := range figures() {
		if len(o.only) > 0 && !slices.Contains(o.only, f.name) {
			continue
		}
		if o.quick {
			f = f.quick()
		}
		chosen = append(chosen, f)
	}
	return chosen
}

// build makes the programs: triage as it is shipped, and rusage.
func (m *meter) build() error {
	m.triage, m.rusage = filepath.Join(m.work, "triage"), filepath.Join(m.work, "rusage")
	for _, b := range []struct{ dir, out, pkg string }{{"..", m.triage, "./cmd/triage"}, {".", m.rusage, "./rusage"}} {
		cmd := exec.Command("go", "build", "-trimpath", "-o", b.out, b.pkg)
		cmd.Dir, cmd.Env = filepath.Join(benchDir(), b.dir), append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", b.pkg, err, out)
		}
	}
	return nil
}

// benchDir is this module's folder: the program runs there, its test one below.
func benchDir() string {
	if _, err := os.Stat("rusage"); err == nil {
		return "."
	}
	return ".."
}
