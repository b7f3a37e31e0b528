package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage/schema"
)

// FuzzWrite holds that a profile that is read at all is written in every form, that the form can be read again, and
// that no text holds what a terminal would act on.
func FuzzWrite(f *testing.F) {
	f.Add([]byte("\x0a\x04\x08\x01\x10\x02\x12\x0d\x0a\x01\x01\x12\x01\x01\x1a\x04\x08\x01\x10\x02\x22\x06\x08\x01\x22\x02\x08" +
		"\x01\x2a\x04\x08\x01\x10\x01\x32\x00\x32\x07samples\x32\x05count"))
	f.Add([]byte("goroutine profile: total 2\n2 @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t/a.go:7\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range Formats() {
			p, err := profile.Read(data)
			if err != nil {
				return
			}
			set := &schema.Stacks{Sources: []schema.StackSource{{
				Input: "x\x1b[2J", Kind: string(p.Kind), Profile: p.Pprof(), Value: p.Value,
			}}}
			var out bytes.Buffer
			if err := Write(&out, format, set); err != nil {
				if format == "pprof" || out.Len() == 0 {
					continue // refused
				}
				t.Fatalf("%s: %v behind %d bytes", format, err, out.Len())
			}
			switch format {
			case "pprof":
				again, err := pprof.ParseData(out.Bytes())
				if err != nil || again.CheckValid() != nil {
					t.Fatalf("%s: %v", format, err)
				}
				continue
			case "json-lines":
				for line := range bytes.Lines(out.Bytes()) {
					if !json.Valid(line) {
						t.Fatalf("%s: no JSON: %q", format, line)
					}
				}
			}
			if text := strings.ReplaceAll(out.String(), "\n", " "); report.Escape(text) != text {
				t.Fatalf("%s: a terminal would act on %q", format, text)
			}
		}
	})
}
