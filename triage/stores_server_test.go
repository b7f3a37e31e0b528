package triage_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/gotriage/triage/internal/fetch/servertest"
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
	return "http://" + servertest.VictoriaLogs(t, binary)
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
		servertest.Await(t, "the log is there", func() bool { return bytes.Count(ask(all), []byte{'\n'}) > len(log)*9/10 })
		for _, query := range []string{all, all + " | sort by (_time)", all + " | sort by (_time) desc", all + " | fields _time, _msg"} {
			got, r := saidOf(t, dir, "answer.jsonl", ask(query))
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q, %+v", query, got, want, r.Skipped)
			}
			t.Logf("%s: %+v", query, r.Skipped)
		}
	}
}
