// Command fifo-collector reads what local services write to named pipes. A pipe can be opened when a service begins to
// write; until then the collector waits in open.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"syscall"
	"time"

	"wild/kit"
)

type source struct {
	path  string
	lines int
}

// collect reads a pipe, and again when the service comes back.
func (s *source) collect() {
	for {
		f, err := os.Open(s.path)
		if err != nil {
			log.Print(err)
			time.Sleep(time.Second)
			continue
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			s.lines++
		}
		f.Close()
	}
}

// service writes to its pipe every now and then.
func service(path string) {
	for {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			log.Print(err)
			return
		}
		fmt.Fprintln(f, "up")
		f.Close()
		time.Sleep(3 * time.Minute)
	}
}

func main() {
	kit.Serve()
	var sources []*source
	for i := 0; i < 14; i++ {
		s := &source{path: fmt.Sprintf("service-%d", i)}
		if err := syscall.Mkfifo(s.path, 0o600); err != nil {
			log.Fatal(err)
		}
		sources = append(sources, s)
		go s.collect()
	}
	go service(sources[0].path)
	go service(sources[1].path)
	select {}
}
