// Command ssh-unasked-replies is an SSH server that asks each device once whether it is well and lets it go, and the
// devices that come to it. A device answers for each of its modules.
//
// Report: https://github.com/golang/go/issues/79564
package main

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
	"wild/kit"
)

const (
	modules = 100             // of a device
	every   = 8 * time.Second // a device comes
	session = time.Second     // is how long it may stay
)

// hostKey makes the key of the server.
func hostKey() (ssh.Signer, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	return ssh.NewSignerFromKey(key)
}

// serve asks one device and ends its connection.
func serve(conn net.Conn, config *ssh.ServerConfig) {
	c, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		log.Print("server: ", err)
		return
	}
	go ssh.DiscardRequests(requests)
	go refuse(channels)
	well, _, err := c.SendRequest("ping", true, nil)
	if err != nil || !well {
		log.Printf("device %s is not well: %v", c.RemoteAddr(), err)
	}
	time.Sleep(session)
	c.Close()
	c.Wait()
	log.Printf("device %s is gone", c.RemoteAddr())
}

// refuse allows no channels.
func refuse(channels <-chan ssh.NewChannel) {
	for ch := range channels {
		ch.Reject(ssh.Prohibited, "nothing to see")
	}
}

// listen serves every client.
func listen(l net.Listener, config *ssh.ServerConfig) {
	for {
		conn, err := l.Accept()
		if err != nil {
			log.Print("server: ", err)
			return
		}
		go serve(conn, config)
	}
}

// device connects once and answers until the server ends the connection.
func device(address string, key ssh.PublicKey) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	c, channels, requests, err := ssh.NewClientConn(conn, address, &ssh.ClientConfig{
		User:            "device",
		HostKeyCallback: ssh.FixedHostKey(key),
	})
	if err != nil {
		return err
	}
	defer c.Close()
	go refuse(channels)
	for request := range requests {
		for range modules {
			if err := request.Reply(request.Type == "ping", nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	key, err := hostKey()
	if err != nil {
		log.Fatal(err)
	}
	config := &ssh.ServerConfig{NoClientAuth: true}
	config.AddHostKey(key)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go listen(listener, config)
	for {
		if err := device(listener.Addr().String(), key.PublicKey()); err != nil {
			log.Print("device: ", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
	}
}
