package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// readAll reads one input and returns the trail.
func readAll(t *testing.T, inputs ...string) *Trail {
	t.Helper()
	var logs []*Log
	for i, in := range inputs {
		r := NewReader(Options{})
		if err := r.Read(fmt.Sprintf("server-%d.log", i), strings.NewReader(in)); err != nil {
			t.Fatal(err)
		}
		logs = append(logs, r.Close())
	}
	return Merge(logs)
}

var (
	created = sample{id: "a", verb: "create", user: "alice", resource: "configmaps", namespace: "prod", name: "one", code: 201, at: start}
	updated = sample{id: "b", verb: "update", user: "bob", resource: "configmaps", namespace: "prod", name: "one", version: "7", at: start.Add(time.Second)}
)

// indented is JSON over several lines.
func indented(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(s), "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEveryFormInWhichEventsComeIsRead(t *testing.T) {
	a, b := created.write(), updated.write()
	quoted := func(s string) string {
		q, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(q)
	}
	list := `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[` + a + `,` + b + `]}`
	forms := map[string]string{
		"JSON lines":                       a + "\n" + b + "\n",
		"no newline at the end":            a + "\n" + b,
		"carriage returns":                 a + "\r\n" + b + "\r\n",
		"empty lines":                      "\n\n" + a + "\n\n" + b + "\n\n",
		"host names":                       "master-0 " + a + "\nmaster-0 " + b + "\n",
		"EventList":                        list,
		"an EventList a line":              `{"kind":"EventList","items":[` + a + `]}` + "\n" + `{"kind":"EventList","items":[` + b + "]}\n",
		"EventList over several lines":     indented(t, list),
		"events over several lines":        indented(t, a) + "\n" + indented(t, b) + "\n",
		"EventList with an event a line":   "{\"kind\":\"EventList\",\"items\":[\n" + a + ",\n" + b + "\n]}\n",
		"kind behind the items":            `{"apiVersion":"audit.k8s.io/v1","items":[` + a + `,` + b + `],"kind":"EventList"}`,
		"a bare list":                      "[" + a + ",\n" + b + "]\n",
		"AKS with an object":               `{"category":"kube-audit","properties":{"log":` + a + `,"pod":"x"}}` + "\n" + `{"properties":{"log":` + b + "}}\n",
		"AKS with a string":                `{"category":"kube-audit","properties":{"log":` + quoted(a) + `}}` + "\n" + `{"properties":{"log":` + quoted(b) + "}}\n",
		"CloudWatch":                       `{"events":[{"timestamp":1,"message":` + quoted(a) + `},{"timestamp":2,"message":` + quoted(b) + `}]}`,
		"CloudWatch over several lines":    indented(t, `{"events":[{"timestamp":1,"message":`+quoted(a)+`},{"timestamp":2,"message":`+quoted(b)+`}]}`),
		"a record a line with a message":   `{"@timestamp":"x","@message":` + quoted(a) + "}\n" + `{"@message":` + quoted(b) + "}\n",
		"Loki":                             `{"stream":{"job":"audit"},"values":[["1",` + quoted(a) + `],["2",` + quoted(b) + `]]}`,
		"docker's json-file":               `{"log":` + quoted(a+"\n") + `,"stream":"stdout"}` + "\n" + `{"log":` + quoted(b+"\n") + `,"stream":"stdout"}` + "\n",
		"Elasticsearch":                    `{"_index":"x","_source":` + a + "}\n" + `{"_source":` + b + "}\n",
		"behind a prefix of several words": "Mar 04 04:40:00 m0 kube-apiserver[1]: " + a + "\nMar 04 04:40:01 m0 kube-apiserver[1]: " + b + "\n",
		"twice the same":                   a + "\n" + b + "\n" + a + "\n" + b + "\n",
	}
	for name, text := range forms {
		t.Run(name, func(t *testing.T) {
			tr := readAll(t, text)
			if tr == nil {
				t.Fatal("nothing was read")
			}
			if tr.Events != 2 || tr.Requests != 2 || len(tr.Writes) != 2 || len(tr.Objects) != 1 {
				t.Fatalf("%d events, %d requests, %d writes, %d objects", tr.Events, tr.Requests, len(tr.Writes), len(tr.Objects))
			}
			w := tr.Writes[1]
			if w.In != 7 || w.Verb != VerbUpdate || tr.Actors[w.Actor].User != "bob" || Time(w.Time) != updated.at {
				t.Errorf("the update is %+v of %+v", w, tr.Actors[w.Actor])
			}
			if tr.Servers[0].Unreadable != 0 {
				t.Errorf("%d lines were not understood", tr.Servers[0].Unreadable)
			}
		})
	}
}

