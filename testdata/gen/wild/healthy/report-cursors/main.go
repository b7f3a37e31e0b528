// Command report-cursors serves long reports page by page. A cursor makes its rows when they are asked for; its client
// comes back every minute or so until it has read all.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"wild/kit"
)

const pages, pageRows = 4, 5

type store struct {
	mu      sync.Mutex
	cursors map[int]<-chan string
}

// rows makes the rows of a report, each when it is taken.
func rows(report int) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		for i := 0; i < pages*pageRows; i++ {
			out <- fmt.Sprintf("report %d row %d", report, i)
		}
	}()
	return out
}

// open serves the request for a new report.
func (s *store) open(report int) {
	c := rows(report)
	s.mu.Lock()
	s.cursors[report] = c
	s.mu.Unlock()
	s.client(report)
}

// page serves the next rows; a cursor that is read to its end is forgotten.
func (s *store) page(report int) (page []string) {
	s.mu.Lock()
	c := s.cursors[report]
	s.mu.Unlock()
	for len(page) < pageRows {
		row, ok := <-c
		if !ok {
			s.mu.Lock()
			delete(s.cursors, report)
			s.mu.Unlock()
			break
		}
		page = append(page, row)
	}
	return page
}

// client reads a report; a timer wakes it, as the network would.
func (s *store) client(report int) {
	var next func()
	next = func() {
		if len(s.page(report)) == pageRows {
			time.AfterFunc(time.Duration(30+rand.Intn(40))*time.Second, next)
		}
	}
	time.AfterFunc(time.Duration(rand.Intn(30))*time.Second, next)
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	s := &store{cursors: map[int]<-chan string{}}
	for report := 0; ; report++ {
		go s.open(report)
		select {
		case <-ctx.Done():
			log.Print(ctx.Err())
			return
		case <-time.After(2 * time.Second):
		}
	}
}
