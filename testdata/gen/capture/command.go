package capture

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
)

// Main runs a command until it ends or is interrupted.
func Main(command string, run func(context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", command, err)
		os.Exit(1)
	}
}

// Options are the flags that all commands have that capture programs.
type Options struct {
	Out    string         // folder for the captures
	Triage string         // absolute path of a triage binary; "" for none
	Only   *regexp.Regexp // the names of programs to capture
}

// ParseFlags parses the command line, with the flags that the command has defined besides these. The programs are what
// it captures: "bugs". Out is where the captures go without a flag.
func ParseFlags(programs, out string) (Options, error) {
	flag.StringVar(&out, "out", out, "folder for the captures")
	triage := flag.String("triage", "", "a triage binary for the form `fetch`; without it that form is left out")
	only := flag.String("only", "", "only the "+programs+" whose name matches this regular expression")
	flag.Parse()
	o := Options{Out: out, Triage: *triage}
	var err error
	if o.Only, err = regexp.Compile(*only); err != nil {
		return o, fmt.Errorf("-only: %w", err)
	}
	if o.Triage != "" {
		o.Triage, err = filepath.Abs(o.Triage)
	}
	return o, err
}

// Work is captures that are taken side by side. One that fails does not keep the others from being taken.
type Work struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	errs []error
}

// Go takes one capture; name is that of the program.
func (w *Work) Go(name string, take func() error) {
	w.wg.Go(func() {
		if err := take(); err != nil {
			w.Fail(name, err)
		}
	})
}

// Fail notes why a program is not captured.
func (w *Work) Fail(name string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errs = append(w.errs, fmt.Errorf("%s: %w", name, err))
}

// Wait waits for the end of all captures and returns what failed.
func (w *Work) Wait() error {
	w.wg.Wait()
	return errors.Join(w.errs...)
}
