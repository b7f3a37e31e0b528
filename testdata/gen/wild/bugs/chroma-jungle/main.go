// Command chroma-jungle colours pieces of programs.
//
// https://github.com/alecthomas/chroma/issues/1377
package main

import (
	"io"
	"log"
	"sync/atomic"
	"time"

	"github.com/alecthomas/chroma/v2/quick"

	"wild/kit"
)

var pieces atomic.Int64

func main() {
	kit.Serve()
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			colour("Go", "package main\n\nfunc main() {}\n")
			colour("Jungle", sample)
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(pieces.Load(), " pieces")
	}
}

// colour colours a piece of a language.
func colour(language, piece string) {
	if err := quick.Highlight(io.Discard, piece, language, "html", "monokai"); err != nil {
		log.Print(err)
	}
	pieces.Add(1)
}
