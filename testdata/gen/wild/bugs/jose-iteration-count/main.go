// Command jose-iteration-count logs users in with tokens that are encrypted with a shared password. The number of rounds
// of the key derivation comes with the token.
//
// https://github.com/go-jose/go-jose/issues/64
package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/go-jose/go-jose/v3"
	"wild/kit"
)

const maxToken = 8 << 10

// An identity is what a token carries.
type identity struct {
	Subject string `json:"sub"`
	Expires int64  `json:"exp"`
}

// A portal knows the password that it shares with the issuer of the tokens.
type portal struct {
	password string
}

// login reads the identity out of a token.
func login(token, password string) (identity, error) {
	var who identity
	parsed, err := jose.ParseEncrypted(token)
	if err != nil {
		return who, err
	}
	plain, err := parsed.Decrypt(password)
	if err != nil {
		return who, err
	}
	if err := json.Unmarshal(plain, &who); err != nil {
		return who, err
	}
	if who.Expires < time.Now().Unix() {
		return who, errors.New("the token has expired")
	}
	return who, nil
}

func (p *portal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, err := io.ReadAll(io.LimitReader(r.Body, maxToken))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	who, err := login(string(token), p.password)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	fmt.Fprintf(w, "hello, %s\n", who.Subject)
}

// forge returns a token that nobody issued: its header asks for many rounds, the rest is filler of the right length.
func forge(rounds int) string {
	encode := base64.RawURLEncoding.EncodeToString
	header := fmt.Sprintf(`{"alg":"PBES2-HS256+A128KW","enc":"A128CBC-HS256","p2c":%d,"p2s":%q}`,
		rounds, encode([]byte("0123456789abcdef")))
	fill := func(n int) string { return encode([]byte(strings.Repeat("x", n))) }
	return strings.Join([]string{encode([]byte(header)), fill(40), fill(16), fill(32), fill(16)}, ".")
}

// visit logs in with the token, and again five seconds after each answer.
func visit(address, token string) {
	for ; ; time.Sleep(5 * time.Second) {
		response, err := http.Post("http://"+address+"/login", "application/jose", strings.NewReader(token))
		if err != nil {
			log.Print(err)
			continue
		}
		response.Body.Close()
	}
}

func main() {
	kit.Serve()
	mux := http.NewServeMux()
	mux.Handle("/login", &portal{password: "correct horse battery staple"})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, mux)
	go visit(listener.Addr().String(), forge(2_000_000_000))

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
