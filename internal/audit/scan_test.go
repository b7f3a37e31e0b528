package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
)

func TestBodiesAreKeptWhole(t *testing.T) {
	request, response := `{"metadata":{"name":"x"},"data":{"a":"}] \" , \"requestReceivedTimestamp\":\"2020"}}`, `{"kind":"ConfigMap","metadata":{"resourceVersion":"9"}}`
	for name, s := range map[string]sample{
		"both":     {verb: "update", request: request, response: response},
		"request":  {verb: "update", request: request},
		"response": {verb: "update", response: response},
		"none":     {verb: "update"},
	} {
		for _, whole := range []bool{true, false} {
			var sc scanner
			line := []byte(s.write())
			what, end := sc.value(line, whole)
			if what != isEvent || end != len(line) {
				t.Fatalf("%s: verdict %d, end %d of %d", name, what, end, len(line))
			}
			if string(sc.ev.Request) != s.request || string(sc.ev.Response) != s.response {
				t.Errorf("%s, whole %v: request %q, response %q", name, whole, sc.ev.Request, sc.ev.Response)
			}
			if sc.ev.Received != start.UnixMicro() || sc.ev.Took() != time.Millisecond {
				t.Errorf("%s: received %d, took %v", name, sc.ev.Received, sc.ev.Took())
			}
		}
	}
}

func TestAFieldOfABodyIsNoFieldOfTheEvent(t *testing.T) {
	s := sample{verb: "update", user: "real", response: `{"kind":"X","items":[{"verb":"delete","user":{"username":"fake"},"requestReceivedTimestamp":"2001-01-01T00:00:00.000000Z"}]}`}
	var sc scanner
	if what, _ := sc.value([]byte(s.write()), true); what != isEvent || string(sc.ev.User) != "real" || sc.ev.Received != start.UnixMicro() {
		t.Errorf("%d: user %q at %d", what, sc.ev.User, sc.ev.Received)
	}
}

func TestMicrosReadsWhatTheServerWrites(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-03-04T04:47:40.306000Z":      time.Date(2026, 3, 4, 4, 47, 40, 306_000_000, time.UTC),
		"2024-02-29T23:59:59.999999Z":      time.Date(2024, 2, 29, 23, 59, 59, 999_999_000, time.UTC),
		"2026-01-31T00:00:00.000001Z":      time.Date(2026, 1, 31, 0, 0, 0, 1000, time.UTC),
		"2017-09-11T19:55:05Z":             time.Date(2017, 9, 11, 19, 55, 5, 0, time.UTC),
		"2026-03-04T05:47:40.306000+01:00": time.Date(2026, 3, 4, 4, 47, 40, 306_000_000, time.UTC),
	} {
		if got := micros([]byte(text)); got != want.UnixMicro() {
			t.Errorf("%s: %d, want %d", text, got, want.UnixMicro())
		}
	}
	for _, text := range []string{"", "yesterday", "2026-02-30T00:00:00.000000Z", "2026-13-01T00:00:00.000000Z", "0001-01-01T00:00:00Z"} {
		if got := micros([]byte(text)); got != 0 {
			t.Errorf("%q: %d", text, got)
		}
	}
}

func FuzzMicros(f *testing.F) {
	f.Add("2026-03-04T04:47:40.306000Z")
	f.Add("2026-02-29T04:47:40.306000Z")
	f.Fuzz(func(t *testing.T, s string) {
		got := micros([]byte(s))
		want := int64(0)
		if at, err := time.Parse(time.RFC3339Nano, s); err == nil && at.Year() >= 1971 && at.Year() <= 9999 {
			want = at.UnixMicro()
		}
		if got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	})
}

