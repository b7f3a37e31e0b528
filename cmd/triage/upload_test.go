package main

import (
	"bytes"
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// secretQuery is the credential in the URLs of the tests.
const secretQuery = "X-Amz-Signature=0123456789abcdef0123456789abcdef"

// objects is a store that takes whole objects from those with the credential.
type objects struct {
	mu  sync.Mutex
	all map[string][]byte
}

func (o *objects) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if r.Method != http.MethodPut || r.URL.RawQuery != secretQuery || err != nil || int64(len(body)) != r.ContentLength {
		w.WriteHeader(http.StatusForbidden)
		_, _ = fmt.Fprintf(w, "<Error><Code>SignatureDoesNotMatch</Code><Message>%s</Message></Error>", r.URL.RawQuery)
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all == nil {
		o.all = map[string][]byte{}
	}
	o.all[r.URL.Path] = body
}

// taken are the objects since the last call. A handler may still run when its client has gone on.
func (o *objects) taken() map[string][]byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := o.all
	o.all = nil
	return all
}

// said runs the program and returns what it wrote, and its exit status.
func said(env map[string]string, args ...string) (out, errs string, code int) {
	var o, e bytes.Buffer
	code = Main(context.Background(), args, Std{Out: &o, Err: &e, Getenv: func(name string) string { return env[name] }})
	return o.String(), e.String(), code
}

func TestAReportIsSentToAURLAsItIsWrittenToAFile(t *testing.T) {
	store := &objects{}
	s := httptest.NewServer(store)
	t.Cleanup(s.Close)
	dir := t.TempDir()
	url := func(name string) string { return s.URL + "/" + name + "?" + secretQuery }
	for name, text := range map[string]string{"url": url("from-file.json") + "\n", "empty": "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const input = "../../testdata/profiles/ecdsa-key.pb.gz"
	file := filepath.Join(dir, "report.json")
	if _, errs, code := said(nil, input, "--no-source", "-o", "json="+file, "-o", "json="+url("a.json"), "-o", "html="+url(
		"a.html"), "-o", "json=@"+filepath.Join(dir, "url")); code != exitOK || errs != "" {
		t.Fatalf("%d, %s", code, errs)
	}
	if _, errs, code := said(map[string]string{"TRIAGE_OUTPUT": "json=" + url("env.json")}, input,
		"--no-source"); code != exitOK || errs != "" {
		t.Fatalf("%d, %s", code, errs)
	}
	_, errs, code := said(nil, "export", "--to", "folded", "--out", url("a.folded"), input)
	if code != exitOK || errs != "" {
		t.Fatalf("%d, %s", code, errs)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stored := store.taken()
	for _, name := range []string{"/a.json", "/from-file.json", "/env.json"} {
		if !bytes.Equal(stored[name], want) {
			t.Errorf("%s: %d bytes, want %d", name, len(stored[name]), len(want))
		}
	}
	if !bytes.Contains(stored["/a.html"], []byte("<!doctype html>")) || !bytes.Contains(stored["/a.folded"],
		[]byte("ecdsa.GenerateKey")) {
		t.Errorf("%.200q, %.200q", stored["/a.html"], stored["/a.folded"])
	}
}

func TestAURLThatGetsNoReportIsNamedWithoutItsQuery(t *testing.T) {
	store := &objects{}
	s := httptest.NewServer(store)
	t.Cleanup(s.Close)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "empty"), []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := s.URL + "/a.json?" + secretQuery + "f"
	upper := "HTTP" + strings.TrimPrefix(s.URL, "http")
	for want, args := range map[string][]string{
		"answered 403 Forbidden: SignatureDoesNotMatch": {"-o", "json=" + wrong},
		s.URL + "/a.json: answered 403":                 {"--out", wrong},
		s.URL + "/b.json: answered 403":                 {"-o", "json= " + upper + "/b.json?x" + secretQuery},
		"two reports would go to " + s.URL + "/a.json":  {"-o", "json=" + wrong, "-o", "html=" + wrong},
		"unencrypted":                 {"-o", "json=http://bucket.example.com/a.json?" + secretQuery},
		"not to s3://":                {"-o", "json=s3://bucket/a.json?" + secretQuery},
		"names no object":             {"-o", "json=https://bucket.example.com?" + secretQuery},
		"the file with the URL: open": {"-o", "json=@" + filepath.Join(dir, "missing")},
		"empty is empty":              {"-o", "json=@" + filepath.Join(dir, "empty")},
		"formats: text, json,":        {"-o", "jsn=" + wrong},
		"connection refused":          {"-o", "json=http://127.0.0.1:1/a.json?" + secretQuery},
	} {
		if runtime.GOOS == "windows" && want == "connection refused" {
			continue // it has other words for it
		}
		_, errs, code := said(nil, append(args, "../../testdata/profiles/ecdsa-key.pb.gz", "--no-source")...)
		if code != exitUsage || !strings.Contains(errs, want) || strings.Contains(errs, "0123456789abcdef") {
			t.Errorf("%v: %d, %s, want %q", args, code, errs, want)
		}
	}
	if stored := store.taken(); len(stored) > 0 {
		t.Errorf("%d objects", len(stored))
	}
}

func TestAReportIsSentOverTLSToWhoeverIsTrusted(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the system's certificates are no files")
	}
	store := &objects{}
	s := httptest.NewUnstartedServer(store)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	roots := filepath.Join(t.TempDir(), "ca.crt")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(roots, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]int{roots: exitOK, os.DevNull: exitUsage} {
		cmd := exec.Command("triage", "--no-source", "../../testdata/profiles/ecdsa-key.pb.gz")
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+file, "SSL_CERT_DIR="+filepath.Dir(roots)+"/none",
			"TRIAGE_OUTPUT=json="+s.URL+"/a.json?"+secretQuery)
		out, _ := cmd.CombinedOutput()
		trusted := want == exitOK
		if cmd.ProcessState.ExitCode() != want || trusted != (store.taken()["/a.json"] != nil) ||
			strings.Contains(string(out), secretQuery) || trusted == strings.Contains(string(out), "hint: set SSL_CERT_FILE") {
			t.Errorf("%s: %d, %s", file, cmd.ProcessState.ExitCode(), out)
		}
	}
}

