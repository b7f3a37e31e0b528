//go:build unix

// Package run builds triage as it is shipped, and measures what commands take.
package run

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// Build builds a package of the module in dir below the folder work, and returns the program's path.
func Build(work, dir, pkg string) (string, error) {
	program := filepath.Join(work, filepath.Base(pkg))
	cmd := exec.Command("go", "build", "-trimpath", "-o", program, pkg)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return program, nil
}

// Programs builds triage and the program of this module in a folder such as growth, both into a new folder, which the
// caller removes.
func Programs(name string) (work, triage, own string, err error) {
	if work, err = os.MkdirTemp("", name); err == nil {
		triage, err = Build(work, "..", "./cmd/triage")
	}
	if err == nil {
		own, err = Build(work, ".", "./"+name)
	}
	return work, triage, own, err
}

// A Usage is what a command took: its wall time, the processor time of all its threads, the peak of its memory in
// bytes. Linux counts the peak of the process that starts a command too (setmax_mm_hiwater_rss in fs/exec.c), so that
// one has to be small.
type Usage struct {
	Wall, CPU time.Duration
	Peak      int64
}

// Measure runs a command, and throws its output away. Its error is also for a status other than 0.
func Measure(in io.Reader, command ...string) (Usage, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin = in
	began := time.Now()
	err := cmd.Run()
	u := Usage{Wall: time.Since(began)}
	if s := cmd.ProcessState; s != nil {
		unit := int64(1024) // getrusage(2) of Linux and the BSDs counts KiB
		if runtime.GOOS == "darwin" {
			unit = 1
		}
		u.CPU, u.Peak = s.UserTime()+s.SystemTime(), unit*s.SysUsage().(*syscall.Rusage).Maxrss
	}
	if err != nil {
		err = fmt.Errorf("running %s: %w", command[0], err)
	}
	return u, err
}

// Best is the shortest of each time of two runs, and the highest peak.
func (u Usage) Best(v Usage) Usage {
	return Usage{min(u.Wall, v.Wall), min(u.CPU, v.CPU), max(u.Peak, v.Peak)}
}
