package pipeline

import "testing"

func TestRun(t *testing.T) {
	if err := Run(t.Context(), []int{1, 2, 3}, Double, Double); err != nil {
		t.Fatal(err)
	}
}
