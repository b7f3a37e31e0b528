package fetch

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

func TestTargetsAreUnderstoodAsPeopleWriteThem(t *testing.T) {
	for in, want := range map[string]string{
		":6060":                      "http://localhost:6060/debug/pprof",
		"6060":                       "http://localhost:6060/debug/pprof",
		"6060/pprof":                 "http://localhost:6060/pprof",
		"manager:6060":               "http://manager:6060/debug/pprof",
		"10.1.2.3:6060/":             "http://10.1.2.3:6060/debug/pprof",
		"[::1]:6060":                 "http://[::1]:6060/debug/pprof",
		"https://m.example.com":      "https://m.example.com/debug/pprof",
		"https://m.example.com/x/":   "https://m.example.com/x",
		"http://m/debug/pprof/":      "http://m/debug/pprof",
		"http://m/debug/pprof/heap":  "http://m/debug/pprof",
		"http://m/a/trace?seconds=5": "http://m/a",
		"http://m/heap":              "http://m/heap", // nothing above it could hold pages
		"unix:///run/app.sock":       "unix:///run/app.sock",
		"pod/web-1":                  "pod/web-1",
	} {
		tg, err := ParseTarget(in, "")
		if err != nil || tg.String() != want {
			t.Errorf("%s: %s, %v, want %s", in, tg, err, want)
		}
	}
	tg, err := ParseTarget("unix:///run/app.sock:/x/debug/pprof/heap", "/ignored")
	if err != nil || tg.socket != "/run/app.sock" || tg.base.Path != "/x/debug/pprof" {
		t.Errorf("%+v, %v", tg, err)
	}
	if tg, err := ParseTarget("pod/web-1", "/p"); err != nil || tg.base.Path != "/p" {
		t.Errorf("%+v, %v", tg, err)
	}
}

func TestWrongTargetsAreRefusedWithoutRepeatingSecrets(t *testing.T) {
	for _, in := range []string{
		"", ":", "http://", "ftp://m", "http://u:hunter22@m", "http://hunter22@m:1", "http://u:hunter22@m:99999999", "http://m:hunter22", "u:hunter22@m:1/%zz",
		"m:0", "m:65536", "http://m?token=hunter22", "unix://run/app.sock", "unix://", "unix:///a\x00b", "http://m/a b\x7f",
		"pod/", "pod/Web", "pod/-n", "pod/--kubeconfig=x", "pod/a/b", "pod/..", "pod/a b", "pod/a;id", "pod/" + strings.Repeat("a", 254),
	} {
		if tg, err := ParseTarget(in, ""); err == nil {
			t.Errorf("%q became %s", in, tg)
		} else if strings.Contains(err.Error(), "hunter22") && !strings.Contains(in, "m:hunter22") {
			t.Errorf("%q: %v", in, err)
		}
	}
	for _, in := range []string{"debug", "/a?b", "/a\nb"} {
		if _, err := ParseTarget(":1", in); err == nil {
			t.Errorf("prefix %q", in)
		}
	}
}

func TestPodsAreNamedAsKubectlNamesThem(t *testing.T) {
	for in, want := range map[string]string{
		"web-1": "pod/web-1", "pods/web-1": "pod/web-1", "po/web-1": "pod/web-1", "deploy/web": "deployment/web", "deployment.apps/web": "deployment/web",
		"statefulsets.apps/db": "statefulset/db", "ds.apps/agent": "daemonset/agent", "job.batch/backup": "job/backup",
	} {
		if tg, err := ParsePods(in, ""); err != nil || tg.String() != want {
			t.Errorf("%s: %s, %v, want %s", in, tg, err, want)
		}
	}
	for _, in := range []string{"svc/x", "service/web", "rs/x", "deployment.batch/web", "http://u:hunter22@m", "u:hunter22@m:1/x", "/", "deploy/"} {
		if tg, err := ParsePods(in, ""); err == nil || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%q: %s, %v", in, tg, err)
		}
	}
}

func TestATypeAndANameAreTwoWords(t *testing.T) {
	for in, want := range map[string]bool{"deploy web": true, "pod web": true, "deploy": false, "web-1 web-2": false, "deploy -x": false} {
		if TwoWords(strings.Fields(in)) != want {
			t.Error(in)
		}
	}
}

func TestSelectorsAreNoFlags(t *testing.T) {
	for _, good := range []string{"app=web", "app in (web, api),tier!=db", "!canary", "app.kubernetes.io/name=web"} {
		if _, err := Pods(good, ""); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "-A", "--kubeconfig=x", "app=$(id)", "app=web;id", "a\nb", strings.Repeat("a", 2000)} {
		if _, err := Pods(bad, ""); err == nil {
			t.Errorf("%q passed", bad)
		}
	}
}

