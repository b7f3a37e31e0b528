package ingest

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is no log of a store is read as it always was.
func TestWhatIsNoExportIsReadAsBefore(t *testing.T) {
	lines := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i) + "\n")
		}
		return b.String()
	}
	at := func(i int) string { return fmt.Sprintf("2026-11-21T02:%02d:%02dZ", i/60%60, i%60) }
	for name, c := range map[string]struct {
		in      string
		kind    Kind
		framing string
	}{
		"a report of triage": {`{"schema":"triage/v1","findings":[{"message":"goroutine 7 [select]:","time":"2026-11-21T02:14:10Z"}]}`, KindTriageReport, "plain"},
		"objects":            {`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"status":{"message":"goroutine 1 [running]:"}}]}`, KindKubernetesObjects, "plain"},
		"an audit log": {lines(9, func(int) string {
			return `{"kind":"Event","apiVersion":"audit.k8s.io/v1","auditID":"x","requestURI":"/api"}`
		}), KindAuditLog, "plain"},
		"OTLP metrics": {`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","description":"how long it took","gauge":{"dataPoints":[` +
			strings.Repeat(`{"timeUnixNano":"1795197932000000000","asDouble":1.5,"attributes":[{"key":"path","value":{"stringValue":"/a"}}]},`, 50) + `{}]}}]}]}]}`, KindTextLog, "plain"},
		"package.json":     {"{\n  \"name\": \"web\",\n  \"description\": \"a log of messages\",\n  \"scripts\": {\n    \"build\": \"tsc\"\n  }\n}\n", KindTextLog, "plain"},
		"a CSV of numbers": {"time,cpu,memory\n" + lines(50, func(i int) string { return fmt.Sprintf("%s,%d,%d.5", at(i), i, i*i) }), KindTextLog, "plain"},
		"conditions":       {"{\"conditions\":[" + strings.Repeat("{\"type\":\"Ready\",\"message\":\"the pod is ready now\",\"lastTransitionTime\":\"2026-11-21T02:14:10Z\",\"reason\":\"A\"},\n", 9) + "{}]}", KindTextLog, "plain"},
		"a program's own records": {lines(50, func(i int) string {
			return fmt.Sprintf(`{"level":"error","ts":"%s","caller":"a.go:7","msg":"sync of item %d failed","error":"x"}`, at(i), i)
		}), KindTextLog, "plain"},
		"a program's record with a stack": {`{"time":"` + at(1) + `","msg":"Observed a panic","stack":` + quoted(block()) + "}\n", KindTextLog, "escaped"},
		"lines with commas": {lines(50, func(i int) string {
			return fmt.Sprintf("%s,%03d INFO worker: time, message, and level %d", strings.Replace(at(i)[:19], "T", " ", 1), i, i)
		}), KindTextLog, "plain"},
		"docker": {lines(50, func(i int) string { return fmt.Sprintf(`{"log":"line %d\n","stream":"stderr","time":"%s"}`, i, at(i)) }), KindPodLog, "docker-json"},
		"logcli": {lines(50, func(i int) string {
			return fmt.Sprintf(`{"labels":{"pod":"web-1"},"line":"line %d","timestamp":"%s"}`, i, at(i))
		}), KindTextLog, "loki-json"},
		"a blank line of Windows above JSON": {"\r\n{\"a\":1}\nstarted\n", KindTextLog, "plain"},
		"text with a header":                 {"message, time\nthis is\nno table\n", KindTextLog, "plain"},
		"a log with some JSON": {lines(50, func(i int) string {
			return fmt.Sprintf("[%d] started\n{\"message\":\"x\",\"time\":%q}\nI did it", i, at(i))
		}), KindTextLog, "plain"},
	} {
		res, err := Read(context.Background(), memorySource([]byte(c.in)), Handler{Lines: func([]Line) error { return nil }}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p := res.Parts[0]; p.Kind != c.kind || p.Framing != c.framing || len(res.Skips) > 0 && c.kind == KindTextLog {
			t.Errorf("%s: %s in %s, %+v", name, p.Kind, p.Framing, res.Skips)
		}
	}
}

// exported is a dump as a store returns it: pretty JSON, its newest record first.
func exported(lines []string) string {
	var records []string
	for i, l := range lines {
		records = append([]string{fmt.Sprintf("  {\n    \"timestamp\": \"2026-11-21T02:14:%02d.%03dZ\",\n    \"textPayload\": %s,\n"+
			"    \"resource\": {\"labels\": {\"pod_name\": \"web-1\", \"namespace_name\": \"shop\", \"container_name\": \"app\"}}\n  }",
			i/1000, i%1000, quoted(l))}, records...)
	}
	return "[\n" + strings.Join(records, ",\n") + "\n]\n"
}

func TestAnExportIsALogOfItsContainer(t *testing.T) {
	want := sampleDump(20)
	got, res := readBytes(t, []byte(exported(want)), 0)
	if diff := cmp.Diff(want, texts(got)); diff != "" {
		t.Error(diff)
	}
	p := res.Parts[0]
	if p.Framing != "json-records" || !p.Reversed || p.Lines != int64(len(want)) || len(res.Streams) != 1 {
		t.Fatalf("%+v, %+v", p, res.Streams)
	}
	if o := res.Streams[0].Origin; o.Pod != "web-1" || o.Namespace != "shop" || o.Container != "app" {
		t.Errorf("%+v", o)
	}
	for _, i := range []int{0, 1, len(want) - 1} {
		if _, line := res.Locate(got[i].Num); line != int64(2+5*(len(want)-1-i)) {
			t.Errorf("line %d is said to be at %d", i, line)
		}
	}
	looked, err := Look(context.Background(), memorySource([]byte(exported(want))), Options{})
	if p := looked.Parts[0]; err != nil || p.Framing != "json-records" || !p.Reversed {
		t.Errorf("%+v, %v", p, err)
	}
}

// Collectors store lines that the runtime has framed already.
func TestWhatFramesTheLinesOfAnExportIsTakenOff(t *testing.T) {
	want := sampleDump(20)
	var b strings.Builder
	b.WriteString("time,pod,message\n")
	for i, l := range want {
		fmt.Fprintf(&b, "2026-11-21T02:14:10.%03dZ,web-1,\"%s stderr F %s\"\n", i, zulu, strings.ReplaceAll(l, `"`, `""`))
	}
	got, res := readBytes(t, []byte(b.String()), 0)
	if diff := cmp.Diff(want, texts(got)); diff != "" || res.Parts[0].Framing != "csv-records" {
		t.Errorf("%s%+v", diff, res.Parts)
	}
	if got[0].Stream != "web-1 stderr" || !slices.ContainsFunc(res.Streams, func(s Stream) bool { return s.Origin.Pod == "web-1" }) {
		t.Errorf("%s of %+v", got[0].Stream, res.Streams)
	}
	if string(got[0].Stamp) != zulu {
		t.Errorf("the runtime's stamp is lost: %s", got[0].Stamp)
	}
}

func TestTheEndOfAHandlerEndsAnExport(t *testing.T) {
	calls := 0
	_, err := Read(context.Background(), memorySource([]byte(exported(sampleDump(400)))), Handler{Lines: func([]Line) error {
		calls++
		return io.ErrClosedPipe
	}}, Options{})
	if err == nil || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}
