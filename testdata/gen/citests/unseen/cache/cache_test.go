package cache

import (
	"strings"
	"testing"
	"time"
)

func TestCache(t *testing.T) {
	c := &Cache{items: map[string]item{}, now: time.Now}
	for _, k := range []string{"a", "b"} {
		t.Run(k, func(t *testing.T) {
			t.Parallel()
			time.Sleep(10 * time.Millisecond)
			if got := c.Lookup(k, strings.ToUpper); got == "" {
				t.Fail()
			}
		})
	}
}
