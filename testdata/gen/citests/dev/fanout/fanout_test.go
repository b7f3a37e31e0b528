package fanout

import "testing"

func TestSum(t *testing.T) {
	t.Run("few", func(t *testing.T) {
		if Sum([]int{1, 2}) != 5 {
			t.Fatal("wrong")
		}
	})
	t.Run("many", func(t *testing.T) {
		if Sum([]int{1, 2, 3, 4, 5}) != 55 {
			t.Fatal("wrong")
		}
	})
}
