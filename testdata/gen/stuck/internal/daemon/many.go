package daemon

import (
	"bufio"
	"net"
	"sync"
	"time"
)

// Metrics are named numbers.
type Metrics struct {
	mu     sync.Mutex
	values map[string]int
}

func newMetrics() *Metrics { return &Metrics{values: map[string]int{}} }

// Add adds n to a number.
func (m *Metrics) Add(name string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[name] += n
}

// StartMany starts what a busy server has besides: worker pools with their supervisor, a queue over a condition variable,
// watchers, connections that wait for the next request.
func (d *Daemon) StartMany() {
	go d.supervise(8)
	q := newQueue()
	for i := 0; i < 4; i++ {
		go q.work(d.metrics)
	}
	go d.feed(q)
	events := make(chan string)
	for i := 0; i < 6; i++ {
		go d.watch(events)
	}
	go d.publish(events)
	for i := 0; i < 3; i++ {
		go d.idle()
	}
	for i := 0; i < 5; i++ {
		go d.tick("lease", time.Duration(900+130*i)*time.Millisecond)
	}
}

// supervise runs n workers and waits for their end, which comes when the daemon stops.
func (d *Daemon) supervise(n int) {
	jobs := make(chan int)
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for job := range jobs {
				d.metrics.Add("jobs", job)
			}
		}()
	}
	go d.produce(jobs)
	wg.Wait()
}

// produce hands out a job now and then.
func (d *Daemon) produce(jobs chan<- int) {
	defer close(jobs)
	t := time.NewTicker(300 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			jobs <- 1
		case <-d.ctx.Done():
			return
		}
	}
}

// watch counts events until the daemon stops.
func (d *Daemon) watch(events <-chan string) {
	for {
		select {
		case e := <-events:
			d.metrics.Add(e, 1)
		case <-d.ctx.Done():
			return
		}
	}
}

func (d *Daemon) publish(events chan<- string) {
	for {
		select {
		case <-time.After(400 * time.Millisecond):
			events <- "changed"
		case <-d.ctx.Done():
			return
		}
	}
}

// idle keeps a connection to the server that has no request on it. The server's close ends it.
func (d *Daemon) idle() {
	conn, err := net.Dial("tcp", d.listener.Addr().String())
	if err != nil {
		return
	}
	defer conn.Close()
	conn.Write([]byte("GET /healthz HTTP/1.1\r\nHost: daemon\r\n\r\n"))
	for r := bufio.NewReader(conn); ; {
		if _, err := r.ReadString('\n'); err != nil {
			return
		}
	}
}

// A queue hands items to workers that wait on a condition variable.
type queue struct {
	mu    sync.Mutex
	ready *sync.Cond
	items []int
	done  bool
}

func newQueue() *queue {
	q := &queue{}
	q.ready = sync.NewCond(&q.mu)
	return q
}

// get waits for an item.
func (q *queue) get() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.done {
		q.ready.Wait()
	}
	if q.done {
		return 0, false
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item, true
}

func (q *queue) add(item int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
	q.ready.Signal()
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done = true
	q.ready.Broadcast()
}

func (q *queue) work(m *Metrics) {
	for {
		item, ok := q.get()
		if !ok {
			return
		}
		m.Add("items", item)
	}
}

// feed adds an item now and then, and closes the queue when the daemon stops.
func (d *Daemon) feed(q *queue) {
	defer q.close()
	t := time.NewTicker(350 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			q.add(1)
		case <-d.ctx.Done():
			return
		}
	}
}
