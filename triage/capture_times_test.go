package triage_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/triage"
)

// Goroutines that become a few more are a start or a busy moment where the dumps are seconds apart, and a leak where
// they are minutes apart. Only the manifest of the capture has the time of such dumps.
func TestGrowthCountsByTheTimesInTheManifestOfItsCapture(t *testing.T) {
	for later, want := range map[string]bool{
		"2026-11-20T18:05:42Z": false,
		"2026-11-20T18:10:32Z": true,
	} {
		dir := t.TempDir()
		files := map[string]string{
			"manifest.json": `{"schema": "triage-capture/v1", "target": "http://localhost:6060/debug/pprof", "items": [
				{"name": "goroutine", "file": "goroutine-1.txt", "kind": "goroutine-dump", "started": "2026-11-20T18:05:32Z"},
				{"name": "goroutine", "file": "goroutine-2.txt", "kind": "goroutine-dump", "started": "` + later + `"}]}`,
			"goroutine-1.txt": subscriptions(160),
			"goroutine-2.txt": subscriptions(190),
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r, err := triage.Run(context.Background(), triage.Options{Inputs: []string{dir}})
		if err != nil {
			t.Fatal(err)
		}
		found, alarm := false, false
		for _, f := range r.Findings {
			if f.Name == "growing-goroutines" {
				found, alarm = true, f.Alarm()
			}
		}
		if !found || alarm != want {
			t.Errorf("the second dump of %s: growth is found: %v, an alarm: %v, want %v", later, found, alarm, want)
		}
		if got := r.Dumps[1].Time; got != later {
			t.Errorf("the second dump is of %q, want %q", got, later)
		}
	}
}

// subscriptions is a dump of a hub with n subscriptions that came one by one.
func subscriptions(n int) string {
	var b strings.Builder
	b.WriteString("goroutine 1 [select]:\nmain.main()\n\t/src/shop/main.go:41 +0x1d\n\n" +
		"goroutine 7 [chan receive]:\nexample.com/shop/feed.(*Hub).Serve(0xc000123000)\n" +
		"\t/src/shop/feed/hub.go:31 +0x6a\ncreated by main.main in goroutine 1\n\t/src/shop/main.go:30 +0x2b\n\n")
	for i := range n {
		fmt.Fprintf(&b, "goroutine %d [select]:\nexample.com/shop/feed.(*Hub).subscribe.func1()\n"+
			"\t/src/shop/feed/hub.go:88 +0x9c\ncreated by example.com/shop/feed.(*Hub).subscribe in goroutine 7\n"+
			"\t/src/shop/feed/hub.go:52 +0x1f4\n\n", 20+7*i)
	}
	return b.String()
}
