package certs

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"time"

	"example.com/fixtures/burn/run"
)

// An Issuer signs certificates with a certificate authority.
type Issuer struct {
	root     *x509.Certificate
	key      crypto.Signer
	elliptic bool // the keys of new certificates
	serial   int64
}

// NewIssuer makes an authority with an ECDSA key.
func NewIssuer(name string) (*Issuer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	i := &Issuer{key: key, elliptic: true}
	template := i.template(name)
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage |= x509.KeyUsageCertSign
	i.root, err = i.sign(template, template, key.Public())
	return i, err
}

func (i *Issuer) template(name string) *x509.Certificate {
	i.serial++
	return &x509.Certificate{
		SerialNumber: big.NewInt(i.serial),
		Subject:      pkix.Name{CommonName: name, Organization: []string{"harbor"}},
		DNSNames:     []string{name},
		NotBefore:    time.Now().Add(-time.Minute),
		NotAfter:     time.Now().Add(24 * time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
	}
}

func (i *Issuer) sign(template, parent *x509.Certificate, public crypto.PublicKey) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, i.key)
	if err != nil {
		return nil, fmt.Errorf("signing %s: %w", template.Subject.CommonName, err)
	}
	return x509.ParseCertificate(der)
}

// ClientCertificate makes a key and a certificate for a client.
func (i *Issuer) ClientCertificate(name string) (tls.Certificate, error) {
	var key crypto.Signer
	var err error
	if i.elliptic {
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	} else {
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	}
	if err != nil {
		return tls.Certificate{}, err
	}
	der, err := x509.CreateCertificate(rand.Reader, i.template(name), i.root, key.Public(), i.key)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// A ClusterReconciler looks after a workload cluster, and makes itself a client of the cluster for each thing it looks at.
type ClusterReconciler struct {
	issuer *Issuer
	ready  map[string]int
}

func startClusters(elliptic bool) func(*run.Service) error {
	return func(s *run.Service) error {
		issuer, err := NewIssuer("cluster-ca")
		if err != nil {
			return err
		}
		issuer.elliptic = elliptic
		r := &ClusterReconciler{issuer: issuer, ready: map[string]int{}}
		s.Reconcile(1, r.Reconcile)
		return nil
	}
}

// Reconcile is called for each cluster.
func (r *ClusterReconciler) Reconcile(ctx context.Context, key string) error {
	members, err := r.workloadClient(key)
	if err != nil {
		return fmt.Errorf("etcd members: %w", err)
	}
	nodes, err := r.workloadClient(key)
	if err != nil {
		return fmt.Errorf("nodes: %w", err)
	}
	addons, err := r.workloadClient(key)
	if err != nil {
		return fmt.Errorf("addons: %w", err)
	}
	status, err := r.workloadClient(key)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	r.ready[key] = members.healthy() + nodes.healthy() + addons.healthy() + status.healthy()
	return nil
}

type workload struct{ config *tls.Config }

func (w workload) healthy() int { return len(w.config.Certificates) }

func (r *ClusterReconciler) workloadClient(key string) (workload, error) {
	cert, err := r.issuer.ClientCertificate("harbor:" + key)
	if err != nil {
		return workload{}, err
	}
	return workload{config: &tls.Config{Certificates: []tls.Certificate{cert}}}, nil
}
