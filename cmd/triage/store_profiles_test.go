package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/internal/fetch/storetest"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/triage/schema"
)

const shopSelector = `{service_name="shop"}`

// storedTypes are the types of Pyroscope by the names of items.
var storedTypes = map[string]string{
	"cpu": "process_cpu:cpu:nanoseconds:cpu:nanoseconds", "heap": "memory:inuse_space:bytes:space:bytes",
	"allocs": "memory:alloc_space:bytes:space:bytes", "mutex": "mutex:delay:nanoseconds:contentions:count",
	"block": "block:delay:nanoseconds:contentions:count", "goroutine": "goroutine:goroutine:count:goroutine:count",
}

// storedProfiles are the profiles of testdata of which stores have a type, by kind, as a store has them: with the time
// that they measured, where they are no state.
func storedProfiles(t *testing.T) map[string]map[string][]byte {
	t.Helper()
	all := map[string]map[string][]byte{}
	for _, file := range captures.Files(t, "../../testdata/profiles") {
		if !strings.HasSuffix(file, ".pb.gz") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		kind := string(p.Kind)
		if storedTypes[kind] == "" {
			continue
		}
		if all[kind] == nil {
			all[kind] = map[string][]byte{}
		}
		if testing.Short() && len(all[kind]) > 3 && !strings.HasPrefix(filepath.Base(file), "ecdsa-key") {
			continue
		}
		if kind != "heap" && kind != "goroutine" && p.Duration == 0 {
			data = lasting(t, data, time.Hour)
		}
		all[kind][filepath.Base(file)] = data
	}
	if len(all) != len(storedTypes) {
		t.Fatalf("%d kinds", len(all))
	}
	return all
}

