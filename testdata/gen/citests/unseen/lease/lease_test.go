package lease

import "testing"

func TestLease(t *testing.T) {
	k := Keep(t.Context())
	t.Cleanup(k.Close)
	k.renew <- struct{}{}
}
