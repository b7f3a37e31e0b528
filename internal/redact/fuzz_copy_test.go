package redact

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/ingest/open"
)

// archiveOf is a small tar, or zip, of the files.
func archiveOf(f *testing.F, zipped bool, files ...string) []byte {
	f.Helper()
	var b bytes.Buffer
	z, t := zip.NewWriter(&b), tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		var w io.Writer = t
		var err error
		if zipped {
			w, err = z.Create(files[i])
		} else {
			err = t.WriteHeader(&tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1]))})
		}
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	var err error
	if zipped {
		err = z.Close()
	} else {
		err = t.Close()
	}
	if err != nil {
		f.Fatal(err)
	}
	return b.Bytes()
}

// safeName reports whether an entry's name stays below the folder that it is unpacked into.
func safeName(name string) bool {
	return filepath.IsLocal(strings.TrimSuffix(name, "/")) && !strings.Contains(name, `\`)
}

// FuzzCopy holds of whatever is copied: there is a whole copy or none, nothing lies beside it, the copy has the form of
// what was read, and no entry of it leads out of its archive.
func FuzzCopy(f *testing.F) {
	secret := "apiVersion: v1\nkind: Secret\ndata: {a: aHVudGVyMjIyMg==}\n"
	f.Add(archiveOf(f, false, "b/app.log", "password=hunter2222\n", "../../etc/x", secret, "p.pb", noLocation))
	f.Add(archiveOf(f, true, "b/app.log", "password=hunter2222\n", `..\x`, secret, "/p.pb", noLocation))
	f.Add(archiveOf(f, true, "in.tar", string(archiveOf(f, false, "a", secret))))
	f.Add([]byte("2026-03-04T04:47:31Z password=hunter2222\n"))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out", "copy")
		if err := os.WriteFile(in, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Dir(out), 0o700); err != nil {
			t.Fatal(err)
		}
		limits := open.Limits{MaxExpanded: 1 << 20, MaxFile: 1 << 20, MaxMemory: 1 << 20, MaxTemp: -1, MaxEntries: 100}
		sum, err := Copy(t.Context(), in, out, CopyOptions{Limits: limits})
		entries, rerr := os.ReadDir(filepath.Dir(out))
		if rerr != nil || (err != nil) != (len(entries) == 0) || len(entries) > 1 {
			t.Fatalf("%v, and %v is there (%v)", err, entries, rerr)
		}
		if err != nil {
			return
		}
		copied, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		was, is := open.ContainerOf(data), open.ContainerOf(copied)
		if was != open.NoContainer && is != was && len(sum.Changed)+len(sum.Dropped) == 0 {
			t.Fatalf("form %d became %d, and the summary does not say it: %s", was, is, sum)
		}
		for _, name := range namesOf(t, is, copied) {
			if !safeName(name) {
				t.Fatalf("the entry %q leads out of the copy", name)
			}
		}
	})
}

// namesOf are the entries of a copy, which is whole.
func namesOf(t *testing.T, form open.Container, data []byte) []string {
	t.Helper()
	var names []string
	switch form {
	case open.Zip:
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.File {
			names = append(names, e.Name)
		}
	case open.Tar:
		for r := tar.NewReader(bytes.NewReader(data)); ; {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, h.Name)
		}
	}
	return names
}

// FuzzACopyOfACopyIsTheSame holds of whatever text is copied: what a copy has is known by its shape.
func FuzzACopyOfACopyIsTheSame(f *testing.F) {
	seeds(f)
	names := []string{"a.log", "a.yaml", "a.json", "hostname"}
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		for _, name := range names {
			last := b
			for n, out := range []string{"first-", "second-"} {
				in := filepath.Join(dir, "in-"+out+name)
				if name == "hostname" {
					in = filepath.Join(dir, out, name)
					if err := os.Mkdir(filepath.Dir(in), 0o700); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.WriteFile(in, last, 0o600); err != nil {
					t.Fatal(err)
				}
				to := filepath.Join(dir, out+name+".copy")
				if _, err := Copy(t.Context(), in, to, CopyOptions{}); err != nil {
					return // no text
				}
				copied, err := os.ReadFile(to)
				if err != nil {
					t.Fatal(err)
				}
				if n > 0 && !bytes.Equal(copied, last) {
					t.Errorf("%s: %q\n%q\n%q", name, b, last, copied)
				}
				last = copied
			}
		}
	})
}

// FuzzInspector holds that the second look changes nothing, and sees the same in whatever pieces the text comes.
func FuzzInspector(f *testing.F) {
	f.Add([]byte("a\npassword: \"hunter2222\"\n\ntoken=eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0"), 7)
	f.Add([]byte("https://a:bcd123@c/\n-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0B\n"), 1)
	f.Add(bytes.Repeat([]byte("x"), 70_000), 4096)
	f.Fuzz(func(t *testing.T, text []byte, piece int) {
		look := func(size int) (*Summary, []byte) {
			var out bytes.Buffer
			in := &inspector{w: &out, sum: &Summary{}}
			for rest := text; len(rest) > 0; {
				n := min(size, len(rest))
				if m, err := in.Write(rest[:n]); m != n || err != nil {
					t.Fatalf("wrote %d of %d bytes: %v", m, n, err)
				}
				rest = rest[n:]
			}
			in.end()
			return in.sum, out.Bytes()
		}
		whole, copied := look(max(1, len(text)))
		pieces, again := look(1 + max(piece%5000, -piece%5000))
		if !bytes.Equal(copied, text) || !bytes.Equal(again, text) {
			t.Fatal("the text was changed")
		}
		if whole.LeftCount != pieces.LeftCount || whole.LeftCount > bytes.Count(text, []byte("\n"))+1 {
			t.Fatalf("%d places, %d in pieces", whole.LeftCount, pieces.LeftCount)
		}
		for i := range whole.Left {
			if whole.Left[i] != pieces.Left[i] {
				t.Fatalf("%+v, in pieces %+v", whole.Left[i], pieces.Left[i])
			}
		}
	})
}
