// Command pods writes the logs of a workload's pods below a folder, as the kubelet lays them out, gzipped: in each the
// founding dump with ids of its own. In a few of them a goroutine spins, in the others the same one sleeps.
//
//	cd bench && go run ./pods -out PODS
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"

	"github.com/gotriage/triage/bench"
	"github.com/gotriage/triage/internal/parallel"
)

func main() {
	pods := flag.Int("pods", 1000, "how many pods")
	spinning := flag.Int("spinning", 5, "in how many of them a goroutine spins")
	out := flag.String("out", "", "the folder, which is made")
	flag.Parse()
	if err := run(*out, *pods, *spinning); err != nil {
		fmt.Fprintln(os.Stderr, "pods:", err)
		os.Exit(1)
	}
}

func run(out string, pods, spinning int) error {
	if out == "" || spinning > pods {
		return errors.New("-out names a folder, and -spinning is at most -pods")
	}
	inputs, err := bench.Inputs("..", 1)
	if err != nil {
		return err
	}
	spins := inputs[0].Text()
	sleeps, err := asleep(spins)
	if err != nil {
		return err
	}
	fmt.Printf("%d pods with %d goroutines each; those that spin:\n", pods, inputs[0].Goroutines)
	for i := range spinning {
		fmt.Println(podName(at(i, pods, spinning)))
	}
	return writeAll(out, pods, spinning, spins, sleeps)
}

// at is the pod in which the i-th of the spinning goroutines is: they are spread over all.
func at(i, pods, spinning int) int { return i*pods/spinning + pods/spinning/2 }

func podName(i int) string { return fmt.Sprintf("web-%d", i) }

func writeAll(out string, pods, spinning int, spins, sleeps []byte) error {
	spinner := map[int]bool{}
	for i := range spinning {
		spinner[at(i, pods, spinning)] = true
	}
	workers := runtime.GOMAXPROCS(0)
	faults := make([]error, workers)
	parallel.Each(workers, func(w int) {
		for i := w; i < pods && faults[w] == nil; i += workers {
			text := sleeps
			if spinner[i] {
				text = spins
			}
			faults[w] = write(out, i, text)
		}
	})
	return errors.Join(faults...)
}

// write writes a pod's log.
func write(out string, pod int, text []byte) error {
	dir := filepath.Join(out, fmt.Sprintf("shop_%s_00000000-0000-4000-8000-%012d", podName(pod), pod), "server")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making a pod's folder: %w", err)
	}
	f, err := os.Create(filepath.Join(dir, "0.log.gz"))
	if err != nil {
		return fmt.Errorf("writing a pod's log: %w", err)
	}
	zw, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err == nil {
		err = errors.Join(renumber(zw, text, uint64(pod)), zw.Close())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing a pod's log: %w", err)
	}
	return nil
}

var header = regexp.MustCompile(`(?m)^goroutine ([1-9]\d*)`)

// renumber writes a dump with the ids of its goroutines raised, those of creators and of the main goroutine as they
// are.
func renumber(w io.Writer, text []byte, add uint64) error {
	var out bytes.Buffer
	done := 0
	for _, m := range header.FindAllSubmatchIndex(text, -1) {
		id, err := strconv.ParseUint(string(text[m[2]:m[3]]), 10, 64)
		if err != nil {
			return fmt.Errorf("reading a header: %w", err)
		}
		if id != 1 {
			id += add
		}
		out.Write(text[done:m[2]])
		out.WriteString(strconv.FormatUint(id, 10))
		done = m[3]
	}
	out.Write(text[done:])
	_, err := w.Write(out.Bytes())
	return err
}

var spinning = regexp.MustCompile(`(?m)^(goroutine .*\[)runnable(\]:\n)runtime\.Gosched\(\.\.\.\)\n\t.*\n`)

// asleep returns a dump whose spinning goroutine is in time.Sleep.
func asleep(text []byte) ([]byte, error) {
	if n := len(spinning.FindAllIndex(text, -1)); n != 1 {
		return nil, fmt.Errorf("%d goroutines of the founding dump yield, want one", n)
	}
	return spinning.ReplaceAll(text,
		[]byte("${1}sleep${2}time.Sleep(0x3b9aca00)\n\t/usr/local/go/src/runtime/time.go:194 +0x12e\n")), nil
}
