// Package upload sends chunks to a store.
package upload

import (
	"errors"
	"time"
)

var errQuota = errors.New("over quota")

// An Upload is one file under way.
type Upload struct {
	result chan error
}

// Start uploads fifteen files that are all too large.
func Start() {
	for i := 0; i < 15; i++ {
		u := &Upload{result: make(chan error)}
		go u.send(1 << 40)
		u.wait()
	}
}

func (u *Upload) wait() error {
	select {
	case err := <-u.result:
		return err
	case <-time.After(time.Second):
		return nil
	}
}

// send reports what became of the upload; where it fails, twice.
func (u *Upload) send(size int64) {
	if size > 1<<30 {
		u.result <- errQuota
	}
	u.result <- nil
}
