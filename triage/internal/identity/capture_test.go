package identity

import (
	"testing"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/schema"
)

const manifestOfTwo = `{"schema": "triage-capture/v1", "target": "-l app=web", "items": [
  {"name": "cmdline", "file": "shop_web-1/cmdline.txt", "kind": "text"},
  {"name": "goroutines", "file": "shop_web-1/goroutine-1.txt", "kind": "dump"},
  {"name": "previous-log", "file": "shop_web-1/previous.log", "kind": "log"}
], "pods": [
  {"namespace": "shop", "name": "web-1", "container": "app", "node": "n1", "restarts": 3, "folder": "shop_web-1"},
  {"namespace": "shop", "name": "web-12", "container": "app", "node": "n2", "restarts": 0, "folder": "shop_web-12"}
]}`

func TestAManifestSaysWhoseTheCapturedFilesAre(t *testing.T) {
	all := Captures{ReadCapture("cap.zip!/manifest.json", []byte(manifestOfTwo))}
	for input, want := range map[string]string{
		"cap.zip!/shop_web-1/goroutine-1.txt":  "shop/web-1/app/3",
		"cap.zip!/shop_web-1/cpu.pb.gz":        "shop/web-1/app/3",
		"cap.zip!/shop_web-1/previous.log":     "shop/web-1/app/2", // the instance before
		"cap.zip!/shop_web-12/goroutine-1.txt": "shop/web-12/app/0",
		"cap.zip!/elsewhere/goroutine-1.txt":   "",
		"other.zip!/shop_web-1/goroutine.txt":  "",
		"shop_web-1/goroutine-1.txt":           "",
	} {
		target, process := Naming{Captures: all}.Of(input, ingest.Origin{}, "")
		if process != want || (target.Pod != "") != (want != "") {
			t.Errorf("%s: process %q, pod %q", input, process, target.Pod)
		}
	}
	inputs := []schema.Input{{Path: "cap.zip!/shop_web-1/cmdline.txt", Kind: "text-log"}, {Path: "cap.zip!/shop_web-1/previous.log", Kind: "text-log"}}
	all.MarkNotes(inputs)
	if inputs[0].Kind != string(ingest.KindCapture) || inputs[1].Kind != "text-log" {
		t.Errorf("kinds: %s and %s", inputs[0].Kind, inputs[1].Kind)
	}
}

func TestABrokenManifestTellsNothing(t *testing.T) {
	for _, text := range []string{"", "{", `{"schema": "triage-capture/v1", "items": 7}`, "null"} {
		c := ReadCapture("cap/manifest.json", []byte(text))
		if c == nil {
			continue
		}
		if target, process := (Naming{Captures: Captures{c}}).Of("cap/a/cpu.pb.gz", ingest.Origin{}, ""); target.Pod != "" || process != "" {
			t.Errorf("%q: %v, %q", text, target, process)
		}
	}
}

func TestACaptureOfAnAddressNamesIt(t *testing.T) {
	for target, want := range map[string]string{
		"http://10.0.0.7:6060/debug/pprof": "http://10.0.0.7:6060",
		"https://web.example.com/admin":    "https://web.example.com/admin",
		"unix:///run/app.sock":             "unix:///run/app.sock",
		"http://user:word@10.0.0.7":        "",
		"http://10.0.0.7/?token=x":         "",
		"file:///etc/passwd":               "",
		"-o json":                          "",
		"":                                 "",
	} {
		text := `{"schema": "triage-capture/v1", "target": "` + target + `", "items": [{"name": "cpu", "file": "cpu.pb.gz"}]}`
		all := Captures{ReadCapture("cap/manifest.json", []byte(text))}
		if got, _ := (Naming{Captures: all}).Of("cap/cpu.pb.gz", ingest.Origin{}, ""); got.Address != want {
			t.Errorf("%q: %q, want %q", target, got.Address, want)
		}
		if got, _ := (Naming{Captures: all}).Of("cap/other.txt", ingest.Origin{}, ""); got.Address != "" {
			t.Errorf("%q: a file that no manifest lists is of %q", target, got.Address)
		}
	}
}

func TestADumpHasTheTimeOfItsCapture(t *testing.T) {
	for started, want := range map[string]string{
		"2026-11-20T18:05:32Z":           "2026-11-20T18:05:32Z",
		"2026-11-20T18:05:32.123456789Z": "2026-11-20T18:05:32.123456789Z",
		"2026-11-20T19:05:32+01:00":      "2026-11-20T19:05:32+01:00",
		"five past six":                  "",
		"\\u001b[31m2026":                "",
		"":                               "",
	} {
		text := `{"schema": "triage-capture/v1", "items": [
			{"name": "stacks", "file": "goroutine-1.txt", "started": "` + started + `"}]}`
		all := Captures{ReadCapture("cap/manifest.json", []byte(text))}
		if got := all.Started("cap/goroutine-1.txt"); got != want {
			t.Errorf("%q: %q, want %q", started, got, want)
		}
		if got := all.Started("cap/goroutine-2.txt"); got != "" {
			t.Errorf("a file that no manifest lists was captured at %q", got)
		}
	}
}
