package ingest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/ingest/framing"
)

// journal is a log of n lines, a second each, with a dump's lines among them.
func journal(n int) []string {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("Nov 20 18:%02d:%02d node1 kubelet[7]: line %d", i/60, i%60, i))
	}
	return lines
}

func TestALogWithItsNewestLineFirstIsReadFromItsEnd(t *testing.T) {
	lines := journal(200)
	slices.Reverse(lines)
	in := "-- Logs begin at Sun 2022-03-06 22:45:10 UTC. --\n" + strings.Join(lines, "\n") + "\n"
	got, res := readBytes(t, []byte(in), 0)
	if p := res.Parts[0]; !p.Reversed || p.Lines != 201 || p.Framing != "journald" || p.Bytes != int64(len(in)) {
		t.Fatalf("%+v", p)
	}
	if got[0].Text != "line 0" || got[199].Text != "line 199" || !strings.HasPrefix(got[200].Text, "-- Logs begin") {
		t.Errorf("first %q, last %q", got[0].Text, got[200].Text)
	}
	// A line's number counts as it comes; its place is that in the file.
	for _, i := range []int{0, 100, 200} {
		if got[i].Num != int64(i+1) {
			t.Errorf("line %d has the number %d", i, got[i].Num)
		}
		if _, line := res.Locate(got[i].Num); line != int64(201-i) {
			t.Errorf("line %d stands at %d, want %d", i, line, 201-i)
		}
	}
}

func TestARotatedPartThatIsReversedIsLocated(t *testing.T) {
	newest := journal(50)
	slices.Reverse(newest)
	_, res := readParts(t, 0, []byte("a\nb\n"), []byte(strings.Join(newest, "\n")), []byte("c\n"))
	for num, want := range map[int64]string{2: "part0:2", 3: "part1:50", 52: "part1:1", 53: "part2:1"} {
		path, line := res.Locate(num)
		if at := fmt.Sprintf("%s:%d", path, line); at != want {
			t.Errorf("line %d is %s, want %s", num, at, want)
		}
	}
}

func TestOnlyAClockThatFallsAllTheTimeMakesALogReversed(t *testing.T) {
	lines := journal(60)
	twisted := slices.Clone(lines)
	for i := 0; i+1 < len(twisted); i += 2 {
		twisted[i], twisted[i+1] = twisted[i+1], twisted[i]
	}
	var equal []string
	for i := range 50 {
		equal = append(equal, fmt.Sprintf("Nov 20 18:00:00 node1 kubelet[7]: line %d", i))
	}
	restarted := append(slices.Clone(lines), lines...)
	for name, c := range map[string]struct {
		lines []string
		want  bool
	}{
		"forward": {lines, false}, "two writers": {twisted, false}, "one second": {equal, false}, "a clock set back": {restarted, false},
		"no stamps": {[]string{"b", "a"}, false}, "too few": {[]string{lines[3], lines[2], lines[1], lines[0]}, false},
		"few": {[]string{lines[4], lines[3], lines[2], lines[1], lines[0]}, true},
		"kubectl": {[]string{
			"2026-03-04T05:06:09Z e", "2026-03-04T05:06:08.5Z d", "2026-03-04T05:06:08Z c", "2026-03-04T05:06:07Z b", "2026-03-04T05:06:06Z a", "",
		}, true},
	} {
		if got := framing.IsReversed([]byte(strings.Join(c.lines, "\n"))); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAReversedLogThatIsTooLargeIsReadAsItStandsAndSaysSo(t *testing.T) {
	lines := journal(3000)
	slices.Reverse(lines)
	block := strings.Join(lines[:10], "\n") + "\n" + strings.Repeat(strings.Repeat("x", 1<<10)+"\n", 1<<16+1)
	n := 0
	res, err := Read(context.Background(), memorySource([]byte(block)), Handler{Lines: func(batch []Line) error { n += len(batch); return nil }}, Options{})
	if err != nil || n != 10+1<<16+1 || !res.Parts[0].Reversed || len(res.Skips) != 1 || !strings.Contains(res.Skips[0].Hint, "tac") {
		t.Errorf("%d lines, %v, %+v", n, err, res.Skips)
	}
	if _, line := res.Locate(5); line != 5 {
		t.Errorf("line 5 is said to stand at %d", line)
	}
}

func TestALogThatWasCutToItsLastBytesIsReported(t *testing.T) {
	lines := journal(20)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"cut":         {"6:07 node1 kubelet[7]: x\n" + strings.Join(lines, "\n"), true},
		"whole":       {strings.Join(lines, "\n"), false},
		"a banner":    {"-- Logs begin at Sun 2022-03-06 22:45:10 UTC. --\n" + strings.Join(lines, "\n"), false},
		"no stamps":   {"rest of a line\nx\nx\nx\nx\nx\nx\n", false},
		"mixed":       {"first\n" + lines[0] + "\nsecond\n" + strings.Join(lines, "\n"), false},
		"an error":    {"unable to retrieve container logs\n" + strings.Join(lines, "\n"), false},
		"a few lines": {"rest\n" + lines[0] + "\n" + lines[1] + "\n", false},
	} {
		_, res := readBytes(t, []byte(c.text), 0)
		if got := res.Parts[0].HeadCut; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAKernelsJournalHasStamps(t *testing.T) {
	got, res := readBytes(t, []byte("Mar 06 22:45:10 localhost kernel: x86/fpu: x87\nMar 06 22:45:11 localhost kernel: oom-kill: x\n"), 0)
	if diff := cmp.Diff([]string{"x86/fpu: x87", "oom-kill: x"}, texts(got)); diff != "" || res.Parts[0].Framing != "journald" {
		t.Errorf("%s%+v", diff, res.Parts)
	}
}

func TestALogWithoutStampsIsReversedWhereHeadersLieBehindTheirStacks(t *testing.T) {
	const (
		file   = "\t/src/mast/rig.go:19 +0x76\n"
		call   = "main.(*Rig).slack(0x1, ...)\n"
		header = "goroutine 1 [running]:\n"
	)
	for text, want := range map[string]bool{
		file + call + header + "\npanic: nil map\nmast starts\n":                         true,
		file + call + header + "\n" + file + call + header:                               true,
		"panic: open(x)\n\n" + header + call + file:                                      false,
		call + header + call + file:                                                      false, // a dump ends, the next begins
		"goroutine 1 [running]:\nmain.main()\n\t/src/x.go:1\n":                           false,
		"2026-08-03T11:02:40Z\tx\n" + file + call + header:                               false,
		"http: panic serving [::1]:9: boom (a.b)\n" + header + "listens\n" + call + file: false,
		"rig.haul(8080)\n" + header + "\n" + call + file:                                 false,
		"we call(x)\ngoroutines are cheap\nand we call(y) again.":                        false,
	} {
		if got := framing.IsReversed([]byte(text)); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
