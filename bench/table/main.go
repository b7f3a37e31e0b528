//go:build unix

// Command table measures the contenders in turns, round after round, and prints the table of the README. A machine's
// speed changes with its other work, so contenders are compared within a round, and the median round counts. It needs
// getrusage(2), so a Unix.
//
//	cd bench && go run ./table -rounds 7
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/gotriage/triage/bench"
)

func main() {
	rounds := flag.Int("rounds", 7, "measurements of each contender; the median counts")
	slow := flag.Int("slow", 3, "rounds for contenders that take more than a second and a half")
	size := flag.Int("size", bench.Size, "bytes of an input, about")
	only := flag.String("only", "", "a regular expression that contenders' names match")
	framed := flag.Bool("framings", false, "measure triage alone, over one dump in all framings")
	flag.Parse()
	if err := run(os.Stdout, *rounds, *slow, *size, *only, *framed); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, rounds, slow, size int, only string, framed bool) error {
	names, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	inputs, err := bench.Inputs("..", size)
	if err != nil {
		return err
	}
	if framed {
		return framings(w, inputs, rounds)
	}
	fmt.Fprintln(w, "| input | contender | MB/s, wall | MB/s, CPU | goroutines | stacks | triage to it, wall | CPU |")
	fmt.Fprintln(w, "|---|---|--:|--:|--:|--:|--:|--:|")
	for _, in := range inputs {
		rows, err := measure(in, names, rounds, slow)
		if err != nil {
			return err
		}
		for _, r := range rows {
			r.print(w, in, rows[0])
		}
	}
	return nil
}

// A row is one contender over one input; rates are in MB (1,000,000 bytes) a second.
type row struct {
	name      string
	wall, cpu []float64 // a round each
	result    bench.Result
}

func measure(in bench.Input, names *regexp.Regexp, rounds, slow int) ([]row, error) {
	var rows []row
	contenders := slices.DeleteFunc(bench.Contenders(), func(c bench.Contender) bool {
		return in.Framed && !c.Framed || !names.MatchString(c.Name)
	})
	for _, c := range contenders {
		rows = append(rows, row{name: c.Name})
	}
	text := in.Text()
	mb := float64(len(text)) / 1e6
	for round := range rounds {
		for i, c := range contenders {
			r := &rows[i]
			if round >= slow && mb/r.wall[0] > 1.5 {
				continue
			}
			if err := r.measure(c, text); err != nil {
				return nil, fmt.Errorf("%s over %s: %w", c.Name, in.Name, err)
			}
		}
	}
	return rows, nil
}

// measure runs a contender over a text once more.
func (r *row) measure(c bench.Contender, text []byte) (err error) {
	runtime.GC() // no contender pays for the garbage of another
	start, busy := time.Now(), cpuTime()
	r.result, err = c.Run(text)
	took, used, mb := time.Since(start), cpuTime()-busy, float64(len(text))/1e6
	r.wall = append(r.wall, mb/took.Seconds())
	r.cpu = append(r.cpu, mb/used.Seconds())
	return err
}

// cpuTime returns the processor time of this process so far, its garbage collector's included.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // RUSAGE_SELF cannot fail
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (r *row) print(w io.Writer, in bench.Input, triage row) {
	stacks := "-"
	if r.result.Stacks > 0 {
		stacks = fmt.Sprint(r.result.Stacks)
	}
	wall, cpu := "-", "-" // who misses goroutines is no comparison
	if r.result.Goroutines >= in.Goroutines {
		wall = fmt.Sprintf("%.1f", median(ratios(triage.wall, r.wall)))
		cpu = fmt.Sprintf("%.1f", median(ratios(triage.cpu, r.cpu)))
	}
	fmt.Fprintf(w, "| %s | %s | %.0f | %.0f | %d of %d | %s | %s | %s |\n",
		in.Name, r.name, median(r.wall), median(r.cpu), r.result.Goroutines, in.Goroutines, stacks, wall, cpu)
}

// ratios divides a by b, round by round; b may have fewer.
func ratios(a, b []float64) []float64 {
	out := make([]float64, len(b))
	for i := range b {
		out[i] = a[i] / b[i]
	}
	return out
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}
