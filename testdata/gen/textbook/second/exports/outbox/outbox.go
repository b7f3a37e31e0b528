// Package outbox keeps reports until they are delivered.
package outbox

import (
	"log"
	"net"
	"sync"
	"time"
)

type report struct {
	to   string
	body []byte
}

// An Outbox delivers in order.
type Outbox struct {
	mu    sync.Mutex
	queue []report
	sink  string
	pause time.Duration
}

// New delivers to sink and pauses that long after the first try that failed.
func New(sink string, pause time.Duration) *Outbox { return &Outbox{sink: sink, pause: pause} }

// Add queues a report.
func (o *Outbox) Add(to string, body []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queue = append(o.queue, report{to, body})
}

// Len is how many reports wait.
func (o *Outbox) Len() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue)
}

// Deliver sends the first report. It gives up after ten tries.
func (o *Outbox) Deliver() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 {
		return
	}
	r := o.queue[0]
	o.queue = o.queue[1:]
	for try, pause := 0, o.pause; try < 10; try, pause = try+1, 2*pause {
		err := o.push(r)
		if err == nil {
			return
		}
		log.Printf("report to %s: %v", r.to, err)
		time.Sleep(pause)
	}
}

func (o *Outbox) push(r report) error {
	conn, err := net.DialTimeout("tcp", o.sink, time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Write(r.body)
	return err
}
