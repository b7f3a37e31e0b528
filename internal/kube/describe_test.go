package kube

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"
)

// clusterOfText reads one file as the engine reads a file of kubectl's texts.
func clusterOfText(t testing.TB, name, text string) *Cluster {
	t.Helper()
	r := NewReader(NewStore(0))
	if err := r.Read(name, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return Merge([]*Objects{r.Close()})
}

func TestADescribedPodGivesTheRecordsOfTheYAML(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/described.txtar")
	if err != nil {
		t.Fatal(err)
	}
	yaml := clusterOfText(t, "objects.yaml", string(ar.Files[0].Data))
	text := clusterOfText(t, "describe.txt", string(ar.Files[1].Data))
	if len(text.Pods) != 4 || len(text.Events) != 2 {
		t.Fatalf("pods %d, events %d", len(text.Pods), len(text.Events))
	}
	// What describe does not print.
	options := cmp.Options{
		cmpopts.IgnoreFields(Meta{}, "At", "Ref.UID", "Owner.UID", "Created", "Written",
			"GenerateName", "Generation", "ResourceVersion", "Finalizers"),
		cmpopts.IgnoreFields(Container{}, "Line", "WaitingMessage"), cmpopts.IgnoreFields(Termination{}, "Line"),
		cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Condition{}, "Message", "Reason"),
	}
	if diff := cmp.Diff(yaml.Pods, text.Pods, options); diff != "" {
		t.Errorf("pods: YAML (-), description (+):\n%s", diff)
	}
	if len(text.Tails) != 1 || text.Tails[0].Container != "index" || text.Tails[0].Text != yaml.Tails[0].Text {
		t.Errorf("the end of a dump in a termination message: %+v, want %+v", text.Tails, yaml.Tails)
	}
	for i, e := range text.Events {
		want := yaml.Events[i]
		if e.Object.Name != want.Object.Name || e.Object.Kind != "Pod" || e.Count != want.Count || e.Message != want.Message ||
			want.Last.Sub(e.Last).Abs() > 2*time.Minute { // as exact as the last start in the text
			t.Errorf("event %+v, want %+v", e, want)
		}
	}
}

func TestObjectsInYAMLCountBeforeTheirDescription(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/described.txtar")
	if err != nil {
		t.Fatal(err)
	}
	store := NewStore(0)
	var all []*Objects
	for _, i := range []int{1, 0, 1} {
		r := NewReader(store)
		if err := r.Read(ar.Files[i].Name, bytes.NewReader(ar.Files[i].Data)); err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Close())
	}
	c := Merge(all)
	if len(c.Pods) != 4 || len(c.Events) != 2 {
		t.Fatalf("pods %d, events %d", len(c.Pods), len(c.Events))
	}
	for _, p := range c.Pods {
		if p.Input != "objects.yaml" {
			t.Errorf("%s is from %s", p.Name, p.Input)
		}
	}
}

func TestTopAndGetAll(t *testing.T) {
	c := clusterOfText(t, "texts.txt", `NAMESPACE   POD                      NAME    CPU(cores)   MEMORY(bytes)   
shop        index-66c8d7b9f4-x2z4k   index   998m         512Mi           

NAME   CPU(cores)   CPU(%)   MEMORY(bytes)   MEMORY(%)   
n1     2000m        50%      4096Mi          50%         

NAME                         READY   STATUS    RESTARTS   AGE
pod/web-5d9c6b8f5d-22bb2     1/1     Running   0          3d

NAME                    READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/web     1/1     1            1           3d
`)
	want := []Usage{
		{At: At{"texts.txt", 2}, Kind: "Pod", Namespace: "shop", Name: "index-66c8d7b9f4-x2z4k", Container: "index",
			MilliCPU: 998, Bytes: 512 << 20},
		{At: At{"texts.txt", 5}, Kind: "Node", Name: "n1", MilliCPU: 2000, Bytes: 4 << 30},
	}
	if diff := cmp.Diff(want, c.Usages); diff != "" {
		t.Errorf("usages (-want +got):\n%s", diff)
	}
	if c.Pod("", "web-5d9c6b8f5d-22bb2") == nil || len(c.Pods) != 1 {
		t.Errorf("kubectl get all: %v", c.Pods)
	}
}

func TestTextBesideADescriptionIsNoPartOfIt(t *testing.T) {
	const text = `+ kubectl describe node n1
Name:               n1
Roles:              <none>
Unschedulable:      false
Events:             <none>
goroutine 1 [running]:
Name:  someone
a line of a log
`
	var x Texts
	var rest []string
	num := int64(0)
	for line := range strings.Lines(text) {
		num++
		if line = strings.TrimSuffix(line, "\n"); !x.Line("f", []byte(line), num) {
			rest = append(rest, line)
		}
	}
	if diff := cmp.Diff([]string{"+ kubectl describe node n1", "goroutine 1 [running]:", "a line of a log"}, rest); diff != "" {
		t.Error(diff)
	}
}

func FuzzTexts(f *testing.F) {
	ar, err := txtar.ParseFile("testdata/described.txtar")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(ar.Files[1].Data)
	f.Add([]byte(podsWide))
	f.Add([]byte("Name:  a\nRoles:  x\n\n      Message:  \nContainers:\n  a:\n    Last State:  Terminated\n      Message:  x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var x Texts
		num := int64(0)
		for line := range bytes.Lines(data) {
			num++
			x.Line("f", bytes.TrimRight(line, "\r\n"), num)
		}
		r := NewReader(NewStore(0))
		r.Texts(&x)
		c := Merge([]*Objects{r.Close()})
		for _, p := range c.Pods {
			if p.Name == "" || p.Line < 1 || p.Line > num {
				t.Fatalf("pod %q at line %d of %d", p.Name, p.Line, num)
			}
			for _, ct := range p.Containers {
				if ct.Last != nil && len(ct.Last.Message) > maxTermination {
					t.Fatalf("a message of %d bytes", len(ct.Last.Message))
				}
			}
		}
	})
}