// The Jobs of deploy/fleet, each part by its own arguments: what lies in the bucket is what would lie on the volume.
func TestTheJobThatUploadsLeavesTheReportsOfTheJobWithAVolume(t *testing.T) {
	store := &objects{}
	s := httptest.NewServer(store)
	t.Cleanup(s.Close)
	urls, reports, bucket := t.TempDir(), t.TempDir(), t.TempDir()
	logs, err := filepath.Abs("../../testdata/pods-fleet")
	if err != nil {
		t.Fatal(err)
	}
	jobs := manifests(t)
	for i := range 8 {
		index := fmt.Sprint(i)
		url := fmt.Sprintf("%s/%s.json?%s", s.URL, index, secretQuery)
		if err := os.WriteFile(filepath.Join(urls, index), []byte(url), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"judge.yaml", "judge-upload.yaml"} {
			fill := strings.NewReplacer("$(JOB_COMPLETION_INDEX)", index, "/logs", logs, "/urls", urls, "/reports", reports)
			args := []string{"--no-source"}
			for _, arg := range jobs[name][0].Spec.Template.Spec.Containers[0].Args {
				args = append(args, fill.Replace(arg))
			}
			if _, errs, code := said(nil, args...); code != exitOK && code != exitNothing {
				t.Fatalf("%s %s: %d, %s", name, index, code, errs)
			}
		}
		if err := os.WriteFile(filepath.Join(bucket, index+".json"), store.taken()["/"+index+".json"], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	merged := map[string]string{}
	for _, dir := range []string{bucket, reports} {
		out, errs, code := said(nil, "merge", dir, "-o", "json")
		if code != exitOK || !strings.Contains(out, "22 goroutines wait to send") {
			t.Fatalf("%d, %s\n%.2000s", code, errs, out)
		}
		merged[dir] = strings.ReplaceAll(out, dir, "DIR")
	}
	if d := cmp.Diff(merged[reports], merged[bucket]); d != "" {
		t.Errorf("the merged reports differ (-volume +bucket):\n%s", d)
	}
}
