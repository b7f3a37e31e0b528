// Blob-cache writes a blob back when nobody has it any more.
package main

import (
	"log"
	"runtime"
	"time"

	"coded/kit"
)

type blob struct {
	name string
	data [64]byte
}

var held []*blob

func main() {
	kit.Serve()
	for n := 0; n < 8; n++ {
		held = append(held, load())
	}
	for len(held) > 0 {
		time.Sleep(20 * time.Minute)
		held = held[1:]
	}
}

// load reads a blob. What writes it back waits until it is dropped.
func load() *blob {
	b, dropped := &blob{name: "blob"}, make(chan struct{})
	runtime.SetFinalizer(b, func(*blob) { close(dropped) })
	go func() {
		<-dropped
		log.Print("written back")
	}()
	return b
}
