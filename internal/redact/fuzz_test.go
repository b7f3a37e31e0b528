package redact

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"testing/iotest"

	"github.com/google/pprof/profile"
)

func seeds(f *testing.F) {
	for _, s := range []string{
		"Authorization: Bearer abcdef0123456789 10.0.0.1 jane@acme.com ghp_abcdefghijklmnopqrstuvwxyz0123456789\n",
		`{"kind":"List","items":[{"data":{"a":"YQ=="},"kind":"Secret"},{"env":[{"name":"API_TOKEN","value":"abc"}]}]}`,
		`{"msg":"{\"password\":\"pw\",\"data\":{\"a\":1},\"kind\":\"Secret\"}"}`,
		"apiVersion: v1\nitems:\n- apiVersion: v1\n  data:\n    a: YQ==\n  kind: Secret\n- kind: Pod\n  spec:\n    nodeName: edge07\n    env:\n    - name: API_TOKEN\n      value: abc\n",
		"[1] -----BEGIN PRIVATE KEY-----\n[2] MIIabc\n[3] abc=\nx\n[4] -----END PRIVATE KEY-----\n", "{\"log\":\"-----BEGIN PRIVATE KEY-----\\n\"}\n{\"log\":\"MIIabc\\n\"}\n",
		"-----BEGIN CERTIFICATE-----\nMIIabc\n-----END CERTIFICATE-----\n", "Nov 20 10:00:00 edge07 kubelet[12]: up\nedge07 2001:db8::1 52:54:00:ab:cd:ef\n",
		"goroutine 1 [running]:\nmain.main()\n\t/src/main.go:12 +0x1d\n", "password: |\n  a\n  b\nuser: c\n", "root:x@tcp(db) $6$salt$abcdefghijklmnopqrstuvwxyz0123 host=web01:80 %3Dpassword=x\\nip-10-0-1-2",
		"token=-1 password=password-x secret: [a, b] --password\\", "kind: \"|\"\n- - - a: b\n\"a\": 'b\n",
	} {
		f.Add([]byte(s))
	}
}

// What was redacted is known by its shape: doing it again changes nothing, with the same names or others.
func FuzzRedactingTwiceIsRedactingOnce(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		text := NewText(Options{})
		once := text.Bytes(b)
		if !bytes.Equal(b, before) {
			t.Fatalf("the input was changed: %q", b)
		}
		// A first pass may learn a host whose name came before: only then the second sees it too.
		once = text.Bytes(once)
		if twice := text.Bytes(once); !bytes.Equal(once, twice) {
			t.Errorf("again:\n%q\n%q\n%q", before, once, twice)
		}
	})
}

// The pieces in which a stream comes make no difference, and lines stay lines.
func FuzzStreamsAreRedactedAsWholes(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, name := range []string{"a.log", "a.yaml", "secrets.json", "etc/hostname"} {
			var whole, pieces bytes.Buffer
			if err := NewText(Options{}).Copy(&whole, bytes.NewReader(b), name); err != nil {
				t.Fatal(err)
			}
			if err := NewText(Options{}).Copy(&pieces, iotest.HalfReader(bytes.NewReader(b)), name); err != nil {
				t.Fatal(err)
			}
			if len(b) < headSize && !bytes.Equal(whole.Bytes(), pieces.Bytes()) {
				t.Errorf("%s: %q\n%q\n%q", name, b, whole.Bytes(), pieces.Bytes())
			}
		}
	})
}

// JSON stays JSON, and no string of a Secret's data is left.
func FuzzJSONStaysJSON(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if !json.Valid(b) {
			return
		}
		out := NewText(Options{}).Bytes(b)
		if !json.Valid(out) {
			t.Errorf("%q\n%q", b, out)
		}
		for _, secret := range []string{`{"kind":"Secret","data":{"k":"v1v2v3v4","o":X},"x":1}`, `{"data":{"k":"v1v2v3v4"},"x":X,"kind":"Secret"}`} {
			doc := bytes.Replace([]byte(secret), []byte("X"), b, 1)
			if out := NewText(Options{}).Bytes(doc); json.Valid(doc) && !bytes.Contains(b, []byte("kind")) && bytes.Contains(out, []byte("v1v2v3v4")) && depth(b) < maxFrames-4 {
				t.Errorf("%q\n%q", doc, out)
			}
		}
	})
}

