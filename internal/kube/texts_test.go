package kube

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// tablesOf merges files of tables, recognised by their lines, with the bundle's date 2026-03-05 10:00 UTC.
func tablesOf(t testing.TB, texts ...string) *Cluster {
	t.Helper()
	store := NewStore(0)
	d := NewReader(store)
	d.Note("x/systeminfo/date", []byte("Thu Mar  5 10:00:00 UTC 2026"), 1)
	all := []*Objects{d.Close()}
	for i, text := range texts {
		var tables Texts
		num := int64(0)
		name := fmt.Sprintf("kubectl/%d", i)
		for line := range bytes.Lines([]byte(text)) {
			num++
			tables.Line(name, bytes.TrimRight(line, "\n"), num)
		}
		r := NewReader(store)
		r.Texts(&tables)
		all = append(all, r.Close())
	}
	return Merge(all)
}

var bundleTime = time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC)

const podsWide = `+ kubectl get pods -A -o wide
NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE     IP           NODE     NOMINATED NODE   READINESS GATES
shop        index-66c8d7b9f4-x2z4k   0/1     CrashLoopBackOff   12 (3m ago)   4d3h    10.42.0.9    n1       <none>           <none>
shop        index-66c8d7b9f4-bcdfg   0/1     OutOfcpu           0             12m     <none>       n1       <none>           <none>
shop        db-0                     0/1     Pending            0             45m     <none>       <none>   <none>           <none>
shop        job-w2xz4                0/1     Init:ErrImagePull  0             5m10s   10.42.0.3    n2       <none>           <none>

$ kubectl get nodes
NAME   STATUS                        ROLES           AGE   VERSION
n1     Ready                         control-plane   9d    v1.31.2+k3s1
n2     NotReady,SchedulingDisabled   <none>          9d    v1.31.2+k3s1

NAMESPACE   NAME      STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE
shop        data-0    Pending                                      local          45m

NAMESPACE   LAST SEEN                TYPE      REASON             OBJECT     MESSAGE
shop        3m (x12 over 40m)        Warning   FailedScheduling   pod/db-0   0/2 nodes are available: persistentvolumeclaim "data-0" not found

NAMESPACE   NAME    READY   UP-TO-DATE   AVAILABLE   AGE
shop        index   0/1     1            0           4d3h
NAMESPACE   NAME               DESIRED   CURRENT   READY   AGE
shop        index-66c8d7b9f4   1         1         0       4d3h
`

func TestSeveralTablesOfAFileBecomeObjects(t *testing.T) {
	c := tablesOf(t, podsWide)
	if len(c.Pods) != 4 || len(c.Nodes) != 2 || len(c.Events) != 1 {
		t.Fatalf("pods %d, nodes %d, events %d", len(c.Pods), len(c.Nodes), len(c.Events))
	}
	p := c.Pod("shop", "index-66c8d7b9f4-x2z4k")
	if ct := p.Containers[0]; ct.Waiting != "CrashLoopBackOff" || ct.Restarts != 12 || p.Node != "n1" || p.Line != 3 {
		t.Errorf("crash loop: %+v", p)
	}
	if want := bundleTime.Add(-99 * time.Hour); !p.Created.Equal(want) {
		t.Errorf("created %s, want %s", p.Created, want)
	}
	if top := c.Top(&p.Meta); top.Kind != "Deployment" || top.Name != "index" {
		t.Errorf("top is %+v", top)
	}
	if db := c.Pod("shop", "db-0"); db.Phase != "Pending" || db.Owner.Kind != "" || Find(db.Conditions, "PodScheduled").Status != "False" || strings.Join(db.Claims, "") != "data-0" {
		t.Errorf("pending: %+v", db)
	}
	if j := c.Pod("shop", "job-w2xz4"); j.Containers[0].Waiting != "ErrImagePull" || !j.Containers[0].Init || j.GenerateName != "job-" {
		t.Errorf("init container: %+v", j)
	}
	if r := Find(c.Node("n2").Conditions, "Ready"); r.Status == "True" || !c.Node("n2").Unschedulable {
		t.Errorf("node n2: %+v", r)
	}
	if e := c.Events[0]; e.Count != 12 || !e.Last.Equal(bundleTime.Add(-3*time.Minute)) || !e.First.Equal(bundleTime.Add(-41*time.Minute)) {
		t.Errorf("event: %+v", e)
	}
	if len(c.Remarks) != 1 || len(c.Gaps) > 0 {
		t.Errorf("%d remarks on tables, %d gaps", len(c.Remarks), len(c.Gaps))
	}
}

