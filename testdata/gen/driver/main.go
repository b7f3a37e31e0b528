// Command driver remakes the captures of testdata that programs of testdata/gen leave: it builds a population's programs
// with releases of Go, runs them, and keeps what a person on call could collect. gen/pack makes archives of it.
//
//	go run . -population textbook -half first -only '^shelves' -out /tmp/textbook
//	go run . -population dumps -go 1.26.8,1.12.17 -only '^spin-gosched'
//
// It writes PROGRAM/PROCESS/FORM into a folder for each half, and never looks at what triage makes of a capture.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/capture"
	"example.com/driver/dumps"
	"example.com/driver/profiles"
	"example.com/driver/well"
)

// makers remake what is no capture of processes with a pprof port, from the folder of all programs.
var makers = map[string]func(ctx context.Context, gen, releases string, o capture.Options) error{
	"dumps": dumps.Make, "well": well.Make, "profiles": profiles.Make,
}

// Limits are what of a population is captured, and how.
type limits struct {
	capture.Options
	half string
	age  time.Duration // instead of the population's own
}

func main() { capture.Main("driver", run) }

func run(ctx context.Context) error {
	name := flag.String("population", "", "what is captured: "+strings.Join(names(), ", "))
	versions := flag.String("go", "", "only these Go releases, comma separated, of dumps and well")
	half := flag.String("half", "", "only this half")
	age := flag.Duration("age", 0, "how old processes are when they are captured, if not as old as usual")
	o, err := capture.ParseFlags("programs", "")
	if err != nil {
		return err
	}
	gen, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	if remake := makers[*name]; remake != nil {
		if o.Out == "" {
			o.Out = filepath.Join(gen, "..", *name)
		}
		return remake(ctx, gen, *versions, o)
	}
	p, ok := populations[*name]
	if !ok {
		return fmt.Errorf("-population: there is no %q", *name)
	}
	return p.capture(ctx, gen, limits{o, *half, *age})
}

// names are those of all populations.
func names() []string {
	return slices.Sorted(maps.Keys(func() map[string]bool {
		all := map[string]bool{}
		for name := range makers {
			all[name] = true
		}
		for name := range populations {
			all[name] = true
		}
		return all
	}()))
}

// A task is one process of a program, whose captures are in a folder of their own.
type task struct {
	folder string
	build  capture.Build
	capture.Process
	heavy int // 0 for one that waits, and runs beside any number; others take turns
}

// Those that compute, and those whose memory grows.
const (
	computes = 1
	grows    = 2
)

// capture captures the programs that are asked for: all are built first, since a build uses all processors.
func (p *population) capture(ctx context.Context, gen string, l limits) error {
	halves := p.halves
	if l.half != "" {
		halves = []string{l.half}
	}
	programs, err := capture.Programs(filepath.Dir(gen)+"/"+p.labels, halves...)
	if err != nil {
		return err
	}
	bins, err := os.MkdirTemp("", "driver")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bins)
	builds := &capture.Builds{Dir: bins}
	out := l.Out
	if out == "" {
		out = filepath.Join(gen, "..", filepath.Dir(p.labels+"x"))
	}
	var work capture.Work
	turns := map[int]chan bool{0: make(chan bool, 300), computes: make(chan bool, max(1, p.computing)), grows: make(chan bool, 4)}
	categories := map[string]string{}
	for _, program := range programs {
		categories[program.Name] = program.Category
	}
	for _, program := range programs {
		if fault, ok := strings.CutSuffix(program.Name, "-well"); ok {
			program.Category = categories[fault] // it has the profiles of its fault: that one is there tells nothing
		}
		if !l.Only.MatchString(program.Name) {
			continue
		}
		for _, t := range p.tasks(&program, l) {
			t.build.Module = filepath.Join(gen, t.build.Module)
			bin, err := builds.Path(ctx, t.build)
			if err != nil {
				work.Fail(program.Name, err)
				continue
			}
			t.Command = append([]string{bin}, t.Command...)
			t.Address, t.Triage = p.address, l.Triage
			to := filepath.Join(out, filepath.Base(p.labels+program.Half), program.Name, t.folder)
			work.Go(program.Name+"/"+t.folder, func() error { return t.store(ctx, turns[t.heavy], to) })
		}
	}
	return work.Wait()
}

// store captures a process when it is its turn.
func (t *task) store(ctx context.Context, turn chan bool, to string) error {
	select {
	case turn <- true:
		defer func() { <-turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	files, err := t.Capture(ctx)
	if err != nil || len(files) == 1 && files[0].Name == dropped {
		return err
	}
	return capture.Write(to, files)
}
