package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
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

// withProgress runs read with the progress of o on the screen. An interruption is no error: it is reported with what
// came of it.
func withProgress[T any](std Std, o *triage.Options, outcome string, read func() (T, error)) (
	got T, interrupted bool, err error) {
	o.Progress = &triage.Progress{}
	line := &liveLine{w: std.Err, text: func() string { return progressLine(o.Progress) }}
	stop := line.show(std, progressAfter)
	got, err = read()
	stop()
	switch {
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		printError(std.Err, "interrupted: "+outcome, "")
		return got, true, nil
	case errors.Is(err, triage.ErrNoTime):
		err = &failure{exitUsage, err, "give an absolute time: --since 2026-03-04T04:47:00Z"}
	case err != nil:
		err = &failure{exitUsage, err, ""}
	}
	return got, false, err
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
		line += fmt.Sprintf("%s of %s (%d%%), ", phrase.RoundSize(read), phrase.RoundSize(total), 100*read/total)
	}
	if p.Sources.Load() == 0 { // of a merge, which finds files as it reads them
		return line + phrase.Count(p.Done.Load(), "file") + " read"
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

// A fetchScreen writes to stderr what a capture does: the plan first, notes as they come, a countdown on a terminal,
// and a table at the end. Everything that comes from elsewhere is escaped.
type fetchScreen struct {
	liveLine // its lock guards all of it
	now      func() time.Time
	planned  bool
	asking   map[string]pendingRequest // by process and item
	items    int
	ended    int // processes
	of       int
}

// pendingRequest is something under way.
type pendingRequest struct {
	name string
	due  time.Time // where it lasts on purpose
}

func newFetchScreen(w io.Writer) *fetchScreen {
	s := &fetchScreen{now: time.Now, asking: map[string]pendingRequest{}}
	s.w, s.text = w, s.line
	return s
}

// event takes an event of fetch.
func (s *fetchScreen) event(e fetch.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e.Kind {
	case fetch.EventPlan:
		s.plan(e)
	case fetch.EventStart:
		a := pendingRequest{name: e.Name}
		if e.Expect > 0 {
			a.due = s.now().Add(e.Expect)
		}
		s.asking[e.From+" "+e.Name] = a
	case fetch.EventItem:
		delete(s.asking, e.From+" "+e.Name)
		s.items++
	case fetch.EventProcess:
		s.ended++
		s.of = e.Of
	case fetch.EventNote:
		s.say(phrase.OnlyIf(e.From != "", e.From+": ") + e.Text)
	case fetch.EventRound:
		s.items = 0
		s.say(fmt.Sprintf("round %d: %s", e.Of, e.Text))
	}
}

func (s *fetchScreen) plan(e fetch.Event) {
	if !s.planned {
		s.planned = true
		about := phrase.OnlyIf(e.Expect >= time.Second, ", about "+e.Expect.Round(time.Second).String())
		s.say("fetch " + e.From + about + ":")
	}
	s.say("  " + e.Text)
}

// say writes one line of narration, above the progress line where there is one.
func (s *fetchScreen) say(text string) {
	s.clear()
	fmt.Fprintf(s.w, "triage: %s\n", report.Escape(text))
}

// line is the progress: what is under way, and for how long where that is known.
func (s *fetchScreen) line() string {
	under, left := map[string]bool{}, time.Duration(0)
	for _, a := range s.asking {
		under[a.name] = true
		if !a.due.IsZero() {
			left = max(left, a.due.Sub(s.now()))
		}
	}
	text := "triage: " + phrase.Number(s.items) + " items captured"
	if s.of > 1 {
		text += fmt.Sprintf(", %d of %d pods done", s.ended, s.of)
	}
	names := slices.DeleteFunc(fetch.ItemNames(), func(name string) bool { return !under[name] })
	if len(names) > 0 {
		text += "; " + strings.Join(names, " and ")
	}
	if left > 0 {
		text += fmt.Sprintf(", %d s left", int(left.Round(time.Second).Seconds()))
	}
	return text
}

// maxTables is for how many pods every item is listed, and maxItems how many there may be; of more, only what failed.
const maxTables, maxItems = 3, 60

// captured writes the closing table and where the capture lies.
func (s *fetchScreen) captured(res *fetch.Result) {
	m := &res.Manifest
	if res.Interrupted {
		printError(s.w, "interrupted: the capture contains what arrived until then", "")
	}
	last := ""
	for _, it := range m.Items {
		if (len(m.Pods) > maxTables || len(m.Items) > maxItems) && it.Error == "" {
			continue
		}
		if it.From != last {
			last = it.From
			fmt.Fprintf(s.w, "triage: %s\n", report.Escape(it.From))
		}
		// The longest name of an item has 13 letters.
		size := cmp.Or(phrase.OnlyIf(it.File != "", phrase.Size(it.Bytes)), "-")
		fmt.Fprintf(s.w, "triage:   %-13s  %8s  %s\n", it.Name, size, report.Escape(outcomeOf(it)))
	}
	s.lies(res.Path)
}

func (s *fetchScreen) lies(path string) {
	printError(s.w, "captured into "+path, "triage "+rules.Quote(path)+" reads it again")
}

// outcomeOf returns what came of an item: its file's name, or why there is none.
func outcomeOf(it fetch.ManifestItem) string {
	word := cmp.Or(phrase.OnlyIf(it.Truncated, "cut: "), "failed: ")
	name := it.File[strings.LastIndexByte(it.File, '/')+1:]
	parts := []string{name, phrase.OnlyIf(it.Error != "", word+it.Error), it.Note}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

func colorNames() []string { return []string{colorAuto, colorAlways, colorNever} }

// isColored decides whether what goes to w is coloured: the flag beats the environment, NO_COLOR (no-color.org) and
// TERM=dumb beat CLICOLOR_FORCE (bixense.com/clicolors), and without any of them a terminal gets colours.
func isColored(when string, w io.Writer, getenv func(string) string) bool {
	switch {
	case when == colorAlways:
		return true
	case when == colorNever, getenv("NO_COLOR") != "", getenv("TERM") == "dumb":
		return false
	case getenv("CLICOLOR_FORCE") != "" && getenv("CLICOLOR_FORCE") != "0":
		return true
	}
	return isTerminal(w)
}

// plainLocale reports a locale that names a charset without the report's marks. An unset locale decides nothing: the
// terminals of containers rarely have one, and show UTF-8.
func plainLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}

// isTerminal reports whether v is a file that is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// sizeOfTerminal is how many columns and rows the terminal has that w is, 0 where it is none or unknown.
func sizeOfTerminal(w io.Writer) (columns, rows int) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, 0
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return columns, rows
}