func TestYAMLWinsOverATable(t *testing.T) {
	r := NewReader(NewStore(0))
	if err := r.Read("pods.yaml", strings.NewReader("kind: Pod\napiVersion: v1\nmetadata: {name: a, namespace: n}\nstatus: {phase: Succeeded}\n")); err != nil {
		t.Fatal(err)
	}
	var tables Texts
	for i, l := range []string{"NAME   READY   STATUS    RESTARTS   AGE", "a      1/1     Running   0          5m", "b      1/1     Running   0          5m"} {
		tables.Line("pods", []byte(l), int64(i+1))
	}
	r2 := NewReader(NewStore(0))
	r2.Texts(&tables)
	c := Merge([]*Objects{r2.Close(), r.Close()})
	if len(c.Pods) != 2 || c.Pod("n", "a").Phase != "Succeeded" {
		t.Errorf("pods: %d", len(c.Pods))
	}
	if b := c.Pod("", "b"); b == nil || !b.Created.IsZero() {
		t.Errorf("a pod of no known date: %+v", b)
	}
}

// failedPods is a table of pods that were rejected, of the ages that are given, and of live ones.
func failedPods(status string, live int, ages ...string) string {
	const letters = "bcdfghjklmnpqrstvwxz"
	var b strings.Builder
	b.WriteString("NAMESPACE   NAME                     READY   STATUS     RESTARTS   AGE\n")
	for i := range live {
		fmt.Fprintf(&b, "shop        index-66c8d7b9f4-444%c%c   1/1     Running    0          1h\n", letters[i/20%20], letters[i%20])
	}
	for i, age := range ages {
		fmt.Fprintf(&b, "shop        index-66c8d7b9f4-22%c%c%c   0/1     %-8s   0          %s\n", letters[i/400], letters[i/20%20], letters[i%20], status, age)
	}
	return b.String()
}

func TestAgesInHoursAreLaidOverTheHour(t *testing.T) {
	var ages []string
	for range 60 {
		ages = append(ages, "5h")
	}
	c := tablesOf(t, failedPods("OutOfcpu", 1, ages...))
	near := 0
	for _, p := range c.Pods {
		if p.Phase == "Failed" && bundleTime.Add(-5*time.Hour).Sub(p.Created) < 10*time.Minute {
			near++
		}
	}
	if near != 10 {
		t.Errorf("%d of 60 pods of one hour are within 10 minutes, want 10", near)
	}
}

func TestOneGenerationThatFailedAtOnceHasNoTimes(t *testing.T) {
	var ages []string
	for range 30 {
		ages = append(ages, "40m")
	}
	for _, p := range tablesOf(t, failedPods("Evicted", 30, ages...)).Pods {
		if p.Phase == "Failed" && !p.Created.IsZero() {
			t.Fatalf("%s has the time %s", p.Name, p.Created)
		}
	}
}

