// Command driver runs all programs side by side for twenty minutes and captures their goroutines.
package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"wild/capture"
)

// age is how old a process is when it is captured: older than what triage takes for long (a quarter of an hour), by as
// much as minutes in a dump may be too few.
const age = 20 * time.Minute

// forms are those in which a process is captured, besides what SIGQUIT prints.
var forms = []string{"debug2"}

func main() { capture.Main("driver", run) }

func run(ctx context.Context) error {
	o, err := capture.ParseFlags("programs")
	if err != nil {
		return err
	}
	lab, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "aged")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	bin := filepath.Join(temp, "aged")
	if err := capture.Build(ctx, lab, nil, "-o", bin, "."); err != nil {
		return err
	}
	programs, err := filepath.Glob(filepath.Join(lab, "*", "*", "*.go"))
	if err != nil {
		return err
	}
	var work capture.Work
	for _, path := range programs {
		name := filepath.Base(filepath.Dir(path))
		if !o.Only.MatchString(name) {
			continue
		}
		work.Go(name, func() error {
			p := capture.Process{Command: []string{bin, name}, Address: "AGED_ADDR", Age: age, Forms: forms}
			files, err := p.Capture(ctx)
			if err != nil {
				return err
			}
			return capture.Write(filepath.Join(o.Out, name), files)
		})
	}
	return work.Wait()
}
