package ingest

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An audited event, shortened.
const auditEvent = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"1","stage":"ResponseComplete","requestURI":"/api","verb":"list"}`

func TestAuditLogsAndObjectsComeAsStreams(t *testing.T) {
	long := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"2","requestURI":"/` + strings.Repeat("x", 6<<20) + `"}`
	utf16 := "\xff\xfe"
	for _, c := range "apiVersion: v1\nkind: Pod\n" {
		utf16 += string(c) + "\x00"
	}
	for name, c := range map[string]struct {
		text, want string
		kind       Kind
		lines      int64
	}{
		"audit":               {auditEvent + "\n" + auditEvent, auditEvent + "\n" + auditEvent, KindAuditLog, 2},
		"a line of 6 MiB":     {long + "\n", long + "\n", KindAuditLog, 1},
		"objects":             {"apiVersion: v1\nkind: Pod\n", "apiVersion: v1\nkind: Pod\n", KindKubernetesObjects, 2},
		"objects in UTF-16":   {utf16, "apiVersion: v1\nkind: Pod\n", KindKubernetesObjects, 2},
		"objects behind NULs": {"\x00\x00apiVersion: v1\nkind: Pod\n", "\x00\x00apiVersion: v1\nkind: Pod\n", KindKubernetesObjects, 2},
		"compressed":          {string(gzipped(t, []byte(auditEvent))), auditEvent, KindAuditLog, 1},
	} {
		var got string
		var part StreamPart
		src := memorySource([]byte(c.text))
		src.Origin = Origin{Node: "n1", Restart: -1}
		res, err := Read(context.Background(), src, Handler{Stream: func(kind Kind, p StreamPart, r io.Reader) error {
			b, err := io.ReadAll(r)
			got, part = string(b), p
			if kind != c.kind {
				t.Errorf("%s: %s", name, kind)
			}
			return err
		}, Lines: func([]Line) error { t.Errorf("%s: came as lines", name); return nil }}, Options{})
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %d bytes, want %d", name, err, len(got), len(c.want))
		}
		if p := res.Parts[0]; p.Kind != c.kind || p.Bytes != int64(len(c.want)) || p.Lines != c.lines || part.Path != "bench" || part.Origin.Node != "n1" || part.FirstLine != 1 {
			t.Errorf("%s: %+v %+v", name, p, part)
		}
	}
}

func TestStreamsOfARotatedLogAreNumberedThrough(t *testing.T) {
	older, newer := memorySource([]byte(auditEvent + "\n" + auditEvent + "\n")).Parts[0], memorySource([]byte(auditEvent)).Parts[0]
	older.Path, newer.Path = "older", "newer"
	var first []int64
	res, err := Read(context.Background(), Source{Parts: []Part{older, newer}}, Handler{Stream: func(_ Kind, p StreamPart, r io.Reader) error {
		first = append(first, p.FirstLine)
		_, err := io.Copy(io.Discard, r)
		return err
	}}, Options{})
	if err != nil || !cmp.Equal(first, []int64{1, 3}) {
		t.Errorf("%v %v", first, err)
	}
	if path, line := res.Locate(3); path != "newer" || line != 1 {
		t.Errorf("line 3 is %s:%d", path, line)
	}
}

func TestAStreamThatIsLeftOrFailsEndsWithItsFile(t *testing.T) {
	text := strings.Repeat(auditEvent+"\n", 20_000)
	refused := errors.New("refused")
	for _, c := range []struct {
		read int
		err  error
	}{{0, nil}, {100, nil}, {len(text) / 2, refused}} {
		var after bool
		parts := append(memorySource([]byte(text)).Parts, memorySource([]byte("apiVersion: v1\nkind: Pod\n")).Parts...)
		res, err := Read(context.Background(), Source{Parts: parts}, Handler{Stream: func(kind Kind, _ StreamPart, r io.Reader) error {
			if after = kind == KindKubernetesObjects; after {
				return nil
			}
			if _, err := io.ReadFull(r, make([]byte, c.read)); err != nil {
				t.Error(err)
			}
			return c.err
		}}, Options{})
		if !errors.Is(err, c.err) || after != (c.err == nil) || len(res.Skips) > 0 {
			t.Errorf("%d bytes, %v: %v, next file read: %v, %+v", c.read, c.err, err, after, res.Skips)
		}
	}
}

func TestWithoutAStreamTheyComeAsLines(t *testing.T) {
	lines, res := readBytes(t, []byte(auditEvent+"\n"), 0)
	if len(lines) != 1 || res.Parts[0].Kind != KindAuditLog {
		t.Errorf("%v %+v", lines, res.Parts)
	}
}

