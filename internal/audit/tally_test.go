package audit

import "testing"

func TestATallyKeepsOneEntryAKeyAndNoMoreThanItsBound(t *testing.T) {
	full := false
	c := newTally[int, int](maxReads, &full)
	for k := range maxReads {
		if v := c.of(k); v == nil || *v != 0 || len(c.list) != k+1 {
			t.Fatalf("key %d: %v, %d entries", k, v, len(c.list))
		}
	}
	v := c.of(7)
	if v == nil || len(c.list) != maxReads || full {
		t.Fatalf("a known key: %v, %d entries, full %v", v, len(c.list), full)
	}
	*v = 3
	if v := c.of(7); *v != 3 || c.list[7] != 3 {
		t.Errorf("what was counted is lost: %d, %d", *v, c.list[7])
	}
	if v := c.of(maxReads); v != nil || len(c.list) != maxReads || !full {
		t.Errorf("beyond the bound: %v, %d entries, full %v", v, len(c.list), full)
	}
}

// TestOtherValuesOfASetAreAddedToTheirField has two fields of one object: what can't be separated belongs to the one that
// is named.
func TestOtherValuesOfASetAreAddedToTheirField(t *testing.T) {
	tb := newTables()
	tb.set(1, 2, "spec.a", "1", 1)
	tb.set(1, 2, "spec.b", "1", 1)
	tb.setOthers(1, 2, "spec.b", 5)
	tb.setOthers(1, 2, "spec.c", 5)
	if a, b := tb.sets.list[0], tb.sets.list[1]; a.Count != 1 || a.Others != 0 || b.Count != 6 || b.Others != 5 || len(tb.sets.list) != 2 {
		t.Errorf("%+v", tb.sets.list)
	}
}
