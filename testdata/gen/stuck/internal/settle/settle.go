// Package settle finds out when a program has got stuck as it should, and tells the driver.
package settle

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

// fd is the first extra descriptor that the driver passes: the writing end of a pipe.
const fd = 3

// deadline is how long a program may take to get stuck.
const deadline = 20 * time.Second

// Watch waits until as many goroutines as shows says, by function, have been parked below it for three looks in a row,
// writes a debug=2 dump where a file is named, and tells the driver. A program that does not get stuck ends with status 4.
func Watch(shows map[string]int, dump string) {
	for begin, seen := time.Now(), 0; seen < 3; seen++ {
		time.Sleep(70 * time.Millisecond)
		if missing := compare(shows); missing != "" {
			seen = -1
			if time.Since(begin) > deadline {
				fmt.Fprintln(os.Stderr, "stuck: not stuck:", missing)
				os.Exit(4)
			}
		}
	}
	if dump != "" {
		if err := write(dump); err != nil {
			fmt.Fprintln(os.Stderr, "stuck: writing the dump:", err)
			os.Exit(1)
		}
	}
	pipe := os.NewFile(fd, "ready")
	pipe.Write([]byte("ready\n"))
	pipe.Close()
}

// compare says what is not yet as it should be, "" for nothing.
func compare(shows map[string]int) string {
	buf := make([]byte, 4<<20)
	stacks := strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
	for function, want := range shows {
		n := 0
		for _, stack := range stacks {
			head, rest, _ := strings.Cut(stack, "\n")
			if strings.Contains(head, "[run") || strings.Contains(head, "[sleep") && !strings.Contains(function, "#sleep") {
				continue
			}
			if strings.Contains(rest, strings.TrimSuffix(function, "#sleep")) {
				n++
			}
		}
		if n != want {
			return fmt.Sprintf("%d goroutines in %s, want %d", n, function, want)
		}
	}
	return ""
}

func write(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := pprof.Lookup("goroutine").WriteTo(f, 2); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
