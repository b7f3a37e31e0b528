// Package storage keeps things in memory.
package storage

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/busy/kit"
)

// Programs are the services of this package.
var Programs = map[string]func(){
	"query-results": queryResults, "mail-heads": mailHeads,
	"audit-records": auditRecords, "reminder-calls": reminderCalls,
	"upload-parts": uploadParts, "hook-list": hookList, "name-table": nameTable, "path-series": pathSeries,
	"seen-messages": seenMessages, "job-contexts": jobContexts, "chat-buffers": chatBuffers, "undo-steps": undoSteps,
}

// serve answers each request with what f returns.
func serve(path string, body int, f func(n int, r *http.Request) int) {
	var mu sync.Mutex
	n := 0
	kit.Listen(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		n++
		fmt.Fprint(w, f(n, r))
	}), path, 4, 2*time.Millisecond, body)
	kit.Wait()
}

// Results are those of queries that were asked before.
type Results struct{ by map[string][]byte }

// find answers a query.
func (s *Results) find(query string) []byte {
	if known, ok := s.by[query]; ok {
		return known
	}
	found := s.search(query)
	s.by[query] = found
	return found
}

func (s *Results) search(query string) []byte {
	return bytes.Repeat([]byte(query), 4000/len(query))
}

func queryResults() {
	kit.Start()
	s := &Results{by: map[string][]byte{}}
	serve("/find", 0, func(n int, _ *http.Request) int {
		size := 0
		for k := range 20 {
			size += len(s.find(fmt.Sprintf("select %d", n*20+k)))
		}
		return size
	})
}

// A Mailbox has the first line of each letter.
type Mailbox struct{ heads [][]byte }

// receive keeps the head of a letter.
func (m *Mailbox) receive(letter io.Reader) int {
	text, err := io.ReadAll(letter)
	if err != nil {
		return 0
	}
	m.heads = append(m.heads, text[:40])
	return len(m.heads)
}

func mailHeads() {
	kit.Start()
	m := &Mailbox{}
	serve("/mail", 60000, func(_ int, r *http.Request) int { return m.receive(r.Body) })
}

type record struct {
	who, what string
	at        time.Time
	header    http.Header
}

var trail []record

// note keeps what was done for the audit.
func note(who string, r *http.Request) int {
	trail = append(trail, record{who, strings.Repeat(r.URL.String(), 30), time.Now(), r.Header.Clone()})
	return len(trail)
}

func auditRecords() {
	kit.Start()
	serve("/do?what=order", 0, func(n int, r *http.Request) int {
		for range 50 {
			note("user "+strconv.Itoa(n), r)
		}
		return n
	})
}

// Reminders call back when a basket is left alone.
type Reminders struct{ sent int }

// watch sends a reminder tomorrow. Baskets that are paid are not looked at again.
func (m *Reminders) watch(basket []byte) {
	time.AfterFunc(24*time.Hour, func() {
		if len(basket) > 0 {
			m.sent++
		}
	})
}

func reminderCalls() {
	kit.Start()
	m := &Reminders{}
	serve("/basket", 0, func(n int, _ *http.Request) int {
		for range 40 {
			m.watch(make([]byte, 1500))
		}
		return n
	})
}

// Uploads are those that are not complete.
type Uploads struct{ parts map[int][][]byte }

// add keeps a part until the last one has come.
func (u *Uploads) add(id int, part []byte, last bool) error {
	if len(part) == 0 {
		return fmt.Errorf("upload %d: an empty part", id)
	}
	u.parts[id] = append(u.parts[id], part)
	if last {
		delete(u.parts, id)
	}
	return nil
}

func uploadParts() {
	kit.Start()
	u := &Uploads{parts: map[int][][]byte{}}
	serve("/upload", 30000, func(n int, r *http.Request) int {
		part := make([]byte, 30000)
		k, _ := io.ReadFull(r.Body, part)
		u.add(n/3, part[:k], n%9 == 8) // most clients give up before the last part
		return k
	})
}

// Hooks are told about changes.
type Hooks struct {
	mu  sync.Mutex
	all []func(string)
}

// OnChange adds a listener.
func (h *Hooks) OnChange(f func(string)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, f)
}

// view follows the settings while it is shown.
func (h *Hooks) view(size int) {
	screen := make([]byte, size)
	h.OnChange(func(name string) { copy(screen, name) })
}

