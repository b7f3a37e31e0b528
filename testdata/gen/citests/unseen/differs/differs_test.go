package differs

import (
	"reflect"
	"testing"
)

func TestDiffers(t *testing.T) {
	got, want := map[string]int{"a": 1}, map[string]int{"a": 2}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("mismatch (-want +got):\n  map[string]int{\n-\t\"a\": 2,\n+\t\"a\": 1,\n  }")
	}
}
