// Package tenant manages workload clusters, and makes itself a client certificate for each thing that it looks at.
package tenant

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/fixtures/burn/k8s/internal/ops"
	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package: what the founding profiles show.
func Kinds() []run.Kind {
	return []run.Kind{
		ops.Kind("founding-rsa", "client certificate with a new RSA key 4 times a reconcile, at 4 call sites", `^crypto/rsa\.GenerateKey$`,
			"tenant.(*authority).newClientCertificate", start(false)),
		ops.Kind("founding-ecdsa", "client certificate with a new ECDSA key 4 times a reconcile, at 4 call sites", `^crypto/x509\.CreateCertificate$`,
			"tenant.(*authority).newClientCertificate", start(true)),
	}
}

func start(elliptic bool) func(*run.Service) error {
	return func(s *run.Service) error {
		a, err := newAuthority(elliptic)
		if err != nil {
			return err
		}
		return ops.Run(s, "tenant", &Reconciler{authority: a, status: map[string]string{}})
	}
}

// An authority signs client certificates of a workload cluster.
type authority struct {
	root     *x509.Certificate
	key      crypto.Signer
	elliptic bool
}

func newAuthority(onCurve bool) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kubernetes"}, NotBefore: time.Now(), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, root, root, key.Public(), key)
	if err != nil {
		return nil, err
	}
	root, err = x509.ParseCertificate(der)
	return &authority{root: root, key: key, elliptic: onCurve}, err
}

// newClientCertificate makes a key and signs a certificate for it.
func (a *authority) newClientCertificate(user string) (cert, key []byte, err error) {
	var signer crypto.Signer
	if a.elliptic {
		signer, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	} else {
		signer, err = rsa.GenerateKey(rand.Reader, 2048)
	}
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: user, Organization: []string{"system:masters"}},
		NotBefore: time.Now(), NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.root, signer.Public(), a.key)
	if err != nil {
		return nil, nil, err
	}
	text, err := x509.MarshalPKCS8PrivateKey(signer)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text}), nil
}

// A Reconciler looks after tenants' clusters.
type Reconciler struct {
	authority *authority
	status    map[string]string
}

// Reconcile is called for each cluster.
func (r *Reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if err := r.reconcileEtcd(ctx, req.Name); err != nil {
		return reconcile.Result{}, fmt.Errorf("etcd: %w", err)
	}
	if err := r.reconcileNodes(ctx, req.Name); err != nil {
		return reconcile.Result{}, fmt.Errorf("nodes: %w", err)
	}
	if err := r.reconcileAddons(ctx, req.Name); err != nil {
		return reconcile.Result{}, fmt.Errorf("add-ons: %w", err)
	}
	return reconcile.Result{}, r.reconcileStatus(ctx, req.Name)
}

func (r *Reconciler) reconcileEtcd(ctx context.Context, cluster string) error {
	config, err := r.clusterConfig(cluster)
	if err != nil {
		return err
	}
	r.status["etcd"] = config.Host
	return nil
}

func (r *Reconciler) reconcileNodes(ctx context.Context, cluster string) error {
	config, err := r.clusterConfig(cluster)
	if err != nil {
		return err
	}
	r.status["nodes"] = config.Host
	return nil
}

func (r *Reconciler) reconcileAddons(ctx context.Context, cluster string) error {
	config, err := r.clusterConfig(cluster)
	if err != nil {
		return err
	}
	r.status["addons"] = config.Host
	return nil
}

func (r *Reconciler) reconcileStatus(ctx context.Context, cluster string) error {
	config, err := r.clusterConfig(cluster)
	if err != nil {
		return err
	}
	r.status["ready"] = config.Host
	return nil
}

// clusterConfig is how to reach a cluster: nothing of it is kept.
func (r *Reconciler) clusterConfig(cluster string) (*rest.Config, error) {
	cert, key, err := r.authority.newClientCertificate("controller@" + cluster)
	if err != nil {
		return nil, err
	}
	return &rest.Config{Host: "https://" + cluster + ".example.com:6443", TLSClientConfig: rest.TLSClientConfig{CertData: cert, KeyData: key}}, nil
}