func lasting(t *testing.T, data []byte, d time.Duration) []byte {
	t.Helper()
	p, err := pprof.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	p.DurationNanos = int64(d)
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// judged runs triage and returns what its report says of the inputs. Their folder becomes DIR.
func judged(t *testing.T, dir string, args ...string) string {
	t.Helper()
	r := reportOf(t, args...)
	said := []any{r.Verdict, r.Leads, r.Findings, r.Profiles, r.Dumps, r.Rules, r.Advice}
	text, err := json.MarshalIndent(said, "", " ")
	if err != nil || len(r.Profiles)+len(r.Dumps) != 1 {
		t.Fatalf("%v: %d profiles, %d dumps, %v", args, len(r.Profiles), len(r.Dumps), err)
	}
	return strings.ReplaceAll(string(text), dir, "DIR")
}

// sameAsFiles holds the reports of profiles in a store against those of the files that were stored.
func sameAsFiles(t *testing.T, kind string, stored map[string][]byte, store func(kind string, data []byte) string) {
	t.Helper()
	for name, data := range stored {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, kind+".pb"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		want := judged(t, dir, dir)
		capture := filepath.Join(t.TempDir(), "capture")
		got := judged(t, capture, "store", store(kind, data), "--query", shopSelector, "--profiles", kind, "--out", capture)
		if got != want {
			t.Errorf("%s: the report from the store differs (-file +store):\n%s", name, cmp.Diff(want, got))
		}
	}
}

func TestAProfileFromAStoreHasTheReportOfItsFile(t *testing.T) {
	n := 0
	for kind, stored := range storedProfiles(t) {
		for _, scheme := range []string{"pyroscope", "parca"} {
			id := storedTypes[kind]
			if scheme == "parca" && kind != "heap" && kind != "goroutine" {
				id += ":delta"
			}
			sameAsFiles(t, kind, stored, func(_ string, data []byte) string {
				s := httptest.NewServer(&storetest.Server{Stored: []storetest.Stored{{Type: id, Selector: shopSelector,
					At: time.Now().Add(-time.Minute), Profile: data}}})
				t.Cleanup(s.Close)
				return scheme + "://" + strings.TrimPrefix(s.URL, "http://")
			})
			n += len(stored)
		}
	}
	t.Logf("%d reports compared", n)
}

// startProfileStore starts a server with the handlers and messages of Pyroscope's own module, over the files of a
// folder, or skips the test: TRIAGE_PROFILE_STORE names its binary, which `make profile-store` builds.
func startProfileStore(t *testing.T, dir string) (store string) {
	t.Helper()
	binary := os.Getenv("TRIAGE_PROFILE_STORE")
	if binary == "" {
		t.Skip("TRIAGE_PROFILE_STORE names no profilestore: Pyroscope's own messages are not asked for")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, address, dir, shopSelector)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	for deadline := time.Now().Add(30 * time.Second); ; {
		resp, err := http.Get("http://" + address)
		if err == nil && resp.Body.Close() == nil {
			return "pyroscope://" + address
		}
		if time.Now().After(deadline) {
			t.Fatal("the server is not ready after 30 s")
		}
	}
}

func TestAProfileFromTheRealHandlersOfPyroscopeHasTheReportOfItsFile(t *testing.T) {
	dir := t.TempDir()
	store := startProfileStore(t, dir)
	for kind, stored := range storedProfiles(t) {
		sameAsFiles(t, kind, stored, func(kind string, data []byte) string {
			if err := os.WriteFile(filepath.Join(dir, kind+".pb.gz"), data, 0o644); err != nil {
				t.Fatal(err)
			}
			return store
		})
	}
}

func TestBeforeComparesTwoTimesOfAStore(t *testing.T) {
	cpu := storedProfiles(t)["cpu"]
	before, after := cpu["ecdsa-key-go1.22.pb.gz"], cpu["ecdsa-key-go1.24.pb.gz"]
	now := time.Now()
	s := httptest.NewServer(&storetest.Server{Stored: []storetest.Stored{
		{Type: storedTypes["cpu"], Selector: shopSelector, At: now.Add(-50 * time.Minute), Profile: before},
		{Type: storedTypes["cpu"], Selector: shopSelector, At: now.Add(-10 * time.Minute), Profile: after},
		{Type: storedTypes["cpu"], Selector: shopSelector, At: now.Add(-70 * time.Minute), Profile: after}, // too early
	}})
	t.Cleanup(s.Close)
	store := "pyroscope://" + strings.TrimPrefix(s.URL, "http://")
	dir := t.TempDir()
	for name, data := range map[string][]byte{"before": before, "after": after} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "cpu.pb"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	diffOf := func(args ...string) string {
		var out, errs bytes.Buffer
		code := Main(context.Background(), append(args, "-o", "json", "--no-source"), Std{Out: &out, Err: &errs,
			Getenv: func(string) string { return "" }})
		var r schema.Report
		if err := json.Unmarshal(out.Bytes(), &r); err != nil || r.Diff == nil || code != exitOK {
			t.Fatalf("%v: %d, %v\n%.2000s", args, code, err, errs.String())
		}
		text, err := json.Marshal([]any{r.Diff.Profiles, r.Findings})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	capture := filepath.Join(t.TempDir(), "release")
	got := diffOf("store", store, "--query", shopSelector, "--since", "30m", "--before", "30m", "--out", capture)
	want := diffOf("diff", filepath.Join(dir, "before"), filepath.Join(dir, "after"))
	got = strings.NewReplacer(capture+"-before", "BEFORE", capture, "AFTER").Replace(got)
	want = strings.NewReplacer(filepath.Join(dir, "before"), "BEFORE", filepath.Join(dir, "after"), "AFTER").Replace(want)
	if got != want || !strings.Contains(want, "crypto") {
		t.Errorf("from the store:\n%s\nfrom files:\n%s", got, want)
	}
	codes := map[string]int{"no cpu profiles": exitUnreadable}
	for want, args := range map[string][]string{
		"overlap":            {store, "--query", shopSelector, "--since", "30m", "--before", "10m"},
		"compares profiles":  {"loki://127.0.0.1:1", "--before", "2h"},
		"no cpu profiles":    {store, "--query", shopSelector, "--since", "5m", "--before", "5m"},
		"has no profiles":    {"loki://127.0.0.1:1", "--profiles", "cpu"},
		"not a profile kind": {store, "--query", shopSelector, "--profiles", "memory"},
		"selects no program": {store},
		"has no lines":       {store, "--query", shopSelector, "--max-scan", "5"},
	} {
		if codes[want] == 0 {
			codes[want] = exitUsage
		}
		var errs bytes.Buffer
		code := Main(context.Background(), slices.Concat([]string{"store"}, args), Std{Out: &errs, Err: &errs,
			Getenv: func(string) string { return "" }})
		if !strings.Contains(errs.String(), want) || !strings.Contains(errs.String(), "hint: ") || code != codes[want] {
			t.Errorf("%v: %d, %s, want %q", args, code, errs.String(), want)
		}
	}
}
