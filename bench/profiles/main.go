// Command profiles measures the whole command over profiles beside pprof's own program, process by process and in
// turns: the total of processor time, the median and the worst of the ratios of wall time, what both take to start, and
// the same by size of file. The fastest run of each counts, which other work of the machine slows least.
//
//	cd bench && go run ./profiles [-rounds 5] [-every 1] [-list] [FILE...]
//
// Without files it takes the real profiles of TRIAGE_CORPUS, or testdata/profiles where that is not set.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each command runs over each file; the fastest counts")
	every := flag.Int("every", 1, "measure every n-th file")
	list := flag.Bool("list", false, "print a line for each file too, to standard error")
	flag.Parse()
	if err := run(os.Stdout, *rounds, *every, *list, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "profiles:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, rounds, every int, list bool, files []string) error {
	if rounds < 1 || every < 1 {
		return errors.New("-rounds and -every are at least 1")
	}
	work, err := os.MkdirTemp("", "profiles")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	contenders, err := programs(work)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		if files, err = known(); err != nil {
			return err
		}
	}
	var rows []row
	for i := 0; i < len(files); i += every {
		r, err := measure(files[i], contenders, rounds)
		if err != nil {
			return err
		}
		rows = append(rows, r)
		if list {
			fmt.Fprintf(os.Stderr, "%9.1f kB  triage %8.2f ms  pprof %8.2f ms  %5.2f  %s\n",
				float64(r.size)/1e3, ms(r.wall[0]), ms(r.wall[1]), r.ratio(), filepath.Base(files[i]))
		}
	}
	starts, err := measureStart(work, contenders, 20*rounds)
	if err != nil {
		return err
	}
	summarize(w, rows, starts)
	return nil
}

// A contender is a command over a file: triage, and the program that `go tool pprof` starts, run directly. The go
// command before it takes 75 to 100 ms more.
type contender struct {
	name string
	args []string // before the file
}

// A row is the measurement of one file: each contender's shortest run.
type row struct {
	size      int64
	wall, cpu []time.Duration
}

// ratio is triage's wall time over pprof's.
func (r *row) ratio() float64 { return r.wall[0].Seconds() / r.wall[1].Seconds() }

// programs builds triage as it is shipped and finds pprof's own program, both as plain copies: pages that a linker
// wrote through a mapping are slower to load, by a measured 0.4 ms a start (Linux 6, ext4).
func programs(work string) ([]contender, error) {
	built := filepath.Join(work, "built")
	build := exec.Command("go", "build", "-trimpath", "-o", built, "./cmd/triage")
	build.Dir = ".."
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building triage: %w\n%s", err, out)
	}
	// The first call builds it if it isn't built yet; -n prints its path.
	if out, err := exec.Command("go", "tool", "pprof", "-h").CombinedOutput(); err != nil && len(out) == 0 {
		return nil, fmt.Errorf("go tool pprof: %w", err)
	}
	tool, err := exec.Command("go", "tool", "-n", "pprof").Output()
	if err != nil {
		return nil, fmt.Errorf("looking for pprof: %w", err)
	}
	triage, pprof := filepath.Join(work, "triage"), filepath.Join(work, "pprof")
	return []contender{{"triage", []string{triage}}, {"pprof", []string{pprof, "-symbolize=none", "-top"}}},
		errors.Join(copyProgram(triage, built), copyProgram(pprof, strings.TrimSpace(string(tool))))
}

