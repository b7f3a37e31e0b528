package kube

import (
	"fmt"
	"strings"
	"testing"
)

func TestObjectsOfAnotherClusterReplaceNothing(t *testing.T) {
	text := func(uid, made string) string {
		return fmt.Sprintf(`{"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "kube-system", "uid": %q}}
			{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "db-0", "namespace": "shop", "uid": "u-%s", "creationTimestamp": %q}}`,
			uid, made, made)
	}
	for second, want := range map[string]int{"c-1": 1, "c-2": 0} {
		gone := 0
		for _, p := range Merge([]*Objects{read(t, "a.json", text("c-1", "2026-03-04T04:01:00Z")),
			read(t, "b.json", text(second, "2026-03-04T04:02:00Z"))}).Pods {
			if p.Gone {
				gone++
			}
		}
		if gone != want {
			t.Errorf("%s: %d pods are gone, want %d", second, gone, want)
		}
	}
}

func TestAnObjectThatWasMadeAnewReplacesTheOld(t *testing.T) {
	pod := `{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "db-0", "namespace": "shop", "uid": %q, "resourceVersion": "%d", "creationTimestamp": "2026-03-04T04:0%d:00Z"}}`
	store := NewStore(0)
	r := NewReader(store)
	if err := r.Read("w.json", strings.NewReader(fmt.Sprintf(pod, "x", 10, 1)+fmt.Sprintf(pod, "a", 20, 2))); err != nil {
		t.Fatal(err)
	}
	c := Merge([]*Objects{r.Close()})
	if len(c.Pods) != 2 || c.Pods[0].Gone || !c.Pods[1].Gone {
		t.Errorf("%+v", c.Pods)
	}
}

func TestSeveralClustersAreReported(t *testing.T) {
	store := NewStore(0)
	var all []*Objects
	for i, uid := range []string{"c-2", "c-1", "c-1"} {
		r := NewReader(store)
		text := fmt.Sprintf(`{"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "kube-system", "uid": %q}}`, uid) +
			`{"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "shop", "uid": "s-` + uid + `"}}`
		if err := r.Read(fmt.Sprintf("%d/ns.json", i), strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Close())
	}
	c := Merge(all)
	if len(c.Remarks) != 2 || c.Remarks[1].Input != "0/ns.json" || !strings.Contains(c.Remarks[0].Text, "one of 2 clusters") {
		t.Errorf("remarks %+v, want one for each of two clusters", c.Remarks)
	}
	if again := Merge(all[1:]); len(again.Remarks) != 0 {
		t.Errorf("remarks %+v about one cluster", again.Remarks)
	}
}
