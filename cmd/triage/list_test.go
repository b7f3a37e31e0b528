package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

const oneDump = "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\tmain.go:3 +0x1d\nexit status 2\n"

// bundle writes a zip with a nested node archive and a tar with a link, and returns its path.
func bundle(t *testing.T) string {
	t.Helper()
	var node, links, whole bytes.Buffer
	pack(t, &node, map[string]string{"n1/logs/kubelet.log": "Nov 20 18:05:32 n1 kubelet[7]: started\n"})
	w := tar.NewWriter(&links)
	for _, h := range []tar.Header{
		{Name: "logs/a.log", Typeflag: tar.TypeReg}, {Name: "all/a.log", Typeflag: tar.TypeSymlink, Linkname: "../logs/a.log"},
		{Name: "all/out.log", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
	} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	pack(t, &whole, map[string]string{
		"b/logs/shop/web-1/app.log": "2026-03-04T05:06:07Z started\n", "b/logs/shop/web-1/app.log.1": oneDump, "b/nodes/n1.zip": node.String(),
		"b/links.tar": links.String(), "b/yamls/pods.yaml": "apiVersion: v1\nkind: List\n", "b/etc\x1b[31m.db": "\x00\x01\x02\x00\x03\x00\x01\x01",
	})
	path := filepath.Join(t.TempDir(), "bundle.zip")
	if err := os.WriteFile(path, whole.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func pack(t *testing.T, b *bytes.Buffer, files map[string]string) {
	t.Helper()
	w := zip.NewWriter(b)
	for name, content := range files {
		e, err := w.Create(name)
		if err == nil {
			_, err = e.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestListSaysWhatEachFileIsTakenForAndWhatIsNot(t *testing.T) {
	path := bundle(t)
	code, out, errs := run(t.Context(), nil, "--list", path)
	if code != exitOK || errs != "" {
		t.Fatalf("exit %d, stderr %q", code, errs)
	}
	for _, want := range []string{
		path + ": 6 files\n", "KIND ", "shop/web-1/app (previous)", "node n1, unit kubelet", "journald", "b/nodes/n1.zip!/n1/logs/kubelet.log",
		"kubernetes-objects", "links, whose targets are read:", "b/links.tar!/all/a.log -> b/links.tar!/logs/a.log",
		"b/links.tar!/all/out.log: symbolic link that leads out of the archive: not followed", "etc?[31m.db: binary file",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Error("a name reaches the terminal as it is")
	}
}

func TestListAsJSONReadsOnlyWhatIsWanted(t *testing.T) {
	path := bundle(t)
	file := filepath.Join(t.TempDir(), "list.json")
	code, out, _ := run(t.Context(), nil, "--list", "-o", "json", "--out", file, "--only", "*.log.1", "--only", "kubelet.log", path)
	if code != exitOK || out != "" {
		t.Fatalf("exit %d, stdout %q", code, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var l triage.Listing
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatal(err)
	}
	if l.Schema != schema.ListSchema || len(l.Files) != 2 || len(l.Skipped) != 1 || l.Skipped[0].Reason != "files left out by --only and --skip: 4" {
		t.Errorf("%s", data)
	}
}

func TestListEndsLikeAReport(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"--list", "gone.zip"}, exitUnreadable},
		{[]string{"--list", t.TempDir()}, exitUnreadable},
		{[]string{"--list", "--only", "a[", "x"}, exitUsage},
		{[]string{"--list", "-o", "xml", "x"}, exitUsage},
		{[]string{"--list", "--skip", "*", bundle(t)}, exitNothing},
	} {
		if code, _, errs := run(t.Context(), nil, c.args...); code != c.want {
			t.Errorf("%q: exit %d, want %d (%s)", c.args, code, c.want, errs)
		}
	}
}

func TestOnlyAndLimitsNarrowAReport(t *testing.T) {
	path := bundle(t)
	report := func(args ...string) triage.Report {
		t.Helper()
		var r triage.Report
		code, out, errs := run(t.Context(), nil, append(args, "-o", "json", path)...)
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("exit %d, %v, %s", code, err, errs)
		}
		return r
	}
	if r := report(); len(r.Dumps) != 1 || r.Dumps[0].Pod != "web-1" {
		t.Errorf("%d dumps", len(r.Dumps))
	}
	if r := report("--skip", "*.log.1"); len(r.Dumps) != 0 {
		t.Error("what was left out was read")
	}
	r := report("--max-depth", "1")
	var reasons []string
	for _, s := range r.Skipped {
		reasons = append(reasons, s.Reason)
	}
	if got := strings.Join(reasons, "\n"); !strings.Contains(got, "an archive inside another one: not opened") {
		t.Errorf("skipped %q", got)
	}
}

func TestSizesOfLimits(t *testing.T) {
	set := func(flag, text string) (triage.Limits, error) {
		fl, f := pflag.NewFlagSet("", pflag.ContinueOnError), newFlags()
		f.limitFlags(fl)
		err := fl.Set(flag, text)
		return f.Limits, err
	}
	for text, want := range map[string]int64{"0": -1, "1": 1, "64KiB": 64 << 10, "4GiB": 4 << 30, "2MB": 2e6} {
		if l, err := set("max-temp", text); err != nil || l.MaxTemp != want {
			t.Errorf("%s: %d, %v", text, l.MaxTemp, err)
		}
	}
	for _, text := range []string{"", "x", "-1", "1e3", "4 parsecs", "99999999999GiB"} {
		if l, err := set("max-temp", text); err == nil {
			t.Errorf("%q is taken for %d", text, l.MaxTemp)
		}
	}
	for text, ok := range map[string]bool{"8MiB": true, "2GiB": false, "1KiB": false} {
		if _, err := set("max-line", text); (err == nil) != ok {
			t.Errorf("a line of %s: %v", text, err)
		}
	}
}
