// Package dumper lets a driver take dumps of a program: it tells when the program is at work, and writes the stacks of
// all goroutines when SIGUSR1 comes, as daemons that can't afford a port for it do.
package dumper

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// longest is after how long a program ends by itself, whatever became of its driver.
const longest = 30 * time.Minute

// Ready says on descriptor 3 that the program is at work. Where the environment names a folder in DUMPS, each SIGUSR1 from
// now on leaves a file there, 1.txt and so on, and its number on descriptor 3.
func Ready() {
	time.AfterFunc(longest, func() { os.Exit(3) })
	pipe := os.NewFile(3, "driver")
	if dir := os.Getenv("DUMPS"); dir != "" {
		requests := make(chan os.Signal, 1)
		signal.Notify(requests, syscall.SIGUSR1)
		go serve(dir, requests, pipe)
	}
	fmt.Fprintln(pipe, "ready")
}

func serve(dir string, requests <-chan os.Signal, pipe *os.File) {
	for n := 1; ; n++ {
		<-requests
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(n)+".txt"), stacks(), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "dumper:", err)
		}
		fmt.Fprintln(pipe, n)
	}
}

// stacks is what goroutine?debug=2 prints.
func stacks() []byte {
	for size := 1 << 20; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size {
			return buf[:n]
		}
	}
}
