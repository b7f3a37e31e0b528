package promtest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/fetch/servertest"
)

// Start starts a Prometheus that has the history of the fleet up to now and scrapes the targets of a configuration, and
// returns its address. It skips the test where Prometheus is not installed (Debian: apt-get install prometheus).
func Start(t *testing.T, all []Proc, now time.Time, window time.Duration, scrapes string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a Prometheus")
	}
	for _, program := range []string{"prometheus", "promtool"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program + " in PATH: no real Prometheus is asked")
		}
	}
	dir := t.TempDir()
	history, config := filepath.Join(dir, "history"), filepath.Join(dir, "prometheus.yml")
	f, err := os.Create(history)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	OpenMetrics(w, all, now, window)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	blocks := exec.CommandContext(t.Context(), "promtool", "tsdb", "create-blocks-from", "openmetrics", history, data)
	if out, err := blocks.CombinedOutput(); err != nil {
		t.Fatalf("promtool: %v\n%s", err, out)
	}
	if err := os.WriteFile(config, []byte(scrapes), 0o600); err != nil {
		t.Fatal(err)
	}
	return "http://" + servertest.Launch(t, "prometheus", "/-/ready", func(address, _ string) []string {
		return []string{"--config.file=" + config, "--storage.tsdb.path=" + data, "--web.listen-address=" + address,
			"--log.level=error"}
	})
}

// Scrape is a configuration with a job of targets, each with its labels.
func Scrape(job string, targets map[string]map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: %q\n  static_configs:\n", job)
	for at, labels := range targets {
		fmt.Fprintf(&b, "  - targets: [%q]\n    labels:\n", at)
		for k, v := range labels {
			fmt.Fprintf(&b, "      %s: %q\n", k, v)
		}
	}
	return b.String()
}
