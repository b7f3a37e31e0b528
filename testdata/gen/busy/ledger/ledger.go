// Package ledger keeps accounts, their journals and what is derived from them.
package ledger

import (
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/busy/kit"
	"example.org/markup"
)

// Programs are the services of this package.
var Programs = map[string]func(){
	"lru-sweep": lruSweep, "unit-parents": unitParents, "template-lex": templateLex, "record-count": recordCount,
	"marker-root": markerRoot, "text-expand": textExpand, "queue-again": queueAgain, "rate-solve": rateSolve,
	"plan-order": planOrder,
}

type entry struct {
	key        string
	prev, next *entry
	used       time.Time
}

// An LRU keeps accounts by their last use.
type LRU struct {
	mu   sync.Mutex
	head *entry
	by   map[string]*entry
}

// Touch moves an account to the front.
func (c *LRU) Touch(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.by[key]
	if e == nil {
		e = &entry{key: key}
		c.by[key] = e
	}
	e.used = time.Now()
	e.next = c.head // it may be in the list already
	c.head = e
}

// old counts what was not used for a while.
func (c *LRU) old(limit time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for e := c.head; e != nil; e = e.next {
		if e.used.Before(limit) {
			n++
		}
	}
	return n
}

func lruSweep() {
	kit.Start()
	c := &LRU{by: map[string]*entry{}}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.Touch(r.URL.Query().Get("account"))
	}), "/touch?account=17", 3, 20*time.Millisecond, 0)
	go func() {
		for range time.Tick(2 * time.Second) {
			log.Printf("%d accounts are old", c.old(time.Now().Add(-time.Minute)))
		}
	}()
	kit.Wait()
}

// Units are the parts of a company, each below another.
type Units struct{ parent map[string]string }

// depth is how many units lie above one.
func (u *Units) depth(name string) int {
	n := 0
	for up := u.parent[name]; up != ""; up = u.parent[up] {
		n++
	}
	return n
}

func unitParents() {
	kit.Start()
	u := &Units{parent: map[string]string{"sales": "board", "export": "sales", "board": ""}}
	u.parent["tax"], u.parent["audit"] = "audit", "tax" // imported that way
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, u.depth(r.URL.Query().Get("unit")))
	}), "/depth?unit=tax", 1, 50*time.Millisecond, 0)
	kit.Wait()
}

func templateLex() {
	kit.Start()
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := checkTemplate(r.URL.Query().Get("t"))
		fmt.Fprint(w, n, err)
	}), "/check?t=dear%20%22customer", 1, 50*time.Millisecond, 0)
	kit.Wait()
}

// checkTemplate counts what a letter's template has.
func checkTemplate(text string) (int, error) { return markup.Lex(text) }

func recordCount() {
	kit.Start()
	message := []byte{2, 'a', 'b', 3, 'c', 'd', 'e', 9, 'f'}
	total := countAll(message[:3])
	total += countAll(message)
	log.Print(total)
	kit.Wait()
}

// countAll counts the records of one message.
func countAll(message []byte) int { return markup.Records(message) }

func markerRoot() {
	kit.Start()
	a, b := &markup.Node{Name: "a"}, &markup.Node{Name: "b"}
	a.Parent, b.Parent = b, a
	work := make(chan *markup.Node)
	for range 4 {
		go func() {
			for n := range work {
				log.Print(n.Root().Name)
			}
		}()
	}
	work <- &markup.Node{Name: "c"}
	work <- a
	kit.Wait()
}

func textExpand() {
	kit.Start()
	values := map[string]string{"NAME": "A. Miller", "HOME": "$HOME/files"}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, len(markup.Expand("dear $NAME", values)))
	}), "/letter", 2, 20*time.Millisecond, 0)
	go func() {
		time.Sleep(time.Second)
		values := map[string]string{"NAME": "$NAME"}
		sendLetter("dear $NAME, thank you", values)
	}()
	kit.Wait()
}

// sendLetter fills a letter in and sends it.
func sendLetter(text string, values map[string]string) { log.Print(markup.Expand(text, values)) }

// A Queue hands out keys that are to be worked on.
type Queue struct {
	mu    sync.Mutex
	ready *sync.Cond
	keys  []string
}

// Add puts a key in.
func (q *Queue) Add(key string) {
	q.mu.Lock()
	q.keys = append(q.keys, key)
	q.mu.Unlock()
	q.ready.Signal()
}

// Get waits for a key.
func (q *Queue) Get() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.keys) == 0 {
		q.ready.Wait()
	}
	key := q.keys[0]
	q.keys = q.keys[1:]
	return key
}

// A Booker books what is in the queue.
type Booker struct {
	queue  *Queue
	failed map[string]int
}

// process books one key; what fails is tried again.
func (b *Booker) process() {
	key := b.queue.Get()
	if err := b.book(key); err != nil {
		b.failed[key]++
		b.queue.Add(key)
	}
}

func (b *Booker) book(key string) error {
	n, err := strconv.Atoi(key)
	if err != nil {
		return fmt.Errorf("booking %s: %w", key, err)
	}
	time.Sleep(time.Duration(n) * time.Millisecond)
	return nil
}

func queueAgain() {
	kit.Start()
	q := &Queue{}
	q.ready = sync.NewCond(&q.mu)
	b := &Booker{queue: q, failed: map[string]int{}}
	go func() {
		for {
			b.process()
		}
	}()
	for i := range 30 {
		q.Add(strconv.Itoa(i))
	}
	q.Add("n/a")
	kit.Wait()
}

// A Loan has a sum and monthly payments.
type Loan struct{ sum, payment float64 }

// rate finds the interest by Newton's method.
func (l *Loan) rate() float64 {
	x := 1.0
	for {
		f := x*x*x - 2*x + 2 // a loan of two payments
		d := 3*x*x - 2
		next := x - f/d
		if abs(next-x) < 1e-9 {
			return next
		}
		x = next
	}
}

func abs(x float64) float64 { return max(x, -x) }

func rateSolve() {
	kit.Start()
	result := make(chan float64)
	go func() { result <- (&Loan{sum: 100, payment: 9}).rate() }()
	for i := range 3 {
		go func() {
			log.Print(i, <-result)
		}()
	}
	kit.Wait()
}

// A Plan orders steps by what they need.
type Plan struct {
	needs map[string][]string
	done  map[string]bool
	order []string
}

// sortSteps takes out what needs nothing more until all are taken.
func (p *Plan) sortSteps(steps []string) {
	for len(p.order) < len(steps) {
		for _, s := range steps {
			if !p.done[s] && p.ready(s) {
				p.done[s] = true
				p.order = append(p.order, s)
			}
		}
	}
}

func (p *Plan) ready(step string) bool {
	for _, n := range p.needs[step] {
		if !p.done[n] {
			return false
		}
	}
	return true
}

func planOrder() {
	kit.Start()
	needs := map[string][]string{"pay": {"check"}, "check": {"book"}, "book": {"pay"}}
	p := &Plan{done: map[string]bool{}, needs: needs}
	p.sortSteps([]string{"open", "pay", "check", "book"})
	log.Print(p.order)
	kit.Wait()
}
