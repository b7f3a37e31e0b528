package pods

import (
	"slices"
	"testing"
)

func TestPodsAreInOrderOfTheirNumbers(t *testing.T) {
	want := []string{"api", "web-0", "web-2", "web-10", "web-007", "web-1a", "web-api-1"}
	for _, names := range orders(want) {
		if slices.SortFunc(names, compareNames); !slices.Equal(names, want) {
			t.Fatalf("order %q, want %q", names, want)
		}
	}
}

// orders are all orders of list.
func orders(list []string) [][]string {
	if len(list) < 2 {
		return [][]string{list}
	}
	var all [][]string
	for i := range list {
		rest := slices.Delete(slices.Clone(list), i, i+1)
		for _, o := range orders(rest) {
			all = append(all, append([]string{list[i]}, o...))
		}
	}
	return all
}
