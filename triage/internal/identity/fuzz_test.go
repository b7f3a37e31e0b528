package identity

import (
	"testing"

	"github.com/gotriage/triage/internal/ingest"
)

// FuzzCapture holds that a manifest speaks only about files beside it, and that what it says is its own.
func FuzzCapture(f *testing.F) {
	f.Add("c/manifest.json", "c/a/goroutines.txt",
		`{"schema":"triage-capture/v1","items":[{"name":"goroutines","file":"a/goroutines.txt","kind":"dump"}],`+
			`"pods":[{"namespace":"shop","name":"web-1","folder":"a","restarts":2}]}`)
	f.Add("manifest.json", "../x", `{"items":[{"name":"previous-log","file":"../x","kind":"text"}],"pods":[{"name":"p"}]}`)
	f.Fuzz(func(t *testing.T, manifest, input, data string) {
		c := ReadCapture(manifest, []byte(data))
		if c == nil {
			return
		}
		all := Captures{c}
		name := c.item(input).Name
		if (name != "" || all.isNote(input)) && c.within(input) == "" {
			t.Fatalf("%q speaks about %q", manifest, input)
		}
		named := Naming{Captures: all}
		target, _ := named.Of(input, ingest.Origin{}, "")
		known := target.Pod == ""
		for i := range c.Pods {
			known = known || c.Pods[i].Name == target.Pod && c.Pods[i].Namespace == target.Namespace
		}
		if !known {
			t.Fatalf("%+v is no pod of the manifest", target)
		}
		if got, _ := named.Of(input, ingest.Origin{Pod: "other"}, ""); got.Pod != "other" {
			t.Fatalf("another pod became %+v", got)
		}
	})
}
