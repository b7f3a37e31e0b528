// Package control holds controllers and agents.
package control

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"example.com/busy/kit"
)

// Programs are the services of this package.
var Programs = map[string]func(){
	"token-sign": tokenSign, "peer-call": peerCall, "event-lines": eventLines, "task-trace": taskTrace,
	"usage-lock": usageLock, "segment-write": segmentWrite, "spec-compare": specCompare, "grid-total": gridTotal,
	"call-log": callLog,
}

// sign makes a token for a user.
func sign(user string) ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	return x509.MarshalPKCS1PublicKey(&key.PublicKey), nil
}

func tokenSign() {
	kit.Start()
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := sign(r.URL.Query().Get("user"))
		w.Write(token)
	}), "/token?user=miller", 2, 5*time.Millisecond, 0)
	kit.Wait()
}

// A Peer is another agent.
type Peer struct {
	url   string
	roots []byte
}

// call asks the peer for its state.
func (p *Peer) call() error {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(p.roots)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true,
	}}
	answer, err := client.Get(p.url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

func peerCall() {
	kit.Start()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("up"))
	}))
	roots := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	p := &Peer{url: server.URL, roots: roots}
	for range 2 {
		go func() {
			for {
				if err := p.call(); err != nil {
					slog.Error("peer", "err", err)
				}
				time.Sleep(2 * time.Millisecond)
			}
		}()
	}
	kit.Wait()
}

// A Lines file takes events, one a line.
type Lines struct{ f *os.File }

// add writes an event in parts.
func (l *Lines) add(name string, values []int) {
	io.WriteString(l.f, name)
	for _, v := range values {
		fmt.Fprintf(l.f, " %d", v)
	}
	io.WriteString(l.f, "\n")
}

func eventLines() {
	kit.Start()
	f, _ := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	l := &Lines{f}
	go func() {
		for range time.Tick(10 * time.Millisecond) {
			for range 300 {
				l.add("moved", []int{1, 2, 3, 4, 5, 6, 7, 8})
			}
		}
	}()
	kit.Wait()
}

// A Task knows where it was started.
type Task struct {
	id    int
	trace []byte
}

// newTask begins a task.
func newTask(id int) *Task { return &Task{id, debug.Stack()} }

func taskTrace() {
	kit.Start()
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := 0
		for i := range 50 {
			n += len(newTask(i).trace)
		}
		fmt.Fprint(w, n)
	}), "/tasks", 4, time.Millisecond, 0)
	kit.Wait()
}

// Usage counts calls by tenant.
type Usage struct {
	mu    sync.Mutex
	calls map[string]int
}

// count counts one call.
func (u *Usage) count(tenant string) {
	u.mu.Lock()
	u.calls[tenant]++
	u.mu.Unlock()
}

func usageLock() {
	kit.Start()
	u := &Usage{calls: map[string]int{}}
	for i := range 16 {
		go func() {
			for {
				for range 20000 {
					u.count("tenant-1")
				}
				time.Sleep(time.Duration(i) * time.Millisecond)
			}
		}()
	}
	kit.Wait()
}

// A Segment is a file of records.
type Segment struct {
	mu sync.Mutex
	f  *os.File
	n  int64
}

// put writes a record and makes it durable.
func (s *Segment) put(record []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range record {
		if _, err := s.f.WriteAt([]byte{b}, s.n%4096); err != nil {
			return err
		}
		s.n++
	}
	return nil
}

func segmentWrite() {
	kit.Start()
	f, _ := os.CreateTemp("", "segment")
	os.Remove(f.Name())
	s := &Segment{f: f}
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if err := s.put(data); err != nil {
			http.Error(w, err.Error(), 500)
		}
	}), "/put", 4, time.Millisecond, 2000)
	kit.Wait()
}

type spec struct {
	Replicas int               `json:"replicas"`
	Labels   map[string]string `json:"labels"`
	Ports    []int             `json:"ports"`
}

// same reports whether two specs are equal.
func same(a, b spec) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

func specCompare() {
	kit.Start()
	want := spec{3, map[string]string{}, []int{80, 443}}
	for i := range 40 {
		want.Labels[fmt.Sprint("label", i)] = fmt.Sprint("value", i)
	}
	go func() {
		for range time.Tick(5 * time.Millisecond) {
			for range 100 {
				if !same(want, want) {
					slog.Info("changed")
				}
			}
		}
	}()
	kit.Wait()
}

type cell struct {
	sums  [1024]int64
	total int64
}

// A Grid is made of cells.
type Grid []cell

// total adds all cells up.
func (g Grid) total() (sum int64) {
	for _, c := range g {
		sum += c.total
	}
	return sum
}

func gridTotal() {
	kit.Start()
	g := make(Grid, 2000)
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, g.total())
	}), "/total", 4, time.Millisecond, 0)
	kit.Wait()
}

// logged writes a line for each step of a call.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for step := range 60 {
			log.Debug("step", "path", r.URL.Path, "step", step, "header", r.Header, "remote", r.RemoteAddr)
		}
		next.ServeHTTP(w, r)
	})
}

func callLog() {
	kit.Start()
	null, _ := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	log := slog.New(slog.NewJSONHandler(null, &slog.HandlerOptions{AddSource: true, Level: slog.LevelDebug}))
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("ok")) })
	kit.Listen(logged(log, h), "/", 4, time.Millisecond, 0)
	kit.Wait()
}