func TestALogThatLooksLikeATableStaysALog(t *testing.T) {
	for _, text := range []string{
		"NAME READY\nstarting up\n",
		"NAME   READY   STATUS   RESTARTS   AGE of the pods follow\na      1/1     Running   0          5m\n",
		"NAME   READY   STATUS    RESTARTS   AGE\nE0305 10:00:00.000000 1 main.go:1] failed to list\n",
		"NAME   READY   STATUS    RESTARTS   AGE\na      1/1     Running   many       5m\n",
		strings.Repeat("I0305 ok\n", tableWithin) + "NAME   READY   STATUS    RESTARTS   AGE\na      1/1     Running   0          5m\n",
	} {
		var tables Texts
		for line := range bytes.Lines([]byte(text)) {
			tables.Line("x.log", bytes.TrimRight(line, "\n"), 1)
		}
		if tables.Any() {
			t.Errorf("%q is taken for a table", text)
		}
	}
}

func TestAgesAreExactToTheirUnit(t *testing.T) {
	for s, want := range map[string]roundedAge{
		"45s": {45 * time.Second, time.Second, true}, "3m12s": {192 * time.Second, time.Second, true}, "12m": {12 * time.Minute, time.Minute, true},
		"4d3h": {99 * time.Hour, time.Hour, true}, "2y10d": {740 * 24 * time.Hour, 24 * time.Hour, true},
		"": {}, "<unknown>": {}, "5": {}, "m": {}, "3s4m": {}, "99999999999999h": {}, "200000y": {},
	} {
		if got := parseAge(s); got != want {
			t.Errorf("%q: %+v, want %+v", s, got, want)
		}
	}
}

func TestADateIsTakenOnlyWithAZoneThatCanBeTold(t *testing.T) {
	for s, want := range map[string]bool{
		"Thu Mar  5 10:00:00 UTC 2026": true, "Thu  5 Mar 10:00:00 UTC 2026": true, "2026-03-05T10:00:00Z": true, "2026-03-05T12:00:00+02:00": true,
		"Thu Mar  5 10:00:00 CET 2026": false, "Thu Mar  5": false,
	} {
		when, ok := dateLine([]byte(s))
		if ok != want || ok && !when.Equal(bundleTime) {
			t.Errorf("%q: %s %v", s, when, ok)
		}
	}
}

func TestATableWithoutNamespacesAddsNothingToOneThatHasThem(t *testing.T) {
	bare := "NAME                     READY   STATUS    RESTARTS   AGE\nindex-66c8d7b9f4-x2z4k   1/1     Running   0          5m\nother-66c8d7b9f4-x2z4k   1/1     Running   0          5m\n"
	c := tablesOf(t, bare, podsWide)
	if len(c.Pods) != 5 || c.Pod("", "index-66c8d7b9f4-x2z4k") != nil || c.Pod("", "other-66c8d7b9f4-x2z4k") == nil {
		t.Errorf("%d pods", len(c.Pods))
	}
}

func TestRowsOverTheLimitAreCounted(t *testing.T) {
	var tables Texts
	tables.Line("pods", []byte("NAME   READY   STATUS    RESTARTS   AGE"), 1)
	rows := 0
	for ; tables.cut == 0; rows++ {
		tables.Line("pods", []byte("a      1/1     Running   0          5m"), 2)
	}
	if tables.size > maxTableBytes+2*rowSize || len(tables.printed) != rows-1 {
		t.Errorf("%d rows of %d kept, %d bytes", len(tables.printed), rows, tables.size)
	}
}

func FuzzTables(f *testing.F) {
	f.Add(podsWide)
	f.Add("LAST SEEN   TYPE   REASON   OBJECT   SUBOBJECT   SOURCE   MESSAGE   FIRST SEEN   COUNT   NAME\n3m          Normal   Pulled   pod/ä   x   y   ü   5m   3   z\n")
	f.Add("NAME   READY   STATUS    RESTARTS   AGE\n\xff\xfe    1/1     Running   0          5m\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := tablesOf(t, text)
		for _, p := range c.Pods {
			if !isName(p.Name) || p.Containers[0].Restarts < 0 {
				t.Errorf("pod %q with %d restarts", p.Name, p.Containers[0].Restarts)
			}
		}
	})
}
