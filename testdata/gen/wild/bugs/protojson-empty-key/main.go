// Command protojson-empty-key is a service that agents tell that they are alive: each posts a small JSON message, which
// may have fields that this version does not know yet.
//
// Report: https://github.com/golang/protobuf/issues/1694
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/emptypb"

	"wild/kit"
)

// maxBody is more than any agent has to say.
const maxBody = 64 << 10

// A pingServer counts the agents' messages.
type pingServer struct {
	accepted, refused atomic.Int64
}

func (s *pingServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := parse(body); err != nil {
		s.refused.Add(1)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.accepted.Add(1)
	w.WriteHeader(http.StatusNoContent)
}

// parse checks a message. Fields that are newer than the service are no error.
func parse(body []byte) error {
	var message emptypb.Empty
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(body, &message); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	return nil
}

// report logs the counts once a minute.
func (s *pingServer) report() {
	for range time.Tick(time.Minute) {
		log.Printf("accepted %d, refused %d", s.accepted.Load(), s.refused.Load())
	}
}

// agent posts its messages in turn and goes on when the service does not answer.
func agent(url string, interval time.Duration, messages ...string) {
	client := &http.Client{Timeout: 5 * time.Second}
	for _, message := range messages {
		time.Sleep(interval)
		answer, err := client.Post(url, "application/json", strings.NewReader(message))
		if err != nil {
			continue
		}
		answer.Body.Close()
	}
}

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := &pingServer{}
	mux := http.NewServeMux()
	mux.Handle("POST /alive", server)
	go server.report()
	url := "http://" + listener.Addr().String() + "/alive"
	go agent(url, 300*time.Millisecond, `{}`, `{"version":"1.4"}`, `{}`)
	// The agent of a customer: its template had nothing to fill in.
	go agent(url, time.Second, `{}`, `{"":}`)
	log.Fatal(http.Serve(listener, mux))
}
