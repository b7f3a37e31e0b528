// Package ready tells the driver when a test has got stuck as it should.
package ready

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// When waits beside the test until as many goroutines as given, by function, are parked below it. Without a driver that
// sends a signal (READY_FD names its pipe) it does nothing: then it is the test's timeout that ends the test.
func When(shows map[string]int) {
	fd, err := strconv.Atoi(os.Getenv("READY_FD"))
	if err != nil {
		return
	}
	go func() {
		for seen := 0; seen < 3; seen++ {
			time.Sleep(70 * time.Millisecond)
			if !stuck(shows) {
				seen = -1
			}
		}
		pipe := os.NewFile(uintptr(fd), "ready")
		pipe.Write([]byte("ready\n"))
		pipe.Close()
	}()
}

func stuck(shows map[string]int) bool {
	buf := make([]byte, 1<<20)
	stacks := strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
	for function, want := range shows {
		n := 0
		for _, stack := range stacks {
			head, rest, _ := strings.Cut(stack, "\n")
			if !strings.Contains(head, "[run") && !strings.Contains(head, "[sleep") && strings.Contains(rest, function) {
				n++
			}
		}
		if n != want {
			return false
		}
	}
	return true
}
