package counter

import "testing"

func TestHits(t *testing.T) {
	c := &Counter{}
	done := make(chan struct{})
	go func() {
		for range 100 {
			c.Hit()
		}
		close(done)
	}()
	if c.Hits() > 100 {
		t.Fatal("too many")
	}
	<-done
}
