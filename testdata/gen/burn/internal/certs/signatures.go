package certs

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"

	"example.com/fixtures/burn/run"
)

// Tokens hands out signed tokens, one a request.
type Tokens struct{ key *rsa.PrivateKey }

func startTokens(s *run.Service) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	t := &Tokens{key: key}
	mux := http.NewServeMux()
	mux.HandleFunc("/token", t.handle)
	return s.Serve(mux, 2, "/token?user=ann", "/token?user=bob")
}

func (t *Tokens) handle(w http.ResponseWriter, r *http.Request) {
	token, err := t.sign(`{"alg":"RS256"}`, `{"sub":"`+r.FormValue("user")+`"}`)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, token)
}

func (t *Tokens) sign(header, claims string) (string, error) {
	text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims))
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, t.key, crypto.SHA256, sum[:])
	if err != nil {
		return "", err
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// Receipts signs a receipt for each item of an object.
type Receipts struct {
	key  *ecdsa.PrivateKey
	last map[string][]byte
}

func startReceipts(s *run.Service) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	r := &Receipts{key: key, last: map[string][]byte{}}
	s.Reconcile(1, r.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (r *Receipts) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 20; i++ {
		signature, err := r.sign(fmt.Sprint(key, i))
		if err != nil {
			return err
		}
		r.last[key] = signature
	}
	return nil
}

func (r *Receipts) sign(item string) ([]byte, error) {
	sum := sha256.Sum256([]byte(item))
	return ecdsa.SignASN1(rand.Reader, r.key, sum[:])
}

// An Authenticator verifies the token of every request, those that it has seen before too.
type Authenticator struct {
	key    *ecdsa.PublicKey
	tokens []signed
}

type signed struct {
	sum       [32]byte
	signature []byte
}

func startAuthenticator(s *run.Service) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	a := &Authenticator{key: &key.PublicKey}
	for i := 0; i < 10; i++ {
		t := signed{sum: sha256.Sum256([]byte(fmt.Sprint("user-", i)))}
		if t.signature, err = ecdsa.SignASN1(rand.Reader, key, t.sum[:]); err != nil {
			return err
		}
		a.tokens = append(a.tokens, t)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/batch", a.handle)
	return s.Serve(mux, 1, "/batch")
}

func (a *Authenticator) handle(w http.ResponseWriter, r *http.Request) {
	for _, t := range a.tokens {
		if !a.accept(t) {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
	}
	fmt.Fprintln(w, "ok")
}

func (a *Authenticator) accept(t signed) bool {
	return ecdsa.VerifyASN1(a.key, t.sum[:], t.signature)
}

// Blobs answers with the digest of what is stored, which it computes each time.
type Blobs struct{ stored [][]byte }

func startBlobs(s *run.Service) error {
	b := &Blobs{}
	for i := 0; i < 4; i++ {
		blob := make([]byte, 4<<20)
		rand.Read(blob)
		b.stored = append(b.stored, blob)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/v2/blobs/", b.handle)
	return s.Serve(mux, 1, "/v2/blobs/0", "/v2/blobs/1", "/v2/blobs/2", "/v2/blobs/3")
}

func (b *Blobs) handle(w http.ResponseWriter, r *http.Request) {
	n := int(r.URL.Path[len(r.URL.Path)-1]-'0') % len(b.stored)
	fmt.Fprintln(w, b.digest(b.stored[n]))
}

func (b *Blobs) digest(blob []byte) string {
	h := sha256.New()
	h.Write(blob)
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Spans gives each piece of work an id.
type Spans struct{ open map[[16]byte]string }

func startSpans(s *run.Service) error {
	p := &Spans{open: map[[16]byte]string{}}
	s.Reconcile(1, p.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (p *Spans) Reconcile(ctx context.Context, key string) error {
	ids := make([][16]byte, 0, 400)
	for i := 0; i < 400; i++ {
		id, err := p.newID()
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	p.open[ids[0]] = key
	if len(p.open) > 1000 {
		p.open = map[[16]byte]string{}
	}
	return nil
}

func (p *Spans) newID() (id [16]byte, err error) {
	_, err = rand.Read(id[:])
	return id, err
}
