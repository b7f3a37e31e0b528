// Command xz-uvarint unpacks uploads.
//
// https://github.com/advisories/GHSA-25xm-hr59-7c27
package main

import (
	"io"
	"log"
	"net/http"
	"time"

	"github.com/ulikunitz/xz"

	"wild/kit"
)

// header begins a stream without blocks: what follows is the number of records of its index.
var header = []byte{0xfd, '7', 'z', 'X', 'Z', 0, 0, 4, 0xe6, 0xd6, 0xb4, 0x46, 0}

// An upload is what a client sends.
type upload struct{ sent int }

// Read reads what comes next.
func (u *upload) Read(p []byte) (int, error) {
	n := 0
	for ; n < len(p); n++ {
		p[n] = 0x80
		if u.sent < len(header) {
			p[n] = header[u.sent]
		}
		u.sent++
	}
	return n, nil
}

func main() {
	kit.Serve()
	http.HandleFunc("/upload", func(_ http.ResponseWriter, r *http.Request) { unpack(r.Body) })
	for {
		log.Print(unpack(new(upload)))
		time.Sleep(time.Second)
	}
}

// unpack counts what is in an upload.
func unpack(r io.Reader) error {
	content, err := xz.NewReader(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, content)
	return err
}
