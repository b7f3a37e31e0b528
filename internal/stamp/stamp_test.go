package stamp

import "testing"

// FuzzBefore holds that of two stamps at most one is before the other, and that the earlier and the later one are those
// that were given.
func FuzzBefore(f *testing.F) {
	f.Add("2026-03-04T04:47:31Z", "2026-03-04T05:47:31+01:00")
	f.Add("Mar  4 04:47:31", "2026-03-04T04:47:31Z")
	f.Add("", "0304 04:47:31.000000")
	f.Fuzz(func(t *testing.T, a, b string) {
		if Before(a, b) && Before(b, a) || Before(a, a) {
			t.Fatalf("%q and %q are before each other", a, b)
		}
		for _, got := range []string{Earlier(a, b), Later(a, b)} {
			if got != a && got != b {
				t.Fatalf("%q of %q and %q", got, a, b)
			}
		}
		if a != "" && b != "" && Before(Later(a, b), Earlier(a, b)) {
			t.Fatalf("the later of %q and %q is before the earlier", a, b)
		}
		if e := Earlier(a, b); e == "" && (a != "" || b != "") {
			t.Fatalf("no stamp is earlier than %q or %q", a, b)
		}
	})
}
