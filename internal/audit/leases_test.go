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
	if l.Switches != 5 || l.Returns != 4 || len(l.Holders) != 2 || l.Holders[0].Name != "settler-0" || !l.Named {
		t.Errorf("%+v", l)
	}
	if a := tr.Actors[0]; len(a.Addresses) != 1 || len(a.Pods) != 2 {
		t.Errorf("%+v", a)
	}
}

// TestRenewalsThatAreLeftOutAreNoPauses has three leases renewed every 2 s, every 5 s or so, and every 5 s with six
// pauses of 20 s: leaving renewals out changes no count of pauses, however often it happens.
func TestRenewalsThatAreLeftOutAreNoPauses(t *testing.T) {
	var all []leaseWrite
	for lease, every := range []time.Duration{2 * time.Second, 4 * time.Second, 4 * time.Second} {
		at := start
		for i := range 700 {
			all = append(all, leaseWrite{time: at.UnixMicro(), lease: int32(lease)})
			at = at.Add(every)
			if lease > 0 {
				at = at.Add(time.Duration(i%5*400) * time.Millisecond) // 4.0 to 5.6 s: around leaseRun
			}
			if lease == 2 && i%100 == 99 {
				at = at.Add(20 * time.Second)
			}
		}
	}
	for thinned := range 4 {
		if thinned > 0 {
			before := len(all)
			if all = thinLeases(all); thinned == 1 && len(all) > before*2/3 {
				t.Errorf("%d of %d are left", len(all), before)
			}
		}
		tr := &Trail{Texts: []string{"10.0.0.1"}, paths: []string{"audit.log"}}
		tr.leases(slices.Clone(all))
		got := map[int32]int{}
		for _, l := range tr.Leases {
			got[l.Object] = l.Pauses
		}
		if got[0] != 0 || got[1] != 0 || got[2] != 6 {
			t.Errorf("thinned %d times: pauses %v, want none, none and 6", thinned, got)
		}
	}
}

// TestRenewalsWithoutRoomAreCounted has 40 leases that are renewed every 10 s, so that no renewal is one of a run.
func TestRenewalsWithoutRoomAreCounted(t *testing.T) {
	var b strings.Builder
	const over = 500
	for i := range maxLeaseWrites + over {
		s := sample{id: fmt.Sprint(i), verb: "update", user: "u", resource: "leases", group: "coordination.k8s.io",
			namespace: "payments", name: fmt.Sprint("l", i%40), at: start.Add(time.Duration(i/40) * 10 * time.Second)}
		b.WriteString(s.write() + "\n")
	}
	tr := readAll(t, b.String())
	want := fmt.Sprintf("%d renewals of Leases are not kept: ", over)
	if !slices.ContainsFunc(tr.Limits, func(l string) bool { return strings.HasPrefix(l, want) }) {
		t.Errorf("no %q in %q", want, tr.Limits)
	}
}
