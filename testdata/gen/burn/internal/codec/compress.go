package codec

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand"
	"net/http"

	"example.com/fixtures/burn/run"
)

// Events ships events, each packed by a writer of its own.
type Events struct{ sent int }

func startEvents(s *run.Service) error {
	e := &Events{}
	s.Reconcile(1, e.Reconcile)
	return nil
}

// Reconcile is called for each object that has news.
func (e *Events) Reconcile(ctx context.Context, key string) error {
	text := []byte(fmt.Sprintf(`{"key":%q,"reason":"Scheduled","message":"assigned to node-7"}`, key))
	for i := 0; i < 8; i++ {
		packed, err := e.pack(text)
		if err != nil {
			return err
		}
		e.sent += len(packed)
	}
	return nil
}

func (e *Events) pack(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Frames deflates the frames of a connection, each by a writer of its own.
type Frames struct{ bytes int }

func startFrames(s *run.Service) error {
	f := &Frames{}
	s.Reconcile(1, f.send)
	return nil
}

func (f *Frames) send(ctx context.Context, key string) error {
	for i := 0; i < 8; i++ {
		frame, err := f.deflate([]byte(key))
		if err != nil {
			return err
		}
		f.bytes += len(frame)
	}
	return nil
}

func (f *Frames) deflate(payload []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	w.Write(payload)
	if err := w.Flush(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Exports answers with large compressed bodies.
type Exports struct{ table []byte }

func startExports(s *run.Service) error {
	e := &Exports{}
	r := rand.New(rand.NewSource(1))
	for i := 0; i < 20000; i++ {
		e.table = append(e.table, fmt.Sprintf("node-%d,%d,%d,ready\n", i, r.Intn(1000), r.Intn(1000000))...)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/export", e.handle)
	return s.Serve(mux, 1, "/export")
}

func (e *Exports) handle(w http.ResponseWriter, r *http.Request) {
	body, err := e.compress()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Write(body)
}

func (e *Exports) compress() ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(e.table); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
