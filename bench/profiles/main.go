// Command profiles measures the whole command over profiles beside `go tool pprof -top`, process by process and in
// turns. For each file it prints the wall time of both, triage's rate over the file's bytes, and the ratio; at the end
// the medians.
//
//	go run ./profiles [-rounds 5] [-every 1] [FILE...]
//
// Without files it takes testdata/profiles, and the real ones of TRIAGE_CORPUS if that is set.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each command runs over each file; the fastest counts")
	every := flag.Int("every", 1, "measure every n-th file")
	flag.Parse()
	if err := run(*rounds, *every, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "profiles:", err)
		os.Exit(1)
	}
}

func run(rounds, every int, files []string) error {
	if rounds < 1 || every < 1 {
		return errors.New("-rounds and -every are at least 1")
	}
	work, err := os.MkdirTemp("", "profiles")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	triage, pprof, err := programs(work)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		if files, err = known(); err != nil {
			return err
		}
	}
	contenders := []contender{
		{"triage", []string{triage}},
		{"pprof", []string{pprof, "-symbolize=none", "-top"}},
		{"go tool pprof", []string{"go", "tool", "pprof", "-symbolize=none", "-top"}},
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "file\tkB\ttriage, ms\tMB/s\tpprof, ms\tgo tool pprof, ms\tto pprof\tto go tool pprof\t")
	var rows []row
	for i := 0; i < len(files); i += every {
		r, err := measure(work, files[i], contenders, rounds)
		if err != nil {
			return err
		}
		rows = append(rows, r)
		fmt.Fprintf(out, "%s\t%.0f\t%.2f\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f\t\n",
			shorten(filepath.Base(files[i])), float64(r.size)/1e3,
			ms(r.took[0]), float64(r.size)/1e6/r.took[0].Seconds(), ms(r.took[1]), ms(r.took[2]), r.ratio(1), r.ratio(2))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	summarize(rows)
	return nil
}

// A contender is a command over a file.
type contender struct {
	name string
	args []string // before the file
}

// A row is the measurement of one file: each contender's fastest run, which other work of the machine slows least.
type row struct {
	size int64
	took []time.Duration
}

// ratio is triage's time over a contender's.
func (r *row) ratio(contender int) float64 { return r.took[0].Seconds() / r.took[contender].Seconds() }

// programs builds triage as it is shipped and finds pprof's own program, both as plain copies: pages that a linker
// wrote through a mapping are slower to load, by a measured 0.4 ms a start (Linux 6, ext4).
func programs(work string) (triage, pprof string, err error) {
	built := filepath.Join(work, "built")
	build := exec.Command("go", "build", "-trimpath", "-o", built, "./cmd/triage")
	build.Dir = ".."
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("building triage: %w\n%s", err, out)
	}
	// The first call builds it if it isn't built yet; -n prints its path.
	if out, err := exec.Command("go", "tool", "pprof", "-h").CombinedOutput(); err != nil && len(out) == 0 {
		return "", "", fmt.Errorf("go tool pprof: %w", err)
	}
	tool, err := exec.Command("go", "tool", "-n", "pprof").Output()
	if err != nil {
		return "", "", fmt.Errorf("looking for pprof: %w", err)
	}
	triage, pprof = filepath.Join(work, "triage"), filepath.Join(work, "pprof")
	return triage, pprof, errors.Join(copyProgram(triage, built), copyProgram(pprof, strings.TrimSpace(string(tool))))
}

func copyProgram(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// known are the fixtures, and the real profiles of kinds that both commands read.
func known() ([]string, error) {
	patterns := []string{"../testdata/profiles/*.pb.gz"}
	if corpus := os.Getenv("TRIAGE_CORPUS"); corpus != "" {
		for _, kind := range []string{"cpu", "heap", "contention"} {
			patterns = append(patterns, filepath.Join(corpus, "profiles", kind, "*"))
		}
	}
	var files []string
	for _, p := range patterns {
		found, err := filepath.Glob(p)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, errors.New("no profiles to read")
	}
	return files, nil
}

// measure runs the contenders in dir, which is in no module: the go command would read that first.
func measure(dir, file string, contenders []contender, rounds int) (row, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return row{}, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return row{}, err
	}
	times := make([][]time.Duration, len(contenders))
	for range rounds {
		for i, c := range contenders {
			args := append(slices.Clone(c.args), file)
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir = dir
			began := time.Now()
			if err := cmd.Run(); err != nil {
				return row{}, fmt.Errorf("%s over %s: %w", c.name, file, err)
			}
			times[i] = append(times[i], time.Since(began))
		}
	}
	r := row{size: info.Size()}
	for _, t := range times {
		r.took = append(r.took, slices.Min(t))
	}
	return r, nil
}

func summarize(rows []row) {
	for i, name := range []string{"pprof", "go tool pprof"} {
		ratios := make([]float64, len(rows))
		slower := 0
		for k := range rows {
			if ratios[k] = rows[k].ratio(i + 1); ratios[k] > 1 {
				slower++
			}
		}
		slices.Sort(ratios)
		fmt.Printf("%d files: triage takes %.2f times as long as %s in the median, %.2f to %.2f; longer on %d\n",
			len(rows), ratios[len(ratios)/2], name, ratios[0], ratios[len(ratios)-1], slower)
	}
}

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }

// shorten keeps a row on one line.
func shorten(name string) string {
	const most = 48
	if len(name) <= most {
		return name
	}
	return name[:most-1] + "…"
}
