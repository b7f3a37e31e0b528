// Command minio-retry-timer looks whether objects are there.
//
// https://github.com/minio/minio-go/issues/1259
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v6"

	"wild/kit"
)

var seen atomic.Int64

func main() {
	kit.Serve()
	client, err := minio.NewWithRegion(store(), "access", "secret", false, "us-east-1")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for range time.Tick(400 * time.Millisecond) {
			go look(client)
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(seen.Load(), " objects")
	}
}

// look asks for an object.
func look(client *minio.Client) {
	name := fmt.Sprintf("backup-%d", seen.Add(1))
	if _, err := client.StatObject("backups", name, minio.StatObjectOptions{}); err != nil {
		log.Print(err)
	}
}

// store is the other end: it has every object, and takes its time.
func store() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(1100 * time.Millisecond)
		w.Header().Set("ETag", `"9bb58f26192e4ba00f01e2e7b136bbd8"`)
		w.Header().Set("Last-Modified", time.Unix(0, 0).UTC().Format(http.TimeFormat))
		w.Header().Set("Content-Length", "0")
	}))
	return listener.Addr().String()
}
