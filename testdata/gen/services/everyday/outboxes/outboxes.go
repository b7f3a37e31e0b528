// Package outboxes keeps a queue for each of sixty phones, whose writer waits in a sync.Cond until there is a message.
//
// It looks like signals that were lost (cond-missed-signal): sixty goroutines wait, each for a Cond of its own. Messages
// come from NATS, to each phone now and then, and from its callback.
package outboxes

import (
	"fmt"
	"net"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// An outbox is a queue without a bound.
type outbox struct {
	mu      sync.Mutex
	filled  *sync.Cond
	letters [][]byte
}

func (o *outbox) put(letter []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.letters = append(o.letters, letter)
	o.filled.Signal()
}

func (o *outbox) next() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.letters) == 0 {
		o.filled.Wait()
	}
	letter := o.letters[0]
	o.letters = o.letters[1:]
	return letter
}

type phone struct {
	box  *outbox
	conn net.Conn
}

func (p *phone) write() {
	for {
		if _, err := p.conn.Write(p.box.next()); err != nil {
			return
		}
	}
}

func (p *phone) receive(m *nats.Msg) { p.box.put(m.Data) }

func connect(bus *nats.Conn, address string, n int) error {
	for i := range n {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return err
		}
		p := &phone{new(outbox), conn}
		p.box.filled = sync.NewCond(&p.box.mu)
		if _, err := bus.Subscribe(fmt.Sprint("phone.", i), p.receive); err != nil {
			return err
		}
		go p.write()
	}
	return nil
}

// Main connects all phones.
func Main() {
	kit.Start()
	broker, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		panic(err)
	}
	go broker.Start()
	if !broker.ReadyForConnections(5 * time.Second) {
		panic("the broker is not ready")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() { // the phones, which say nothing
		for conns := []net.Conn{}; ; {
			if conn, err := l.Accept(); err == nil {
				conns = append(conns, conn)
			}
		}
	}()
	bus, err := nats.Connect(broker.ClientURL())
	if err != nil {
		panic(err)
	}
	if err := connect(bus, l.Addr().String(), 60); err != nil {
		panic(err)
	}
	go func() {
		for i := 0; ; i++ {
			time.Sleep(40 * time.Second)
			bus.Publish(fmt.Sprint("phone.", i%3), []byte("hello\n"))
		}
	}()
	kit.Wait()
}
