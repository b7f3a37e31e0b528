package profiles

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/capture"
)

// What a profile must show before it is kept: the guilty functions have a fifth of it, and a CPU profile rests on enough samples.
const (
	leastShare   = 20.0
	leastSamples = 250
	attempts     = 3
)

// make runs the kind until its profile shows what it is for.
func (s shot) make(bin, temp, out string) ([]capture.Label, error) {
	var last error
	seconds := seconds
	for i := 0; i < attempts; i++ {
		entries, err := s.try(bin, temp, out, seconds)
		if err == nil {
			var labels []capture.Label
			for _, e := range entries {
				fmt.Fprintf(os.Stderr, "%-34s %5s samples, guilty %5s %%, culprit %5s %%\n", e.file, e.samples, e.share, e.own)
				labels = append(labels, s.label(e))
			}
			return labels, nil
		}
		fmt.Fprintf(os.Stderr, "%-34s %v\n", s.name, err)
		last = err
		seconds *= 1.4
	}
	return nil, fmt.Errorf("%s: %w", s.name, last)
}

// An entry is a profile that was made: what it shows, in numbers; "" for what it does not tell.
type entry struct{ file, samples, share, own string }

// label is the line of the list. Any function between bars is right.
func (s shot) label(e entry) capture.Label {
	cause := capture.Label{{"category", s.category}}
	if s.culprit != "-" && s.category != "none" {
		cause = append(cause, [2]any{"function", capture.OneOf(strings.Split(s.culprit, "|"))})
	}
	return capture.Label{{"name", e.file}, {"program", s.kind.name}, {"kind", "profile"}, {"form", s.profile},
		{"root_cause", cause},
		{"why", s.topic}, {"about", capture.Label{{"go", s.release}, {"samples", e.samples}, {"share", e.share}, {"own", e.own}}}}
}

func (s shot) try(bin, temp, out string, seconds float64) ([]entry, error) {
	ext := ".pb.gz"
	args := []string{s.kind.name, "--seconds", fmt.Sprint(seconds)}
	if s.text {
		ext = ".txt"
		args = append(args, "--debug", "1")
	}
	first := filepath.Join(temp, s.name+ext)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, append(args, "--out", first)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + temp}
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	var entries []entry
	for n := 1; n <= s.count; n++ {
		file := first
		if s.count > 1 {
			file = filepath.Join(temp, fmt.Sprintf("%s-%d%s", s.name, n, ext))
		}
		e, err := s.check(file)
		if err != nil {
			return nil, err
		}
		if err := move(file, filepath.Join(out, filepath.Base(file)), temp); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// check asks go tool pprof what a profile shows.
func (s shot) check(file string) (entry, error) {
	e := entry{file: filepath.Base(file)}
	if s.text {
		text, err := os.ReadFile(file)
		if err == nil && s.culprit != "-" && !bytes.Contains(text, []byte(s.culprit)) {
			err = fmt.Errorf("%s does not show %s", e.file, s.culprit)
		}
		return e, err
	}
	if s.profile == "cpu" {
		samples, err := countSamples(file)
		if err != nil {
			return e, err
		}
		if samples == 0 || s.category != "none" && samples < leastSamples {
			return e, fmt.Errorf("%d samples", samples)
		}
		e.samples = strconv.Itoa(samples)
	}
	if s.guilty != "-" {
		share, err := focus(file, s.guilty)
		if err != nil {
			return e, err
		}
		if share < leastShare {
			return e, fmt.Errorf("%s has %.1f %%", s.guilty, share)
		}
		e.share = fmt.Sprintf("%.1f", share)
	}
	if s.culprit != "-" {
		share, err := focus(file, "^("+strings.ReplaceAll(regexp.QuoteMeta(s.culprit), `\|`, "|")+")$")
		if err != nil {
			return e, err
		}
		if share < leastShare && !s.hidden {
			return e, fmt.Errorf("culprit %s has %.1f %%", s.culprit, share)
		}
		e.own = fmt.Sprintf("%.1f", share)
	}
	return e, nil
}

var accounting = regexp.MustCompile(`(?m)^Showing nodes accounting for [^,]+, ([0-9.]+)% of `)

// focus is the share, in percent, of the stacks in which a function matches.
func focus(file, function string) (float64, error) {
	text, err := exec.Command("go", "tool", "pprof", "-top", "-nodecount=1000000", "-nodefraction=0", "-edgefraction=0", "-focus="+function, file).CombinedOutput()
	if bytes.Contains(text, []byte("no matches")) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("go tool pprof: %w: %s", err, text)
	}
	m := accounting.FindSubmatch(text)
	if m == nil {
		return 0, nil
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

var sampleLine = regexp.MustCompile(`(?m)^ +(\d+) +\d+: `)

// countSamples adds up a CPU profile's samples as pprof prints them.
func countSamples(file string) (int, error) {
	text, err := exec.Command("go", "tool", "pprof", "-raw", file).Output()
	if err != nil {
		return 0, fmt.Errorf("go tool pprof -raw: %w", err)
	}
	total := 0
	for _, m := range sampleLine.FindAllSubmatch(text, -1) {
		n, err := strconv.Atoi(string(m[1]))
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// move writes a profile where it is kept, with the folder that its program was in put as the one where programs are installed.
func move(from, to, temp string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(from, ".pb.gz") {
		return keep(to, data, data)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	raw = bytes.ReplaceAll(raw, []byte(temp+"/"), []byte(installed+"/"))
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(raw); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return keep(to, out.Bytes(), raw)
}

// keep writes data unless its text holds a path of this machine.
func keep(to string, data, text []byte) error {
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	for _, path := range []string{"/tmp/", home + "/", "/pkg/mod/", strings.TrimSuffix(wd, "testdata/gen/driver")} {
		if bytes.Contains(text, []byte(path)) {
			return fmt.Errorf("%s holds a path of this machine: %s", filepath.Base(to), path)
		}
	}
	return os.WriteFile(to, data, 0o644)
}
