// Package followers follows 120 log files by nxadm/tail and counts what is written; most of them are quiet.
//
// It looks like loops that pile up and receivers that nobody serves (loops-pile-up, channel-receive-leak): 120 goroutines
// range over the lines of a file each, and who started them has returned.
package followers

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"time"

	"example.com/services/kit"
	"github.com/nxadm/tail"
)

type follower struct {
	file  *tail.Tail
	lines int
}

func (f *follower) count() {
	for range f.file.Lines {
		f.lines++
	}
}

func follow(dir string, n int) error {
	for i := range n {
		path := filepath.Join(dir, fmt.Sprint(i, ".log"))
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return err
		}
		file, err := tail.TailFile(path, tail.Config{Follow: true, ReOpen: true, Logger: log.New(io.Discard, "", 0)})
		if err != nil {
			return err
		}
		go (&follower{file: file}).count()
	}
	return nil
}

// Main follows.
func Main() {
	kit.Start()
	dir, err := os.MkdirTemp("", "logs")
	if err != nil {
		panic(err)
	}
	if err := follow(dir, 120); err != nil {
		panic(err)
	}
	for i := 0; ; i++ {
		time.Sleep(30 * time.Second)
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprint(i%4, ".log")), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(f, "line", i)
		f.Close()
	}
}
