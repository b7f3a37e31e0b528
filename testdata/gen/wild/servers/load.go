package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// every calls a function from some workers until the context ends, each worker once per interval or as fast as the
// function returns. Errors are part of the load: nobody looks at them.
func (l *lab) every(ctx context.Context, workers int, interval time.Duration, f func(ctx context.Context, worker, i int)) {
	if l.light {
		interval = min(max(10*interval, time.Duration(workers)*time.Second), 30*time.Second)
	}
	for worker := range workers {
		l.wg.Go(func() {
			tick := time.NewTicker(interval)
			defer tick.Stop()
			for i := 0; ; i++ {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				call, cancel := context.WithTimeout(ctx, 20*time.Second)
				f(call, worker, i)
				cancel()
			}
		})
	}
}

// keepAlive is the client of loads that keep their connections; a short one is made by fresh.
var keepAlive = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// fresh is the client of loads that open a connection for each request.
var fresh = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// send sends a request and reads the answer, of which it returns the beginning.
func send(ctx context.Context, c *http.Client, method, url, body string, headers ...string) (string, int) {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return "", 0
	}
	for _, h := range headers {
		k, v, _ := strings.Cut(h, ": ")
		request.Header.Set(k, v)
	}
	answer, err := c.Do(request)
	if err != nil {
		return "", 0
	}
	defer answer.Body.Close()
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(answer.Body, head)
	io.Copy(io.Discard, answer.Body)
	return string(head[:n]), answer.StatusCode
}

// location sends a request without a body and returns where its answer points to.
func location(ctx context.Context, method, url string) string {
	request, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return ""
	}
	answer, err := keepAlive.Do(request)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, answer.Body)
	return answer.Header.Get("Location")
}

// stream reads an answer that does not end.
func (l *lab) stream(ctx context.Context, n int, method, url, body string) {
	for range n {
		l.wg.Go(func() {
			request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
			if err != nil {
				return
			}
			answer, err := fresh.Do(request)
			if err != nil {
				return
			}
			defer answer.Body.Close()
			io.Copy(io.Discard, answer.Body)
		})
	}
}

// idle opens connections that say nothing.
func (l *lab) idle(ctx context.Context, n int, address string) {
	for range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			continue
		}
		context.AfterFunc(ctx, func() { c.Close() })
	}
}

// bystanders are connections to the pprof port: some say nothing, some have asked once.
func (l *lab) bystanders(ctx context.Context) {
	if l.pprof == "" {
		return
	}
	l.idle(ctx, 3, l.pprof)
	for range 3 {
		if c, err := conn(ctx, "tcp", l.pprof); err == nil {
			io.WriteString(c, "GET /debug/pprof/cmdline HTTP/1.1\r\nHost: lab\r\n\r\n")
		}
	}
}

// conn opens a connection that ends with the context.
func conn(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err == nil {
		context.AfterFunc(ctx, func() { c.Close() })
	}
	return c, err
}

// pipe copies both directions between a connection and an address.
func pipe(ctx context.Context, in net.Conn, network, address string) {
	defer in.Close()
	out, err := conn(ctx, network, address)
	if err != nil {
		return
	}
	defer out.Close()
	go func() {
		io.Copy(out, in)
		out.Close()
	}()
	io.Copy(in, out)
}

// backend serves HTTP in this process until the context ends, and returns its address.
func (l *lab) backend(ctx context.Context, handler http.HandlerFunc) string {
	address := l.port()
	server := &http.Server{Addr: address, Handler: handler}
	context.AfterFunc(ctx, func() { server.Close() })
	l.wg.Go(func() { server.ListenAndServe() })
	return address
}

// slow is a backend that answers after a while.
func slow(after time.Duration, size int) http.HandlerFunc {
	body := strings.Repeat("0123456789abcde\n", size/16)
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		select {
		case <-r.Context().Done():
		case <-time.After(after):
			io.WriteString(w, body)
		}
	}
}

// wait pauses, and reports false when the context ended.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
