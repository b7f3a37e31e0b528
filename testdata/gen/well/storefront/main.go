// Command storefront is a web shop's front end under load: HTTP and HTTPS, fast and slow handlers, long polls, and 200
// browsers that follow prices over server-sent events. Three quarters of the browsers are a second process, all other
// clients live in this one.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/well/dumper"
	"example.com/well/sibling"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := serveAll
	if len(os.Args) > 2 && os.Args[1] == "browsers" {
		run = func(context.Context) error { return followPlainly(os.Args[2], 75) }
	}
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "storefront:", err)
		os.Exit(1)
	}
}

func serveAll(ctx context.Context) error {
	cert, roots, err := selfSigned()
	if err != nil {
		return err
	}
	s := newShop()
	go s.prices.publish(ctx)
	plain, err := serve(s.routes(), nil)
	if err != nil {
		return err
	}
	secure, err := serve(s.routes(), &tls.Config{Certificates: []tls.Certificate{cert}})
	if err != nil {
		return err
	}
	shoppers := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	secureShoppers := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 64,
	}}
	browse(shoppers, "http://"+plain)
	browse(secureShoppers, "https://"+secure)
	follow(secureShoppers, "https://"+secure, 25)
	browsers, err := sibling.Start("browsers", plain)
	if err != nil {
		return err
	}
	defer browsers.Close()
	dumper.Ready()
	<-ctx.Done()
	return nil
}

// serve serves h on a free port of 127.0.0.1 and returns its address.
func serve(h http.Handler, config *tls.Config) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listening: %w", err)
	}
	server := &http.Server{Handler: h, TLSConfig: config, ReadHeaderTimeout: 10 * time.Second}
	if config == nil {
		go server.Serve(l)
	} else {
		go server.ServeTLS(l, "", "")
	}
	return l.Addr().String(), nil
}
