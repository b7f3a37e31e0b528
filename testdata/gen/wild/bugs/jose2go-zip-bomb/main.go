// Command main lets people in who bring an encrypted token. A second process of it plays the one who makes a token.
//
// https://github.com/dvsekhvalnov/jose2go/issues/33
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	jose "github.com/dvsekhvalnov/jose2go"
	"wild/kit"
)

const (
	length = 200 << 20       // of the token's text
	pause  = 3 * time.Second // between two logins
	memory = 640 << 20       // that the process should use
)

// key is known to all who make tokens.
var key = []byte("0123456789abcdef")

// claims are what a token says.
type claims struct {
	Subject string `json:"sub"`
}

// A door checks tokens. It keeps the text of the last one, for people who ask why they are not let in.
type door struct {
	mu   sync.Mutex
	last string
}

// auth returns the name of the one who brings a token.
func auth(d *door, token string) (string, error) {
	text, _, err := jose.Decode(token, key)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	d.mu.Lock()
	d.last = text
	d.mu.Unlock()
	var c claims
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&c); err != nil {
		return "", fmt.Errorf("claims: %w", err)
	}
	return c.Subject, nil
}

// ServeHTTP answers a login.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	who, err := auth(d, string(token))
	if err != nil {
		http.Error(w, "who are you?", http.StatusForbidden)
		return
	}
	fmt.Fprintln(w, "hello", who)
}

// seal prints a token. It runs in the second process, whose memory is not the door's.
func seal() error {
	token, err := jose.Encrypt(strings.Repeat("a", length), jose.DIR, jose.A128GCM, key, jose.Zip(jose.DEF))
	if err != nil {
		return err
	}
	_, err = fmt.Print(token)
	return err
}

// login brings the same token again and again.
func login(url string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	token, err := exec.Command(self, "seal").Output()
	if err != nil {
		return err
	}
	for ; ; time.Sleep(pause) {
		answer, err := http.Post(url, "application/jose", strings.NewReader(string(token)))
		if err != nil {
			return err
		}
		answer.Body.Close()
	}
}

func main() {
	if len(os.Args) > 1 {
		if err := seal(); err != nil {
			log.Fatal(err)
		}
		return
	}
	kit.Serve()
	debug.SetMemoryLimit(memory)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Print("login: ", login("http://"+listener.Addr().String()+"/login")) }()
	log.Fatal(http.Serve(listener, &door{}))
}
