package registry

import "testing"

func TestRegistry(t *testing.T) {
	for name, notify := range map[string]bool{"silent": false, "notified": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := New[string, int]()
			if notify {
				r.OnSet(func(k string) { r.Get(k) }) // GUILTY
			}
			r.Set("a", 1)
		})
	}
}
