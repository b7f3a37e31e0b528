package triage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const (
	codedDir    = "../testdata/coded"
	codedGen    = "../testdata/gen/coded"
	codedReport = "../docs/coded.md"
	// unseenHalf is counted, and no output says which of its programs is wrong.
	unseenHalf = "unseen"
)

// TestProgramsWithTheirSourceAreJudgedAsDocumented judges captures of healthy and guilty programs without and with
// their source, and compares the counts with docs/coded.md. Healthy ones get nothing above low.
func TestProgramsWithTheirSourceAreJudgedAsDocumented(t *testing.T) {
	if raceDetector {
		t.Skip("these captures are judged once, without the race detector")
	}
	var b strings.Builder
	b.WriteString(codedIntroduction)
	for _, half := range []string{"seen", unseenHalf} {
		programs := readCoded(t, half)
		without, with := replayCoded(t, half, programs, nil), replayCoded(t, half, programs, []string{codedGen})
		writeCoded(&b, half, without, with)
		checkCoded(t, half, without, with)
	}
	if *onlyHalf != "" {
		fmt.Print(b.String()) // rules are being written
		return
	}
	compareFile(t, codedReport, b.String())
}

const codedIntroduction = `# Programs, judged with their source

Small programs (testdata/gen/coded), each captured in four forms of two releases of Go, and judged without and with
` + "`--source`" + `. A healthy one looks as if nobody could end a wait, which is not so: whatever is reported above low about it
is an alarm. A guilty one has one of the usual mistakes. Rules were written with the seen half; the unseen one is only
counted. This page is generated: ` + "`go test ./triage -run ProgramsWithTheirSource -update`" + `.
`

// readCoded reads the labels of a half; each program has a capture.
func readCoded(t *testing.T, half string) []wildBug {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(codedGen, half, "labels.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var programs []wildBug
	if err := yaml.Unmarshal(data, &programs); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(programs, func(p wildBug) bool { return *onlyBug != "" && p.Name != *onlyBug })
}

// replayCoded judges the captures of a half, with the folders of its source.
func replayCoded(t *testing.T, half string, programs []wildBug, source []string) (inputs []*wildInput) {
	t.Helper()
	for i := range programs {
		p := &programs[i]
		dir := unpacked(t, filepath.Join(codedDir, half, p.Name+".tar.xz"))
		variant := map[string]string{"healthy": "fixed", "guilty": "bad"}[p.Kind]
		releases, err := os.ReadDir(dir)
		if err != nil || variant == "" || len(releases) != 2 {
			t.Fatalf("%s is %q, with %d releases: %v", p.Name, p.Kind, len(releases), err)
		}
		for _, release := range releases {
			for _, form := range []struct{ name, file string }{
				{"debug2", "debug2.txt"}, {"debug1", "debug1.txt"}, {"goroutine", "goroutine.pb"}, {"signal", "signal.txt"},
			} {
				in := &wildInput{bug: p, variant: variant, mode: release.Name(), form: form.name, source: source}
				in.judge(t, []string{filepath.Join(dir, release.Name(), form.file)})
				inputs = append(inputs, in)
			}
		}
	}
	return inputs
}

// writeCoded writes what was right about a half, and by form.
func writeCoded(b *strings.Builder, half string, without, with []*wildInput) {
	fmt.Fprintf(b, "\n## %s\n\n| form | sources | guilty | first | first three | too mild | missed | wrong accusations | healthy | alarms |\n"+
		"|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n", strings.ToUpper(half[:1])+half[1:])
	for _, form := range []string{"debug2", "debug1", "goroutine", "signal", "all"} {
		for _, side := range []struct {
			name   string
			inputs []*wildInput
		}{{"without", without}, {"with", with}} {
			n, guilty, wrong, healthy, alarms := map[string]int{}, 0, 0, 0, 0
			for _, in := range side.inputs {
				switch {
				case form != "all" && in.form != form:
				case in.variant == "fixed":
					if healthy++; in.alarm != "" {
						alarms++
					}
				default:
					guilty++
					if n[in.verdict]++; in.accused != "" {
						wrong++
					}
				}
			}
			fmt.Fprintf(b, "| %s | %s | %d | %s | %s | %s | %s | %d | %d | %d |\n", form, side.name, guilty,
				ofAll(n[verdictFirst], guilty), ofAll(n[verdictFirst]+n[verdictThird], guilty), ofAll(n[verdictMild], guilty),
				ofAll(n[verdictMissed]+n[verdictLater], guilty), wrong, healthy, alarms)
		}
	}
}

// checkCoded reports alarms about healthy programs that they get because of their source; which programs of the seen
// half are missed is printed with -half seen, and what is reported without their source.
func checkCoded(t *testing.T, half string, without, with []*wildInput) {
	t.Helper()
	alarms := 0
	for i, in := range with {
		if in.alarm != "" && without[i].alarm == "" {
			if alarms++; half != unseenHalf {
				t.Errorf("%s: %s", in.name(), in.alarm)
			}
		}
		if *onlyHalf == half && half != unseenHalf && (in.alarm != "" || in.variant == "bad" && in.verdict != verdictFirst || in.accused != "") {
			fmt.Printf("%s\t%s -> %s\t%s%s\n", in.name(), without[i].verdict, in.verdict, in.accused, in.alarm)
		}
	}
	if half == unseenHalf && alarms > 0 {
		t.Errorf("%d inputs of healthy programs of the %s half give an alarm with their source", alarms, half)
	}
}

func TestCapturesOfProgramsWithTheirSourceTakeLessThan1200KB(t *testing.T) {
	checkSize(t, codedDir, 1_200_000)
}