func TestRecordsAreRecognisedByTheirKeys(t *testing.T) {
	quotedEvent := strings.ReplaceAll(auditEvent, `"`, `\"`)
	for name, c := range map[string]struct {
		text string
		want Kind
	}{
		"yaml":                           {"apiVersion: v1\nkind: Pod\nmetadata: {}\n", KindKubernetesObjects},
		"yaml, kind last":                {"---\n# x\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\nkind: List\n", KindKubernetesObjects},
		"yaml, other keys first":         {"allowHostPorts: false\nallowedCapabilities:\n- x\napiVersion: security.openshift.io/v1\nkind: SecurityContextConstraints\n", KindKubernetesObjects},
		"a list in yaml":                 {"- apiVersion: helm.cattle.io/v1\n  kind: HelmChart\n  metadata:\n    name: x\n", KindKubernetesObjects},
		"a block scalar before":          {"apiVersion: v1\ndata:\n  x: |-\n    a\n\n    b: c\nkind: ConfigMap\n", KindKubernetesObjects},
		"configuration in yaml":          {"server: https://x\ntoken: y\n", KindTextLog},
		"an apiVersion alone":            {"apiVersion: 1\nname: x\n", KindTextLog},
		"a log with a colon":             {"apiVersion: unknown, retrying\nkind of odd\n", KindTextLog},
		"json":                           {`{"kind":"Pod","apiVersion":"v1"}`, KindKubernetesObjects},
		"a list in json":                 {"{\n  \"kind\": \"PodList\",\n  \"apiVersion\": \"v1\",\n  \"items\": [{}]}", KindKubernetesObjects},
		"concatenated":                   {`{"kind":"Pod","apiVersion":"v1"}{"kind":"Pod","apiVersion":"v1"}`, KindKubernetesObjects},
		"an array":                       {`[ {"apiVersion":"v1","kind":"Pod"} ]`, KindKubernetesObjects},
		"without kind":                   {`{"metadata":{"name":"x"},"spec":{},"status":{}}`, KindKubernetesObjects},
		"a list without kind":            {`{"metadata":{"resourceVersion":"1"},"items":[]}`, KindKubernetesObjects},
		"a watch":                        {`{"type":"MODIFIED","object":{"kind":"Pod"}}`, KindKubernetesObjects},
		"an Insights' events":            {`{"items":[{"namespace":"x","lastTimestamp":"y","reason":"z"}]}`, KindKubernetesObjects},
		"a core EventList":               {`{"kind":"EventList","apiVersion":"v1","items":[]}`, KindKubernetesObjects},
		"a program's records":            {`{"level":"info","kind":"Pod","apiVersion":"v1","msg":"x"}`, KindTextLog},
		"any json":                       {`{"status":"success","data":{}}`, KindTextLog},
		"an empty array":                 {`[]`, KindTextLog},
		"an array of names":              {`["a","b"]`, KindTextLog},
		"audit":                          {auditEvent, KindAuditLog},
		"an old event":                   {`{"auditID":"1","kind":"Event","level":"Request","requestURI":"/api"}`, KindAuditLog},
		"an audit EventList":             {`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[{"auditID":"x"}]}`, KindAuditLog},
		"a host before it":               {"master-0.example.org " + auditEvent, KindAuditLog},
		"in AKS' wrapper":                {`{"category":"kube-audit","properties":{"log":"` + quotedEvent + `\n"}}`, KindAuditLog},
		"in CloudWatch's":                {`{"timestamp":1,"message":"` + quotedEvent + `"}`, KindAuditLog},
		"in Loki's":                      {`{"labels":{},"line":"` + quotedEvent + `","timestamp":"x"}`, KindAuditLog},
		"an API server's own log":        {`{"log":"` + quotedEvent + `\n","stream":"stdout","time":"2026-03-04T05:06:07Z"}`, KindPodLog},
		"AdmissionReviews":               {`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{}}`, KindAuditLog},
		"a log that speaks of audit ids": {"Auditing with auditID for audit.k8s.io/v1\n", KindTextLog},
	} {
		_, res := readBytes(t, []byte(c.text), 0)
		if got := res.Parts[0].Kind; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestErrorsInsteadOfProfilesAndOtherBinariesAreNamed(t *testing.T) {
	for _, c := range []struct{ name, text, reason string }{
		{"web-1-profile-2026", "<!DOCTYPE html><html>", "an HTML page instead of a profile"},
		{"web-1-heap-2026", "curl: (7) Failed to connect to localhost port 6060", "a download error instead of a profile"},
		{"goroutine.prof", "404 page not found\n", "an error message instead of a profile"},
		{"page.html", "<!DOCTYPE html><html>", ""},
		{"goroutines.txt", "goroutine 1 [running]:\nmain.main()\n", ""},
		{"cpu.pb.gz", "\x00\x01\x02\x03\x04\x05\x06", "called .gz, but it contains no such stream: damaged, or cut at its beginning"},
		{"core.gz", string(gzipped(t, []byte("\x00\x01\x02\x03\x04\x05\x06"))), "binary file, not a log or profile"},
		{"etcd.db", strings.Repeat("\x00", 16) + "\xed\xda\x0c\xed" + strings.Repeat("\x01\x00", 100), "a bbolt database, such as an etcd snapshot, not a log or profile"},
		{"trace.out", "go 1.26 trace\x00\x00\x00" + strings.Repeat("\x01\x02\x00", 50), "a Go execution trace, not a log or profile"},
		{"system.journal", "LPKSHHRH" + strings.Repeat("\x00\x01", 100), "a systemd journal in binary form, not a log or profile"},
		{"x.png", "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x01", 100), "a PNG image, not a log or profile"},
	} {
		src := memorySource([]byte(c.text))
		src.Parts[0].Path = "b.zip!/x/" + c.name
		res, err := Read(context.Background(), src, Handler{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		reason := ""
		for _, s := range res.Skips {
			reason += s.Reason
		}
		if reason != c.reason {
			t.Errorf("%s: %q, want %q", c.name, reason, c.reason)
		}
	}
}
