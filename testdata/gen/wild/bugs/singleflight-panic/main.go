// Command singleflight-panic is a service of profiles, which are loaded once for all who ask at the same time.
//
// https://github.com/golang/go/issues/33519
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/golang/groupcache/singleflight"

	"wild/kit"
)

var loads singleflight.Group

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/profile", profile)
	go http.Serve(listener, mux)
	client := &http.Client{Timeout: 10 * time.Second}
	for n := 0; ; n++ {
		go func() {
			resp, err := client.Get(fmt.Sprintf("http://%s/profile?id=%d", listener.Addr(), n%4))
			if err == nil {
				resp.Body.Close()
			}
		}()
		time.Sleep(500 * time.Millisecond)
	}
}

// profile answers a request.
func profile(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	p, err := loads.Do(id, func() (interface{}, error) { return load(id) })
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	fmt.Fprintln(w, p)
}
