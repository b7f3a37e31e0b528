// Package plane starts and stops a control plane on 127.0.0.1: etcd, three API servers, the controller manager and the
// scheduler.
package plane

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Servers is how many API servers there are.
const Servers = 3

// Offsets of the ports of a control plane from its base.
const (
	portEtcd, portPeer           = 379, 380
	portServer                   = 443
	portManager, portScheduler   = 257, 259
	PortKubelet, PortMetrics     = 100, 150
	patience                     = 3 * time.Minute
	serviceAccounts, everyoneMay = "system:serviceaccounts", "cluster-admin"
)

// Options say how a control plane is started.
type Options struct {
	Dir          string // its files
	Logs         string // the folder that is shaped like /var/log/pods
	Etcd, Binary string // paths of the binaries
	Base         int    // first port
	Contention   bool   // the API servers profile contention
}

// A Plane is a control plane that runs.
type Plane struct {
	options    Options
	authority  *Authority
	front      *Authority // of the API servers as they pass requests on
	Admins     []*rest.Config
	components []*component
}

// Start starts a control plane and waits until each API server is ready.
func Start(ctx context.Context, o Options) (*Plane, error) {
	p := &Plane{options: o}
	if err := p.files(); err != nil {
		return nil, err
	}
	starts := []func() error{p.etcd, func() error { return p.apiServers(ctx) }, func() error { return p.rights(ctx) }, p.managers}
	for _, start := range starts {
		if err := start(); err != nil {
			return p, errors.Join(err, ctx.Err())
		}
	}
	return p, nil
}

// Stop ends all components, the last first.
func (p *Plane) Stop() {
	for i := len(p.components) - 1; i >= 0; i-- {
		p.components[i].stop()
	}
}

// Authority issues certificates that the API servers trust.
func (p *Plane) Authority() *Authority { return p.authority }

// Server is the address of an API server.
func (p *Plane) Server(i int) string { return fmt.Sprintf("127.0.0.1:%d", p.options.Base+portServer+i) }

// Components are the addresses at which the components serve their profiles, by their names.
func (p *Plane) Components() map[string]string {
	return map[string]string{
		"kube-apiserver":          p.Server(0),
		"kube-controller-manager": p.port(portManager),
		"kube-scheduler":          p.port(portScheduler),
	}
}

// AuditLog is the path of a server's audit log.
func (p *Plane) AuditLog(i int) string {
	return filepath.Join(p.options.Dir, fmt.Sprintf("audit-%d.log", i+1))
}

func (p *Plane) port(offset int) string { return fmt.Sprintf("127.0.0.1:%d", p.options.Base+offset) }

func (p *Plane) path(name string) string { return filepath.Join(p.options.Dir, name) }

