// Command godotenv-regexp-per-line hands out the environment of jobs: each job brings a file of variables, which the
// scheduler parses when the job asks for its environment.
//
// https://github.com/joho/godotenv/issues/89
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/joho/godotenv"
	"wild/kit"
)

// A scheduler holds the variable files of its jobs.
type scheduler struct {
	mu    sync.RWMutex
	files map[string]string
}

// config parses the variables of one job.
func config(file string) (map[string]string, error) {
	return godotenv.Unmarshal(file)
}

// environment is the handler that answers a job.
func (s *scheduler) environment(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	file, ok := s.files[r.URL.Query().Get("job")]
	s.mu.RUnlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	variables, err := config(file)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(map[string]any{"count": len(variables), "name": variables["NAME_7"]})
}

// variables writes a file of 2000 variables.
func variables(job string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "C=%s\n", job)
	for i := 0; i < 2000; i++ {
		fmt.Fprintf(&b, "NAME_%d=\"b ${C}\"\n", i)
	}
	return b.String()
}

// run is a job that looks at its environment four times a second.
func run(address, job string) {
	client := &http.Client{Timeout: time.Minute}
	for range time.Tick(250 * time.Millisecond) {
		response, err := client.Get("http://" + address + "/environment?job=" + job)
		if err != nil {
			log.Print(err)
			continue
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}

func main() {
	kit.Serve()
	s := &scheduler{files: make(map[string]string)}
	mux := http.NewServeMux()
	mux.HandleFunc("/environment", s.environment)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, mux)
	jobs := []string{"backup", "report"}
	for _, job := range jobs {
		s.files[job] = variables(job)
	}
	for _, job := range jobs {
		go run(listener.Addr().String(), job)
	}

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
