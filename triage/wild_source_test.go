package triage_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/source"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

const wildSourceReport = "../docs/wild-source.md"

var withSources = flag.Bool("sources", false, "judge the lab with the programs' sources, which are in the module cache")

// closedHalves are the parts of the lab of which only counts are printed.
var closedHalves = []string{"second", unnamedSet}

// TestTheLabWithItsSourcesIsAsDocumented judges the captures of published bugs and healthy programs twice, without and
// with the sources of what was built, and compares the counts with docs/wild-source.md. It needs the modules that the
// programs pin: `make wild-modules`.
func TestTheLabWithItsSourcesIsAsDocumented(t *testing.T) {
	if raceDetector || !*withSources {
		t.Skip("judged by `make nightly`: it needs the modules in testdata/gen/wild")
	}
	cache := moduleCache(t)
	bugs := readWildBugs(t, wildBugs)
	if absent := absentModules(t, cache, bugs); len(absent) > 0 {
		t.Skipf("nothing is judged: %d modules are not in %s, for example %s: make wild-modules", len(absent), cache, absent[0])
	}
	bugs = slices.DeleteFunc(bugs, func(b wildBug) bool {
		return *onlyHalf != "" && b.Half != *onlyHalf || *onlyBug != "" && b.Name != *onlyBug
	})
	sources := func(list, name string) []string {
		return []string{cache, filepath.Join("../testdata/gen/wild", list, name)}
	}
	without, with := replayWild(t, wildDir, bugs, nil), replayWild(t, wildDir, bugs, sources)
	var healthy []*healthyInput
	for _, p := range readHealthy(t) {
		if (*onlyHalf == "" || p.Half == *onlyHalf) && *onlyBug == "" {
			healthy = append(healthy, replayHealthy(t, wildDir, &p, sources("healthy", p.Name))...)
		}
	}
	var b strings.Builder
	b.WriteString(wildSourceIntroduction)
	writeSourced(&b, without, with)
	if *onlyBug == "" {
		writeSourcedHealthy(&b, healthyInputs(t), healthy)
	}
	writeFrames(&b, framesFound(t, bugs, sources))
	if *onlyHalf == "" && *onlyBug == "" {
		compareFile(t, wildSourceReport, b.String())
		return
	}
	printChanges(without, with)
	for _, in := range healthy {
		if len(in.alarms) > 0 && !slices.Contains(closedHalves, in.program.Half) {
			fmt.Printf("%s\talarm\t%v\n", in.name(), in.alarms)
		}
	}
	fmt.Print(b.String())
}

const wildSourceIntroduction = `# Published bugs, judged with their source

The captures of [the lab](wild.md), judged as they are there and with ` + "`--source`" + `: the module cache, and the folder of the
program. Labels are those of that page. This page is generated, and needs the modules that the programs pin:
` + "`make wild-modules`" + `, then ` + "`go test ./triage -run LabWithItsSources -args -sources -update`" + `. ` + "`make nightly`" + ` compares it.
`

// moduleCache is the folder of the module cache.
func moduleCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	dir := strings.TrimSpace(string(out))
	if err == nil && dir != "" {
		_, err = os.Stat(dir)
	}
	if err != nil || dir == "" {
		t.Skipf("nothing is judged: there is no module cache: %v", err)
	}
	return dir
}

// absentModules are the modules of the bugs' module files, "path@version", that the cache does not have.
func absentModules(t *testing.T, cache string, bugs []wildBug) (absent []string) {
	t.Helper()
	for _, bug := range bugs {
		for _, file := range []string{"go.mod", "fixed.mod"} {
			text, err := os.ReadFile(filepath.Join("../testdata/gen/wild/bugs", bug.Name, file))
			if errors.Is(err, fs.ErrNotExist) {
				continue // not captured
			}
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
				if len(f) < 2 || f[0] != bug.Module || !strings.HasPrefix(f[1], "v") {
					continue
				}
				name := escapedModule(f[0]) + "@" + escapedModule(f[1])
				if _, err := os.Stat(filepath.Join(cache, name)); err != nil {
					absent = append(absent, name)
				}
			}
		}
	}
	return absent
}

