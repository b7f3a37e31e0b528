package quota

import (
	"testing"
	"testing/synctest"
)

func TestQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1)
		q.Take(1)
		taken := make(chan bool)
		go func() {
			q.Take(1)
			close(taken)
		}()
		synctest.Wait()
		q.Give(1)
		<-taken
	})
}
