// Command ttrpc-both-send is a blob service and its client, which checks blobs many at a time.
//
// Report: https://github.com/containerd/ttrpc/issues/72
package main

import (
	"context"
	"log"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/types"
	"wild/kit"
)

const (
	service  = "wild.Blobs"
	atOnce   = 50
	blobSize = 1 << 20
)

// echo gives a blob back as it is stored.
func echo(ctx context.Context, unmarshal func(interface{}) error) (interface{}, error) {
	var blob types.StringValue
	if err := unmarshal(&blob); err != nil {
		return nil, err
	}
	return &blob, nil
}

// listen starts the service on a socket.
func listen(ctx context.Context, path string) error {
	server, err := ttrpc.NewServer()
	if err != nil {
		return err
	}
	server.Register(service, map[string]ttrpc.Method{"Echo": echo})
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	go func() {
		if err := server.Serve(ctx, listener); err != nil {
			log.Print("server: ", err)
		}
	}()
	return nil
}

// call checks one blob.
func call(ctx context.Context, client *ttrpc.Client, blob string) error {
	var answer types.StringValue
	if err := client.Call(ctx, service, "Echo", &types.StringValue{Value: blob}, &answer); err != nil {
		return err
	}
	if answer.Value != blob {
		log.Print("a blob came back changed")
	}
	return nil
}

// sweep checks all blobs, over and over.
func sweep(ctx context.Context, client *ttrpc.Client) {
	blob := strings.Repeat("b", blobSize)
	for round := 0; ; round++ {
		var wg sync.WaitGroup
		for range atOnce {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if err := call(ctx, client, blob); err != nil {
					log.Print("call: ", err)
				}
			}()
		}
		wg.Wait()
		if round%20 == 0 {
			log.Printf("%d blobs are good", (round+1)*atOnce)
		}
		time.Sleep(3 * time.Second)
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "blobs")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "blobs.sock")
	if err := listen(ctx, path); err != nil {
		log.Fatal(err)
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		log.Fatal(err)
	}
	go sweep(ctx, ttrpc.NewClient(conn))
	<-ctx.Done()
}
