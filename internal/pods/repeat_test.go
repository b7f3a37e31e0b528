package pods

import (
	"fmt"
	"testing"

	"github.com/gotriage/triage/rules"
)

func TestACommandIsRepeatedForTheOtherPods(t *testing.T) {
	pod := func(namespace, name string) rules.PodCount {
		return rules.PodCount{Namespace: namespace, Pod: name, Container: "app"}
	}
	many := []rules.PodCount{pod("ns", "a")}
	for i := range 12 {
		many = append(many, pod("ns", fmt.Sprintf("b-%d", i)))
	}
	for _, c := range []struct {
		situation string
		next      []string
		pods      []rules.PodCount
		want      string
	}{
		{"three pods", []string{"kubectl -n ns top pod --containers a  # a spinner takes a core"}, []rules.PodCount{pod("ns", "a"), pod("ns", "b"), pod("ns", "c")},
			`for p in b c; do kubectl -n ns top pod --containers "$p"; done  # the same for the other pods`},
		{"two pods", []string{"kubectl -n ns logs -p a -c app"}, []rules.PodCount{pod("ns", "a"), pod("ns", "b")},
			`kubectl -n ns logs -p b -c app  # the same for the other pod`},
		{"a namespace and a container of the pod's name", []string{"kubectl -n a logs a -c a"}, []rules.PodCount{pod("a", "a"), pod("a", "b"), pod("a", "c")},
			`for p in b c; do kubectl -n a logs "$p" -c a; done  # the same for the other pods`},
		{"many pods", []string{"kubectl -n ns describe pod a"}, many,
			`for p in b-0 b-1 b-2 b-3 b-4 b-5 b-6 b-7 b-8 b-9; do kubectl -n ns describe pod "$p"; done  # the same for 10 of the other 12 pods`},
		{"a hostile name", []string{"kubectl -n ns describe pod a"}, []rules.PodCount{pod("ns", "a"), pod("ns", "$(id)"), pod("ns", "c")},
			`for p in '$(id)' c; do kubectl -n ns describe pod "$p"; done  # the same for the other pods`},
		{"near: a signal", []string{"kubectl -n ns exec a -c app -- kill -ABRT 1"}, []rules.PodCount{pod("ns", "a"), pod("ns", "b")}, ""},
		{"near: no pod in it", []string{"go build -race"}, []rules.PodCount{pod("ns", "a"), pod("ns", "b")}, ""},
		{"near: another namespace", []string{"kubectl -n ns describe pod a"}, []rules.PodCount{pod("ns", "a"), pod("other", "b")}, ""},
		{"near: one pod", []string{"kubectl -n ns describe pod a"}, []rules.PodCount{pod("ns", "a")}, ""},
	} {
		if got := repeat(c.next, c.pods); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.situation, got, c.want)
		}
	}
}