func copyProgram(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// known are the real profiles of kinds that both commands read, or the fixtures.
func known() ([]string, error) {
	patterns := []string{"../testdata/profiles/*.pb.gz"}
	if corpus := os.Getenv("TRIAGE_CORPUS"); corpus != "" {
		patterns = nil
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

// measure runs the contenders in turns. A status other than 0 is fine for a file with nothing in it (empty).
func measure(file string, contenders []contender, rounds int) (row, error) {
	info, err := os.Stat(file)
	if err != nil {
		return row{}, err
	}
	r := row{size: info.Size(), wall: make([]time.Duration, len(contenders)),
		cpu: make([]time.Duration, len(contenders))}
	for round := range rounds {
		for i, c := range contenders {
			args := append(slices.Clone(c.args), file)
			cmd := exec.Command(args[0], args[1:]...)
			began := time.Now()
			err := cmd.Run()
			took := time.Since(began)
			if err != nil && r.size > 0 {
				return row{}, fmt.Errorf("%s over %s: %w", c.name, file, err)
			}
			spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			if round == 0 || took < r.wall[i] {
				r.wall[i] = took
			}
			if round == 0 || spent < r.cpu[i] {
				r.cpu[i] = spent
			}
		}
	}
	return r, nil
}

// measureStart runs the contenders over an empty file.
func measureStart(work string, contenders []contender, rounds int) (row, error) {
	empty := filepath.Join(work, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		return row{}, err
	}
	return measure(empty, contenders, rounds)
}

// classes are upper bounds of files' sizes in bytes.
var classes = []struct {
	name string
	most int64
}{{"up to 3 kB", 3e3}, {"3 to 30 kB", 30e3}, {"30 to 300 kB", 300e3}, {"more", 1 << 62}}

func summarize(w io.Writer, rows []row, start row) {
	fmt.Fprintf(w, "%d profiles, in pairs:\n\n", len(rows))
	fmt.Fprintln(w, "| | triage to pprof | aim |\n|---|--:|--:|")
	a, b := total(rows)
	fmt.Fprintf(w, "| processor time in all, %.2f s beside %.2f s | %.2f | 0.50 |\n", a.Seconds(), b.Seconds(),
		a.Seconds()/b.Seconds())
	ratios := sorted(rows)
	fmt.Fprintf(w, "| wall time, median | %.2f | 1.00 |\n", ratios[len(ratios)/2])
	fmt.Fprintf(w, "| wall time, worst | %.2f | 1.50 |\n\n", ratios[len(ratios)-1])
	fmt.Fprintf(w, "To start and read an empty file takes triage %.1f ms and pprof %.1f ms of wall time (%.1f and "+
		"%.1f ms of processor time).\n\n", ms(start.wall[0]), ms(start.wall[1]), ms(start.cpu[0]), ms(start.cpu[1]))
	fmt.Fprintln(w, "| size | profiles | triage, ms, median | pprof | ratio, median | worst | triage slower on |\n"+
		"|---|--:|--:|--:|--:|--:|--:|")
	least := int64(0)
	for _, c := range classes {
		var in []row
		for _, r := range rows {
			if least < r.size && r.size <= c.most {
				in = append(in, r)
			}
		}
		least = c.most
		if len(in) == 0 {
			continue
		}
		ratios := sorted(in)
		slower := 0
		for _, r := range ratios {
			if r > 1 {
				slower++
			}
		}
		fmt.Fprintf(w, "| %s | %d | %.1f | %.1f | %.2f | %.2f | %d |\n", c.name, len(in), ms(median(in, 0)),
			ms(median(in, 1)), ratios[len(ratios)/2], ratios[len(ratios)-1], slower)
	}
}

func total(rows []row) (triage, pprof time.Duration) {
	for _, r := range rows {
		triage += r.cpu[0]
		pprof += r.cpu[1]
	}
	return triage, pprof
}

func sorted(rows []row) []float64 {
	var ratios []float64
	for i := range rows {
		ratios = append(ratios, rows[i].ratio())
	}
	slices.Sort(ratios)
	return ratios
}

func median(rows []row, contender int) time.Duration {
	s := slices.SortedFunc(slices.Values(rows), func(a, b row) int {
		return cmp.Compare(a.wall[contender], b.wall[contender])
	})
	return s[len(s)/2].wall[contender]
}

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }
