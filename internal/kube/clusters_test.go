package kube

import (
	"fmt"
	"strings"
	"testing"
)

func TestObjectsOfAnotherClusterAreNotHeldAgainstEachOther(t *testing.T) {
	system := func(uid string) string {
		return fmt.Sprintf(`{"kind": "Namespace", "apiVersion": "v1", "metadata": {"name": "kube-system", "uid": %q}}`, uid)
	}
	first, second := podsAt("50", "", "a:10", "b:20"), podsAt("60", "", "a:10")
	if gone := goneOf(t, "one/pods.json\n"+first, "one/ns.json\n"+system("c-1"), "two/pods.json\n"+second,
		"two/ns.json\n"+system("c-2")); gone != "" {
		t.Errorf("two clusters: gone: %q", gone)
	}
	if gone := goneOf(t, "one/pods.json\n"+first, "one/ns.json\n"+system("c-1"), "two/pods.json\n"+second,
		"two/ns.json\n"+system("c-1")); gone != "b" {
		t.Errorf("one cluster, twice: gone: %q", gone)
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
