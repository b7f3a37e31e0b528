// Command main asks an SSH server again and again whether it lets anybody through to the machines behind it. It plays
// the server too, which lets nobody through.
//
// https://github.com/golang/go/issues/35127
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
	"wild/kit"
)

const (
	targets = 200000               // that are asked for
	tick    = 2 * time.Millisecond // between two bursts of questions
	burst   = 4                    // questions that come at once
)

// A target is a machine behind the server, as RFC 4254 7.2 encodes it.
type target struct {
	Host       string
	Port       uint32
	Origin     string
	OriginPort uint32
}

// serve answers the connections of clients.
func serve(listener net.Listener, config *ssh.ServerConfig) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			log.Print(err)
			return
		}
		go guard(conn, config)
	}
}

// guard turns down every channel of one connection.
func guard(conn net.Conn, config *ssh.ServerConfig) {
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		log.Print(err)
		return
	}
	go ssh.DiscardRequests(requests)
	for channel := range channels {
		channel.Reject(ssh.Prohibited, "nobody goes through")
	}
}

// probe asks for every target once and counts the answers.
func probe(dial func() (*ssh.Client, error), refused *atomic.Int64) error {
	clock := time.NewTicker(tick)
	defer clock.Stop()
	var client *ssh.Client
	for i := range targets {
		if i%burst == 0 {
			<-clock.C
		}
		if i%perConnection == 0 {
			if client != nil {
				client.Close()
			}
			var err error
			if client, err = dial(); err != nil {
				return err
			}
		}
		to := ssh.Marshal(target{fmt.Sprintf("10.0.%d.%d", i>>8&0xff, i&0xff), 22, "127.0.0.1", 0})
		channel, _, err := client.OpenChannel("direct-tcpip", to)
		var no *ssh.OpenChannelError
		switch {
		case err == nil:
			channel.Close()
		case errors.As(err, &no):
			refused.Add(1)
		default:
			return err
		}
	}
	return nil
}

// report says now and then how far the probe is.
func report(refused *atomic.Int64) {
	for range time.Tick(30 * time.Second) {
		log.Print(refused.Load(), " refused")
	}
}

func main() {
	kit.Serve()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		log.Fatal(err)
	}
	server := &ssh.ServerConfig{NoClientAuth: true}
	server.AddHostKey(signer)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go serve(listener, server)

	config := &ssh.ClientConfig{User: "probe", HostKeyCallback: ssh.FixedHostKey(signer.PublicKey())}
	dial := func() (*ssh.Client, error) { return ssh.Dial("tcp", listener.Addr().String(), config) }
	var refused atomic.Int64
	go func() { log.Print("probe ended: ", probe(dial, &refused)) }()
	go report(&refused)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
}