// FuzzEvent holds the scanner against encoding/json, and jumping over bodies against walking through them.
func FuzzEvent(f *testing.F) {
	f.Add([]byte(created.write()))
	f.Add([]byte(sample{verb: "patch", user: "ü", request: `{"a":"\"}"}`, response: `{"metadata":{"resourceVersion":"8"}}`}.write()))
	f.Add([]byte(`{"auditID":"\u00e9\ud83d\ude00","verb":"get","user":{"username":"a\/b"},"objectRef":null,"responseStatus":[]}`))
	f.Add([]byte(`{"kind":"Event","auditID":"1","stage":"s","requestObject":null,"responseObject":{"x":"\\"},"requestReceivedTimestamp":"2026-03-04T04:47:40.306000Z"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var jumped, walked scanner
		what, _ := jumped.value(line, true)
		if w, _ := walked.value(line, false); w != what && json.Valid(line) {
			t.Fatalf("jumping says %d, walking says %d", what, w)
		}
		if what != isEvent || !json.Valid(line) || !utf8.Valid(line) || odd(line) || jumped.gkeRecord.payload != nil {
			return
		}
		for _, sc := range []*scanner{&jumped, &walked} {
			if d := differs(&sc.ev, line); d != "" {
				t.Error(d)
			}
		}
		if !bytes.Equal(jumped.ev.Request, walked.ev.Request) && walked.ev.Verb.changes() {
			t.Errorf("the request is %q or %q", jumped.ev.Request, walked.ev.Request)
		}
	})
}

// odd reports JSON that the two read differently by design: members named twice, or with escapes in their names.
func odd(b []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(b))
	var open []map[string]bool
	key := false
	for {
		tok, err := dec.Token()
		if err != nil {
			return false
		}
		switch v := tok.(type) {
		case json.Delim:
			switch v {
			case '{':
				open = append(open, map[string]bool{})
				key = true
				continue
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
		case string:
			if key && len(open) > 0 && open[len(open)-1] != nil {
				if open[len(open)-1][v] || !bytes.Contains(b, []byte(`"`+v+`"`)) {
					return true
				}
				open[len(open)-1][v] = true
				key = false
				continue
			}
		}
		key = len(open) > 0 && open[len(open)-1] != nil
	}
}

// differs compares an event with what encoding/json reads, member by member.
func differs(e *Event, line []byte) string {
	var top map[string]json.RawMessage
	if json.Unmarshal(line, &top) != nil {
		return ""
	}
	within := func(raw json.RawMessage, key string) json.RawMessage {
		var m map[string]json.RawMessage
		if json.Unmarshal(raw, &m) != nil {
			return nil
		}
		return m[key]
	}
	text := func(raw json.RawMessage) string {
		var s string
		if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
			return ""
		}
		return s
	}
	for name, got := range map[string][]byte{
		"level": e.Level, "auditID": e.AuditID, "stage": e.Stage, "requestURI": e.RequestURI, "verb": e.RawVerb, "userAgent": e.Agent,
	} {
		if want := text(top[name]); string(got) != want {
			return fmt.Sprintf("%s is %q, want %q", name, got, want)
		}
	}
	if want := text(within(top["user"], "username")); string(e.User) != want {
		return fmt.Sprintf("the user is %q, want %q", e.User, want)
	}
	ref := top["objectRef"]
	for name, got := range map[string][]byte{
		"resource": e.Resource, "subresource": e.Subresource, "namespace": e.Namespace, "name": e.Name, "uid": e.UID,
		"apiGroup": e.Group, "apiVersion": e.Version, "resourceVersion": e.ResourceVersion,
	} {
		if want := text(within(ref, name)); string(got) != want {
			return fmt.Sprintf("objectRef.%s is %q, want %q", name, got, want)
		}
	}
	if want := text(within(top["responseStatus"], "message")); string(e.Message) != want {
		return fmt.Sprintf("the message is %q, want %q", e.Message, want)
	}
	return ""
}

// FuzzRead holds that no input breaks a reader, and that it doesn't matter in which pieces it comes.
func FuzzRead(f *testing.F) {
	list := `{"kind":"EventList","metadata":{},"items":[` + created.write() + `,` + updated.write() + `]}`
	f.Add([]byte(created.write()+"\n"+updated.write()), 7)
	f.Add([]byte(list), 100)
	f.Add([]byte("[\n{\"a\":[\n{\n"+list), 1)
	f.Add([]byte(`{"log":"{\"auditID\":\"x\",\"verb\":\"get\"}\n"}`), 3)
	f.Fuzz(func(t *testing.T, in []byte, piece int) {
		read := func(r *pieces) *Log {
			reader := NewReader(Options{MaxLine: 4 << 10})
			if err := reader.Read("x", r); err != nil {
				t.Fatal(err)
			}
			return reader.Close()
		}
		a, b := read(&pieces{in, len(in) + 1}), read(&pieces{in, max(piece%512, 1)})
		if a.events != b.events || a.server.Unreadable != b.server.Unreadable || len(a.writes) != len(b.writes) {
			t.Errorf("whole: %d events, %d writes; in pieces: %d events, %d writes", a.events, len(a.writes), b.events, len(b.writes))
		}
		if tr := Merge([]*Log{a, b}); tr != nil && tr.Events < 0 {
			t.Error("fewer than none")
		}
	})
}

// pieces reads at most n bytes at a time.
type pieces struct {
	b []byte
	n int
}

func (p *pieces) Read(to []byte) (int, error) {
	if len(p.b) == 0 {
		return 0, io.EOF
	}
	n := copy(to[:min(len(to), p.n)], p.b)
	p.b = p.b[n:]
	return n, nil
}

// corpus is the folder of real audit logs.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TRIAGE_CORPUS")
	if dir == "" {
		t.Skip("TRIAGE_CORPUS is not set")
	}
	return filepath.Join(dir, "bundles", "audit")
}

// ofFile reads a file, gzip taken off.
func ofFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(path, ".gz") {
		return data
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRealEventsAreReadAsEncodingJSONReadsThem goes over every event of every real log.
func TestRealEventsAreReadAsEncodingJSONReadsThem(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus(t), "*audit*log*"))
	if err != nil || len(files) < 6 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		var events, longest int
		for line := range bytes.Lines(ofFile(t, path)) {
			line = bytes.TrimSpace(line)
			longest = max(longest, len(line))
			for _, whole := range []bool{true, false} {
				var sc scanner
				what, end := sc.value(line, whole)
				if what != isEvent || end != len(line) {
					t.Fatalf("%s: verdict %d of %.80s", path, what, line)
				}
				if d := differs(&sc.ev, line); d != "" {
					t.Errorf("%s: %s", path, d)
				}
			}
			events++
		}
		t.Logf("%s: %d events, the longest of %d bytes", filepath.Base(path), events, longest)
	}
}
