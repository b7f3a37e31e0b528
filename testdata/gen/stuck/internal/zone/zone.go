// Package zone answers for names.
package zone

import (
	"sync"
	"time"
)

// A Zone has records, which are transferred by a goroutine of its own.
type Zone struct {
	lock    sync.RWMutex
	records map[string]string
	queries chan query
}

type query struct {
	name   string
	answer chan string
}

// Start exports a zone while a record is added.
func Start() {
	z := &Zone{records: map[string]string{"www": "10.0.0.1"}, queries: make(chan query)}
	go z.answerAll()
	go z.Export()
	go z.Add("ftp", "10.0.0.2")
}

// Export looks all names up by way of the resolver.
func (z *Zone) Export() []string {
	z.lock.RLock()
	defer z.lock.RUnlock()
	time.Sleep(40 * time.Millisecond)
	var all []string
	for name := range z.records {
		q := query{name, make(chan string)}
		z.queries <- q
		all = append(all, <-q.answer)
	}
	return all
}

// answerAll answers queries, one after the other.
func (z *Zone) answerAll() {
	for q := range z.queries {
		q.answer <- z.lookup(q.name)
	}
}

func (z *Zone) lookup(name string) string {
	z.lock.RLock()
	defer z.lock.RUnlock()
	return z.records[name]
}

// Add adds a record.
func (z *Zone) Add(name, address string) {
	time.Sleep(20 * time.Millisecond)
	z.lock.Lock()
	defer z.lock.Unlock()
	z.records[name] = address
}
