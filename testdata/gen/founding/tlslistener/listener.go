// Package tlslistener is a TLS listener that replaces its certificate before it expires. Its mistake is how it waits
// for the first certificate: it yields the processor, over and over.
package tlslistener

import (
	"context"
	"crypto/tls"
	"net"
	"runtime"
	"sync"
	"time"
)

// A Source makes certificates.
type Source interface {
	Certificate(ctx context.Context) (*tls.Certificate, error)
}

type listener struct {
	net.Listener
	source Source

	mu   sync.RWMutex
	cert *tls.Certificate
}

// New is a listener on address whose certificates come from source.
func New(ctx context.Context, address string, source Source) (net.Listener, error) {
	inner, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	l := &listener{source: source}
	l.Listener = tls.NewListener(inner, &tls.Config{GetCertificate: l.certificate})
	l.expireLoop(ctx)
	return l, nil
}

func (l *listener) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.cert, nil
}

func (l *listener) loaded() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.cert != nil
}

// expireLoop asks for a new certificate each hour once there is a first one.
func (l *listener) expireLoop(ctx context.Context) {
	go func() {
		for !l.loaded() {
			runtime.Gosched()
		}
		ticker := time.NewTicker(time.Hour)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				l.renew(ctx)
			}
		}
	}()
}

func (l *listener) renew(ctx context.Context) {
	cert, err := l.source.Certificate(ctx)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cert = cert
}