func hookList() {
	kit.Start()
	h := &Hooks{}
	serve("/view", 0, func(n int, _ *http.Request) int {
		for range 10 {
			h.view(8000)
		}
		return n
	})
}

// Names holds each name once.
type Names struct{ known map[string]string }

// once returns the one copy of a name.
func (t *Names) once(name []byte) string {
	if s, ok := t.known[string(name)]; ok {
		return s
	}
	s := string(name)
	t.known[s] = s
	return s
}

func nameTable() {
	kit.Start()
	t := &Names{known: map[string]string{}}
	serve("/name", 0, func(n int, _ *http.Request) int {
		for k := range 100 {
			t.once(fmt.Appendf(nil, "trace-%016x-%s", n*100+k, strings.Repeat("a", 200)))
		}
		return n
	})
}

// Series are counters by their labels.
type Series struct {
	counters map[string]*counter
}

type counter struct {
	labels map[string]string
	counts [20]float64
}

// with returns the counter of a set of labels.
func (s *Series) with(method, path, status string) *counter {
	key := method + "\x00" + path + "\x00" + status
	c := s.counters[key]
	if c == nil {
		c = &counter{labels: map[string]string{"method": method, "path": path, "status": status}}
		s.counters[key] = c
	}
	return c
}

func pathSeries() {
	kit.Start()
	s := &Series{counters: map[string]*counter{}}
	serve("/article", 0, func(n int, r *http.Request) int {
		for k := range 60 {
			s.with("GET", fmt.Sprintf("/customers/%d/orders/%d", n, k), "200").counts[n%20]++
		}
		return n
	})
}

type message struct {
	id   string
	body []byte
}

// Inbox drops messages that came before.
type Inbox struct {
	seen map[string]message
}

// accept reports whether a message is new.
func (b *Inbox) accept(m message) bool {
	if _, ok := b.seen[m.id]; ok {
		return false
	}
	b.seen[m.id] = m
	return true
}

func seenMessages() {
	kit.Start()
	b := &Inbox{seen: map[string]message{}}
	go func() {
		for n := 0; ; n++ {
			for k := range 20 {
				b.accept(message{fmt.Sprint("m-", n*20+k), decode(n)})
			}
			time.Sleep(time.Millisecond)
		}
	}()
	kit.Wait()
}

// decode makes a message's body.
func decode(n int) []byte { return fmt.Appendf(make([]byte, 0, 2000), "%d", n) }

// Jobs run below the service's context.
type Jobs struct {
	base context.Context
	kept int
}

type jobKey struct{}

// begin makes a job's context; its end is that of the service.
func (j *Jobs) begin(payload []byte) context.Context {
	ctx, _ := context.WithCancel(context.WithValue(j.base, jobKey{}, payload))
	j.kept++
	return ctx
}

func jobContexts() {
	kit.Start()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	j := &Jobs{base: ctx}
	serve("/job", 0, func(n int, _ *http.Request) int {
		for range 40 {
			_ = j.begin(make([]byte, 1000)).Err()
		}
		return n
	})
}

// A Room has its talk.
type Room struct {
	talk bytes.Buffer
	size int
}

// say adds a line. Readers get what they have not read yet, from the whole talk.
func (r *Room) say(line string) {
	r.talk.WriteString(line)
	r.size += len(line)
}

func chatBuffers() {
	kit.Start()
	rooms := map[int]*Room{}
	line := strings.Repeat("hello ", 300)
	serve("/say", 0, func(n int, _ *http.Request) int {
		for k := range 20 {
			if rooms[k] == nil {
				rooms[k] = &Room{}
			}
			rooms[k].say(line)
		}
		return n
	})
}

// An Editor can undo its steps.
type Editor struct {
	text []byte
	undo [][]byte
}

// change replaces a part of the text.
func (e *Editor) change(at int, c byte) {
	e.undo = append(e.undo, bytes.Clone(e.text))
	e.text[at%len(e.text)] = c
}

func undoSteps() {
	kit.Start()
	e := &Editor{text: kit.Words(3000)}
	serve("/edit", 0, func(n int, _ *http.Request) int {
		for k := range 5 {
			e.change(n+k, 'x')
		}
		return len(e.undo)
	})
}
