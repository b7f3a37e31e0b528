package stackparse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const raceText = `==================
WARNING: DATA RACE
Write at 0x00c00009e1d8 by goroutine 9:
  example.com/shop/cart.(*Cart).Add()
      /src/shop/cart/cart.go:44 +0x33
  main.main.func1()
      D:/my src/main.go:12 +0x1

Previous read at 0x00c00009e1d8 by main goroutine:
  [failed to restore the stack]

Goroutine 9 (running) created at:
  main.main()
      /src/shop/main.go:11 +0xf9
==================
Found 1 data race(s)`

const raceWant = `Write c00009e1d8 goroutine 9
  example.com/shop/cart.(*Cart).Add /src/shop/cart/cart.go:44
  main.main.func1 D:/my src/main.go:12
Previous read c00009e1d8 goroutine 0
Goroutine 9 (running) created at 0 goroutine 9
  main.main /src/shop/main.go:11
`

func printRaces(d *Dump) string {
	var out strings.Builder
	for _, r := range d.Races {
		fmt.Fprintf(&out, "%s %x goroutine %d\n", r.Op, r.Addr, r.Goroutine)
		for _, f := range r.Frames {
			fmt.Fprintf(&out, "  %s %s:%d\n", f.Func, f.File, f.Line)
		}
	}
	return out.String()
}

func TestRaceReportHasAccessesAndCreations(t *testing.T) {
	tests := map[string]string{
		"as printed":             raceText,
		"indentation lost":       strings.ReplaceAll(strings.ReplaceAll(raceText, "\n      ", "\n"), "\n  ", "\n"),
		"the first ruler lost":   strings.TrimPrefix(raceText, "==================\n"),
		"empty lines lost":       strings.ReplaceAll(raceText, "\n\n", "\n"),
		"carriage returns":       strings.ReplaceAll(raceText, "\n", "\r\n"),
		"with a log line inside": strings.Replace(raceText, "\n\nPrev", "\n2026/03/04 tick\n\nPrev", 1),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			d, _ := readSection(beginRace, text)
			if d == nil {
				t.Fatal("not recognised")
			}
			if diff := cmp.Diff(raceWant, printRaces(d)); diff != "" {
				t.Errorf("races (-want +got):\n%s", diff)
			}
			if d.Format != FormatRace || d.Goroutines != 0 || len(d.Buckets) != 0 || d.Truncated.Tail {
				t.Errorf("dump %+v", d)
			}
			if c := d.Cause; c.Kind != CauseRace || c.Line != 1 || c.Goroutine != 9 || c.Text != "DATA RACE: write, previous read" {
				t.Errorf("cause %+v", c)
			}
			if want := strings.Count(text, "tick"); d.UnparsedLines != want {
				t.Errorf("%d lines unparsed, want %d", d.UnparsedLines, want)
			}
		})
	}
}

func TestRaceReportEndsAtItsRuler(t *testing.T) {
	_, used := readSection(beginRace, raceText)
	if want := strings.Count(raceText, "\n"); used != want {
		t.Errorf("%d lines taken, want %d", used, want)
	}
}

func TestRulerAloneIsNoRace(t *testing.T) {
	for _, text := range []string{"==================\nresults\n==================", "==================", "WARNING: DATA RACE", "==================\n\n\nWARNING: low disk"} {
		if d, _ := readSection(beginRace, text); d != nil {
			t.Errorf("%q gave %+v", text, d)
		}
	}
	for _, line := range []string{"=== RUN TestX", "========================", "W0304 05:03:57.878758 1 a.go:1] x", "WARNING: DATA"} {
		if beginRace([]byte(line), 1, nil) != nil {
			t.Errorf("%q begins a race report", line)
		}
	}
}

func TestRaceReportCutShortIsTruncated(t *testing.T) {
	cut := raceText[:strings.Index(raceText, "Goroutine 9")]
	d, used := readSection(beginRace, cut+"\npanic: boom")
	if d == nil || !d.Truncated.Tail || len(d.Races) != 2 {
		t.Fatalf("dump %+v", d)
	}
	if want := strings.Count(cut, "\n") + 1; used != want {
		t.Errorf("%d lines taken, want %d", used, want)
	}
}

func FuzzRace(f *testing.F) {
	f.Add(raceText)
	f.Add("WARNING: DATA RACE\nA at 0x1 by goroutine 1:\n()\n:1\n" + strings.Repeat("B at 0x1 by x:\n", 40))
	f.Fuzz(func(t *testing.T, text string) {
		d, _ := readSection(beginRace, text)
		if d == nil {
			return
		}
		if len(d.Races) == 0 || len(d.Races) > maxRaces {
			t.Errorf("%d races", len(d.Races))
		}
		for _, r := range d.Races {
			if r.Op == "" || len(r.Frames) > maxRaceFrames {
				t.Errorf("race %q of %d frames", r.Op, len(r.Frames))
			}
		}
	})
}
