// Command main stores what cameras send: small pictures as they come, large ones in pairs, the left and the right.
//
// https://github.com/hamba/avro/pull/273
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/hamba/avro/v2"
	"wild/kit"
)

const (
	large  = 1 << 20                // bytes of a picture that comes in a pair
	pause  = 200 * time.Millisecond // between two messages
	memory = 640 << 20              // that the process should use
)

// A store has the pictures.
type store struct {
	mu    sync.Mutex
	small int
	wrong int
	pair  [2][]byte // the newest large ones
	next  int
}

// consume takes the messages of the cameras.
func consume(schema avro.Schema, messages <-chan []byte, s *store) {
	for message := range messages {
		var picture []byte
		if err := avro.Unmarshal(schema, message, &picture); err != nil {
			s.reject(err)
			continue
		}
		s.keep(picture)
	}
}

// reject counts a message that cannot be read, and says why the first cannot.
func (s *store) reject(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wrong == 0 {
		log.Print("picture: ", err)
	}
	s.wrong++
}

// keep stores a picture.
func (s *store) keep(picture []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(picture) < large {
		s.small++
		return
	}
	s.pair[s.next] = picture
	s.next = 1 - s.next
}

// ServeHTTP says what there is.
func (s *store) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(w, s.small, "small,", len(s.pair[0])+len(s.pair[1]), "bytes in a pair,", s.wrong, "wrong")
}

// send plays the cameras. One in twenty messages is cut off after the length of its picture.
func send(schema avro.Schema, messages chan<- []byte) error {
	whole, err := avro.Marshal(schema, []byte("a very small picture"))
	if err != nil {
		return err
	}
	clock := time.NewTicker(pause)
	defer clock.Stop()
	for i := 1; ; i++ {
		<-clock.C
		message := whole
		if i%20 == 0 {
			message = []byte{0x80, 0x80, 0x80, 0x80, 0x02}
		}
		messages <- message
	}
}

func main() {
	kit.Serve()
	debug.SetMemoryLimit(memory)
	schema := avro.MustParse(`"bytes"`)
	messages := make(chan []byte, 16)
	var s store
	go consume(schema, messages, &s)
	go func() { log.Print("cameras: ", send(schema, messages)) }()

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, &s))
}
