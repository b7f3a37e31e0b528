package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPodsOfTokensTellReplicasApart has two replicas of one account and address renew a lease in turns: the pods that
// their tokens are bound to differ.
func TestPodsOfTokensTellReplicasApart(t *testing.T) {
	var b strings.Builder
	at := start
	for i := range 60 {
		pod := fmt.Sprintf("settler-%d", i/10%2)
		s := sample{id: fmt.Sprint(i), verb: "update", user: "system:serviceaccount:payments:settler", resource: "leases",
			group: "coordination.k8s.io", namespace: "payments", name: "settler", at: at}
		at = at.Add(2 * time.Second)
		if i%10 == 9 {
			at = at.Add(6 * time.Second)
		}
		b.WriteString(strings.Replace(s.write(), `"groups":["g"]`,
			`"groups":["g"],"extra":{"authentication.kubernetes.io/node-name":["n1"],"authentication.kubernetes.io/pod-name":["`+pod+`"]}`, 1) + "\n")
	}
	tr := readAll(t, b.String())
	if len(tr.Leases) != 1 {
		t.Fatalf("%+v", tr.Leases)
	}
	l := tr.Leases[0]
	if l.Switches != 5 || l.Returns != 4 || len(l.Holders) != 2 || l.Holders[0].Name != "settler-0" {
		t.Errorf("%+v", l)
	}
	if a := tr.Actors[0]; len(a.Addresses) != 1 || len(a.Pods) != 2 {
		t.Errorf("%+v", a)
	}
}

func TestRenewalsWithoutRoomAreCounted(t *testing.T) {
	var b strings.Builder
	const room, over = 1000, 500
	for i := range room + over {
		s := sample{id: fmt.Sprint(i), verb: "update", user: "u", resource: "leases", group: "coordination.k8s.io",
			namespace: "payments", name: fmt.Sprint("l", i%40), at: start.Add(time.Duration(i/40) * 10 * time.Second)}
		b.WriteString(s.write() + "\n")
	}
	r := NewReader(Options{MaxWrites: room})
	if err := r.Read("a.log", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	tr := Merge([]*Log{r.Close()})
	want := fmt.Sprintf("%d Lease renewals are not stored: ", over)
	if !slices.ContainsFunc(tr.Limits, func(l string) bool { return strings.HasPrefix(l, want) }) {
		t.Errorf("no %q in %q", want, tr.Limits)
	}
}
