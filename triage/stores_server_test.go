package triage_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// victoriaLogs starts a server of VictoriaLogs, or skips the test: TRIAGE_VICTORIA_LOGS names its binary, which `make
// victoria-logs` builds. It returns the server's URL.
func victoriaLogs(t *testing.T) string {
	t.Helper()
	binary := os.Getenv("TRIAGE_VICTORIA_LOGS")
	if binary == "" {
		var err error
		if binary, err = exec.LookPath("victoria-logs"); err != nil {
			t.Skip("neither TRIAGE_VICTORIA_LOGS nor PATH has victoria-logs: no real store is asked")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, "-httpListenAddr="+addr, "-storageDataPath="+t.TempDir(), "-retentionPeriod=100y",
		"-futureRetention=100y", "-memory.allowedBytes=200MB")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the server said:\n%.4000s", out.String())
		}
	})
	base := "http://" + addr
	until(t, func() bool {
		resp, err := http.Get(base + "/health")
		if err != nil {
			return false
		}
		return resp.Body.Close() == nil && resp.StatusCode == http.StatusOK
	})
	return base
}

// until waits for a server.
func until(t *testing.T, ready func() bool) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	late := time.After(30 * time.Second)
	for !ready() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("the server is not ready after 30 s")
		}
	}
}

func post(t *testing.T, url, kind string, body []byte) []byte {
	t.Helper()
	resp, err := http.Post(url, kind, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode/100 != 2 {
		t.Fatalf("%s: %s, %v: %.300s", url, resp.Status, err, data)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return data
}

// A real server stores the logs and answers: in its own order, oldest first, and newest first.
func TestVictoriaLogsAnswersWhatThePodLogSays(t *testing.T) {
	base := victoriaLogs(t)
	dir := t.TempDir()
	for name, log := range storeLogs(t) {
		want, _ := saidOf(t, dir, name+".log", criLog(log))
		if name != "founding" { // a store refuses a text of a megabyte
			log = joined(log)
		}
		const stream = "case"
		pushed := jsonLines(log, func(e entry) any {
			return object{{"_msg", e.text}, {"_time", rfc3339(e)}, {stream, name}, {"kubernetes.pod_name", storePod},
				{"kubernetes.namespace_name", storeNamespace}, {"kubernetes.container_name", storeContainer}, {"level", "info"}}
		})
		post(t, base+"/insert/jsonline?_stream_fields=case,kubernetes.pod_name", "application/stream+json", pushed)
		ask := func(query string) []byte {
			return post(t, base+"/select/logsql/query", "application/x-www-form-urlencoded",
				[]byte(url.Values{"query": {query}, "limit": {"100000"}}.Encode()))
		}
		all := fmt.Sprintf("%s:=%s", stream, name)
		until(t, func() bool { return bytes.Count(ask(all), []byte{'\n'}) > len(log)*9/10 })
		for _, query := range []string{all, all + " | sort by (_time)", all + " | sort by (_time) desc", all + " | fields _time, _msg"} {
			got, r := saidOf(t, dir, "answer.jsonl", ask(query))
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q, %+v", query, got, want, r.Skipped)
			}
			t.Logf("%s: %+v", query, r.Skipped)
		}
	}
}
