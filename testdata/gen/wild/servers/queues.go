package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// parts are the host and the port of an address.
func parts(address string) (host, port string) {
	host, port, _ = net.SplitHostPort(address)
	return host, port
}

// natsClient is a connection that has said hello; what the server says to it is read until the context ends.
func (l *lab) natsClient(ctx context.Context, address string, read func(*bufio.Reader)) (io.Writer, error) {
	c, err := conn(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(c, "CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true}\r\nPING\r\n"); err != nil {
		return nil, err
	}
	l.wg.Go(func() {
		if read != nil {
			read(bufio.NewReader(c))
			return
		}
		for r := bufio.NewReader(c); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			if strings.HasPrefix(line, "PING") {
				io.WriteString(c, "PONG\r\n")
			}
		}
	})
	return c, nil
}

// natsLoad is a hundred subscriptions, publishers, and one consumer that is slow.
func (l *lab) natsLoad(ctx context.Context, address string, perTick int) error {
	for i := range 100 {
		w, err := l.natsClient(ctx, address, nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "SUB lab.%d 1\r\nSUB lab.> q%d 2\r\n", i%10, i%5)
	}
	w, err := l.natsClient(ctx, address, func(r *bufio.Reader) {
		for wait(ctx, 50*time.Millisecond) {
			if _, err := io.CopyN(io.Discard, r, 4096); err != nil {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	io.WriteString(w, "SUB lab.> 1\r\n")
	body := strings.Repeat("x", 256)
	for i := range 4 {
		w, err := l.natsClient(ctx, address, nil)
		if err != nil {
			return err
		}
		l.every(ctx, 1, 10*time.Millisecond, func(ctx context.Context, _, n int) {
			for k := range perTick {
				fmt.Fprintf(w, "PUB lab.%d 256\r\n%s\r\n", (i+n+k)%10, body)
			}
		})
	}
	return nil
}

// natsAlone is one server with JetStream on.
func natsAlone(ctx context.Context, l *lab) error {
	client, monitor := l.port(), l.port()
	l.pprof = l.port()
	host, p := parts(client)
	_, m := parts(monitor)
	_, prof := parts(l.pprof)
	if err := l.serve("-a", host, "-p", p, "-m", m, "--profile", prof, "-js", "-sd", l.dir+"/js"); err != nil {
		return err
	}
	if err := l.opens(ctx, client); err != nil {
		return err
	}
	return l.natsLoad(ctx, client, 10)
}

// natsThree is a cluster with streams of three replicas, of which one member is started again.
func natsThree(ctx context.Context, l *lab) error {
	l.pprof = l.port()
	_, prof := parts(l.pprof)
	var clients, routes []string
	for range 3 {
		clients, routes = append(clients, l.port()), append(routes, l.port())
	}
	args := func(i int) []string {
		host, p := parts(clients[i])
		return []string{"-a", host, "-p", p, "-js", "-sd", fmt.Sprintf("%s/js%d", l.dir, i), "--name", fmt.Sprintf("n%d", i), "--cluster_name", "lab",
			"--cluster", "nats://" + routes[i], "--routes", "nats://" + routes[(i+1)%3] + ",nats://" + routes[(i+2)%3]}
	}
	if err := l.serve(append(args(0), "--profile", prof)...); err != nil {
		return err
	}
	var third *process
	for i := 1; i < 3; i++ {
		p, err := l.start(l.bin, args(i)...)
		if err != nil {
			return err
		}
		third = p
	}
	if err := l.opens(ctx, clients[0]); err != nil {
		return err
	}
	wait(ctx, 8*time.Second)
	w, err := l.natsClient(ctx, clients[0], nil)
	if err != nil {
		return err
	}
	io.WriteString(w, "SUB _INBOX.lab 9\r\n")
	for i := range 5 {
		stream := fmt.Sprintf(`{"name":"S%d","subjects":["st.%d"],"num_replicas":3,"storage":"file","retention":"limits","discard":"old","max_msgs":20000}`, i, i)
		fmt.Fprintf(w, "PUB $JS.API.STREAM.CREATE.S%d _INBOX.lab %d\r\n%s\r\n", i, len(stream), stream)
		wait(ctx, 500*time.Millisecond)
		consumer := fmt.Sprintf(`{"stream_name":"S%d","config":{"durable_name":"c","ack_policy":"explicit","deliver_subject":"out.%d","deliver_policy":"all"}}`, i, i)
		fmt.Fprintf(w, "PUB $JS.API.CONSUMER.DURABLE.CREATE.S%d.c _INBOX.lab %d\r\n%s\r\n", i, len(consumer), consumer)
		if err := l.natsAck(ctx, clients[i%3], i); err != nil {
			return err
		}
	}
	l.every(ctx, 1, 10*time.Millisecond, func(ctx context.Context, _, n int) {
		fmt.Fprintf(w, "PUB st.%d _INBOX.lab 16\r\n0123456789abcdef\r\n", n%5)
	})
	l.wg.Go(func() {
		if !wait(ctx, 30*time.Second) {
			return
		}
		third.cmd.Process.Kill()
		if wait(ctx, 10*time.Second) {
			l.start(l.bin, args(2)...)
		}
	})
	return l.natsLoad(ctx, clients[0], 2)
}

// natsAck is a consumer of one stream that acknowledges what it gets.
func (l *lab) natsAck(ctx context.Context, address string, i int) error {
	c, err := conn(ctx, "tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintf(c, "CONNECT {\"verbose\":false}\r\nSUB out.%d 1\r\n", i)
	l.wg.Go(func() {
		for r := bufio.NewReader(c); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			if strings.HasPrefix(line, "PING") {
				io.WriteString(c, "PONG\r\n")
			}
			if f := strings.Fields(line); len(f) == 5 && f[0] == "MSG" {
				fmt.Fprintf(c, "PUB %s 4\r\n+ACK\r\n", f[3])
			}
		}
	})
	return nil
}

// nsqd has ten topics with consumers that requeue now and then, and one topic that nobody reads.
func nsqd(ctx context.Context, l *lab) error {
	tcp := l.port()
	l.pprof = l.port()
	if err := l.serve("--tcp-address="+tcp, "--http-address="+l.pprof, "--data-path="+l.dir, "--mem-queue-size=1000"); err != nil {
		return err
	}
	if err := l.opens(ctx, l.pprof); err != nil {
		return err
	}
	for i := range 20 {
		c, err := conn(ctx, "tcp", tcp)
		if err != nil {
			return err
		}
		fmt.Fprintf(c, "  V2SUB t%d ch%d\nRDY 20\n", i%10, i%2)
		l.wg.Go(func() { nsqConsume(c) })
	}
	l.every(ctx, 11, 20*time.Millisecond, func(ctx context.Context, worker, i int) {
		topic := fmt.Sprintf("t%d", worker)
		if worker == 10 {
			topic = "unread"
		}
		send(ctx, keepAlive, "POST", "http://"+l.pprof+"/mpub?topic="+topic, strings.Repeat(fmt.Sprintf("message %d of %d\n", i, worker), 10))
	})
	return nil
}

// nsqConsume finishes messages, and sends every tenth back.
func nsqConsume(c net.Conn) {
	r := bufio.NewReader(c)
	for n := 0; ; n++ {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(head[:4])-4)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		switch kind := binary.BigEndian.Uint32(head[4:]); {
		case kind == 0 && string(body) == "_heartbeat_":
			io.WriteString(c, "NOP\n")
		case kind == 2 && n%10 == 9:
			fmt.Fprintf(c, "REQ %s 500\n", body[10:26])
		case kind == 2:
			fmt.Fprintf(c, "FIN %s\n", body[10:26])
		}
	}
}

// mqtt has two hundred clients with retained messages; some vanish without a word.
func mqtt(ctx context.Context, l *lab) error {
	tcp := l.port()
	if err := l.serve("-tcp", tcp, "-ws", l.port(), "-info", l.port()); err != nil {
		return err
	}
	if err := l.opens(ctx, tcp); err != nil {
		return err
	}
	packet := func(kind byte, body string) string {
		n, size := len(body), ""
		for more := true; more; more = n > 0 {
			b := byte(n % 128)
			if n /= 128; n > 0 {
				b |= 128
			}
			size += string([]byte{b})
		}
		return string([]byte{kind}) + size + body
	}
	text := func(s string) string { return string([]byte{byte(len(s) >> 8), byte(len(s))}) + s }
	hello := func(ctx context.Context, name string) (net.Conn, error) {
		c, err := conn(ctx, "tcp", tcp)
		if err != nil {
			return nil, err
		}
		io.WriteString(c, packet(0x10, text("MQTT")+"\x04\x02\x00\x3c"+text(name)))
		go io.Copy(io.Discard, c)
		return c, nil
	}
	l.every(ctx, 200, 500*time.Millisecond, func() func(context.Context, int, int) {
		clients := make([]net.Conn, 200)
		return func(call context.Context, worker, i int) {
			if c := clients[worker]; c == nil || worker%10 == 0 && i%20 == 19 {
				if c != nil {
					c.Close()
				}
				c, err := hello(ctx, "c"+strconv.Itoa(worker))
				if err != nil {
					return
				}
				clients[worker] = c
				io.WriteString(c, packet(0x82, "\x00\x01"+text(fmt.Sprintf("lab/%d/#", worker%20))+"\x00"))
			}
			kind := byte(0x30)
			if i%10 == 0 {
				kind = 0x31
			}
			io.WriteString(clients[worker], packet(kind, text(fmt.Sprintf("lab/%d/v", (worker+i)%20))+"value "+strconv.Itoa(i)))
		}
	}())
	return nil
}

// serf is one of five agents, of which one is killed.
func serf(ctx context.Context, l *lab) error {
	first, rpc := l.port(), l.port()
	if err := l.serve("agent", "-node=n0", "-bind="+first, "-rpc-addr="+rpc); err != nil {
		return err
	}
	var last *process
	for i := 1; i < 5; i++ {
		p, err := l.start(l.bin, "agent", fmt.Sprintf("-node=n%d", i), "-bind="+l.port(), "-rpc-addr="+l.port(), "-join="+first)
		if err != nil {
			return err
		}
		last = p
	}
	l.wg.Go(func() {
		if wait(ctx, 40*time.Second) {
			last.cmd.Process.Kill()
		}
	})
	l.every(ctx, 1, time.Second, func(ctx context.Context, _, i int) {
		if i%2 == 0 {
			l.quiet(ctx, l.bin, "event", "-rpc-addr="+rpc, "deploy", strconv.Itoa(i))
		} else {
			l.quiet(ctx, l.bin, "query", "-rpc-addr="+rpc, "-timeout=500ms", "uptime")
		}
	})
	return l.opens(ctx, rpc)
}
