package certs

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"

	"example.com/fixtures/burn/run"
)

// Webhooks hands each webhook a serving certificate. The key is kept, the certificate is not.
type Webhooks struct {
	issuer *Issuer
	public crypto.PublicKey
	served map[string]*x509.Certificate
}

func startWebhooks(s *run.Service) error {
	issuer, err := NewIssuer("webhook-ca")
	if err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	w := &Webhooks{issuer: issuer, public: key.Public(), served: map[string]*x509.Certificate{}}
	s.Reconcile(1, w.Reconcile)
	return nil
}

// Reconcile is called for each webhook.
func (w *Webhooks) Reconcile(ctx context.Context, key string) error {
	der, err := w.issue("hook." + key)
	if err != nil {
		return err
	}
	w.served[key] = &x509.Certificate{Raw: der}
	return nil
}

func (w *Webhooks) issue(name string) ([]byte, error) {
	return x509.CreateCertificate(rand.Reader, w.issuer.template(name), w.issuer.root, w.public, w.issuer.key)
}

// A Gate admits requests whose client certificate, which a proxy passes on in a header, is signed by a root it knows.
type Gate struct {
	roots   *x509.CertPool
	clients []*x509.Certificate
}

func startGate(s *run.Service) error {
	issuer, err := NewIssuer("client-ca")
	if err != nil {
		return err
	}
	g := &Gate{roots: x509.NewCertPool()}
	g.roots.AddCert(issuer.root)
	for i := 0; i < 20; i++ {
		cert, err := issuer.sign(issuer.template(fmt.Sprint("client-", i)), issuer.root, issuer.key.Public())
		if err != nil {
			return err
		}
		g.clients = append(g.clients, cert)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/check", g.check)
	return s.Serve(mux, 1, "/check")
}

func (g *Gate) check(w http.ResponseWriter, r *http.Request) {
	for _, cert := range g.clients {
		if err := g.admit(cert); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
	}
	fmt.Fprintln(w, "ok")
}

func (g *Gate) admit(cert *x509.Certificate) error {
	_, err := cert.Verify(x509.VerifyOptions{Roots: g.roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return err
}

// Mirrors asks registries, and trusts a bundle of authorities that it reads anew for each.
type Mirrors struct {
	bundle []byte
	known  map[string]int
}

func startMirrors(s *run.Service) error {
	m := &Mirrors{known: map[string]int{}}
	for i := 0; i < 60; i++ {
		issuer, err := NewIssuer(fmt.Sprint("mirror-ca-", i))
		if err != nil {
			return err
		}
		m.bundle = append(m.bundle, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: issuer.root.Raw})...)
	}
	s.Reconcile(1, m.Reconcile)
	return nil
}

// Reconcile is called for each registry.
func (m *Mirrors) Reconcile(ctx context.Context, key string) error {
	pool, err := m.roots()
	if err != nil {
		return err
	}
	if pool.Equal(x509.NewCertPool()) {
		return fmt.Errorf("no authorities")
	}
	m.known[key]++
	return nil
}

func (m *Mirrors) roots() (*x509.CertPool, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(m.bundle) {
		return nil, fmt.Errorf("bundle holds no certificates")
	}
	return pool, nil
}
