package redact

import (
	"io"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/redact/testdata/secrets"
)

// leftIn returns what the second look finds in text.
func leftIn(text string) []Note {
	sum := &Summary{}
	in := &inspector{w: io.Discard, path: "x.log", sum: sum}
	for len(text) > 0 { // in pieces, as writers get it
		n := min(len(text), 7)
		_, _ = io.WriteString(in, text[:n])
		text = text[n:]
	}
	in.end()
	return sum.Left
}

func TestTheSecondLookNamesTheLineOfWhatIsLeft(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0.abc c":      "a JSON Web Token",
		"a\ndial postgres://app:hunter2@db/shop\nc":                "credentials in a URL",
		"a\n-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG\\n": "a private key",
		"a\nDB_PASSWORD=hunter2222\n":                              "the value of a password field",
		"a\n\"clientSecret\": \"s3cr3tvalue\"\n":                   "the value of a secret field",
		"a\nread q7Zk2PvX9mB4tR8wLc3NfY6sHdJ1gA5e here":            "a random word",
	} {
		got := leftIn(text)
		if len(got) != 1 || got[0] != (Note{"x.log:2", want}) {
			t.Errorf("%q: %v, want %s in line 2", text, got, want)
		}
	}
}

func TestTheSecondLookIsQuietAboutACopy(t *testing.T) {
	samples := secrets.Samples(0)
	text := NewText(Options{})
	loud := 0
	for _, s := range samples {
		var b strings.Builder
		if err := text.Copy(&b, strings.NewReader(s.Text), s.File); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		if left := leftIn(out); len(left) > 0 {
			if loud++; loud <= 5 {
				t.Logf("%s: %v in %.200q", s.Context, left[0].Reason, out)
			}
		}
	}
	// What a line at a time does not hide, a bundle does: names of nodes, Secrets whose list says what they are.
	if 100*loud > len(samples) {
		t.Errorf("%d of %d copies without a secret look like one", loud, len(samples))
	}
	for _, s := range secrets.Survivors(0) {
		if left := leftIn(s); len(left) > 0 {
			t.Errorf("%v in %q", left, s)
		}
	}
}
