// Command main checks who signed what: clients send a public key, a text and its signature, as SSH encodes them.
//
// https://pkg.go.dev/vuln/GO-2020-0012
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"

	"golang.org/x/crypto/ssh"
	"wild/kit"
)

// A claim is what a client sends.
type claim struct {
	Key       []byte
	Text      []byte
	Signature *ssh.Signature
}

// check reports whether the signature is of that text and by that key.
func check(c claim) error {
	key, err := ssh.ParsePublicKey(c.Key)
	if err != nil {
		return fmt.Errorf("key: %w", err)
	}
	return key.Verify(c.Text, c.Signature)
}

// work takes claims one after the other and says what came of them.
func work(claims <-chan claim, results chan<- error) {
	for c := range claims {
		results <- check(c)
	}
}

// receive hands the claims of clients to the worker.
func receive(claims chan<- claim, results <-chan error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var c claim
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&c); err != nil || c.Signature == nil {
			http.Error(w, "not a claim", http.StatusBadRequest)
			return
		}
		claims <- c
		if err := <-results; err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
		}
	}
}

// sign makes the claim of a client with a key of its own.
func sign(text string) (claim, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return claim{}, err
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		return claim{}, err
	}
	signature, err := signer.Sign(rand.Reader, []byte(text))
	return claim{signer.PublicKey().Marshal(), []byte(text), signature}, err
}

// send plays clients, one every second; the key of the third was cut off on its way.
func send(url string) error {
	for i := 1; ; i++ {
		time.Sleep(time.Second)
		c, err := sign(fmt.Sprintf("order %d", i))
		if err != nil {
			return err
		}
		if i == 3 {
			c.Key = ssh.Marshal(struct{ Type, Key string }{ssh.KeyAlgoED25519, "abc"})
		}
		body, err := json.Marshal(c)
		if err != nil {
			return err
		}
		answer, err := http.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			return err
		}
		answer.Body.Close()
	}
}

func main() {
	kit.Serve()
	claims, results := make(chan claim), make(chan error)
	go work(claims, results)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Print("clients: ", send("http://"+listener.Addr().String()+"/claims")) }()
	log.Fatal(http.Serve(listener, receive(claims, results)))
}
