// Command profiles measures the whole command over profiles beside pprof's own program, process by process and in
// turns: the total of processor time, the median and the worst of the ratios of wall time, what both take to start, and
// the same by size of file. The fastest run of each counts, which other work of the machine slows least.
//
//	cd bench && go run ./profiles [-rounds 5] [FILE...]
//
// Without files it takes the real profiles of TRIAGE_CORPUS, or testdata/profiles where that is not set.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/bench/internal/run"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each command runs over each file; the fastest counts")
	flag.Parse()
	if err := compare(os.Stdout, max(1, *rounds), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "profiles:", err)
		os.Exit(1)
	}
}

func compare(w io.Writer, rounds int, files []string) error {
	work, err := os.MkdirTemp("", "profiles")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	commands, err := programs(work)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		if files, err = known(); err != nil {
			return err
		}
	}
	var rows []row
	for _, file := range files {
		r, err := measure(file, commands, rounds)
		if err != nil {
			return err
		}
		rows = append(rows, r)
	}
	empty := filepath.Join(work, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		return err
	}
	start, err := measure(empty, commands, 20*rounds)
	if err != nil {
		return err
	}
	summarize(w, rows, start)
	return nil
}

// A row is the measurement of one file: the least that triage and pprof took.
type row struct {
	size          int64
	triage, pprof run.Usage
}

// ratio is triage's wall time over pprof's.
func (r *row) ratio() float64 { return r.triage.Wall.Seconds() / r.pprof.Wall.Seconds() }

// programs are triage as it is shipped, and the program that `go tool pprof` starts, run directly: the go command
// before it takes 75 to 100 ms more. Both are plain copies: pages that a linker wrote through a mapping are slower to
// load, by a measured 0.4 ms a start (Linux 6, ext4).
func programs(work string) (commands [2][]string, err error) {
	built, err := run.Build(work, "..", "./cmd/triage")
	if err != nil {
		return commands, err
	}
	// The first call builds it if it isn't built yet; -n prints its path.
	if out, err := exec.Command("go", "tool", "pprof", "-h").CombinedOutput(); err != nil && len(out) == 0 {
		return commands, fmt.Errorf("go tool pprof: %w", err)
	}
	tool, err := exec.Command("go", "tool", "-n", "pprof").Output()
	if err != nil {
		return commands, fmt.Errorf("looking for pprof: %w", err)
	}
	commands = [2][]string{{built + ".copy"}, {filepath.Join(work, "pprof"), "-symbolize=none", "-top"}}
	for i, from := range []string{built, strings.TrimSpace(string(tool))} {
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(commands[i][0], data, 0o755)
		}
		if err != nil {
			return commands, err
		}
	}
	return commands, nil
}

// known are the real profiles of kinds that both commands read, or the fixtures.
func known() (files []string, err error) {
	patterns := []string{"../testdata/profiles/*.pb.gz"}
	if corpus := os.Getenv("TRIAGE_CORPUS"); corpus != "" {
		patterns = nil
		for _, kind := range []string{"cpu", "heap", "contention"} {
			patterns = append(patterns, filepath.Join(corpus, "profiles", kind, "*"))
		}
	}
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

// measure runs the commands in turns. A status other than 0 is fine for a file with nothing in it (empty).
func measure(file string, commands [2][]string, rounds int) (row, error) {
	info, err := os.Stat(file)
	if err != nil {
		return row{}, err
	}
	r := row{size: info.Size()}
	for round := range rounds {
		for i, least := range []*run.Usage{&r.triage, &r.pprof} {
			u, err := run.Measure(nil, append(slices.Clone(commands[i]), file)...)
			if err != nil && r.size > 0 {
				return row{}, fmt.Errorf("over %s: %w", file, err)
			}
			if round > 0 {
				u = u.Best(*least)
			}
			*least = u
		}
	}
	return r, nil
}

// classes are upper bounds of files' sizes in bytes.
var classes = []struct {
	name string
	most int64
}{{"up to 3 kB", 3e3}, {"3 to 30 kB", 30e3}, {"30 to 300 kB", 300e3}, {"more", 1 << 62}}

func summarize(w io.Writer, rows []row, start row) {
	var a, b time.Duration
	for _, r := range rows {
		a, b = a+r.triage.CPU, b+r.pprof.CPU
	}
	ratios := sorted(rows, (*row).ratio)
	fmt.Fprintf(w, "%d profiles, in pairs:\n\n| | triage ÷ pprof | goal |\n|---|--:|--:|\n", len(rows))
	fmt.Fprintf(w, "| total processor time, %.2f s against %.2f s | %.2f | 0.50 |\n", a.Seconds(), b.Seconds(),
		a.Seconds()/b.Seconds())
	fmt.Fprintf(w, "| wall time, median | %.2f | 1.00 |\n", middle(ratios))
	fmt.Fprintf(w, "| wall time, worst | %.2f | 1.50 |\n\n", ratios[len(ratios)-1])
	fmt.Fprintf(w, "Starting and reading an empty file takes triage %.1f ms and pprof %.1f ms of wall time (%.1f and "+
		"%.1f ms of processor time).\n\n", ms(start.triage.Wall), ms(start.pprof.Wall), ms(start.triage.CPU),
		ms(start.pprof.CPU))
	fmt.Fprintln(w, "| size | profiles | triage, ms, median | pprof | ratio, median | worst | triage slower on |\n"+
		"|---|--:|--:|--:|--:|--:|--:|")
	least := int64(0)
	for _, c := range classes {
		in := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.size <= least || r.size > c.most })
		if least = c.most; len(in) == 0 {
			continue
		}
		ratios := sorted(in, (*row).ratio)
		slower := slices.IndexFunc(append(slices.Clone(ratios), math.Inf(1)), func(r float64) bool { return r > 1 })
		fmt.Fprintf(w, "| %s | %d | %.1f | %.1f | %.2f | %.2f | %d |\n", c.name, len(in),
			middle(sorted(in, func(r *row) float64 { return ms(r.triage.Wall) })),
			middle(sorted(in, func(r *row) float64 { return ms(r.pprof.Wall) })),
			middle(ratios), ratios[len(ratios)-1], len(in)-slower)
	}
}

// sorted are numbers of the rows in order.
func sorted(rows []row, of func(*row) float64) (all []float64) {
	for i := range rows {
		all = append(all, of(&rows[i]))
	}
	slices.Sort(all)
	return all
}

func middle(sorted []float64) float64 { return sorted[len(sorted)/2] }

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }
