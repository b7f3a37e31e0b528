package memory

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"example.com/fixtures/burn/run"
)

// A Visitor asks each item what it can do.
type Visitor struct {
	items []interface{}
	sum   int
}

type sized interface{ Size() int }

type named interface{ Name() string }

type (
	plain  int
	volume struct{ size int }
	claim  struct{ name string }
	node   struct{ name string }
)

func (v volume) Size() int   { return v.size }
func (c claim) Name() string { return c.name }
func (n *node) Name() string { return n.name }

func startVisitor(s *run.Service) error {
	v := &Visitor{}
	for i := 0; i < 1000; i++ {
		v.items = append(v.items, plain(i), volume{i}, claim{"c"}, &node{"n"})
	}
	s.Reconcile(1, v.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (v *Visitor) Reconcile(ctx context.Context, key string) error {
	for _, item := range v.items {
		v.visit(item)
	}
	return nil
}

func (v *Visitor) visit(item interface{}) {
	if s, ok := item.(sized); ok {
		v.sum += s.Size()
	}
	if n, ok := item.(named); ok {
		v.sum += len(n.Name())
	}
	if _, ok := item.(fmt.Stringer); ok {
		v.sum++
	}
	if _, ok := item.(io.Closer); ok {
		v.sum--
	}
}

type layer int

// startTenants serves requests whose context has a layer for each middleware.
func startTenants(s *run.Service) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/orders", handleOrders)
	var h http.Handler = mux
	for i := 60; i >= 0; i-- {
		h = withLayer(layer(i), h)
	}
	return s.Serve(h, 2, "/orders")
}

func withLayer(l layer, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), l, "tenant")))
	})
}

func handleOrders(w http.ResponseWriter, r *http.Request) {
	n := 0
	for i := 0; i < 2000; i++ {
		n += len(tenantOf(r.Context()))
	}
	fmt.Fprintln(w, n)
}

func tenantOf(ctx context.Context) string {
	name, _ := ctx.Value(layer(0)).(string)
	return name
}

// A Parser leaves by a panic when a word is no number.
type Parser struct {
	words []string
	bad   int
}

func startParser(s *run.Service) error {
	p := &Parser{}
	for i := 0; i < 200; i++ {
		p.words = append(p.words, "x"+strconv.Itoa(i))
	}
	s.Reconcile(1, p.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (p *Parser) Reconcile(ctx context.Context, key string) error {
	for _, word := range p.words {
		if !p.attempt(word) {
			p.bad++
		}
	}
	return nil
}

type syntaxError struct{ word string }

func (p *Parser) attempt(word string) (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			_, ok = e.(string)
		}
	}()
	p.number(word)
	return true
}

func (p *Parser) number(word string) int {
	n := 0
	for _, c := range word {
		if c < '0' || c > '9' {
			panic(syntaxError{word})
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// A Tree is measured by a goroutine for each of its branches.
type Tree struct {
	mu      sync.Mutex
	deepest int
}

func startTree(s *run.Service) error {
	t := &Tree{}
	s.Reconcile(1, t.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (t *Tree) Reconcile(ctx context.Context, key string) error {
	var wg sync.WaitGroup
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n := t.depth(300)
			t.mu.Lock()
			t.deepest = n
			t.mu.Unlock()
		}()
	}
	wg.Wait()
	return nil
}

func (t *Tree) depth(n int) int {
	var path [128]byte
	if n == 0 {
		return 0
	}
	path[n%len(path)] = byte(n)
	return t.depth(n-1) + 1 + int(path[0]&path[1])
}