func TestTheHostBeforeAnEventNamesTheServer(t *testing.T) {
	if tr := readAll(t, "master-0 "+created.write()+"\n"); tr.Servers[0].Name != "master-0" {
		t.Errorf("the server is %q", tr.Servers[0].Name)
	}
}

func TestAnEventsPlaceIsItsLine(t *testing.T) {
	for name, in := range map[string]string{
		"lines":       "\n" + created.write() + "\n" + updated.write() + "\n",
		"a long list": "[\n" + created.write() + ",\n" + updated.write() + "\n]\n",
	} {
		tr := readAll(t, in)
		for i, line := range []int64{2, 3} {
			if p := tr.Place(&tr.Writes[i]); p != (Place{Path: "server-0.log", Line: line}) {
				t.Errorf("%s: event %d stands at %+v", name, i, p)
			}
		}
	}
}

func TestOtherRecordsAreRefusedWithAReason(t *testing.T) {
	review := `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"1"}}` + "\n"
	google := `{"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","methodName":"io.k8s.core.v1.pods.create"},"insertId":"x"}` + "\n"
	tr := readAll(t, review+review+google)
	if tr == nil || tr.Events != 0 || len(tr.Refused) != 2 {
		t.Fatalf("%+v", tr)
	}
	for i, want := range []struct {
		count  int64
		reason string
	}{{2, "AdmissionReview"}, {1, "Google Cloud"}} {
		if r := tr.Refused[i]; r.Count != want.count || !strings.HasPrefix(r.Reason, want.reason) || r.Hint == "" || r.Place.Line == 0 {
			t.Errorf("refused %d: %+v", i, r)
		}
	}
}

func TestLinesThatHoldNoEventAreCounted(t *testing.T) {
	whole := created.write()
	tr := readAll(t, "log rotated\n"+whole[:len(whole)/2]+"\n"+whole+"\n"+updated.write()[:200])
	if tr.Events != 1 || tr.Servers[0].Unreadable != 3 {
		t.Errorf("%d events, %d lines not understood", tr.Events, tr.Servers[0].Unreadable)
	}
	if !strings.Contains(strings.Join(tr.Limits, "\n"), "lines without a complete event: 3") {
		t.Errorf("nothing says so: %q", tr.Limits)
	}
}

func TestAnEventOverTheCapIsLeftOutAndTold(t *testing.T) {
	big := updated
	big.response = `{"kind":"ConfigMap","metadata":{"name":"one"},"data":{"x":"` + strings.Repeat("y", 3<<20) + `"}}`
	r := NewReader(Options{MaxLine: 2 << 20})
	if err := r.Read("a.log", strings.NewReader(big.write()+"\n"+created.write()+"\n")); err != nil {
		t.Fatal(err)
	}
	tr := Merge([]*Log{r.Close()})
	if tr.Events != 1 || tr.Servers[0].Long != 1 {
		t.Errorf("%d events, %d too long", tr.Events, tr.Servers[0].Long)
	}
	if tr = readAll(t, big.write()+"\n"+created.write()+"\n"); tr.Events != 2 {
		t.Errorf("3 MiB are within the default cap, but %d events were read", tr.Events)
	}
}

