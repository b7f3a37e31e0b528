package convert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/kube"
)

func TestObjectsOfEveryKindAreCounted(t *testing.T) {
	var b strings.Builder
	for _, kind := range []string{"Service", "PodDisruptionBudget", "Widget", "Event", "Widget"} {
		fmt.Fprintf(&b, `{"apiVersion":"%s","kind":%q,"metadata":{"namespace":"a","name":"n%d"}}`+"\n",
			map[string]string{"PodDisruptionBudget": "policy/v1", "Widget": "example.com/v1"}[kind], kind, b.Len())
	}
	r := kube.NewReader(kube.NewStore(0))
	if err := r.Read("all.json", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(Cluster(kube.Merge([]*kube.Objects{r.Close()})).Kinds)
	if want := "[{Widget 2} {Event 1} {PodDisruptionBudget 1} {Service 1}]"; got != want {
		t.Errorf("kinds %s, want %s", got, want)
	}
}
