// Command main keeps the limits of a service, which are set by lines of protobuf text.
//
// https://github.com/golang/protobuf/issues/1530
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/types/known/wrapperspb"
	"wild/kit"
)

// limits are the values in force, the newest last.
type limits struct {
	mu     sync.Mutex
	values []int32
}

// add puts a value in force.
func (l *limits) add(value int32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.values = append(l.values, value)
}

// current is the newest value.
func (l *limits) current() int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.values) == 0 {
		return 0
	}
	return l.values[len(l.values)-1]
}

// parse reads one line.
func parse(line []byte) (int32, error) {
	var value wrapperspb.Int32Value
	if err := prototext.Unmarshal(line, &value); err != nil {
		return 0, fmt.Errorf("limit: %w", err)
	}
	return value.Value, nil
}

// follow takes every line of a feed; a line that does not parse leaves the limit as it is.
func follow(feed io.Reader, l *limits) {
	lines := bufio.NewScanner(feed)
	for lines.Scan() {
		value, err := parse(lines.Bytes())
		if err != nil {
			log.Print(err)
			continue
		}
		l.add(value)
	}
}

// report says now and then which limit is in force.
func report(l *limits) {
	for range time.Tick(time.Minute) {
		log.Print("limit ", l.current())
	}
}

// write plays the person who sets limits.
func write(feed io.Writer) {
	for _, line := range []string{"value: 100", "value: -1", "value: 250", "value: -\t", "value: 300"} {
		time.Sleep(time.Second)
		fmt.Fprintln(feed, line)
	}
}

func main() {
	kit.Serve()
	var l limits
	in, out := io.Pipe()
	go follow(in, &l)
	go report(&l)
	go write(out)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
}
