package kube

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// read reads one file.
func read(t testing.TB, name, text string) *Objects {
	t.Helper()
	r := NewReader(NewStore(0))
	if err := r.Read(name, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return r.Close()
}

// names are the objects' kinds and names with their lines.
func names(o *Objects) []string {
	all := []string{}
	for _, v := range o.objects {
		all = append(all, fmt.Sprintf("%s %s/%s:%d", v.meta.Kind, v.meta.Namespace, v.meta.Name, v.meta.Line))
	}
	for _, e := range o.events {
		all = append(all, fmt.Sprintf("Event %s %s:%d", e.Reason, e.Object.Name, e.Line))
	}
	return all
}

// A document of any size is read by the reader of its own, whose cost grows with the text alone: the full parser's
// bounds would leave these out.
func TestLargeDocumentsMayHaveFlowMappingsAndFoldedTexts(t *testing.T) {
	padding := strings.Repeat("    a-key-of-some-length: a value of some length\n", 2500)
	text := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n" + padding +
		"  annotations: {app: web, note: kept}\nstatus:\n  message: >-\n    folded\n    text\n"
	if got, want := names(read(t, "x.yaml", text+"---\n"+onePod+"\n")), []string{"Pod /a:1", "Pod n/a:2512"}; !slices.Equal(got, want) {
		t.Errorf("read %q from %d bytes, want %q", got, len(text), want)
	}
}

const onePod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "n"}}`

func TestEveryFormOfAFileIsTakenApart(t *testing.T) {
	for _, c := range []struct {
		name, path, text string
		want             []string
	}{
		{"one object in YAML", "x.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: n\n", []string{"Pod n/a:1"}},
		{"documents", "x.yaml", "---\nkind: Pod\nmetadata: {name: a}\n---\n# nothing\n---\nkind: Node\nmetadata: {name: b}\n...\n", []string{"Pod /a:2", "Node /b:7"}},
		{
			"the kit's list, its kind behind its items", "yamls/namespaced/n/v1/pods.yaml",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n    namespace: n\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: b\n    namespace: n\nkind: List\nmetadata:\n  resourceVersion: \"1\"\n",
			[]string{"Pod n/a:3", "Pod n/b:8"},
		},
		{"items indented", "x.yaml", "kind: List\nitems:\n  - kind: Pod\n    metadata: {name: a}\n\n  # one more\n  - kind: Pod\n    metadata: {name: b}\n", []string{"Pod /a:3", "Pod /b:7"}},
		{"an empty list", "x.yaml", "apiVersion: v1\nitems: []\nkind: List\n", []string{}},
		{"a list without a word about its kind", "pods.yaml", "items:\n- metadata: {name: a}\n  spec: {containers: []}\n- metadata: {name: b}\n  spec: {containers: []}\n", []string{"Pod /a:2", "Pod /b:4"}},
		{"a sequence of objects", "x.yaml", "- kind: Pod\n  metadata: {name: a}\n- kind: Pod\n  metadata: {name: b}\n", []string{"Pod /a:1", "Pod /b:3"}},
		{"two lists", "x.yaml", "items:\n- kind: Pod\n  metadata: {name: a}\n---\nitems:\n- kind: Pod\n  metadata: {name: b}\nkind: List\n", []string{"Pod /a:2", "Pod /b:6"}},
		{"texts that look like items", "x.yaml", "items:\n- kind: ConfigMap\n  metadata: {name: a}\n  data:\n    x: |\n      items:\n      - kind: Pod\n- kind: Pod\n  metadata: {name: b}\n", []string{"ConfigMap /a:2", "Pod /b:8"}},
		{"one object in JSON", "x.json", onePod, []string{"Pod n/a:1"}},
		{"a typed list", "x.json", `{"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [` + "\n" + `{"metadata": {"name": "a"}},` + "\n" + `{"metadata": {"name": "b"}}]}`, []string{"Pod /a:2", "Pod /b:3"}},
		{"a list of null", "pvs.json", `{"kind": "PersistentVolumeList", "items": null}`, []string{}},
		{"an array", "x.json", "[" + onePod + ",\n" + strings.Replace(onePod, `"a"`, `"b"`, 1) + "]", []string{"Pod n/a:1", "Pod n/b:2"}},
		{"a watch", "x.json", onePod + "\n" + strings.Replace(onePod, `"a"`, `"b"`, 1) + onePod, []string{"Pod n/a:1", "Pod n/b:2"}},
		{"watch events", "x.json", `{"type": "ADDED", "object": ` + onePod + "}\n" + `{"type": "BOOKMARK", "object": {"kind": "Pod", "metadata": {"name": "", "resourceVersion": "9"}}}`, []string{"Pod n/a:1"}},
		{"no kind, but a pod's shape", "config/x.json", `{"metadata": {"name": "a"}, "spec": {"containers": [{"name": "c"}]}}`, []string{"Pod /a:1"}},
		{"events", "events.json", `{"items": [{"metadata": {"name": "e"}, "involvedObject": {"kind": "Pod", "name": "a"}, "reason": "BackOff"}]}`, []string{"Event BackOff a:1"}},
		{"events.k8s.io", "x.yaml", "kind: Event\napiVersion: events.k8s.io/v1\nmetadata: {name: e}\nregarding: {kind: Pod, name: a}\nreason: BackOff\nnote: x\n", []string{"Event BackOff a:1"}},
		{"no objects", "groups.json", `[{"name": "", "versions": [{"groupVersion": "v1"}]}, 3, "x"]`, []string{}},
		{"kinds of other groups", "x.yaml", "apiVersion: longhorn.io/v1beta1\nkind: Node\nmetadata: {name: a}\n", []string{"Node /a:1"}},
		{"an anchor in one item", "x.yaml", "items:\n- kind: Pod\n  metadata: &m {name: a}\n- kind: Pod\n  metadata: {name: b}\n", []string{"Pod /b:4"}},
		{"an item that ends too early", "x.yaml", "items:\n- kind: Pod\n  metadata: {name: a\n- kind: Pod\n  metadata: {name: b}\n", []string{"Pod /a:2", "Pod /b:4"}},
		{"a byte order mark", "x.yaml", "\ufeffkind: Pod\nmetadata: {name: a}\n", []string{"Pod /a:1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, names(read(t, c.path, c.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatCameBeforeAnErrorStays(t *testing.T) {
	for name, text := range map[string]string{
		"a list that ends early": `{"items": [` + onePod + `, {"kind": "Pod", "metadata": {"na`,
		"garbage behind":         onePod + "\n@",
	} {
		t.Run(name, func(t *testing.T) {
			r := NewReader(NewStore(0))
			if err := r.Read("x", strings.NewReader(text)); err == nil {
				t.Error("no error")
			}
			if got := names(r.Close()); len(got) != 1 {
				t.Errorf("got %q", got)
			}
		})
	}
	r := NewReader(NewStore(0))
	if err := r.Read("x", io.MultiReader(strings.NewReader("kind: Pod\nmetadata: {name: a}\n"), iotest.ErrReader(io.ErrClosedPipe))); err == nil {
		t.Error("the stream's error is gone")
	}
	if got := names(r.Close()); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

func TestAnObjectOverTheLimitIsReadAsFarAsItGoes(t *testing.T) {
	big := strings.Repeat("x", 3*maxItem)
	for name, text := range map[string]string{
		"JSON": `{"items": [{"kind": "Pod", "metadata": {"name": "a"}, "status": {"message": "` + big + `"}}, ` + onePod + `]}`,
		"YAML": "items:\n- kind: Pod\n  metadata: {name: a}\n  status:\n    message: " + big + "\n- kind: Pod\n  metadata: {name: b}\n",
	} {
		t.Run(name, func(t *testing.T) {
			o := read(t, "x", text)
			if got := names(o); len(got) != 2 || !strings.HasPrefix(got[0], "Pod /a:") {
				t.Errorf("got %q", got)
			}
			if c := Merge([]*Objects{o}); len(c.Cut) != 1 || c.Cut[0].Count != 1 {
				t.Errorf("cut: %+v", c.Cut)
			}
		})
	}
}

func TestAnObjectOfTooManyValuesIsReadAsFarAsTheyGo(t *testing.T) {
	for name, text := range map[string]string{
		"JSON": `{"kind": "Pod", "metadata": {"name": "a"}, "spec": [` + strings.Repeat("1,", 1<<20) + "1]}",
		"YAML": "kind: Pod\nmetadata: {name: a}\nspec:\n" + strings.Repeat("- 1\n", 1<<20),
		"flow": "kind: Pod\nmetadata: {name: a}\nspec: [" + strings.Repeat("1,", 1<<20) + "1]\n",
	} {
		t.Run(name, func(t *testing.T) {
			o := read(t, "x", text)
			if got := names(o); len(got) != 1 {
				t.Errorf("got %q", got)
			}
			if c := Merge([]*Objects{o}); len(c.Cut) != 1 {
				t.Errorf("cut: %+v", c.Cut)
			}
		})
	}
}

func TestTheStoreBoundsWhatIsKept(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"kind": "PodList", "items": [`)
	for i := range 5000 {
		fmt.Fprintf(&b, `{"metadata": {"name": "p%d"}, "spec": {"nodeName": "n"}, "status": {"phase": "Failed"}},`, i)
	}
	b.WriteString(onePod + "]}")
	r := NewReader(NewStore(1 << 20))
	if err := r.Read("x", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	c := Merge([]*Objects{r.Close()})
	if len(c.Pods) == 0 || len(c.Pods) > 2200 {
		t.Errorf("%d kept", len(c.Pods))
	}
	if len(c.Cut) != 1 || c.Cut[0].Count != 5001-len(c.Pods) || c.Cut[0].Kind != "Pod" {
		t.Errorf("cut: %+v", c.Cut)
	}
}

func TestAPodIsRead(t *testing.T) {
	o := read(t, "pods.yaml", `apiVersion: v1
kind: Pod
metadata:
  name: api-1
  namespace: shop
  uid: u1
  creationTimestamp: "2026-03-04T04:00:00Z"
  deletionTimestamp: "2026-03-04T05:00:30Z"
  deletionGracePeriodSeconds: 30
  finalizers: [a/b]
  managedFields:
  - manager: kubelet
    operation: Update
    subresource: status
    time: "2026-03-04T04:10:00Z"
    fieldsType: FieldsV1
    fieldsV1:
      f:status:
        f:phase: {}
  ownerReferences:
  - apiVersion: apps/v1
    kind: ReplicaSet
    name: api
    controller: true
    uid: u2
spec:
  nodeName: node-1
  nodeSelector: {disk: ssd}
  initContainers:
  - name: setup
  containers:
  - name: api
    image: shop/api:1
    livenessProbe: {exec: {command: [x]}}
    resources:
      limits: {memory: 64Mi}
      requests:
        cpu: 10m
  volumes:
  - name: data
    persistentVolumeClaim:
      claimName: data-0
status:
  phase: Running
  reason: "null"
  startTime: "2026-03-04T04:00:01Z"
  conditions:
  - type: Ready
    status: "False"
    reason: ContainersNotReady
    lastTransitionTime: "2026-03-04T04:11:00Z"
  initContainerStatuses:
  - name: setup
    state:
      terminated: {exitCode: 0, reason: Completed}
  containerStatuses:
  - name: api
    ready: false
    restartCount: 3
    state:
      waiting:
        reason: CrashLoopBackOff
        message: back-off
    lastState:
      terminated:
        exitCode: 2
        reason: Error
        startedAt: "2026-03-04T04:09:00Z"
        finishedAt: "2026-03-04T04:09:30Z"
        message: |
          panic: x
`)
	c := Merge([]*Objects{o})
	at := func(s string) time.Time { v, _ := time.Parse(time.RFC3339, s); return v }
	writers := []Writer{{Manager: "kubelet", Operation: "Update", Subresource: "status", Time: at("2026-03-04T04:10:00Z")}}
	want := &Pod{
		Meta: Meta{
			Ref: Ref{API: "v1", Kind: "Pod", Namespace: "shop", Name: "api-1", UID: "u1"}, At: At{"pods.yaml", 1},
			Created: at("2026-03-04T04:00:00Z"), Deleted: at("2026-03-04T05:00:30Z"), Grace: 30, Finalizers: []string{"a/b"},
			Owner: Ref{API: "apps/v1", Kind: "ReplicaSet", Namespace: "shop", Name: "api", UID: "u2"}, Writers: writers, WrittenBy: &writers[0],
			Written: at("2026-03-04T04:11:00Z"), Phase: "Running",
			Conditions: []Condition{{Type: "Ready", Status: "False", Reason: "ContainersNotReady", Since: at("2026-03-04T04:11:00Z")}},
		},
		Node: "node-1", NodeSelector: []Pair{{"disk", "ssd"}}, Started: at("2026-03-04T04:00:01Z"),
		Containers: []Container{
			{Name: "setup", Init: true, Line: 53, Now: &Termination{Reason: "Completed", Line: 55}},
			{
				Name: "api", Restarts: 3, Waiting: "CrashLoopBackOff", WaitingMessage: "back-off", Image: "shop/api:1", Line: 57,
				Requests: []Pair{{"cpu", "10m"}}, Limits: []Pair{{"memory", "64Mi"}},
				Last: &Termination{Reason: "Error", Exit: 2, Started: at("2026-03-04T04:09:00Z"), Finished: at("2026-03-04T04:09:30Z"), Message: "panic: x\n", Line: 70},
			},
		},
		Claims: []string{"data-0"},
	}
	if diff := cmp.Diff(want, c.Pod("shop", "api-1")); diff != "" {
		t.Error(diff)
	}
}

func TestAKindOfAnotherGroupIsAnother(t *testing.T) {
	c := Merge([]*Objects{read(t, "x.yaml", "apiVersion: longhorn.io/v1beta1\nkind: Node\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {nodeInfo: {kubeletVersion: v1.31.0}}\n")})
	if len(c.Nodes) != 1 || len(c.Others) != 1 || c.Bundle.Kubernetes != "v1.31.0" {
		t.Errorf("%d nodes, %d others, version %q", len(c.Nodes), len(c.Others), c.Bundle.Kubernetes)
	}
}

func TestTailsOfDumpsAreFound(t *testing.T) {
	pod := func(message string) string {
		return fmt.Sprintf(`{"kind": "Pod", "metadata": {"name": "a", "namespace": "n"}, "spec": {"containers": [{"name": "c"}]},
			"status": {"containerStatuses": [{"name": "c", "restartCount": 4, "lastState": {"terminated": {"exitCode": 2, "message": %q}}}]}}`, message)
	}
	tail := "main.work(0x1)\n\t/src/main.go:12 +0x1f\nmain.main()\n\t/src/main.go:7 +0x2a\n"
	c := Merge([]*Objects{read(t, "1.json", pod(tail)), read(t, "2.json", pod(tail)), read(t, "3.json", pod("no such file\n\tsee /etc/x.go: it\n"))})
	if len(c.Tails) != 1 || c.Tails[0].Text != tail || c.Tails[0].Restart != 3 || c.Tails[0].Container != "c" || c.Tails[0].Line != 2 {
		t.Errorf("%+v", c.Tails)
	}
}

func TestABundleSpeaksOfItself(t *testing.T) {
	r := NewReader(NewStore(0))
	for name, text := range map[string]string{
		"b/metadata.yaml": "bundlename: \"\"\nbundlecreatedat: \"2022-03-22T23:49:32Z\"\nkubernetesversion: v1.21.7+rke2r1\nissuedescription: it hangs\n",
		"b/timestamp":     "2021-09-14 16:43:44.051395446 +0200 CEST m=+1.4\n2021-09-14 16:44:22.408322048 +0200 CEST m=+39.7\n",
		"b/bundleGenerationError.log": "Failed to get /api/v1/bindings: the server does not allow this method on the requested resource\n" +
			"Failed to get logs of n/p: timeout\nFailed to get logs of n/p: timeout\n",
		"b/helm/errors.json":                 "[\n  \"release: not found\"\n]",
		"b/collector-errors/etcd-error.json": `{"collector":"etcd","error":"not supported","timestamp":"2025-12-10T17:27:09Z"}`,
	} {
		if !WantsLines(name) {
			t.Errorf("%s is not wanted", name)
		}
		for i, line := range strings.Split(text, "\n") {
			r.Note(name, []byte(line), int64(i+1))
		}
	}
	c := Merge([]*Objects{r.Close()})
	if got := c.Bundle.Created.Format(time.RFC3339); got != "2022-03-22T23:49:32Z" || !c.Time.Equal(c.Bundle.Created) {
		t.Errorf("created %s", got)
	}
	if c.Bundle.Kubernetes != "v1.21.7+rke2r1" {
		t.Errorf("%+v", c.Bundle)
	}
	want := []Gap{
		{Input: "b/bundleGenerationError.log", Line: 2, Text: "Failed to get logs of n/p: timeout", Count: 2},
		{Input: "b/collector-errors/etcd-error.json", Line: 1, Text: "etcd: not supported", Count: 1},
		{Input: "b/helm/errors.json", Line: 2, Text: "release: not found", Count: 1},
	}
	slices.SortFunc(c.Gaps, func(a, b Gap) int { return strings.Compare(a.Input, b.Input) })
	if diff := cmp.Diff(want, c.Gaps); diff != "" {
		t.Error(diff)
	}
	if WantsLines("logs/n/p/c.log") || WantsLines("pods.yaml") {
		t.Error("ordinary files are wanted")
	}
}

func TestOnlyACollectorsFilesSayWhatWasNotCollected(t *testing.T) {
	for name, want := range map[string]bool{
		"volume-agent.err": false, "logs/fleet-manager.stderr": false, "monitoring/app.stderr": false,
		"mg/monitoring/prometheus/rules.stderr": true, "mg/monitoring/alertmanager/status.stderr": true,
		"mg/gather.err": true, "b/cluster-errors.json": true,
	} {
		if got := WantsLines(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWhatWasNotCollectedIsQuotedWhole(t *testing.T) {
	for text, want := range map[string]string{
		`[WARN] "etcd" timed out {3}`: `[WARN] "etcd" timed out {3}`, `"quoted", then not`: `"quoted", then not`,
	} {
		r := NewReader(NewStore(0))
		r.Note("b/gather.err", []byte(text), 1)
		if c := Merge([]*Objects{r.Close()}); len(c.Gaps) != 1 || c.Gaps[0].Text != want {
			t.Errorf("%s: %+v", text, c.Gaps)
		}
	}
	for text, want := range map[string]string{
		`"release: not found",`: "release: not found", `["a", "b"]`: "a, b", `{"error":"x"},`: "x", "[": "", "}],": "",
	} {
		if got := string(remark([]byte(text))); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestAMustGatherTellsItsTime(t *testing.T) {
	r := NewReader(NewStore(0))
	r.Note("must-gather/timestamp", []byte("2021-09-14 16:44:22.408322048 +0200 CEST m=+39.7"), 2)
	if c := Merge([]*Objects{r.Close()}); c.Bundle.Created.Format(time.RFC3339) != "2021-09-14T14:44:22Z" {
		t.Errorf("%v", c.Bundle)
	}
}

func TestEmptyListsSayWhatIsNotThere(t *testing.T) {
	c := Merge([]*Objects{
		read(t, "b/namespaces/shop/core/pods.yaml", "apiVersion: v1\nitems:\n- kind: Pod\n  metadata: {name: a, namespace: shop}\nkind: PodList\n"),
		read(t, "b/namespaces/shop/core/persistentvolumeclaims.yaml", "apiVersion: v1\nitems: []\nkind: PersistentVolumeClaimList\n"),
	})
	if !c.Lists("PersistentVolumeClaim", "shop") || c.Lists("PersistentVolumeClaim", "other") || !c.Lists("Pod", "shop") {
		t.Error("what was listed is not known")
	}
}

func TestOwnersAreFollowedToTheObjectToFix(t *testing.T) {
	c := Merge([]*Objects{read(t, "x.yaml", `items:
- {kind: Pod, apiVersion: v1, metadata: {name: web-1-a, namespace: n, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, controller: true}]}}
- {kind: ReplicaSet, apiVersion: apps/v1, metadata: {name: web-1, namespace: n, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, controller: true}]}}
- {kind: Deployment, apiVersion: apps/v1, metadata: {name: web, namespace: n, ownerReferences: [{apiVersion: x/v1, kind: App, name: all, controller: true}]}}
- {kind: Pod, apiVersion: v1, metadata: {name: static-node-1, namespace: n, ownerReferences: [{apiVersion: v1, kind: Node, name: node-1, controller: true}]}}
- {kind: Pod, apiVersion: v1, metadata: {name: api-66c8-a, namespace: n, labels: {pod-template-hash: 66c8}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: api-66c8, controller: true}]}}
- {kind: Pod, apiVersion: v1, metadata: {name: bare-rs-a, namespace: n, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: bare-rs, controller: true}]}}
- {kind: Pod, apiVersion: v1, metadata: {name: vm, namespace: n, ownerReferences: [{apiVersion: x/v1, kind: VM, name: vm-1, controller: true}]}}
`)})
	for name, want := range map[string]string{"web-1-a": "Deployment web", "static-node-1": "Pod static-node-1", "vm": "VM vm-1", "api-66c8-a": "Deployment api", "bare-rs-a": "ReplicaSet bare-rs"} {
		if top := c.Top(&c.Pod("n", name).Meta); top.Kind+" "+top.Name != want {
			t.Errorf("%s: %s %s, want %s", name, top.Kind, top.Name, want)
		}
	}
}

// FuzzRead reads any bytes, whole and byte by byte: it ends, and both give the same.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"apiVersion: v1\nitems:\n- kind: Pod\n  metadata:\n    name: a\nkind: List\n", onePod, "[" + onePod + "]", `{"items": [` + onePod + `], "kind": "PodList"}`,
		"---\nkind: Pod\nmetadata: {name: a}\n---\n- kind: Node\n  metadata: {name: b}\n", `{"type": "ADDED", "object": ` + onePod + "}\n", "items:\n  - kind: Event\n    metadata: {name: e}\n    involvedObject: {name: x}\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		store := NewStore(0)
		tell := func(stream io.Reader) []string {
			r := NewReader(store)
			_ = r.Read("pods.yaml", stream)
			return names(r.Close())
		}
		whole := tell(bytes.NewReader(text))
		if diff := cmp.Diff(whole, tell(iotest.OneByteReader(bytes.NewReader(text)))); diff != "" {
			t.Errorf("%q: whole (-), byte by byte (+):\n%s", text, diff)
		}
	})
}

func TestAnObjectIsReadUpToWhereverItIsCutOff(t *testing.T) {
	const text = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"b"},"status":{"phase":"Running",` +
		`"containerStatuses":[{"name":"c","restartCount":3,"ready":true}],"conditions":[]}}`
	for n := range len(text) {
		r := NewReader(NewStore(0))
		err := r.Read("pod.json", strings.NewReader(text[:n])) // its error is for what is missing; it must not panic
		if o := r.Close(); n > 0 && err == nil && len(names(o)) > 0 {
			t.Errorf("the first %d bytes were read without an error", n)
		}
	}
}
