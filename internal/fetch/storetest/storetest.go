// Package storetest is a stand-in for Pyroscope and Parca in tests. It answers as their APIs describe, and adds
// profiles up with google/pprof, so that nothing of triage is tested with itself.
package storetest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	pprof "github.com/google/pprof/profile"
)

// A Stored is a profile that an agent sent.
type Stored struct {
	Type     string // of Pyroscope, or of Parca with :delta
	Selector string // that matches it
	At       time.Time
	Profile  []byte // compressed
}

// A Server answers with the profiles that are stored. Before each answer Trouble may answer instead.
type Server struct {
	Stored  []Stored
	Trouble func(w http.ResponseWriter, r *http.Request, n int64) bool // n counts the requests, from 1
	asked   atomic.Int64
}

// Asked is how many requests there were.
func (s *Server) Asked() int64 { return s.asked.Load() }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if n := s.asked.Add(1); s.Trouble != nil && s.Trouble(w, r, n) {
		return
	}
	var err error
	switch q := r.URL.Query(); r.Method + " " + r.URL.Path {
	case "POST /querier.v1.QuerierService/ProfileTypes":
		err = s.pyroscopeTypes(w, r)
	case "POST /querier.v1.QuerierService/SelectMergeProfile":
		err = s.pyroscopeMerge(w, r)
	case "GET /api/profiles/types":
		err = s.parcaTypes(w)
	case "GET /api/profiles/query":
		if q.Get("mode") != "MODE_MERGE" || q.Get("reportType") != "REPORT_TYPE_PPROF" {
			err = fmt.Errorf("not asked for a sum as pprof: %v", q)
			break
		}
		id, selector, _ := strings.Cut(q.Get("merge.query"), "{")
		from, errFrom := time.Parse(time.RFC3339, q.Get("merge.start"))
		to, errTo := time.Parse(time.RFC3339, q.Get("merge.end"))
		if errFrom != nil || errTo != nil {
			err = fmt.Errorf("no times: %w, %w", errFrom, errTo)
			break
		}
		var sum []byte
		if sum, err = s.sum(id, "{"+selector, from, to, true); err == nil {
			w.Header().Set("Content-Type", "application/json")
			err = json.NewEncoder(w).Encode(map[string]any{"pprof": sum, "total": "0", "filtered": "0"})
		}
	default:
		http.NotFound(w, r)
	}
	if err != nil { // as Connect and the gateway of gRPC do it
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]any{"code": "invalid_argument", "message": err.Error()})
	}
}

func (s *Server) ids() (all []string) {
	seen := map[string]bool{}
	for _, p := range s.Stored {
		if !seen[p.Type] {
			seen[p.Type] = true
			all = append(all, p.Type)
		}
	}
	return all
}

func (s *Server) pyroscopeTypes(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Start, End int64 `json:",string"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Start <= 0 || asked.End < asked.Start {
		return fmt.Errorf("no times: %+v, %w", asked, err)
	}
	types := []map[string]string{}
	for _, id := range s.ids() {
		types = append(types, map[string]string{"ID": id})
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(map[string]any{"profileTypes": types})
}

func (s *Server) pyroscopeMerge(w http.ResponseWriter, r *http.Request) error {
	msg, err := io.ReadAll(r.Body)
	if err != nil || r.Header.Get("Content-Type") != "application/proto" {
		return fmt.Errorf("no protobuf: %w", err)
	}
	text, number := map[uint64]string{}, map[uint64]int64{}
	for len(msg) > 0 {
		tag, n := binary.Uvarint(msg)
		v, m := binary.Uvarint(msg[max(0, n):])
		if n <= 0 || m <= 0 || tag&7 != 0 && (tag&7 != 2 || v > uint64(len(msg)-n-m)) {
			return fmt.Errorf("malformed: %q", msg)
		}
		msg = msg[n+m:]
		if number[tag>>3] = int64(v); tag&7 == 2 {
			text[tag>>3], msg = string(msg[:v]), msg[v:]
		}
	}
	sum, err := s.sum(text[1], text[2], time.UnixMilli(number[3]), time.UnixMilli(number[4]), false)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/proto")
	_, err = w.Write(sum)
	return err
}

func (s *Server) parcaTypes(w http.ResponseWriter) error {
	types := []map[string]any{}
	for _, id := range s.ids() {
		part := strings.Split(id, ":")
		types = append(types, map[string]any{"name": part[0], "sampleType": part[1], "sampleUnit": part[2],
			"periodType": part[3], "periodUnit": part[4], "delta": len(part) > 5})
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(map[string]any{"types": types})
}

// sum adds up the profiles of a time. One alone is as it was stored; of none Pyroscope's message is empty, and Parca's
// profile has no samples.
func (s *Server) sum(id, selector string, from, to time.Time, packed bool) ([]byte, error) {
	var all []*pprof.Profile
	var alone []byte
	for _, stored := range s.Stored {
		if stored.Type != id || stored.Selector != selector || stored.At.Before(from) || stored.At.After(to) {
			continue
		}
		p, err := pprof.ParseData(stored.Profile)
		if err != nil {
			return nil, err
		}
		all, alone = append(all, p), stored.Profile
	}
	if len(all) > 1 || len(all) == 0 && packed {
		sum := &pprof.Profile{SampleType: []*pprof.ValueType{{Type: "cpu", Unit: "nanoseconds"}}}
		if len(all) > 0 {
			var err error
			if sum, err = pprof.Merge(all); err != nil {
				return nil, err
			}
		}
		var out bytes.Buffer
		if err := sum.Write(&out); err != nil {
			return nil, err
		}
		alone = out.Bytes()
	}
	if packed || len(alone) == 0 {
		return alone, nil
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(alone))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}
