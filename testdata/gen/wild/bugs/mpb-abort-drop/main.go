// Command mpb-abort-drop copies images and shows how far it is.
//
// https://github.com/vbauerster/mpb/issues/100
package main

import (
	"io"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v7"

	"wild/kit"
)

var pulled atomic.Int64

func main() {
	kit.Serve()
	go mirror()
	for range time.Tick(10 * time.Second) {
		log.Print(pulled.Load(), " images")
	}
}

// mirror pulls one image after the other.
func mirror() {
	for {
		pull()
		pulled.Add(1)
	}
}

// pull copies the layers of an image side by side, each with a bar of its own.
func pull() {
	var layers sync.WaitGroup
	progress := mpb.New(mpb.WithOutput(io.Discard), mpb.WithWaitGroup(&layers), mpb.WithRefreshRate(time.Millisecond))
	for n := range 8 {
		layers.Add(1)
		bar := progress.AddBar(10)
		go func() {
			defer layers.Done()
			copyLayer(bar, n%2 == 0)
		}()
	}
	progress.Wait()
}

// copyLayer copies a layer, unless it is there already: then its bar is dropped.
func copyLayer(bar *mpb.Bar, known bool) {
	for range 10 {
		time.Sleep(time.Millisecond)
		bar.Increment()
		if known {
			bar.Abort(true)
			return
		}
	}
}
