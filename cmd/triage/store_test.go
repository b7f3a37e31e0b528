package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/triage/schema"
)

// startVictoriaLogs starts a server of VictoriaLogs, or skips the test: TRIAGE_VICTORIA_LOGS names its binary, which
// `make victoria-logs` builds.
func startVictoriaLogs(t *testing.T) (address string) {
	t.Helper()
	binary := os.Getenv("TRIAGE_VICTORIA_LOGS")
	if binary == "" {
		t.Skip("TRIAGE_VICTORIA_LOGS names no victoria-logs: no real store is asked")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "-httpListenAddr="+address, "-storageDataPath="+t.TempDir(),
		"-retentionPeriod=100y", "-futureRetention=100y", "-memory.allowedBytes=200MB")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	for deadline := time.Now().Add(30 * time.Second); ; {
		resp, err := http.Get("http://" + address + "/health")
		if err == nil && resp.Body.Close() == nil && resp.StatusCode == http.StatusOK {
			return address
		}
		if time.Now().After(deadline) {
			t.Fatal("the server is not ready after 30 s")
		}
	}
}

// twoHundredPods writes the logs of pods that have a controller's dump, and returns them as a store gets them.
func twoHundredPods(t *testing.T, root string) (records bytes.Buffer) {
	t.Helper()
	logs, err := filepath.Glob("../../testdata/pods/*/*/1.log")
	if err != nil || len(logs) != 1 {
		t.Fatalf("%q, %v", logs, err)
	}
	log, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`^(\S+) (\S+) F (.*)$`)
	enc := json.NewEncoder(&records)
	for i := range 200 {
		text := bytes.ReplaceAll(log, []byte("goroutine 19 gp"), fmt.Appendf(nil, "goroutine %d gp", 100_000+i))
		text = bytes.ReplaceAll(text, []byte("T02:14:"), fmt.Appendf(nil, "T%02d:%02d:", 2+i/60,
			i%60)) // equal logs are one log
		name := fmt.Sprintf("web-%d", i)
		dir := filepath.Join(root, fmt.Sprintf("shop_%s_00000000-0000-4000-8000-%012d", name, i), "server")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "0.log"), text, 0o644); err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(string(text)) {
			m := line.FindStringSubmatch(strings.TrimRight(l, "\n"))
			if m == nil {
				t.Fatalf("%q is no line of a pod's log", l)
			}
			// A store refuses an empty line.
			err := enc.Encode(map[string]string{"_time": m[1], "_msg": cmp.Or(m[3], " "),
				"kubernetes.namespace_name": "shop",
				"kubernetes.pod_name":       name, "kubernetes.container_name": "server"})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return records
}

func TestARealStoreHasTheFindingsOfThePodsFiles(t *testing.T) {
	address := startVictoriaLogs(t)
	root := t.TempDir()
	records := twoHundredPods(t, root)
	resp, err := http.Post("http://"+address+"/insert/jsonline?_stream_fields=kubernetes.namespace_name,kubernetes.pod_name",
		"application/stream+json", &records)
	if err != nil || resp.StatusCode != http.StatusOK || resp.Body.Close() != nil {
		t.Fatal(resp, err)
	}
	resp, err = http.Get("http://" + address + "/internal/force_flush")
	if err != nil || resp.Body.Close() != nil {
		t.Fatal(err)
	}
	findings := func(args ...string) string {
		var out, errs bytes.Buffer
		Main(context.Background(), append(args, "-o", "json", "--no-source"), Std{Out: &out, Err: &errs,
			Getenv: func(string) string { return "" }})
		var r schema.Report
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatalf("%v: %v\n%.2000s", args, err, errs.String())
		}
		text := fmt.Sprintln(len(r.Dumps), "dumps")
		for _, f := range r.Findings {
			text += fmt.Sprintln(f.Rule, f.Severity, f.Confidence, f.Fingerprint, f.PodsTotal)
		}
		return text
	}
	want := findings(root)
	got := findings("store", "victorialogs://"+address, "--since", "2000-01-01", "--until", "2100-01-01", "--out",
		filepath.Join(t.TempDir(), "capture"))
	if got != want || !strings.Contains(want, "200 dumps") {
		t.Errorf("from the store:\n%s\nfrom files:\n%s", got, want)
	}
}
