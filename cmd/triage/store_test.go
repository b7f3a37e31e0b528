package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/fetch/servertest"
	"github.com/gotriage/triage/triage/schema"
)

// A realStore is a log store. A variable of the environment names its binary.
type realStore struct {
	variable string
	start    func(t *testing.T, binary string) (address string)
	push     func(t *testing.T, base string, records []logLine)
	query    []string // what triage store is called with besides
}

var realStores = map[string]realStore{
	"victorialogs": {"TRIAGE_VICTORIA_LOGS", servertest.VictoriaLogs, pushVictoriaLogs,
		[]string{"--since", "2000-01-01", "--until", "2100-01-01"}},
	"loki": {"TRIAGE_LOKI", startLoki, pushLoki,
		[]string{"--query", `{namespace="shop"}`, "--since", "2026-11-21", "--until", "2026-11-22"}},
}

func startLoki(t *testing.T, binary string) (address string) {
	t.Helper()
	config, err := filepath.Abs("testdata/loki.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return servertest.Launch(t, binary, "/ready", func(address, dir string) []string {
		_, port, _ := strings.Cut(address, ":")
		return []string{"-config.file=" + config, "-server.http-listen-port=" + port, "-common.path-prefix=" + dir}
	})
}

// A logLine is one of a pod's log.
type logLine struct {
	pod, text string
	at        time.Time
}

func post(t *testing.T, url, kind string, body []byte) {
	t.Helper()
	resp, err := http.Post(url, kind, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.Body.Close() != nil || resp.StatusCode/100 != 2 {
		t.Fatalf("%s: %s, %v: %.500s", url, resp.Status, err, text)
	}
}

func pushVictoriaLogs(t *testing.T, base string, lines []logLine) {
	t.Helper()
	var records bytes.Buffer
	enc := json.NewEncoder(&records)
	for _, l := range lines {
		err := enc.Encode(map[string]string{"_time": l.at.Format(time.RFC3339Nano),
			"_msg":                      cmp.Or(l.text, " "), // none is empty
			"kubernetes.namespace_name": "shop", "kubernetes.pod_name": l.pod, "kubernetes.container_name": "server"})
		if err != nil {
			t.Fatal(err)
		}
	}
	post(t, base+"/insert/jsonline?_stream_fields=kubernetes.namespace_name,kubernetes.pod_name",
		"application/stream+json", records.Bytes())
	post(t, base+"/internal/force_flush", "", nil)
}

// pushLoki waits until Loki has written the lines to its disk: of lines that are days old it searches no others.
func pushLoki(t *testing.T, base string, lines []logLine) {
	t.Helper()
	want := fmt.Sprintf("%q", strconv.Itoa(len(lines)))
	for len(lines) > 0 {
		pod := lines[0].pod
		var values [][2]string
		for len(lines) > 0 && lines[0].pod == pod {
			values = append(values, [2]string{fmt.Sprint(lines[0].at.UnixNano()), lines[0].text})
			lines = lines[1:]
		}
		stream := map[string]any{"stream": map[string]string{"namespace": "shop", "pod": pod, "container": "server"},
			"values": values}
		body, err := json.Marshal(map[string]any{"streams": []any{stream}})
		if err != nil {
			t.Fatal(err)
		}
		post(t, base+"/loki/api/v1/push", "application/json", body)
	}
	post(t, base+"/flush", "", nil)
	count := base + "/loki/api/v1/query?time=2026-11-22T00:00:00Z&query=" +
		url.QueryEscape(`sum(count_over_time({namespace="shop"}[24h]))`)
	for deadline := time.Now().Add(3 * time.Minute); ; {
		resp, err := http.Get(count)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(resp.Body)
		if err != nil || resp.Body.Close() != nil || time.Now().After(deadline) {
			t.Fatalf("%v: want %s lines: %.500s", err, want, answer)
		}
		if strings.Contains(string(answer), want) {
			return
		}
	}
}

// twoHundredPods writes the logs of pods that have a controller's dump, and returns their lines.
func twoHundredPods(t *testing.T, root string) (lines []logLine) {
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
			at, err := time.Parse(time.RFC3339Nano, m[1])
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, logLine{name, m[3], at})
		}
	}
	return lines
}

func TestARealStoreHasTheFindingsOfThePodsFiles(t *testing.T) {
	for name, store := range realStores {
		t.Run(name, func(t *testing.T) {
			binary := os.Getenv(store.variable)
			if binary == "" {
				t.Skipf("%s names no binary: no real store is asked", store.variable)
			}
			address := store.start(t, binary)
			root := t.TempDir()
			store.push(t, "http://"+address, twoHundredPods(t, root))
			want := findingsOf(t, root)
			got := findingsOf(t, slices.Concat([]string{"store", name + "://" + address, "--out",
				filepath.Join(t.TempDir(), "capture")}, store.query)...)
			if got != want || !strings.Contains(want, "200 dumps") {
				t.Errorf("from the store:\n%s\nfrom files:\n%s", got, want)
			}
		})
	}
}

// reportOf runs triage and returns its report.
func reportOf(t *testing.T, args ...string) (r schema.Report) {
	t.Helper()
	var out, errs bytes.Buffer
	Main(context.Background(), append(args, "-o", "json", "--no-source"), Std{Out: &out, Err: &errs,
		Getenv: func(string) string { return "" }})
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v: %v\n%.2000s", args, err, errs.String())
	}
	return r
}

// findingsOf runs triage and lists its findings.
func findingsOf(t *testing.T, args ...string) string {
	t.Helper()
	r := reportOf(t, args...)
	text := fmt.Sprintln(len(r.Dumps), "dumps")
	for _, f := range r.Findings {
		text += fmt.Sprintln(f.Rule, f.Severity, f.Confidence, f.Fingerprint, f.PodsTotal)
	}
	return text
}
