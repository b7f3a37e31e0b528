// Command sftp-close-while-readfrom uploads a recording while it is made, and ends the upload when its time is over.
//
// Report: https://github.com/pkg/sftp/pull/604
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/pkg/sftp"
	"wild/kit"
)

// A recording is on its way from the recorder to a remote file.
type recording struct {
	name   string
	file   *sftp.File
	source *io.PipeReader
	sink   *io.PipeWriter
	result chan error
}

// connect starts a file server in memory and returns a client of it.
func connect() (*sftp.Client, error) {
	near, far := net.Pipe()
	server := sftp.NewRequestServer(far, sftp.InMemHandler())
	go func() {
		if err := server.Serve(); err != nil {
			log.Print("server: ", err)
		}
	}()
	return sftp.NewClientPipe(near, near)
}

// begin opens the remote file of a recording.
func begin(client *sftp.Client, name string) (*recording, error) {
	file, err := client.Create(name)
	if err != nil {
		return nil, err
	}
	source, sink := io.Pipe()
	return &recording{name: name, file: file, source: source, sink: sink, result: make(chan error, 1)}, nil
}

// record writes what the sensor measures, until it has nothing more.
func record(r *recording) {
	for n := range 20 {
		if _, err := fmt.Fprintf(r.sink, "%d;%d\n", n, n*n%97); err != nil {
			log.Print("record: ", err)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// upload sends the recording as it comes.
func upload(r *recording) {
	n, err := r.file.ReadFrom(r.source)
	log.Printf("%s: %d bytes are sent", r.name, n)
	r.result <- err
}

// keep makes one recording after the other.
func keep(client *sftp.Client) {
	for n := 0; ; n++ {
		r, err := begin(client, fmt.Sprintf("/recording-%03d.csv", n))
		if err != nil {
			log.Print("begin: ", err)
			return
		}
		go record(r)
		go upload(r)
		time.Sleep(3 * time.Second)
		if err := finish(r); err != nil {
			log.Print("finish: ", err)
		}
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	client, err := connect()
	if err != nil {
		log.Fatal(err)
	}
	go keep(client)
	<-ctx.Done()
}
