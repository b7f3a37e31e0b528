package fails

import "testing"

func TestTotal(t *testing.T) {
	t.Run("three items", func(t *testing.T) {
		if got, want := 2+2, 5; got != want {
			t.Errorf("Total() = %d, want %d", got, want)
		}
	})
	t.Run("none", func(t *testing.T) { t.Fatal("panic: expected an error, but got nil") })
}
