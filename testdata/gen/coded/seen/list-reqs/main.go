package main

import (
	"coded/kit"
	"container/list"
	"time"
)

type req struct{ ok chan int }
type q struct{ l *list.List }

func (q *q) serve() {
	for {
		time.Sleep(time.Hour)
		q.l.Front().Value.(*req).ok <- 1
	}
}
func (r *req) wait() { <-r.ok }
func (r *req) fail(n int) {
	if n > 2 {
		close(r.ok)
	}
}
func main() {
	kit.Serve()
	x := &q{list.New()}
	for i := 0; i < 3; i++ {
		r := &req{make(chan int)}
		r.fail(i)
		x.l.PushBack(r)
		go r.wait()
	}
	go x.serve()
	kit.Wait()
}
