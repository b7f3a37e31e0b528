package objects

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/kube"
)

// TestAWatchOfManyVersionsASecondIsAFastWriter watches a Gadget whose depth is written every so often, beside a Lease
// that is renewed every 2 s.
func TestAWatchOfManyVersionsASecondIsAFastWriter(t *testing.T) {
	for _, tt := range []struct {
		name     string
		kind     string
		versions int
		every    time.Duration
		want     []string
	}{
		{"fast", "Gadget", 300, 150 * time.Millisecond, []string{"TR743 medium/medium hot-loop Gadget shop/main"}},
		{"as progress is reported", "Gadget", 300, time.Second, nil},
		{"for a few seconds", "Gadget", 150, 100 * time.Millisecond, nil},
		{"a Deployment's counts", "Deployment", 300, 150 * time.Millisecond, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			api := map[string]string{"Deployment": "apps/v1"}[tt.kind]
			if api == "" {
				api = "example.com/v1"
			}
			begin, beat := time.Date(2026, 3, 4, 4, 40, 0, 0, time.UTC), time.Time{}
			var b strings.Builder
			for i := range tt.versions {
				now := begin.Add(time.Duration(i) * tt.every)
				fmt.Fprintf(&b, `{"apiVersion":%q,"kind":%q,"metadata":{"name":"main","namespace":"shop","uid":"g",`+
					`"creationTimestamp":"2026-02-01T00:00:00Z","generation":1,"resourceVersion":"%d"},`+
					`"status":{"readyReplicas":%d}}`+"\n", api, tt.kind, 100+2*i, i*37%1009)
				if now.Sub(beat) >= 2*time.Second {
					beat = now
					fmt.Fprintf(&b, `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"s",`+
						`"namespace":"kube-system","uid":"l","creationTimestamp":"2026-02-01T00:00:00Z","resourceVersion":`+
						`"%d"},"spec":{"holderIdentity":"s-0","leaseDurationSeconds":15,"renewTime":%q}}`+"\n", 101+2*i,
						now.Format("2006-01-02T15:04:05.000000Z"))
				}
			}
			var got []string
			r := kube.NewReader(kube.NewStore(0))
			if err := r.Read("watch.json", strings.NewReader(b.String())); err != nil {
				t.Fatal(err)
			}
			for _, f := range applyObjects(kube.Merge([]*kube.Objects{r.Close()})) {
				got = append(got, gotObject(&f))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestTheReturnsOfPodsAreCounted: what is started again has a new name behind its pod's.
func TestTheReturnsOfPodsAreCounted(t *testing.T) {
	for want, holders := range [][]string{
		{"cp-1_a", "cp-2_b", "cp-3_c"}, {"cp-1_a", "cp-2_b", "cp-1_c"}, {"w-1_a", "w-2_b", "w-1_c", "w-2_d"},
	} {
		l := &kube.Lease{}
		for i, h := range holders {
			l.Terms = append(l.Terms, kube.Term{Holder: h, Transitions: int64(i)})
		}
		if n := returns(l); n != want {
			t.Errorf("%q: %d returns, want %d", holders, n, want)
		}
	}
}
