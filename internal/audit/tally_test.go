package audit

import "testing"

func TestATallyKeepsOneEntryAKeyAndNoMoreThanItsBound(t *testing.T) {
	var c tally[int, int]
	for k := range maxReads {
		if v, fresh := c.of(k); v == nil || !fresh || *v != 0 {
			t.Fatalf("key %d: %v, new %v", k, v, fresh)
		}
	}
	v, fresh := c.of(7)
	if v == nil || fresh {
		t.Fatalf("a known key: %v, new %v", v, fresh)
	}
	*v = 3
	if v, _ := c.of(7); *v != 3 || c.list[7] != 3 {
		t.Errorf("what was counted is lost: %d, %d", *v, c.list[7])
	}
	if v, fresh := c.of(maxReads); v != nil || fresh || len(c.list) != maxReads {
		t.Errorf("beyond the bound: %v, new %v, %d entries", v, fresh, len(c.list))
	}
}

// TestOtherValuesOfASetAreAddedToTheirField has two fields of one object: what isn't told apart belongs to the one that is named.
func TestOtherValuesOfASetAreAddedToTheirField(t *testing.T) {
	tb := newTables()
	tb.set(1, 2, "spec.a", "1", 1)
	tb.set(1, 2, "spec.b", "1", 1)
	tb.setOthers(1, 2, "spec.b", 5)
	tb.setOthers(1, 2, "spec.c", 5)
	if a, b := tb.sets[0], tb.sets[1]; a.Count != 1 || a.Others != 0 || b.Count != 6 || b.Others != 5 || len(tb.sets) != 2 {
		t.Errorf("%+v", tb.sets)
	}
}
