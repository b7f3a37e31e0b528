package plane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// An Authority issues the certificates of a cluster, for a day.
type Authority struct {
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
	PEM    []byte // its own certificate
	serial atomic.Int64
}

// A Pair is a certificate and its key, as PEM.
type Pair struct{ Cert, Key []byte }

// NewAuthority makes an authority.
func NewAuthority(name string) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := template(name)
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	template.SerialNumber = big.NewInt(1)
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	a := &Authority{cert: cert, key: key, PEM: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}
	a.serial.Store(1)
	return a, nil
}

func template(name string, groups ...string) *x509.Certificate {
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: name, Organization: groups},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
}

// Client issues the certificate of a user with groups.
func (a *Authority) Client(user string, groups ...string) (Pair, error) {
	t := template(user, groups...)
	t.KeyUsage, t.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return a.issue(t)
}

// Server issues the certificate of a server on this machine.
func (a *Authority) Server(name string) (Pair, error) {
	t := template(name)
	t.KeyUsage, t.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	t.DNSNames = []string{name, "localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"}
	t.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 96, 0, 1)}
	return a.issue(t)
}

func (a *Authority) issue(t *x509.Certificate) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, err
	}
	t.SerialNumber = big.NewInt(a.serial.Add(1))
	der, err := x509.CreateCertificate(rand.Reader, t, a.cert, key.Public(), a.key)
	if err != nil {
		return Pair{}, err
	}
	encoded, err := keyPEM(key)
	return Pair{pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), encoded}, err
}

func keyPEM(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encoding a key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), nil
}

// write keeps a pair as dir/name.crt and dir/name.key.
func (p Pair) write(dir, name string) error {
	if err := os.WriteFile(filepath.Join(dir, name+".crt"), p.Cert, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".key"), p.Key, 0o600)
}
