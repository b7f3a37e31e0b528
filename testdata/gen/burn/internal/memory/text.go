package memory

import (
	"context"
	"fmt"
	"net/http"

	"example.com/fixtures/burn/run"
)

// A Report is text that grows line by line.
type Report struct{ rows []string }

func startReport(s *run.Service) error {
	r := &Report{}
	for i := 0; i < 400; i++ {
		r.rows = append(r.rows, fmt.Sprintf("node-%04d ready since yesterday, 110 pods", i))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/report", r.handle)
	return s.Serve(mux, 1, "/report")
}

func (r *Report) handle(w http.ResponseWriter, _ *http.Request) {
	w.Write([]byte(r.text()))
}

func (r *Report) text() string {
	out := ""
	for _, row := range r.rows {
		out += row + "\n"
	}
	return out
}

// Headers are looked at as text and kept as bytes.
type Headers struct {
	raw  [][]byte
	last [][]byte
}

func startHeaders(s *run.Service) error {
	h := &Headers{}
	for i := 0; i < 500; i++ {
		h.raw = append(h.raw, []byte(fmt.Sprintf("X-Forwarded-Header-Number-%d: some value that goes on for a while until it ends", i)))
	}
	s.Reconcile(1, h.Reconcile)
	return nil
}

// Reconcile is called for each connection.
func (h *Headers) Reconcile(ctx context.Context, key string) error {
	h.last = h.last[:0]
	for _, line := range h.raw {
		h.last = append(h.last, h.lower(line))
	}
	return nil
}

// lower converts there and back and there again.
func (h *Headers) lower(line []byte) []byte {
	text := string(line)
	if text == "" {
		return nil
	}
	out := []byte(text)
	out[0] |= 0x20
	again := string(out)
	return []byte(again)
}

// Members is a list that is searched for every item.
type Members struct {
	names []string
	found int
}

func startMembers(s *run.Service) error {
	m := &Members{}
	for i := 0; i < 3000; i++ {
		m.names = append(m.names, fmt.Sprintf("ip-10-0-0-0.eu-central-1.compute.internal/node-%06d", i))
	}
	s.Reconcile(1, m.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (m *Members) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 20; i++ {
		if m.has(fmt.Sprintf("ip-10-0-0-0.eu-central-1.compute.internal/node-%06d", 2000+i)) {
			m.found++
		}
	}
	return nil
}

func (m *Members) has(name string) bool {
	for _, n := range m.names {
		if n == name {
			return true
		}
	}
	return false
}