func depth(b []byte) (most int) {
	n := 0
	for _, c := range b {
		switch c {
		case '{', '[':
			n++
			most = max(most, n)
		case '}', ']':
			n--
		}
	}
	return most
}

// Addresses and tokens are found whatever is around them.
func FuzzKnownValuesAreNeverLeft(f *testing.F) {
	for _, s := range []string{" ", "\n", "\"", "=", ": ", ",", "(", "\\n", "\\t", "%2F", "[", "{", "'", "|"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		// Letters and their like may make the value a part of another word, and digits another value.
		for _, s := range []string{before, after} {
			for i := range len(s) {
				if charClass[s[i]]&(isWord|isBase64) != 0 || s[i] >= 0x80 || s[i] == '@' || s[i] == '%' || s[i] == '\\' || s[i] == ':' {
					return
				}
			}
		}
		for _, v := range []string{"10.11.12.13", "2001:db8::12:13", "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0.abc-DEF_1", "jane.doe@acme.com", "52:54:00:ab:cd:ef"} {
			if out := NewText(Options{}).String(before + v + after); bytes.Contains([]byte(out), []byte(v)) {
				t.Errorf("%q is left: %q", v, out)
			}
		}
	})
}

// A profile's copy is a profile, or it is refused: none crashes the copy, and copying again changes nothing.
func FuzzProfilesAreCopiedOrRefused(f *testing.F) {
	f.Add([]byte(noLocation))
	f.Add([]byte("\x0a\x04\x08\x01\x10\x02\x32\x00\x32\x07samples\x32\x05count"))
	f.Add([]byte("\x0a\x04\x08\x01\x10\x02\x12\x0d\x0a\x01\x01\x12\x01\x01\x1a\x04\x08\x01\x10\x02\x22\x06\x08\x01\x22\x02\x08\x01\x2a\x04\x08\x01\x10\x01\x32\x00\x32\x07samples\x32\x05count"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := bytes.Clone(raw)
		text := NewText(Options{})
		once, err := text.Profile(raw)
		if !bytes.Equal(raw, before) {
			t.Fatalf("the input was changed: %q", raw)
		}
		if err != nil {
			return
		}
		if _, err := profile.ParseUncompressed(raw); err != nil {
			return
		}
		if _, err := profile.ParseUncompressed(once); err != nil {
			t.Fatalf("%q became %q: %v", raw, once, err)
		}
		if twice, err := text.Profile(once); err != nil || len(twice) != len(once) {
			t.Errorf("again: %v\n%q\n%q", err, once, twice)
		}
	})
}

func BenchmarkText(b *testing.B) {
	for name, line := range map[string]string{
		"dump":  "\t/go/src/github.com/acme/web/vendor/k8s.io/client-go/tools/cache/reflector.go:168 +0x2d fp=0xc00006afe0 sp=0xc00006af70 pc=0x4a1b2d\nk8s.io/client-go/tools/cache.(*Reflector).ListAndWatch(0xc0001320a0, {0x7a8b90, 0xc00011e0f0})\n",
		"klog":  "2026-11-20T10:00:00.123456789Z I1120 10:00:00.123456       1 controller.go:114] \"Syncing\" controller=\"bundle\" namespace=\"fleet-local\" name=\"web-1\" reconcileID=\"3f0b6c1e-7d52-4c0a-9b1f-2a6d8e4c5b90\"\n",
		"http":  "10.42.0.7 - - [20/Nov/2026:10:00:00 +0000] \"GET /api/v1/namespaces/default/pods?limit=500 HTTP/1.1\" 200 5312 \"-\" \"kube-probe/1.30\"\n",
		"audit": `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"3f0b6c1e-7d52-4c0a-9b1f-2a6d8e4c5b90","stage":"ResponseComplete","requestURI":"/apis/fleet.cattle.io/v1alpha1/namespaces/c/bundledeployments/b/status","verb":"update","user":{"username":"system:serviceaccount:c:agent","groups":["system:authenticated"]},"sourceIPs":["10.42.0.7"],"objectRef":{"resource":"bundledeployments","namespace":"c","name":"b"},"responseStatus":{"code":200}}` + "\n",
	} {
		data := bytes.Repeat([]byte(line), (1<<20)/len(line))
		b.Run(name, func(b *testing.B) {
			text := NewText(Options{})
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := text.Copy(io.Discard, bytes.NewReader(data), "x.log"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
