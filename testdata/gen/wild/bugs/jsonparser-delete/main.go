// Command jsonparser-delete takes records from many devices and removes the fields that must not be stored.
//
// Report: https://github.com/buger/jsonparser/issues/188
package main

import (
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/buger/jsonparser"

	"wild/kit"
)

// secretFields is how the setting looks in the file: a comma precedes each name.
const secretFields = ",password,token"

// A scrubber cleans the records of its queue.
type scrubber struct {
	fields []string
	queue  chan []byte
	stored atomic.Int64
	missed atomic.Int64
}

func newScrubber(setting string) *scrubber {
	return &scrubber{fields: strings.Split(setting, ","), queue: make(chan []byte, 64)}
}

// offer queues a record; when the queue is full the device has to send it again.
func (s *scrubber) offer(record []byte) {
	select {
	case s.queue <- record:
	default:
		s.missed.Add(1)
	}
}

// work cleans records until the queue is closed.
func (s *scrubber) work() {
	for record := range s.queue {
		for _, field := range s.fields {
			record = clean(record, field)
		}
		s.store(record)
	}
}

// clean removes one field of a record.
func clean(record []byte, field string) []byte {
	return jsonparser.Delete(record, field)
}

func (s *scrubber) store(record []byte) {
	if len(record) > 0 {
		s.stored.Add(1)
	}
}

// report logs the counts once a minute.
func (s *scrubber) report() {
	for range time.Tick(time.Minute) {
		log.Printf("stored %d, missed %d", s.stored.Load(), s.missed.Load())
	}
}

// devices sends the records of a small fleet. One device sends binary data: its firmware is broken.
func devices(s *scrubber) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		<-tick.C
		if n == 20 {
			s.offer([]byte("\x1f\xef\xbf\xbd\x03\x01\x00["))
			continue
		}
		s.offer(fmt.Appendf(nil, `{"device":"d-%d","token":"t%d","readings":[%d,%d]}`, n%8, n, n, n+1))
	}
}

func main() {
	kit.Serve()
	s := newScrubber(secretFields)
	go s.work()
	go s.report()
	go devices(s)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
