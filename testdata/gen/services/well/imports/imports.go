// Package imports takes rows from many clients; few workers write them, and who has a row waits for room.
package imports

import (
	"time"

	"example.com/services/kit"
	"example.net/lib/taskpool"
)

type Importer struct {
	pool *taskpool.Pool
	rows chan int
}

func (i *Importer) write() { time.Sleep(300 * time.Millisecond) }

func (i *Importer) client() {
	for {
		i.pool.Submit(i.write)
	}
}

func Main() {
	kit.Start()
	i := &Importer{pool: taskpool.New(6, 4)}
	for range 40 {
		go i.client()
	}
	kit.Wait()
}
