// Command table prints the table of README.md: how many lines a second each contender groups on one core, and how well.
// It measures processor time with getrusage(2), so a Unix.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/gotriage/triage/bench/logs"
)

// rounds of which the median counts; contenders take turns, so that other work of the machine slows all of them.
const rounds = 7

// leastTime is how long a round lasts at least.
const leastTime = time.Second

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	sample, err := logs.Sample("..")
	if err != nil {
		return err
	}
	inputs := []logs.Input{sample}
	real, err := logs.Harvester()
	switch {
	case errors.Is(err, logs.ErrNoCorpus):
		fmt.Fprintln(os.Stderr, err)
	case err != nil:
		return err
	default:
		inputs = append(inputs, real)
	}
	inputs = append(inputs, logs.Made()...)
	fmt.Print(
		"| input | contender | lines/s, wall | lines/s, CPU | MB/s, CPU | groups | accuracy | triage to it, CPU |\n",
		"|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, in := range inputs {
		compare(in)
	}
	return nil
}

func compare(in logs.Input) {
	all := logs.Contenders()
	wall, cpu := make([][]float64, len(all)), make([][]float64, len(all))
	groups := make([]int, len(all))
	for range rounds {
		for i, c := range all {
			start, busy, n := time.Now(), cpuTime(), 0
			for time.Since(start) < leastTime {
				groups[i] = c.Mine(in)
				n += len(in.Lines)
			}
			took, used := time.Since(start), cpuTime()-busy
			wall[i] = append(wall[i], float64(n)/took.Seconds())
			cpu[i] = append(cpu[i], float64(n)/used.Seconds())
		}
	}
	ours := median(cpu[0])
	for i, c := range all {
		accuracy := "-"
		if in.Labels != nil {
			accuracy = fmt.Sprintf("%.3f", c.Accuracy(in))
		}
		theirs := median(cpu[i])
		fmt.Printf("| %s | %s | %.0f | %.0f | %.0f | %d | %s | %.1f |\n", in.Name, c.Name, median(wall[i]), theirs,
			theirs*float64(in.Bytes)/float64(len(in.Lines))/1e6, groups[i], accuracy, ours/theirs)
	}
}

func median(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}

// cpuTime returns the processor time of this process so far, its garbage collector's included.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
