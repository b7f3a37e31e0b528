// Package tarball packs folders and sends them to clients that read slowly.
package tarball

import (
	"io"
	"time"

	"example.com/services/kit"
)

func pack(pw *io.PipeWriter) {
	for range 60 {
		pw.Write(make([]byte, 4096))
	}
	pw.Close()
}

func send() {
	for {
		pr, pw := io.Pipe()
		go pack(pw)
		buf := make([]byte, 4096)
		for {
			if _, err := io.ReadFull(pr, buf); err != nil {
				break
			}
			time.Sleep(time.Second)
		}
	}
}

func Main() {
	kit.Start()
	for range 25 {
		go send()
		time.Sleep(90 * time.Millisecond)
	}
	kit.Wait()
}
