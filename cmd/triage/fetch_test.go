package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/internal/fetch/kubectltest"
)

// pages serves the files of a folder as pages of pprof: goroutine.2 is goroutine?debug=2, and what isn't there is 404.
func pages(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Base(r.URL.Path)
		if debug := r.FormValue("debug"); debug != "" {
			name += "." + debug
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data)
	})
}

// cmdServe serves a folder for the rest of the script: serve DIR. $PPROF is the server's HOST:PORT, and what
// $KUBECTLTEST_SCRIPT names leads kubectl's only pod to it.
func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serve DIR")
	}
	s := httptest.NewServer(pages(ts.MkAbs(args[0])))
	ts.Defer(s.Close)
	ts.Setenv("PPROF", s.Listener.Addr().String())
	script, err := json.Marshal(kubectltest.Script{
		Backend: s.Listener.Addr().String(), Calls: ts.MkAbs("calls"), Previous: "2026-11-20T18:05:32.1Z hello\n",
		Pods: []kubectltest.Pod{{
			Name: "web-1", Namespace: "shop", UID: "5e0a8f64-6a3b-4c7e-9f1d-2b8c4d6e0f1a", Phase: "Running", Container: "app", Port: 6060, Restarts: 1,
		}},
	})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("kubectl.json"), script, 0o600))
	ts.Setenv(kubectltest.Env, ts.MkAbs("kubectl.json"))
}

const spinning = `goroutine 18 [runnable]:
runtime.Gosched(...)
	runtime/proc.go:388
example.com/relay/poll.(*Listener).expire.func1()
	example.com/relay/poll/listener.go:168 +0x2d
created by example.com/relay/poll.(*Listener).expire in goroutine 1
	example.com/relay/poll/listener.go:165 +0x7c
`

func TestFetch_CtrlCReportsWhatCame(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/goroutine") {
			_, _ = w.Write([]byte(spinning))
			return
		}
		cancel()
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	path := filepath.Join(t.TempDir(), "out")
	code, out, errs := run(ctx, nil, "fetch", s.URL, "--stacks", "--only", "stacks,heap", "--dumps", "1", "--out", path)
	if code != exitUnreadable || !strings.Contains(out, "listener.go:168") || !strings.Contains(errs, "interrupted: the capture contains what arrived until then") {
		t.Errorf("exit %d, stderr %s, stdout %s", code, errs, out)
	}
}

func TestWatch_CtrlCBeforeTheFirstSampleNamesNoFolder(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	path := filepath.Join(t.TempDir(), "out")
	code, out, errs := run(ctx, nil, "watch", s.URL, "--out", path, "--listen", "127.0.0.1:0")
	if _, err := os.Stat(path); err == nil || code != exitUnreadable || out != "" || strings.Contains(errs,
		"captured into") ||
		!strings.Contains(errs, "interrupted: no sample succeeded") {
		t.Errorf("exit %d, stderr %s, stdout %s", code, errs, out)
	}
}

func TestWatch_CtrlCIsItsUsualEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.Replace(spinning, "runnable", "select", 1)))
	}))
	t.Cleanup(s.Close)
	path := filepath.Join(t.TempDir(), "out")
	std := Std{In: strings.NewReader(""), Out: io.Discard, Getenv: func(string) string { return "" }}
	std.Err = writerFunc(func(p []byte) (int, error) {
		if bytes.Contains(p, []byte("round 1: ")) {
			cancel()
		}
		return len(p), nil
	})
	if code := Main(ctx, []string{"watch", s.URL, "--only", "stacks", "--stacks", "--fail-on", "never", "--out", path},
		std); code != exitOK {
		t.Errorf("exit %d", code)
	}
}

func TestFetch_SecretsOfTheEnvironmentReachTheTargetAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		args []string
		want string
	}{
		{map[string]string{envToken: "sesame-1234"}, nil, "Bearer sesame-1234"},
		{map[string]string{envToken: "ignored", envPassword: "sesame-1234"}, []string{"--user", "tester"}, "Basic dGVzdGVyOnNlc2FtZS0xMjM0"},
		{nil, []string{"-H", "Authorization: Signature sesame-1234"}, "Signature sesame-1234"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != c.want || strings.HasSuffix(r.URL.Path, "/heap") {
				http.Error(w, "no: "+r.Header.Get("Authorization"), http.StatusUnauthorized)
				return
			}
			_, _ = w.Write([]byte(spinning))
		}))
		t.Cleanup(s.Close)
		path := filepath.Join(t.TempDir(), "out")
		args := append([]string{"fetch", s.URL, "--only", "stacks,heap", "--dumps", "1", "--out", path}, c.args...)
		var out, errs bytes.Buffer
		code := Main(t.Context(), args, Std{Out: &out, Err: &errs, Getenv: func(k string) string { return c.env[k] }})
		manifest, err := os.ReadFile(filepath.Join(path, fetch.ManifestFile))
		if err != nil || code != exitOK || !strings.Contains(out.String(), "listener.go:168") {
			t.Errorf("exit %d, %v, stderr %s", code, err, errs.String())
		}
		for _, text := range []string{out.String(), errs.String(), string(manifest)} {
			if strings.Contains(text, "sesame") || strings.Contains(text, "dGVzdGVy") {
				t.Errorf("%v: a secret is told: %s", c.args, text)
			}
		}
	}
}

