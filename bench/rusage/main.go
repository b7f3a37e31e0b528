//go:build unix

// Command rusage runs a command and writes what it took to a file as JSON (usage). It is a program of its own
// because Linux counts the parent's peak of memory into that of a process it starts (setmax_mm_hiwater_rss in
// fs/exec.c): the parent has to be small.
//
//	rusage -limit 150s OUT COMMAND [ARGUMENT...]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

func main() {
	limit := flag.Duration("limit", 150*time.Second, "end the command after this")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "usage: rusage [-limit 150s] OUT COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	u, err := run(*limit, flag.Args()[1:])
	if err == nil {
		err = write(flag.Arg(0), u)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rusage:", err)
		os.Exit(1)
	}
}

// A usage is what a command took: its wall time, the processor time of all its threads, the peak of its memory in
// bytes.
type usage struct {
	Wall, CPU time.Duration
	Peak      int64
	Exit      int
}

// run starts the command with this process's standard input and throws its output away.
func run(limit time.Duration, args []string) (usage, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin = os.Stdin
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return usage{}, fmt.Errorf("running %s: %w", args[0], err)
	}
	spent, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return usage{}, fmt.Errorf("no resource usage of %s on this system", args[0])
	}
	unit := int64(1024) // getrusage(2) of Linux and the BSDs counts KiB
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return usage{
		Wall: took, CPU: time.Duration(spent.Utime.Nano() + spent.Stime.Nano()),
		Peak: int64(spent.Maxrss) * unit, Exit: cmd.ProcessState.ExitCode(),
	}, nil
}

func write(path string, u usage) error {
	data, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}
