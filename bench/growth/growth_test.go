package main

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/bench/internal/page"
)

const doc = "../../docs/performance.md"

// skeleton is a document with an empty block for each part.
func skeleton() string {
	var b strings.Builder
	b.WriteString("# Performance\n")
	for _, name := range append([]string{"limits"}, names()...) {
		b.WriteString("\n<!-- " + name + " -->\n<!-- end " + name + " -->\n")
	}
	return b.String()
}

func TestTheQuickRangeFillsEveryBlockAndDrawsEveryFigure(t *testing.T) {
	if testing.Short() {
		t.Skip("builds triage and runs it twenty times")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "performance.md")
	if err := os.WriteFile(path, []byte(skeleton()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(options{doc: path, quick: true, limit: time.Minute}); err != nil {
		t.Fatal(err)
	}
	checkDoc(t, path)
}

func TestThePageOfPerformanceIsWhole(t *testing.T) { checkDoc(t, doc) }

// checkDoc checks that each block has a text, and names a figure that is beside the document and whole.
func checkDoc(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	limits, err := page.Get(text, "limits")
	if err != nil || !strings.Contains(limits, "MB/s") {
		t.Errorf("limits: %v, %q", err, limits)
	}
	for _, f := range figures() {
		block, err := page.Get(text, f.name)
		picture := "growth-" + f.name + ".svg"
		if err != nil || !strings.Contains(block, "]("+picture+")") || !strings.Contains(block, "| "+f.series[0].name+" | ") {
			t.Errorf("%s has no block with figure and table: %v, %q", f.name, err, block)
		}
		svg, err := os.ReadFile(filepath.Join(filepath.Dir(path), picture))
		if err != nil {
			t.Error(err)
			continue
		}
		checkFigure(t, picture, string(svg), f)
	}
}

func checkFigure(t *testing.T, name, svg string, f figure) {
	t.Helper()
	texts := map[string]string{} // by class
	d := xml.NewDecoder(strings.NewReader(svg))
	class := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Errorf("%s is no XML: %v", name, err)
			return
		}
		switch token := token.(type) {
		case xml.StartElement:
			class = ""
			for _, a := range token.Attr {
				if a.Name.Local == "class" {
					class = a.Value
				}
			}
		case xml.CharData:
			texts[class] += string(token)
		}
	}
	if !strings.Contains(texts["x-label"], f.unit) || !strings.Contains(texts["y-label"], "seconds") ||
		!strings.Contains(texts["y-label"], "memory, MB") {
		t.Errorf("%s: axes %q and %q, want %s against seconds and MB", name, texts["x-label"], texts["y-label"], f.unit)
	}
	if !strings.Contains(svg, "slope") || !strings.Contains(svg, "prefers-color-scheme: dark") {
		t.Errorf("%s has no slope, or nothing for dark pages", name)
	}
}

func TestASteepWallTimeIsExplainedByThoseWhoWait(t *testing.T) {
	s := series{points: []point{
		{size: 10, wall: time.Second, cpu: time.Second},
		{size: 1000, wall: 400 * time.Second, cpu: 100 * time.Second},
	}}
	wall, cpu, _ := s.slopes(point{})
	want := "at 10 MB, 1.00 processors were at work, at 1,000 MB 0.25. " +
		"The rest is waiting for a processor or for the writer"
	if got := s.waiting(wall, cpu, "MB"); !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
	for _, c := range []struct{ wall, cpu slope }{{1.1, 1}, {1.3, 1.2}} {
		if got := s.waiting(c.wall, c.cpu, "MB"); got != "" {
			t.Errorf("slopes %v and %v are explained by waiting: %q", c.wall, c.cpu, got)
		}
	}
}

func TestASlopeIsThatOfTheLastTwoDecadesWithoutTheEmptyRun(t *testing.T) {
	empty := point{wall: time.Second, cpu: time.Second, peak: 20e6}
	s := series{name: "square"}
	for _, n := range []float64{1, 10, 100, 1000} {
		add := time.Duration(n * n * float64(time.Second))
		if n == 1 {
			add = time.Hour // before the last two decades
		}
		s.points = append(s.points, point{size: n, wall: time.Second + add, cpu: time.Second, peak: 20e6 + int64(1e6*n)})
	}
	wall, cpu, memory := s.slopes(empty)
	if math.Abs(float64(wall)-2) > 1e-9 || !strings.Contains(wall.String(), "**2.00**") {
		t.Errorf("wall time: %v, want a marked 2.00", wall)
	}
	if cpu.String() != "unknown" {
		t.Errorf("processor time: %v, want unknown: no point is above the empty run", cpu)
	}
	if memory.String() != "1.00" { // 10, 100 and 1,000 MB; 10 is half of the empty run's and so left out
		t.Errorf("memory: %v, want 1.00", memory)
	}
}
