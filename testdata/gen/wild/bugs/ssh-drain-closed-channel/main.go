// Command ssh-drain-closed-channel keeps a tunnel to a server open: it asks the server again and again whether it is
// still there, and connects anew when it is not.
//
// Report: https://github.com/grafana/pdc-agent/issues/320
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
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
	keepaliveInterval = 400 * time.Millisecond
	restartAfter      = 1 * time.Second // of the server, once
)

// serve accepts tunnels. The first one ends soon: the server restarts with a new configuration.
func serve(listener net.Listener, config *ssh.ServerConfig) {
	for n := 0; ; n++ {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go hold(conn, config, n == 0)
	}
}

// hold answers what a tunnel asks.
func hold(conn net.Conn, config *ssh.ServerConfig, first bool) {
	tunnel, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		log.Print("server: ", err)
		return
	}
	if first {
		time.AfterFunc(restartAfter, func() { tunnel.Close() })
	}
	go func() {
		for channel := range channels {
			channel.Reject(ssh.Prohibited, "no channels")
		}
	}()
	for request := range requests {
		request.Reply(true, nil)
	}
}

// keepalive asks whether the server is still there, until it is not.
func keepalive(client *ssh.Client) error {
	tick := time.NewTicker(keepaliveInterval)
	defer tick.Stop()
	for range tick.C {
		if _, _, err := client.SendRequest("keepalive", true, nil); err != nil {
			return fmt.Errorf("keepalive: %w", err)
		}
	}
	return nil
}

// tunnel connects and keeps the connection, and does so again.
func tunnel(address string) {
	config := &ssh.ClientConfig{User: "agent", HostKeyCallback: ssh.InsecureIgnoreHostKey()}
	for ; ; time.Sleep(time.Second) {
		client, err := ssh.Dial("tcp", address, config)
		if err != nil {
			log.Print(err)
			continue
		}
		if err := keepalive(client); err != nil {
			log.Print(err)
		}
		client.Close()
	}
}

func main() {
	kit.Serve()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		log.Fatal(err)
	}
	config := &ssh.ServerConfig{NoClientAuth: true}
	config.AddHostKey(signer)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go serve(listener, config)
	go tunnel(listener.Addr().String())
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
