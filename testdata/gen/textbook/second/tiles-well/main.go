// Tiles serves pieces of a map. The length of a tile is read as it was written, and Decode refuses tiles of more than a
// megabyte.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"log"
	"net"
	"net/http"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/tiles-well/tile"
)

// store holds what the surveyors send.
type store struct {
	sync.RWMutex
	tiles []tile.Tile
}

// take decodes what comes.
func (s *store) take(uploads <-chan []byte) {
	for b := range uploads {
		t, err := tile.Decode(bytes.NewReader(b))
		if err != nil {
			log.Print("upload: ", err)
			continue
		}
		s.Lock()
		s.tiles = append(s.tiles[max(0, len(s.tiles)-99):], t)
		s.Unlock()
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	var s store
	uploads := make(chan []byte)
	go s.take(uploads)
	go s.take(uploads)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		uploads <- b
	})}
	go srv.Serve(ln)
	go surveyor(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	srv.Close()
}

// surveyor sends tiles that grow.
func surveyor(ctx context.Context, url string) {
	for size := 0; ctx.Err() == nil; size = (size + 16) % 1024 {
		time.Sleep(300 * time.Millisecond)
		b := append([]byte("TILE"), make([]byte, 8+size)...)
		binary.BigEndian.PutUint64(b[4:], uint64(size))
		if res, err := http.Post(url, "application/octet-stream", bytes.NewReader(b)); err == nil {
			res.Body.Close()
		}
	}
}
