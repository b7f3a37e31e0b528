package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gotriage/triage/report"
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
	line := &liveLine{w: std.Err, text: func() string { return progressLine(o.Progress) }}
	stop := line.show(std, progressAfter)
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

// A liveLine is a line of progress on a terminal, below lines of narration.
type liveLine struct {
	w     io.Writer
	text  func() string
	mu    sync.Mutex
	shown bool // it is on the screen
}

// show keeps the line on w, if that is a terminal, from after on until the returned function is called.
func (l *liveLine) show(std Std, after time.Duration) (stop func()) {
	if !isTerminal(std.Err) || std.Getenv("TERM") == "dumb" {
		return func() {}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		select {
		case <-done:
			return
		case <-time.After(after):
		}
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		l.watch(tick.C, done)
	})
	return func() {
		close(done)
		wg.Wait()
	}
}

// watch writes the line at once and at every tick, and clears it when done is closed.
func (l *liveLine) watch(tick <-chan time.Time, done <-chan struct{}) {
	for {
		l.mu.Lock()
		fmt.Fprint(l.w, clearLine+report.Escape(l.text()))
		l.shown = true
		l.mu.Unlock()
		select {
		case <-done:
			l.mu.Lock()
			l.clear()
			l.mu.Unlock()
			return
		case <-tick:
		}
	}
}

// clear makes room for narration; l is locked.
func (l *liveLine) clear() {
	if l.shown {
		fmt.Fprint(l.w, clearLine)
		l.shown = false
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