// escapedModule is a module's path or version as the cache has it: "!x" for "X".
func escapedModule(s string) string {
	var b strings.Builder
	for _, c := range s {
		if 'A' <= c && c <= 'Z' {
			b.WriteByte('!')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// writeSourced writes what was right about bugs, without and with their sources.
func writeSourced(b *strings.Builder, without, with []*wildInput) {
	b.WriteString("\n## Bugs\n\n| half | sources | bugs | inputs | first | first three | too mild | missed | bad inputs | wrong accusations | " +
		"twins' inputs | alarms |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, half := range []string{"first", "second", "third", "fourth", unnamedSet} {
		for _, side := range []struct {
			name   string
			inputs []*wildInput
		}{{"without", without}, {"with", with}} {
			n, bugs := map[string]int{}, map[string]bool{}
			shown, bad, wrong, twins, alarms := 0, 0, 0, 0, 0
			for _, in := range side.inputs {
				if in.bug.Half != half {
					continue
				}
				bugs[in.bug.Name] = true
				if in.variant == "fixed" {
					twins++
					if in.alarm != "" {
						alarms++
					}
					continue
				}
				if bad++; in.accused != "" {
					wrong++
				}
				if in.shownBy(in.bug) {
					shown++
					n[in.verdict]++
				}
			}
			if len(bugs) > 0 {
				fmt.Fprintf(b, "| %s | %s | %d | %d | %s | %s | %s | %s | %d | %d | %d | %d |\n", half, side.name, len(bugs), shown,
					ofAll(n[verdictFirst], shown), ofAll(n[verdictFirst]+n[verdictThird], shown),
					ofAll(n[verdictMild], shown), ofAll(n[verdictMissed]+n[verdictLater], shown), bad, wrong, twins, alarms)
			}
		}
	}
}

// writeSourcedHealthy writes how many inputs of healthy programs give an alarm, without and with their sources.
func writeSourcedHealthy(b *strings.Builder, without, with []*healthyInput) {
	b.WriteString("\n## Healthy programs\n\n| half | inputs | alarms without | alarms with |\n|---|--:|--:|--:|\n")
	for _, half := range []string{"first", "second"} {
		all, n := 0, [2]int{}
		for i, inputs := range [][]*healthyInput{without, with} {
			all = 0
			for _, in := range inputs {
				if in.program.Half != half {
					continue
				}
				if all++; len(in.alarms) > 0 {
					n[i]++
				}
			}
		}
		if all > 0 {
			fmt.Fprintf(b, "| %s | %d | %d | %d |\n", half, all, n[0], n[1])
		}
	}
}

// printChanges prints the inputs of open halves that the sources change, and those that are wrong with them.
func printChanges(without, with []*wildInput) {
	for i, in := range with {
		old := without[i]
		text := in.verdict
		if old.verdict != in.verdict || old.accused != in.accused || old.alarm != in.alarm {
			text = fmt.Sprintf("%s -> %s", old.verdict, in.verdict)
		} else if in.verdict == verdictFirst || in.verdict == verdictSilent || in.verdict == verdictQuiet {
			continue
		}
		if !slices.Contains(closedHalves, in.bug.Half) {
			fmt.Printf("%s\t%s\t%s%s\n", in.name(), text, in.accused, in.alarm)
		}
	}
}

// A frameCount is how many frames of a half's dumps were found in the sources, as they were built.
type frameCount struct {
	half                 string
	programs, whole      int // programs, and those of which each frame was found
	asked, found, placed int // distinct frames outside the standard library; with a file that fits; in one function there
}

// framesFound looks for every frame of the bugs' first debug=2 dumps, outside the runtime and the standard library.
func framesFound(t *testing.T, bugs []wildBug, sources func(list, name string) []string) []frameCount {
	t.Helper()
	var counts []frameCount
	for _, half := range []string{"first", "second", "third", "fourth", unnamedSet} {
		c := frameCount{half: half}
		for i := range bugs {
			if bugs[i].Half != half {
				continue
			}
			archive := filepath.Join(wildDir, "bugs", bugs[i].Name+".tar.xz")
			if _, err := os.Stat(archive); err != nil {
				continue
			}
			dir, before := unpacked(t, archive), c
			for _, variant := range []string{"bad", "fixed"} {
				file := filepath.Join(dir, variant, "plain/debug2.txt")
				if _, err := os.Stat(file); err == nil {
					c.count(t, file, sources("bugs", bugs[i].Name), !slices.Contains(closedHalves, half))
				}
			}
			if c.programs++; c.asked-before.asked == c.placed-before.placed {
				c.whole++
			}
		}
		if c.programs > 0 {
			counts = append(counts, c)
		}
	}
	return counts
}

// count looks for the frames of one dump.
func (c *frameCount) count(t *testing.T, file string, dirs []string, named bool) {
	t.Helper()
	tree, err := source.Open(dirs)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	packages := tree.Packages()
	reader := gocode.NewReader(packages.Of)
	frames := dumpFrames(t, file)
	seen := map[gocode.Frame]bool{}
	packages.Doubt(frames, nil)
	for _, f := range frames {
		if seen[f] {
			continue
		}
		seen[f] = true
		c.asked++
		if p, _ := packages.Of(f); p != nil {
			c.found++
		}
		if reader.Site(f) != nil {
			c.placed++
		} else if named {
			fmt.Printf("not found: %+v\n", f)
		}
	}
}

// dumpFrames are the frames of a dump's stacks outside of the standard library, each with what it calls as far as the dump shows that.
func dumpFrames(t *testing.T, file string) (frames []gocode.Frame) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dumps, err := stackparse.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	leaf := map[stackparse.Class]string{stackparse.ClassChanReceive: "runtime.chanrecv1",
		stackparse.ClassChanSend: "runtime.chansend1", stackparse.ClassSelect: "runtime.selectgo", stackparse.ClassNoCases: "runtime.block"}
	for _, d := range dumps {
		for _, b := range d.Buckets {
			callee := leaf[b.Class]
			for _, at := range b.Frames {
				if class := (frame.Program{}).Class(at.Frame); class != frame.ClassRuntime && class != frame.ClassStdlib {
					frames = append(frames, gocode.Frame{Func: at.Func, File: at.File, Line: at.Line, Callee: callee})
				}
				callee = at.Func
			}
		}
	}
	return frames
}

func writeFrames(b *strings.Builder, counts []frameCount) {
	b.WriteString("\n## Sources found\n\nFrames of the debug=2 dumps outside the standard library: those whose file was found and is what was built, and those of\n" +
		"them that lie in one function there. *Whole*: programs with every frame in such a function.\n\n" +
		"| half | programs | whole | frames asked | file fits | in one function |\n|---|--:|--:|--:|--:|--:|\n")
	for _, c := range counts {
		fmt.Fprintf(b, "| %s | %d | %d | %d | %s | %s |\n", c.half, c.programs, c.whole, c.asked,
			ofAll(c.found, c.asked), ofAll(c.placed, c.asked))
	}
}
