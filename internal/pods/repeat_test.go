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
		next      []rules.Step
		pods      []rules.PodCount
		want      rules.Step
	}{
		{"three pods", []rules.Step{rules.Command("kubectl -n ns top pod --containers a").Note("a spinner takes a core")}, []rules.PodCount{pod("ns", "a"), pod("ns", "b"), pod("ns", "c")},
			rules.Command(`for p in b c; do kubectl -n ns top pod --containers "$p"; done`).Note("the same for the other pods")},
		{"two pods", rules.Commands("kubectl -n ns logs -p a -c app"), []rules.PodCount{pod("ns", "a"), pod("ns", "b")},
			rules.Command(`kubectl -n ns logs -p b -c app`).Note("the same for the other pod")},
		{"a namespace and a container of the pod's name", rules.Commands("kubectl -n a logs a -c a"), []rules.PodCount{pod("a", "a"), pod("a", "b"), pod("a", "c")},
			rules.Command(`for p in b c; do kubectl -n a logs "$p" -c a; done`).Note("the same for the other pods")},
		{"many pods", rules.Commands("kubectl -n ns describe pod a"), many,
			rules.Command(`for p in b-0 b-1 b-2 b-3 b-4 b-5 b-6 b-7 b-8 b-9; do kubectl -n ns describe pod "$p"; done`).Note("the same for 10 of the other 12 pods")},
		{"a hostile name", rules.Commands("kubectl -n ns describe pod a"), []rules.PodCount{pod("ns", "a"), pod("ns", "$(id)"), pod("ns", "c")},
			rules.Command(`for p in '$(id)' c; do kubectl -n ns describe pod "$p"; done`).Note("the same for the other pods")},
		{"near: a signal", []rules.Step{rules.Target{Namespace: "ns", Pod: "a", Container: "app"}.Abort()}, []rules.PodCount{pod("ns", "a"), pod("ns", "b")}, rules.Step{}},
		{"near: no pod in it", rules.Commands("go build -race"), []rules.PodCount{pod("ns", "a"), pod("ns", "b")}, rules.Step{}},
		{"near: another namespace", rules.Commands("kubectl -n ns describe pod a"), []rules.PodCount{pod("ns", "a"), pod("other", "b")}, rules.Step{}},
		{"near: one pod", rules.Commands("kubectl -n ns describe pod a"), []rules.PodCount{pod("ns", "a")}, rules.Step{}},
	} {
		if got, ok := repeat(c.next, c.pods); got != c.want || ok != (c.want != rules.Step{}) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.situation, got, c.want)
		}
	}
}