func TestClusterNamesAreChecked(t *testing.T) {
	for _, bad := range []Cluster{
		{Namespace: "-A"}, {Namespace: "a.b"}, {Namespace: "A"}, {Container: "--all"}, {Container: "a/b"}, {Context: "a\nb"},
		{Port: -1}, {Port: 65536}, {Via: "ssh"}, {MaxPods: -1}, {Namespace: strings.Repeat("a", 64)},
	} {
		if bad.check() == nil {
			t.Errorf("%+v passed", bad)
		}
	}
	if err := (Cluster{Namespace: "shop", Container: "app-1", Context: "arn:aws:eks:eu:1:cluster/x", Port: 6060, Via: ViaProxy}).check(); err != nil {
		t.Error(err)
	}
}

func TestACapturesNameIsOneOfAFile(t *testing.T) {
	for in, want := range map[string]string{
		":6060": "localhost-6060", "https://m.example.com/x": "m.example.com", "[::1]:6060": "1--6060", "pod/web-1": "web-1",
		"unix:///run/../app.sock": "app", "unix:///...sock": "",
	} {
		if got := target(t, in).short(); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	s, err := Pods("app in (a, b)", "")
	if err != nil || s.short() != "app-in--a--b" {
		t.Errorf("%q, %v", s.short(), err)
	}
}

func TestGoroutinesAreCountedFromAProfile(t *testing.T) {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "goroutine", Unit: "count"}}}
	f := &profile.Function{ID: 1, Name: "main.main"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f}}}
	p.Function, p.Location = []*profile.Function{f}, []*profile.Location{l}
	for _, n := range []int64{1, 127, 128, 20_000} {
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l, l, l}, Value: []int64{n}, Label: map[string][]string{"a": {"b"}}})
	}
	var packed, raw, twice bytes.Buffer
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteUncompressed(&raw); err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(&twice)
	_, _ = z.Write(packed.Bytes())
	_ = z.Close()
	for name, b := range map[string][]byte{"gzip": packed.Bytes(), "raw": raw.Bytes(), "twice": twice.Bytes()} {
		if n, err := countGoroutines(bytes.NewReader(b)); n != 20_256 || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
	for name, b := range map[string][]byte{
		"nothing": nil, "half": raw.Bytes()[:raw.Len()/2], "text": []byte("goroutine profile: total 3\n"), "a huge field": {2<<3 | 2, 0xff, 0xff, 0xff, 0xff, 0x7f},
		"half a gzip": packed.Bytes()[:30],
	} {
		if n, err := countGoroutines(bytes.NewReader(b)); err == nil {
			t.Errorf("%s: %d", name, n)
		}
	}
}

func FuzzCountGoroutines(f *testing.F) {
	f.Add(goroutineProfile(7))
	f.Add([]byte{1<<3 | 2, 2, 1 << 3, 1, 2<<3 | 2, 2, 2 << 3, 7, 4<<3 | 2, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := countGoroutines(bytes.NewReader(b)); n < 0 || err != nil && n != 0 {
			t.Errorf("%d, %v", n, err)
		}
	})
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{":6060", "https://u@m:1/debug/pprof/heap?seconds=1", "unix:///a:/b", "pod/web-1", "[::1]:1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tg, err := ParseTarget(s, "")
		if err != nil {
			return
		}
		if name := tg.short(); strings.ContainsAny(name, "/\\\x00") || strings.HasPrefix(name, ".") {
			t.Errorf("%q would be written to %q", s, name)
		}
		if strings.ContainsFunc(tg.base.Path, isControl) || !strings.HasPrefix(tg.base.Path, "/") {
			t.Errorf("%q asks for %q", s, tg.base.Path)
		}
	})
}

func FuzzForwardedPort(f *testing.F) {
	f.Add([]byte("Forwarding from 127.0.0.1:41234 -> 6060\nForwarding from [::1]:41234 -> 6060\n"), 7)
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		ports := make(chan string, 1)
		out, w := io.Pipe()
		n = min(max(n, 1), 1<<10)
		go func() {
			defer w.Close()
			for piece := range slices.Chunk(b, n) {
				if m, err := w.Write(piece); m != len(piece) || err != nil {
					t.Error(m, err)
				}
			}
		}()
		findPort(out, ports)
		select {
		case p := <-ports:
			if !isPort(p) {
				t.Errorf("port %q", p)
			}
		default:
		}
	})
}

func TestCapturesThatBeginInOneSecondHaveNamesOfTheirOwn(t *testing.T) {
	t.Chdir(t.TempDir())
	now := time.Date(2026, 3, 4, 10, 11, 12, 0, time.UTC)
	for _, want := range []string{"triage-10.0.0.1-6060-20260304T101112Z", "triage-10.0.0.1-6060-20260304T101112Z-2",
		"triage-10.0.0.1-6060-20260304T101112Z-3"} {
		got := (&Options{Target: target(t, "10.0.0.1:6060")}).name(now)
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if err := os.Mkdir(got, dirMode); err != nil {
			t.Fatal(err)
		}
	}
}
