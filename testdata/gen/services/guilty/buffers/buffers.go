// Package buffers gives buffers back to a list when nobody uses them any more.
package buffers

import (
	"runtime"
	"time"

	"example.com/services/kit"
)

type Buffer struct{ data []byte }

type Arena struct{ free chan []byte }

func (a *Arena) New() *Buffer {
	b := &Buffer{data: a.take()}
	runtime.SetFinalizer(b, a.giveBack)
	return b
}

func (a *Arena) take() []byte {
	select {
	case data := <-a.free:
		return data
	default:
		return make([]byte, 4096)
	}
}

func (a *Arena) giveBack(b *Buffer) { a.free <- b.data }

func Main() {
	kit.Start()
	a := &Arena{make(chan []byte, 8)}
	for range time.Tick(time.Second) {
		var live []*Buffer
		for range 32 {
			live = append(live, a.New())
		}
		runtime.KeepAlive(live)
		runtime.GC()
	}
}