func TestAListLargerThanTheCapIsRead(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[`)
	const n = 3000
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		s := updated
		s.id = fmt.Sprint("id", i)
		b.WriteString(s.write())
	}
	b.WriteString("]}\n" + created.write() + "\n")
	r := NewReader(Options{MaxLine: 256 << 10})
	if err := r.Read("a.log", iotest.HalfReader(strings.NewReader(b.String()))); err != nil {
		t.Fatal(err)
	}
	if tr := Merge([]*Log{r.Close()}); tr.Events != n+1 {
		t.Errorf("%d of %d events", tr.Events, n+1)
	}
}

// TestLinesThatNeverEndCostNoWalkEach has a line every few bytes that begins what never ends.
func TestLinesThatNeverEndCostNoWalkEach(t *testing.T) {
	for _, line := range []string{"{\n", "[\n", "[{\n", `{"a":[` + "\n", `{"items":[{` + "\n"} {
		f := newFramer(strings.NewReader(strings.Repeat(line, 4<<20/len(line))), 1<<20)
		for {
			if doc, _ := f.next(); doc == nil {
				break
			}
		}
		if f.wasted > maxWaste+16<<20 {
			t.Errorf("%q: %d bytes were looked at in vain", line, f.wasted)
		}
	}
}

func TestAnInputThatBreaksIsAnErrorAndWhatCameBeforeCounts(t *testing.T) {
	r := NewReader(Options{})
	in := io.MultiReader(strings.NewReader(created.write()+"\n"), iotest.ErrReader(io.ErrClosedPipe))
	if err := r.Read("a.log", in); err == nil || !strings.Contains(err.Error(), "a.log") {
		t.Errorf("the error is %v", err)
	}
	if tr := Merge([]*Log{r.Close()}); tr.Events != 1 {
		t.Errorf("%d events", tr.Events)
	}
}

func TestLineTellsEventsFromOtherLines(t *testing.T) {
	r := NewReader(Options{})
	for text, want := range map[string]bool{
		created.write():               true,
		`{"level":"info","msg":"hi"}`: false,
		"plain":                       false,
		"":                            false,
		`{"auditID":"x"`:              false,
	} {
		if got := r.Line("pod.log", []byte(text), 5); got != want {
			t.Errorf("%q is an event: %v", text, got)
		}
	}
	if tr := Merge([]*Log{r.Close()}); tr.Events != 1 || tr.Place(&tr.Writes[0]).Line != 5 {
		t.Errorf("%d events", tr.Events)
	}
}

func TestALogWithoutEventsIsNothing(t *testing.T) {
	if tr := readAll(t, "hello\n"); tr != nil {
		t.Errorf("%+v", tr)
	}
	if tr := Merge(nil); tr != nil {
		t.Errorf("%+v", tr)
	}
}

func TestARequestCountsOnceWhateverItsStages(t *testing.T) {
	received, started, complete := updated, updated, updated
	received.stage, started.stage = "RequestReceived", "ResponseStarted"
	tr := readAll(t, received.write()+"\n"+started.write()+"\n"+complete.write()+"\n")
	if tr.Events != 3 || tr.Requests != 1 || len(tr.Writes) != 1 {
		t.Errorf("%d events, %d requests, %d writes", tr.Events, tr.Requests, len(tr.Writes))
	}
}

func TestTheSameLogTwiceCountsOnce(t *testing.T) {
	var samples []sample
	for i := range 40 {
		s := updated
		s.at = start.Add(time.Duration(i) * time.Second)
		samples = append(samples, s, sample{verb: "get", user: "carol", resource: "pods", name: "p", at: s.at})
		samples[len(samples)-2].id = fmt.Sprint("w", i)
		samples[len(samples)-1].id = fmt.Sprint("r", i)
	}
	text := logOf(samples...)
	tr := readAll(t, text, text)
	if tr.Events != 80 || len(tr.Writes) != 40 || tr.Duplicates != 80 {
		t.Errorf("%d events, %d writes, %d duplicates", tr.Events, len(tr.Writes), tr.Duplicates)
	}
	if !strings.Contains(strings.Join(tr.Limits, "\n"), "copies of other inputs") {
		t.Errorf("nothing says so: %q", tr.Limits)
	}
}

func TestServersAreMergedInOrderOfTime(t *testing.T) {
	var servers [3]strings.Builder
	var want []int64
	for i := range 60 {
		at := start.Add(time.Duration(i) * 10 * time.Millisecond)
		want = append(want, at.UnixMicro())
		servers[i*7%3].WriteString(logOf(sample{id: fmt.Sprint(i), verb: "update", user: "u", resource: "configmaps", name: "c", at: at}))
	}
	tr := readAll(t, servers[0].String(), servers[1].String(), servers[2].String())
	var got []int64
	for _, i := range tr.ByObject[0] {
		got = append(got, tr.Writes[i].Time)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestLimitsNameWhatIsMissing(t *testing.T) {
	late := updated
	late.at = start.Add(time.Hour)
	for _, c := range []struct {
		name   string
		inputs []string
		want   string
	}{
		{"metadata", []string{created.write()}, "every event is at level Metadata"},
		{"one server", []string{created.write()}, "one API server's log"},
		{"a gap", []string{created.write() + "\n" + late.write()}, "no event from 2026-03-04 04:40:00 to 2026-03-04 05:40:00"},
		{"a server that begins late", []string{created.write(), late.write()}, "covers 2026-03-04 05:40:00"},
		{"no answers", []string{strings.Replace(created.write(), "ResponseComplete", "RequestReceived", 1)}, "no event has the stage ResponseComplete"},
	} {
		if got := strings.Join(readAll(t, c.inputs...).Limits, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q lacks %q", c.name, got, c.want)
		}
	}
}

func TestReviewsTokensStreamsAndDryRunsAreNoWrites(t *testing.T) {
	tr := readAll(t, logOf(
		sample{verb: "create", user: "u", resource: "subjectaccessreviews", code: 201},
		sample{verb: "create", user: "u", resource: "serviceaccounts", sub: "token", name: "x", code: 201},
		sample{verb: "create", user: "u", resource: "pods", sub: "exec", name: "x"},
		sample{verb: "patch", user: "u", resource: "configmaps", name: "x", uri: "/api/v1/configmaps/x?dryRun=All"},
		sample{verb: "update", user: "u", group: "coordination.k8s.io", resource: "leases", name: "x"},
	))
	if tr.Requests != 5 || len(tr.Writes) != 0 {
		t.Errorf("%d requests, %d writes", tr.Requests, len(tr.Writes))
	}
}

func TestManyWritesKeepTheFirstOfEachObjectAndCountAll(t *testing.T) {
	var b strings.Builder
	for i := range 9000 {
		name := "hot"
		if i%3 == 0 {
			name = fmt.Sprint("cold-", i)
		}
		b.WriteString(logOf(sample{id: fmt.Sprint(i), verb: "update", user: "u", resource: "configmaps", name: name, at: start.Add(time.Duration(i) * time.Millisecond)}))
	}
	r := NewReader(Options{MaxWrites: 5000})
	if err := r.Read("a.log", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	tr := Merge([]*Log{r.Close()})
	if n := len(tr.Writes); n > 5000 || n < 3000 {
		t.Errorf("%d writes are kept", n)
	}
	if hot := tr.Objects[len(tr.Objects)-1]; hot.Name != "hot" || hot.Writes != 6000 {
		t.Errorf("%+v", hot)
	}
	if !strings.Contains(strings.Join(tr.Limits, "\n"), "counted but not stored") {
		t.Errorf("nothing says so: %q", tr.Limits)
	}
}
