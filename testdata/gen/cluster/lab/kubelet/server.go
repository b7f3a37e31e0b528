package kubelet

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"

	"cluster/lab/crilog"
)

// serve opens the node's port, which API servers ask for logs and forwarded ports.
func (n *node) serve(ctx context.Context) (io.Closer, error) {
	cert, key, authority, err := n.fleet.options.Serving(n.name)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	clients := x509.NewCertPool()
	clients.AppendCertsFromPEM(authority)
	server := &http.Server{
		Addr: fmt.Sprintf("127.0.0.1:%d", n.port()), Handler: n, ErrorLog: nil,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: clients, ClientAuth: tls.RequireAndVerifyClientCert},
		// Port forwarding upgrades a connection, which HTTP/2 cannot.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	listener, err := net.Listen("tcp", server.Addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { server.Close() })
	go server.ServeTLS(listener, "", "")
	return server, nil
}

// ServeHTTP answers /containerLogs/NAMESPACE/POD/CONTAINER and /portForward/NAMESPACE/POD.
func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case len(parts) == 4 && parts[0] == "containerLogs":
		n.serveLogs(w, r, parts[1], parts[2], parts[3])
	case len(parts) >= 3 && parts[0] == "portForward":
		pod := n.find(parts[1], parts[2])
		if pod == nil {
			http.NotFound(w, r)
			return
		}
		portforward.ServePortForward(w, r, forwarder{pod}, parts[2], pod.pod.UID, nil, time.Hour, 30*time.Second,
			portforward.SupportedProtocols)
	default:
		http.NotFound(w, r)
	}
}

// find returns the worker of a pod.
func (n *node) find(namespace, name string) *worker {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, w := range n.pods {
		if w.pod.Namespace == namespace && w.pod.Name == name {
			return w
		}
	}
	return nil
}

// serveLogs writes the log of a container's instance, without what the runtime puts before each line.
func (n *node) serveLogs(rw http.ResponseWriter, r *http.Request, namespace, name, container string) {
	w := n.find(namespace, name)
	if w == nil {
		http.Error(rw, fmt.Sprintf("pod %q does not exist", name), http.StatusNotFound)
		return
	}
	for _, c := range append(w.inits[:len(w.inits):len(w.inits)], w.containers...) {
		if c.spec.Name != container {
			continue
		}
		w.mu.Lock()
		path := c.logPath(c.starts - 1)
		if r.FormValue("previous") == "true" && c.state.Waiting == nil {
			path = c.logPath(c.starts - 2)
		}
		w.mu.Unlock()
		data, err := os.ReadFile(path)
		if err != nil {
			http.Error(rw, fmt.Sprintf("previous terminated container %q in pod %q not found", container, name), http.StatusBadRequest)
			return
		}
		rw.Write(plain(data, r))
		return
	}
	http.Error(rw, fmt.Sprintf("container %q not found in pod %q", container, name), http.StatusBadRequest)
}

// plain is a log as `kubectl logs` shows it.
func plain(data []byte, r *http.Request) []byte {
	lines := bytes.SplitAfter(crilog.Untag(data, r.FormValue("timestamps") == "true"), []byte("\n"))
	if tail, err := strconv.Atoi(r.FormValue("tailLines")); err == nil && tail+1 < len(lines) {
		lines = lines[len(lines)-tail-1:] // the last is what follows the last end of line
	}
	return bytes.Join(lines, nil)
}

// A forwarder connects to a pod's ports: that of its readiness probe, or the one of its profiles for any other.
type forwarder struct{ worker *worker }

// PortForward implements portforward.PortForwarder.
func (f forwarder) PortForward(_ context.Context, name string, _ types.UID, port int32, stream io.ReadWriteCloser) error {
	defer stream.Close()
	f.worker.mu.Lock()
	address := ""
	for _, c := range f.worker.containers {
		probe := c.spec.ReadinessProbe
		address = c.ports.profiles
		if probe != nil && probe.HTTPGet != nil && probe.HTTPGet.Port.IntVal == port {
			address = c.ports.ready
			break
		}
	}
	f.worker.mu.Unlock()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return fmt.Errorf("forwarding to port %d of %s: %w", port, name, err)
	}
	defer conn.Close()
	go io.Copy(conn, stream)
	_, err = io.Copy(stream, conn)
	return err
}
