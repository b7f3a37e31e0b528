// Command jwt-split-dots reads the tenant out of tokens before it knows which key signed them: jobs arrive on a queue,
// each with a token. One sender's token is ten million dots.
//
// https://github.com/golang-jwt/jwt/security/advisories/GHSA-mh63-6h87-95cp
package main

import (
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"wild/kit"
)

// A job is one message of the queue.
type job struct {
	id    int
	token string
}

// A ledger counts the jobs of each tenant.
type ledger struct {
	mu      sync.Mutex
	tenants map[string]int
	refused int
}

func (l *ledger) count(tenant string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.refused++
		return
	}
	l.tenants[tenant]++
}

func (l *ledger) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for tenant, n := range l.tenants {
		fmt.Fprintf(w, "%s %d\n", tenant, n)
	}
	fmt.Fprintf(w, "refused %d\n", l.refused)
}

// auth returns the tenant that a token names. The signature is checked later, with the tenant's key.
func auth(token string) (string, error) {
	claims := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(token, claims); err != nil {
		return "", err
	}
	tenant, ok := claims["tenant"].(string)
	if !ok {
		return "", errors.New("the token names no tenant")
	}
	return tenant, nil
}

// work takes the jobs one after the other.
func work(jobs <-chan job, l *ledger) {
	for j := range jobs {
		tenant, err := auth(j.token)
		l.count(tenant, err)
	}
}

// enqueue sends a job every 200 milliseconds, a third of them with a token of nothing but dots.
func enqueue(jobs chan<- job) error {
	good, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"tenant": "north"}).SignedString([]byte("secret"))
	if err != nil {
		return err
	}
	tokens := []string{good, good, strings.Repeat(".", 10_000_000)}
	id := 0
	for range time.Tick(200 * time.Millisecond) {
		jobs <- job{id, tokens[id%len(tokens)]}
		id++
	}
	return nil
}

func main() {
	kit.Serve()
	jobs := make(chan job, 8)
	l := &ledger{tenants: make(map[string]int)}
	go work(jobs, l)
	go func() {
		if err := enqueue(jobs); err != nil {
			log.Fatal(err)
		}
	}()

	mux := http.NewServeMux()
	mux.Handle("/ledger", l)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.Serve(listener, mux))
}