func TestFetch_SecretFilesAreReadWhole(t *testing.T) {
	write := func(text string) string {
		name := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	a := accessFlags{tokenFile: write("token\r\n"), headers: []string{"@" + write("A: 1\n\nB: 2: 3\n"), "A: x"}, proxy: "http://p:3128"}
	got, err := a.read(noEnv)
	if err != nil || got.BearerToken != "token" || got.Headers["A"][1] != "x" || got.Headers.Get("B") != "2: 3" || got.Proxy.Host != "p:3128" {
		t.Errorf("%#v, %v", got.Headers, err)
	}
	for name, a := range map[string]accessFlags{
		"empty": {tokenFile: write("\n")}, "none": {tokenFile: write("") + "x"}, "a huge one": {passwordFile: write(strings.Repeat("x", maxSecret+1))},
		"a password of nobody": {passwordFile: write("x")}, "no header": {headers: []string{"@" + write("hunter22\n")}},
	} {
		if _, err := a.read(noEnv); err == nil || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFetch_SizesAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "1000B": 1000, "64KiB": 64 << 10, "256MiB": 256 << 20, "1G": 1 << 30, "2kB": 2000, "3MB": 3e6} {
		if n, err := parseSize(text); err != nil || n != want {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "MiB", "1TiB", "9999999999GiB", "1 MiB", "1.5M"} {
		if n, err := parseSize(text); err == nil {
			t.Errorf("%q became %d", text, n)
		}
	}
}

func TestFetch_ProgressCountsDownAndIsCleared(t *testing.T) {
	now := time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)
	var b bytes.Buffer
	s := newFetchScreen(&b)
	s.now = func() time.Time { return now }
	s.event(fetch.Event{Kind: fetch.EventStart, From: "a", Name: fetch.ItemCPU, Expect: 10 * time.Second})
	s.event(fetch.Event{Kind: fetch.EventStart, From: "a", Name: fetch.ItemStacks})
	s.event(fetch.Event{Kind: fetch.EventItem, From: "a", Name: fetch.ItemGoroutine})
	now = now.Add(3 * time.Second)
	if got, want := s.line(), "triage: 1 items captured; cpu and stacks, 7 s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s.event(fetch.Event{Kind: fetch.EventItem, From: "a", Name: fetch.ItemCPU})
	s.event(fetch.Event{Kind: fetch.EventProcess, From: "a", Of: 3})
	if got, want := s.line(), "triage: 2 items captured, 1 of 3 pods done; stacks"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	tick, done := make(chan time.Time), make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.watch(tick, done)
	}()
	tick <- now
	s.event(fetch.Event{Kind: fetch.EventNote, From: "a", Text: "one\x1b[31m two"})
	tick <- now
	close(done)
	<-ended
	got := b.String()
	if !strings.HasSuffix(got, clearLine) || strings.Contains(strings.ReplaceAll(got, clearLine, ""), "\x1b") || !strings.Contains(got, "triage: a: one") {
		t.Errorf("wrote %q", got)
	}
}

func TestFetch_TheTableTellsWhyAnItemIsMissing(t *testing.T) {
	var b bytes.Buffer
	s := newFetchScreen(&b)
	s.captured(&fetch.Result{Path: "/tmp/a b", Manifest: fetch.Manifest{Items: []fetch.ManifestItem{
		{Name: "heap", File: "p/c/heap.pb.gz", Bytes: 1234, From: "shop/web-1"},
		{Name: "stacks", File: "p/c/goroutine-1.txt", Bytes: 12_345_678, Truncated: true, Error: "the answer stalled", From: "shop/web-1"},
		{Name: "mutex", Error: "answered 404\x1b[31m", From: "shop/web-2"},
		{Name: "goroutineleak", Note: "not served", From: "shop/web-2"},
	}}})
	want := `triage: shop/web-1
triage:   heap             1.2 kB  heap.pb.gz
triage:   stacks          12.3 MB  goroutine-1.txt; cut: the answer stalled
triage: shop/web-2
triage:   mutex                 -  failed: answered 404` + "\\x1b[31m" + `
triage:   goroutineleak         -  not served
triage: captured into /tmp/a b
triage: hint: triage '/tmp/a b' reads it again
`
	if got := b.String(); got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
}
