package certs

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"net/http"
	"sync"

	"example.com/fixtures/burn/run"
)

// A SecretReconciler writes a signing key into each object's secret, and makes a new one each time it looks.
type SecretReconciler struct {
	mu      sync.Mutex
	secrets map[string][]byte
}

func startSecrets(s *run.Service) error {
	r := &SecretReconciler{secrets: map[string][]byte{}}
	s.Reconcile(1, r.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (r *SecretReconciler) Reconcile(ctx context.Context, key string) error {
	text, err := r.signingKey()
	if err != nil {
		return fmt.Errorf("signing key: %w", err)
	}
	return r.apply(ctx, key, text)
}

func (r *SecretReconciler) signingKey() ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}), nil
}

func (r *SecretReconciler) apply(_ context.Context, key string, text []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secrets[key] = text
	return nil
}

// Sessions opens a session for each device of a batch, each with a key of its own.
type Sessions struct {
	mu   sync.Mutex
	keys map[string]*ecdsa.PrivateKey
}

func startSessions(s *run.Service) error {
	h := &Sessions{keys: map[string]*ecdsa.PrivateKey{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/sessions", h.handle)
	return s.Serve(mux, 2, "/sessions?from=0", "/sessions?from=64")
}

func (h *Sessions) handle(w http.ResponseWriter, r *http.Request) {
	for i := 0; i < 100; i++ {
		if err := h.open(r.FormValue("from") + "-" + fmt.Sprint(i)); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	fmt.Fprintln(w, "opened")
}

func (h *Sessions) open(device string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keys[device] = key
	return nil
}

// An Enroller enrolls the devices of an object.
type Enroller struct {
	prints map[string]string
}

func startEnroller(s *run.Service) error {
	e := &Enroller{prints: map[string]string{}}
	s.Reconcile(1, e.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (e *Enroller) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 40; i++ {
		print, err := e.deviceKey()
		if err != nil {
			return err
		}
		e.prints[fmt.Sprintf("%s/%d", key, i)] = print
	}
	return nil
}

func (e *Enroller) deviceKey() (string, error) {
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(public), nil
}
