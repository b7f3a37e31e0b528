// Package draining: a program that ends as soon as what it uploads has arrived, which may take hours.
package draining

import (
	"context"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

type uploader struct {
	addr string
	wg   sync.WaitGroup
	jobs chan int
}

func (u *uploader) start(ctx context.Context, workers int) {
	for range workers {
		u.wg.Add(1)
		go func() {
			defer u.wg.Done()
			for {
				select {
				case <-ctx.Done():
					return
				case size := <-u.jobs:
					if err := u.upload(size); err != nil {
						log.Print(err)
					}
				}
			}
		}()
	}
}

func (u *uploader) upload(size int) error {
	conn, err := net.Dial("tcp", u.addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	for sent := 0; sent < size; sent += 4096 {
		if _, err := conn.Write(make([]byte, 4096)); err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}

// Main is the program.
func Main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go receive(l)
	u := &uploader{addr: l.Addr().String(), jobs: make(chan int, 2)}
	u.start(ctx, 3)
	u.jobs <- 1 << 30
	u.jobs <- 1 << 20
	go func() { // The rollout.
		time.Sleep(20 * time.Second)
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}()
	<-ctx.Done()
	log.Print("draining")
	u.wg.Wait()
	log.Print("done")
}

func receive(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			io.Copy(io.Discard, conn)
		}()
	}
}