// files makes certificates, keys, kubeconfigs and the audit policy.
func (p *Plane) files() error {
	if err := os.MkdirAll(p.options.Dir, 0o755); err != nil {
		return err
	}
	var err error
	if p.authority, err = NewAuthority("kubernetes"); err != nil {
		return err
	}
	if p.front, err = NewAuthority("front-proxy-ca"); err != nil {
		return err
	}
	pairs := []struct {
		name  string
		issue func() (Pair, error)
	}{
		{"server", func() (Pair, error) { return p.authority.Server("kube-apiserver") }},
		{"signing", func() (Pair, error) { return Pair{p.authority.PEM, nil}, nil }},
		{"kubelet-client", func() (Pair, error) { return p.authority.Client("kube-apiserver-kubelet-client", "system:masters") }},
		{"front", func() (Pair, error) { return p.front.Client("front-proxy-client") }},
	}
	for _, pair := range pairs {
		issued, err := pair.issue()
		if err == nil {
			err = issued.write(p.options.Dir, pair.name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", pair.name, err)
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	tokens, err := keyPEM(key)
	if err != nil {
		return err
	}
	authorityKey, err := keyPEM(p.authority.key)
	if err != nil {
		return err
	}
	files := map[string][]byte{"tokens.key": tokens, "ca.crt": p.authority.PEM, "ca.key": authorityKey,
		"front-ca.crt": p.front.PEM, "policy.yaml": []byte(policy)}
	for name, data := range files {
		if err := os.WriteFile(p.path(name), data, 0o600); err != nil {
			return err
		}
	}
	return p.admins()
}

// admins makes the administrator's configurations, and empty audit logs.
func (p *Plane) admins() error {
	kubeconfig, err := p.Kubeconfig(0, "kubernetes-admin", "system:masters")
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.path("admin.kubeconfig"), kubeconfig, 0o600); err != nil {
		return err
	}
	for i := range Servers {
		admin, err := p.Config(i, "kubernetes-admin", "system:masters")
		if err != nil {
			return err
		}
		p.Admins = append(p.Admins, admin)
		if err := os.WriteFile(p.AuditLog(i), nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// policy writes all bodies but those of secrets and tokens. A scene at Metadata has them cut off later: the events are
// the same.
const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
omitManagedFields: true
rules:
- level: None
  nonResourceURLs: ["/healthz*", "/readyz*", "/livez*", "/version", "/api", "/api/*", "/apis", "/apis/*", "/openapi/*"]
- level: Metadata
  resources:
  - {group: "", resources: [secrets, serviceaccounts/token]}
  - {group: authentication.k8s.io}
  - {group: authorization.k8s.io}
- level: RequestResponse
`

// etcd starts etcd. Nothing that the lab keeps needs to survive the machine, so it does not wait for the disk.
func (p *Plane) etcd() error {
	client, peer := "http://"+p.port(portEtcd), "http://"+p.port(portPeer)
	return p.run("etcd", "", p.options.Etcd, "--data-dir="+p.path("etcd"), "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer)
}

// apiServers starts the API servers one after another, so that only one of them sets up what they share.
func (p *Plane) apiServers(ctx context.Context) error {
	for i := range Servers {
		args := []string{
			"--etcd-servers=http://" + p.port(portEtcd), "--endpoint-reconciler-type=none",
			"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--external-hostname=127.0.0.1",
			fmt.Sprintf("--secure-port=%d", p.options.Base+portServer+i),
			"--tls-cert-file=" + p.path("server.crt"), "--tls-private-key-file=" + p.path("server.key"),
			"--client-ca-file=" + p.path("ca.crt"), "--authorization-mode=Node,RBAC", "--allow-privileged=true",
			"--kubelet-certificate-authority=" + p.path("ca.crt"),
			"--kubelet-client-certificate=" + p.path("kubelet-client.crt"),
			"--kubelet-client-key=" + p.path("kubelet-client.key"), "--kubelet-preferred-address-types=InternalIP",
			"--service-account-issuer=https://kubernetes.default.svc",
			"--service-account-key-file=" + p.path("tokens.key"),
			"--service-account-signing-key-file=" + p.path("tokens.key"),
			"--service-cluster-ip-range=10.96.0.0/16",
			"--requestheader-client-ca-file=" + p.path("front-ca.crt"),
			"--requestheader-allowed-names=front-proxy-client", "--requestheader-extra-headers-prefix=X-Remote-Extra-",
			"--requestheader-group-headers=X-Remote-Group", "--requestheader-username-headers=X-Remote-User",
			"--proxy-client-cert-file=" + p.path("front.crt"), "--proxy-client-key-file=" + p.path("front.key"),
			"--enable-aggregator-routing=true",
			"--default-not-ready-toleration-seconds=10", "--default-unreachable-toleration-seconds=10",
			"--audit-policy-file=" + p.path("policy.yaml"), "--audit-log-path=" + p.AuditLog(i),
			"--audit-log-maxsize=100000", "--event-ttl=1h", "--v=2",
			fmt.Sprintf("--contention-profiling=%t", p.options.Contention),
		}
		host := fmt.Sprintf("master-%d", i+1)
		if err := p.run(fmt.Sprintf("kube-apiserver-%d", i+1), host, p.options.Binary, append([]string{"kube-apiserver"}, args...)...); err != nil {
			return err
		}
		if err := p.ready(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// ready waits until an API server says that it is.
func (p *Plane) ready(ctx context.Context, i int) error {
	client, err := kubernetes.NewForConfig(p.Admins[i])
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		if _, err = client.RESTClient().Get().AbsPath("/readyz").DoRaw(ctx); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("API server %d is not ready: %w", i+1, err)
		case <-p.components[len(p.components)-1].ended:
			return fmt.Errorf("API server %d ends again and again", i+1)
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// managers starts the controller manager at the first API server and the scheduler at the second.
func (p *Plane) managers() error {
	shared := func(user string, server int) ([]string, error) {
		config, err := p.Kubeconfig(server, "system:"+user)
		if err != nil {
			return nil, err
		}
		path := p.path(user + ".kubeconfig")
		return []string{user, "--kubeconfig=" + path, "--authentication-kubeconfig=" + path,
			"--authorization-kubeconfig=" + path, "--bind-address=127.0.0.1", "--profiling", "--leader-elect",
			"--leader-elect-lease-duration=60s", "--leader-elect-renew-deadline=40s", "--v=2",
			"--client-ca-file=" + p.path("ca.crt"),
		}, os.WriteFile(path, config, 0o600)
	}
	manager, err := shared("kube-controller-manager", 0)
	if err != nil {
		return err
	}
	manager = append(manager, fmt.Sprintf("--secure-port=%d", p.options.Base+portManager),
		"--use-service-account-credentials", "--service-account-private-key-file="+p.path("tokens.key"),
		"--root-ca-file="+p.path("ca.crt"), "--kube-api-qps=100", "--kube-api-burst=200",
		"--cluster-signing-cert-file="+p.path("ca.crt"), "--cluster-signing-key-file="+p.path("ca.key"),
		"--node-monitor-period=3s", "--node-monitor-grace-period=25s",
		"--horizontal-pod-autoscaler-sync-period=4s", "--horizontal-pod-autoscaler-downscale-stabilization=4s",
		"--horizontal-pod-autoscaler-initial-readiness-delay=1s", "--namespace-sync-period=20s")
	if err := p.run("kube-controller-manager", "master-1", p.options.Binary, manager...); err != nil {
		return err
	}
	scheduler, err := shared("kube-scheduler", 1)
	if err != nil {
		return err
	}
	scheduler = append(scheduler, fmt.Sprintf("--secure-port=%d", p.options.Base+portScheduler))
	return p.run("kube-scheduler", "master-2", p.options.Binary, scheduler...)
}

// The names of system components in kube-system, and where their logs are.
func (p *Plane) logPath(name string) string {
	return filepath.Join(p.options.Logs, "kube-system_"+name+"_"+strings.Repeat("0", 8), strings.TrimRight(name, "-123"), "0.log")
}
