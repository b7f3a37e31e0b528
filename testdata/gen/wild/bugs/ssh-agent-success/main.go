// Command main shows which keys an SSH agent holds, for a deployment tool that picks one of them.
//
// https://github.com/golang/go/issues/75178
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/crypto/ssh/agent"
	"wild/kit"
)

// The types of the agent's messages, of draft-miller-ssh-agent.
const (
	success           = 6
	requestIdentities = 11
	identitiesAnswer  = 12
)

// A ring is what is known of an agent's keys.
type ring struct {
	mu      sync.Mutex
	names   []string
	checked time.Time
}

// keys asks an agent for the names of its keys.
func keys(a agent.Agent) ([]string, error) {
	list, err := a.List()
	if err != nil {
		return nil, fmt.Errorf("listing keys: %w", err)
	}
	var names []string
	for _, key := range list {
		names = append(names, key.Comment)
	}
	return names, nil
}

// refresh asks every second. An agent that does not answer as it should leaves the old names.
func (r *ring) refresh(a agent.Agent) {
	failed := false
	for range time.Tick(time.Second) {
		names, err := keys(a)
		if err != nil {
			if !failed {
				log.Print(err)
			}
			failed = true
			continue
		}
		r.mu.Lock()
		r.names, r.checked = names, time.Now()
		r.mu.Unlock()
	}
}

// ServeHTTP shows the names.
func (r *ring) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintln(w, r.checked, r.names)
}

// answer plays an agent. It knows no keys at first, and from the third question on it only says that all went well.
func answer(conn io.ReadWriter) error {
	for asked := 1; ; asked++ {
		var length uint32
		if err := binary.Read(conn, binary.BigEndian, &length); err != nil {
			return err
		}
		question := make([]byte, length)
		if _, err := io.ReadFull(conn, question); err != nil {
			return err
		}
		reply := []byte{0, 0, 0, 1, success}
		if asked < 3 && question[0] == requestIdentities {
			reply = []byte{0, 0, 0, 5, identitiesAnswer, 0, 0, 0, 0}
		}
		if _, err := conn.Write(reply); err != nil {
			return err
		}
	}
}

func main() {
	kit.Serve()
	near, far := net.Pipe()
	go func() { log.Print("agent: ", answer(far)) }()
	var r ring
	go r.refresh(agent.NewClient(near))

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, &r))
}
