// Package gateway talks to upstreams and clients.
package gateway

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/busy/kit"
)

// Programs are the services of this package.
var Programs = map[string]func(){
	"upstream-dial": upstreamDial, "accept-again": acceptAgain,
	"frame-reader": frameReader, "block-assemble": blockAssemble,
	"event-watch": eventWatch, "level-poll": levelPoll, "journal-seal": journalSeal, "audit-echo": auditEcho,
	"page-cursor": pageCursor, "path-clean": pathClean, "price-search": priceSearch, "invoice-steps": invoiceSteps,
}

// An Upstream is a backend with one connection.
type Upstream struct {
	addr   string
	tries  int
	joined time.Time
}

// connect returns when the backend has taken the connection.
func (u *Upstream) connect() net.Conn {
	for {
		conn, err := net.Dial("tcp", u.addr)
		if err == nil {
			u.joined = time.Now()
			return conn
		}
		u.tries++
	}
}

func upstreamDial() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	l.Close() // nobody listens any more
	u := &Upstream{addr: l.Addr().String()}
	go func() {
		defer u.connect().Close()
	}()
	kit.Wait()
}

// A Door takes clients.
type Door struct {
	l      net.Listener
	failed int
}

// serve takes one client after the other.
func (d *Door) serve() {
	for {
		conn, err := d.l.Accept()
		if err != nil {
			d.failed++
			continue
		}
		go io.Copy(io.Discard, conn)
	}
}

func acceptAgain() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	d := &Door{l: l}
	go d.serve()
	time.AfterFunc(time.Second, func() { l.Close() }) // a drain that leaves the loop
	kit.Wait()
}

// A Reader takes frames out of a stream.
type Reader struct {
	in     *bufio.Reader
	frames int
	length int
}

// run counts frames: a length, then as many bytes.
func (r *Reader) run() {
	for {
		b, _ := r.in.ReadByte()
		r.length += int(b)
		if b == 0 {
			r.frames++
		}
	}
}

func frameReader() {
	kit.Start()
	near, far := net.Pipe()
	go func() {
		for i := range 50 {
			fmt.Fprintf(far, "%d\x00", i)
		}
		far.Close()
	}()
	go (&Reader{in: bufio.NewReader(near)}).run()
	kit.Wait()
}

// A Block is assembled out of parts of a stream.
type Block struct {
	data []byte
	room int
}

// fill reads until the block has its size.
func (b *Block) fill(in net.Conn, size int) error {
	for len(b.data) < size {
		part := make([]byte, 0, b.room)
		n, err := in.Read(part)
		if err != nil {
			return err
		}
		b.data = append(b.data, part[:n]...)
	}
	return nil
}

func blockAssemble() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			return
		}
		for {
			if _, err := conn.Write([]byte("part")); err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	conn, err := l.Accept()
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		b := &Block{room: 64}
		if err := b.fill(conn, 4096); err != nil {
			log.Print(err)
		}
	}()
	kit.Wait()
}

// A Watch follows the events of a server.
type Watch struct {
	url    string
	client *http.Client
	last   string
}

// run reads events; where the stream ends it is opened again.
func (w *Watch) run() {
	for {
		answer, err := w.client.Get(w.url + "?since=" + w.last)
		if err != nil {
			log.Print(err)
			return
		}
		lines := bufio.NewScanner(answer.Body)
		for lines.Scan() {
			w.last = lines.Text()
		}
		answer.Body.Close()
	}
}

func eventWatch() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	gone := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { // compacted: no events since then
		w.WriteHeader(http.StatusGone)
	})
	go http.Serve(l, gone)
	go (&Watch{url: "http://" + l.Addr().String() + "/events", client: &http.Client{Timeout: 5 * time.Second}}).run()
	kit.Wait()
}

// A Journal is written by one and sealed by another.
type Journal struct {
	mu     sync.Mutex
	peer   net.Conn
	sealed bool
}

// copyOut sends the journal to a replica.
func (j *Journal) copyOut() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, err := j.peer.Read(make([]byte, 1)) // its confirmation
	return err
}

// seal closes the journal for writing.
func (j *Journal) seal() {
	for !j.mu.TryLock() {
	}
	j.sealed = true
	j.mu.Unlock()
}

func journalSeal() {
	kit.Start()
	near, far := net.Pipe()
	defer far.Close()
	j := &Journal{peer: near}
	go j.copyOut()
	time.Sleep(100 * time.Millisecond)
	go j.seal()
	kit.Wait()
}

// An Audit writes records to a peer that may be gone.
type Audit struct {
	records chan string
	out     io.Writer
	lost    int
}

// ship writes records in order; one that can't be written is a record itself.
func (a *Audit) ship() {
	for r := range a.records {
		if _, err := fmt.Fprintln(a.out, r); err != nil {
			a.lost++
			a.note("record lost: %v", err)
		}
	}
}

func (a *Audit) note(format string, args ...any) {
	select {
	case a.records <- fmt.Sprintf(format, args...):
	default:
	}
}

func auditEcho() {
	kit.Start()
	near, far := net.Pipe()
	far.Close()
	a := &Audit{records: make(chan string, 32), out: near}
	go a.ship()
	a.note("service begins")
	kit.Wait()
}
