package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage"
)

// When the progress line appears (nothing that takes less needs one) and how often it changes.
const (
	progressAfter = time.Second
	progressEvery = 250 * time.Millisecond
)

// clearLine returns to the line's begin and erases it (ECMA-48 EL).
const clearLine = "\r\x1b[K"

// underWay runs read with the progress of o on the screen. An interruption is no error: it is reported with what came
// of it.
func underWay(std Std, o *triage.Options, outcome string, read func() error) (interrupted bool, err error) {
	o.Progress = &triage.Progress{}
	stop := showProgress(std, o.Progress)
	err = read()
	stop()
	switch {
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		complain(std.Err, "interrupted: "+outcome, "")
		return true, nil
	case err != nil:
		return false, &failure{exitUsage, err, ""}
	}
	return false, nil
}

// showProgress keeps a line on stderr, where that is a terminal, until the returned function is called.
func showProgress(std Std, p *triage.Progress) (stop func()) {
	if !isTerminal(std.Err) || std.Getenv("TERM") == "dumb" {
		return func() {}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		late := time.NewTimer(progressAfter)
		defer late.Stop()
		select {
		case <-done:
			return
		case <-late.C:
		}
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		watch(std.Err, p, tick.C, done)
	})
	return func() {
		close(done)
		wg.Wait()
	}
}

// watch writes the progress at once and at every tick, and clears it when done is closed.
func watch(w io.Writer, p *triage.Progress, tick <-chan time.Time, done <-chan struct{}) {
	for {
		fmt.Fprint(w, clearLine+progressLine(p))
		select {
		case <-done:
			fmt.Fprint(w, clearLine)
			return
		case <-tick:
		}
	}
}

func progressLine(p *triage.Progress) string {
	line := "triage: "
	if total := p.Total.Load(); total > 0 {
		// What has random access is read in pieces, some of them twice.
		read := min(p.Bytes.Load(), total)
		line += fmt.Sprintf("%s of %s (%d %%), ", phrase.RoundSize(read), phrase.RoundSize(total), 100*read/total)
	}
	line += fmt.Sprintf("%s lines, %d of %d files read, ", phrase.Number(p.Lines.Load()), p.Done.Load(),
		p.Sources.Load())
	line += phrase.Number(p.Dumps.Load()) + " dumps"
	if n := p.Profiles.Load(); n > 0 {
		line += ", " + phrase.Number(n) + " profiles"
	}
	if n := p.Findings.Load(); n > 0 {
		line += ", " + phrase.Number(n) + " findings"
	}
	return line
}
