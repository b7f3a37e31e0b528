// Package network dials, shakes hands and looks up names more often than it should.
package network

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"

	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		hot("tls-dial", "TLS connection for every message", `^crypto/tls\.\(\*Conn\)\.(Handshake|HandshakeContext|handshakeContext|clientHandshake)$`, "(*Shipper).ship", false, startShipper),
		// net/http dials and shakes hands in goroutines of its own.
		hot("tls-transport", "http.Client with a transport of its own for every request", `^crypto/tls\.\(\*Conn\)\.(HandshakeContext|handshakeContext|clientHandshake)$`, "(*Poller).status", true, startPoller),
		hot("tls-server", "clients that never reuse a TLS connection", `^crypto/tls\.\(\*Conn\)\.(HandshakeContext|handshakeContext|serverHandshake)$`, "", true, startServer),
		hot("dial", "TCP connection for every request", `^net\.(\(\*Dialer\)\.DialContext|Dial)$`, "(*Prober).probe", false, startProber),
		// net looks names up in a goroutine of its own, so that callers can share an answer.
		hot("dns", "name looked up for every call", `^net\.\(\*Resolver\)\.`, "(*Balancer).pick", true, startBalancer),
	}
}

// Peers are the other ends.
func Peers() map[string]run.Peer {
	return map[string]run.Peer{"tls": serveTLS, "tcp": serveTCP, "dns": serveDNS, "tlsclient": callTLS}
}

func hot(name, topic, guilty, culprit string, hidden bool, start func(*run.Service) error) run.Kind {
	if culprit != "" {
		culprit = run.Own("network", culprit)
	}
	return run.Kind{
		Name: name, Profile: "cpu", Topic: topic, Guilty: guilty, Culprit: culprit, Category: "hot-cpu", Hidden: hidden, Start: start,
	}
}

// serveTLS is an HTTPS server with the certificate that httptest brings. It is not verified by name, only by what it is.
func serveTLS(l net.Listener) error {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") }))
	s.Listener.Close()
	s.Listener = l
	s.StartTLS()
	select {}
}

// peerRoots knows the certificate of serveTLS.
func peerRoots() *x509.CertPool {
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	defer s.Close()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	return pool
}

// A Shipper sends each message over a connection of its own.
type Shipper struct {
	addr   string
	config *tls.Config
}

func startShipper(s *run.Service) error {
	addr, err := s.Peer("tls")
	if err != nil {
		return err
	}
	h := &Shipper{addr: addr, config: &tls.Config{RootCAs: peerRoots(), ServerName: "example.com"}}
	s.Reconcile(2, h.ship)
	return nil
}

func (h *Shipper) ship(ctx context.Context, key string) error {
	conn, err := tls.Dial("tcp", h.addr, h.config)
	if err != nil {
		return fmt.Errorf("shipping: %w", err)
	}
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: logs\r\nContent-Length: %d\r\n\r\n%s", len(key), key)
	return err
}

// A Poller asks each device for its status, with a client of its own.
type Poller struct {
	addr  string
	roots *x509.CertPool
}

func startPoller(s *run.Service) error {
	addr, err := s.Peer("tls")
	if err != nil {
		return err
	}
	p := &Poller{addr: addr, roots: peerRoots()}
	s.Reconcile(2, p.status)
	return nil
}

func (p *Poller) status(ctx context.Context, key string) error {
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: p.roots, ServerName: "example.com"}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	resp, err := client.Get("https://" + p.addr + "/status")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// startServer serves HTTPS to a peer that connects anew for each request.
func startServer(s *run.Service) error {
	server := httptest.NewUnstartedServer(http.HandlerFunc(handlePing))
	server.StartTLS()
	addr, err := s.Peer("tlsclient")
	if err != nil {
		return err
	}
	s.Go(run.Background)
	s.Go(func(context.Context) {
		// The peer begins to call once it is told whom.
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			s.Fail(err)
			return
		}
		fmt.Fprintln(conn, server.Listener.Addr())
	})
	return nil
}

func handlePing(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "pong") }

// callTLS calls the address that it is sent, and never reuses a connection.
func callTLS(l net.Listener) error {
	conn, err := l.Accept()
	if err != nil {
		return err
	}
	addr, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return err
	}
	for {
		c, err := tls.Dial("tcp", addr[:len(addr)-1], &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			return nil // the other process has ended
		}
		io.WriteString(c, "GET / HTTP/1.0\r\n\r\n")
		io.Copy(io.Discard, c)
		c.Close()
	}
}

// A Prober asks whether a port is open.
type Prober struct {
	addr string
	open int
}

func startProber(s *run.Service) error {
	addr, err := s.Peer("tcp")
	if err != nil {
		return err
	}
	p := &Prober{addr: addr}
	s.Reconcile(2, p.Reconcile)
	return nil
}

// Reconcile is called for each endpoint.
func (p *Prober) Reconcile(ctx context.Context, key string) error {
	return p.probe()
}

func (p *Prober) probe() error {
	conn, err := net.Dial("tcp", p.addr)
	if err != nil {
		return err
	}
	p.open++
	conn.(*net.TCPConn).SetLinger(0) // no port stays behind in TIME_WAIT
	return conn.Close()
}

// serveTCP accepts, and waits until the other end closes.
func serveTCP(l net.Listener) error {
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			io.Copy(io.Discard, conn)
			conn.Close()
		}()
	}
}

// A Balancer looks up its back ends for every call.
type Balancer struct {
	resolver *net.Resolver
	calls    int
}

func startBalancer(s *run.Service) error {
	addr, err := s.Peer("dns")
	if err != nil {
		return err
	}
	b := &Balancer{resolver: &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return net.Dial("udp", addr)
	}}}
	s.Reconcile(2, b.Reconcile)
	return nil
}

// Reconcile is called for each call.
func (b *Balancer) Reconcile(ctx context.Context, key string) error {
	_, err := b.pick(ctx, "backend.prod.svc.cluster.local.")
	return err
}

func (b *Balancer) pick(ctx context.Context, host string) (string, error) {
	addrs, err := b.resolver.LookupHost(ctx, host)
	if err != nil {
		return "", err
	}
	b.calls++
	return addrs[b.calls%len(addrs)], nil
}

// serveDNS answers each question for an address with 127.0.0.1, on the UDP port of l's number.
func serveDNS(l net.Listener) error {
	conn, err := net.ListenPacket("udp", l.Addr().String())
	if err != nil {
		return err
	}
	buffer := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(buffer)
		if err != nil {
			return err
		}
		answer, err := answerDNS(buffer[:n])
		if err != nil {
			continue
		}
		conn.WriteTo(answer, from)
	}
}

// answerDNS is the answer to a query of one question (RFC 1035, section 4).
func answerDNS(query []byte) ([]byte, error) {
	const head = 12
	end := head
	for end < len(query) && query[end] != 0 {
		end += 1 + int(query[end])
	}
	end += 5 // the root's label, type, class
	if end > len(query) {
		return nil, errors.New("short query")
	}
	kind := binary.BigEndian.Uint16(query[end-4:])
	answer := append([]byte(nil), query[:end]...)
	binary.BigEndian.PutUint16(answer[2:], 0x8580) // answer, authoritative, recursion desired and available
	binary.BigEndian.PutUint16(answer[6:], 0)
	binary.BigEndian.PutUint32(answer[8:], 0)
	if kind == 1 {
		binary.BigEndian.PutUint16(answer[6:], 1)
		answer = append(answer, 0xc0, head, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1)
	}
	return answer, nil
}
