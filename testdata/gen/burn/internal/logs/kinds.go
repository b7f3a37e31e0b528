// Package logs formats and logs more than it should.
package logs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"runtime/debug"

	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		hot("fmt-keys", "keys made with fmt.Sprintf", `^fmt\.Sprintf$`, "cacheKey", startKeys),
		hot("log-caller", "every step logged, with file and line", `^log\.\(\*Logger\)\.`, "(*Mover).Reconcile", startMover),
		hot("log-disabled", "debug messages formatted though their level is off", `^fmt\.Sprintf$`, "(*Planner).score", startPlanner),
		hot("debug-stack", "stack taken for every error", `^runtime/debug\.Stack$`, "wrap", startQuotas),
	}
}

func hot(name, topic, guilty, culprit string, start func(*run.Service) error) run.Kind {
	return run.Kind{
		Name: name, Profile: "cpu", Topic: topic, Guilty: guilty, Culprit: run.Own("logs", culprit), Category: "hot-cpu", Start: start,
	}
}

type keyed struct{ hits map[string]int }

func startKeys(s *run.Service) error {
	k := &keyed{hits: map[string]int{}}
	s.Reconcile(1, k.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (k *keyed) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 200; i++ {
		k.hits[cacheKey(key, "prod", i%20, 1.5)]++
	}
	return nil
}

func cacheKey(name, namespace string, shard int, weight float64) string {
	return fmt.Sprintf("%s/%s/%04d/%.2f/%v", namespace, name, shard, weight, true)
}

// A Mover logs each step.
type Mover struct{ log *log.Logger }

func startMover(s *run.Service) error {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	m := &Mover{log: log.New(f, "mover ", log.LstdFlags|log.Lmicroseconds|log.Lshortfile)}
	s.Reconcile(1, m.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (m *Mover) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 100; i++ {
		m.log.Printf("moving %s: step %d of %d", key, i, 100)
	}
	return nil
}

// A leveled logger that drops debug messages, which it is given as text.
type leveled struct {
	debug bool
	out   io.Writer
}

func (l *leveled) Debug(text string) {
	if l.debug {
		io.WriteString(l.out, text)
	}
}

// A Planner scores nodes.
type Planner struct {
	log  leveled
	best int
}

type candidate struct {
	Node   string
	CPU    int
	Labels map[string]string
}

func startPlanner(s *run.Service) error {
	p := &Planner{log: leveled{out: os.Stderr}}
	s.Reconcile(1, p.Reconcile)
	return nil
}

// Reconcile is called for each pod.
func (p *Planner) Reconcile(ctx context.Context, key string) error {
	c := candidate{Node: "node-7", CPU: 4, Labels: map[string]string{"zone": "a", "disk": "ssd"}}
	for i := 0; i < 100; i++ {
		if n := p.score(key, c); n > p.best {
			p.best = n
		}
	}
	return nil
}

func (p *Planner) score(key string, c candidate) int {
	p.log.Debug(fmt.Sprintf("scoring %s on %+v", key, c))
	return c.CPU * 100
}

var errQuota = errors.New("quota exceeded")

type withStack struct {
	error
	stack []byte
}

func wrap(err error) error { return withStack{err, debug.Stack()} }

// startQuotas serves requests that end in an error, each with its stack.
func startQuotas(s *run.Service) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/admit", handleAdmit)
	return s.Serve(mux, 2, "/admit")
}

func handleAdmit(w http.ResponseWriter, r *http.Request) {
	n := 0
	for i := 0; i < 20; i++ {
		var e withStack
		if errors.As(checkQuota(i), &e) {
			n += bytes.Count(e.stack, []byte("\n"))
		}
	}
	fmt.Fprintln(w, n)
}

func checkQuota(i int) error { return wrap(errQuota) }
