package mills

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"time"

	"example.com/busy/kit"
)

// An Authority issues certificates for a living.
type Authority struct {
	key    *ecdsa.PrivateKey
	cert   *x509.Certificate
	serial int64
}

func newAuthority() *Authority {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	a := &Authority{key: key, cert: &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true,
		Subject: pkix.Name{CommonName: "authority"}, NotBefore: time.Now(), NotAfter: time.Now().Add(time.Hour)}}
	return a
}

func (a *Authority) issue(key *ecdsa.PublicKey) []byte {
	a.serial++
	leaf := &x509.Certificate{SerialNumber: big.NewInt(a.serial + 1), DNSNames: []string{fmt.Sprint("host-", a.serial)},
		NotBefore: time.Now(), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, leaf, a.cert, key, a.key)
	if err != nil {
		panic(err)
	}
	return der
}

// caKeys makes keys and certificates for devices in a factory.
func caKeys() {
	a := newAuthority()
	batch(func() {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err == nil {
			a.issue(&key.PublicKey)
		}
	})
}

// digestStore checks the sums of what it stores.
func digestStore() {
	blob := kit.Words(100000)
	batch(func() { verify(blob) })
}

func verify(blob []byte) [32]byte { return sha256.Sum256(blob) }

// loginServer checks passwords.
func loginServer() {
	salt := kit.Words(4)
	serve(func(w http.ResponseWriter, _ *http.Request) {
		if _, err := pbkdf2.Key(sha256.New, "secret", salt, 60000, 32); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}, 0)
}

// tlsFront ends TLS for clients that come for one request each.
func tlsFront() {
	kit.Start()
	a := newAuthority()
	certificate := tls.Certificate{Certificate: [][]byte{a.issue(&a.key.PublicKey)}, PrivateKey: a.key}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	server := &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{certificate}}))
	fmt.Printf("load https://%s/ 4 0 0 new\n", listener.Addr())
	kit.Wait()
}

// caSigner signs the requests of machines for certificates.
func caSigner() {
	a := newAuthority()
	der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{DNSNames: []string{"host"}}, a.key)
	if err != nil {
		panic(err)
	}
	batch(func() { a.sign(der) })
}

func (a *Authority) sign(der []byte) {
	request, err := x509.ParseCertificateRequest(der)
	if err != nil || request.CheckSignature() != nil {
		return
	}
	a.issue(request.PublicKey.(*ecdsa.PublicKey))
}
