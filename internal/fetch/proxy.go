package fetch

import (
	"context"
	"fmt"
	"net/http"
)

// A proxySource asks through the API server: kubectl get --raw …/pods/NAME:PORT/proxy/….
type proxySource struct {
	k      *kubectl
	limits Limits
	root   string // with the prefix
}

func newProxySource(k *kubectl, p pod, c Cluster, prefix string, l Limits) *proxySource {
	scheme := ""
	if c.HTTPS {
		scheme = "https:"
	}
	root := fmt.Sprintf("/api/v1/namespaces/%s/pods/%s%s:%d/proxy%s", p.namespace, scheme, p.name, p.port, prefix)
	return &proxySource{k: k, limits: l, root: root}
}

func (s *proxySource) close() {}

func (s *proxySource) get(ctx context.Context, it item, to *sink) error {
	err := s.k.stream(ctx, s.limits, it.lasts, to, "get", "--raw="+s.root+"/"+it.uri())
	// kubectl prints the reason of an API error in brackets, or else repeats the answer of the process.
	if isKubectlError(err, "(NotFound)") && !isKubectlError(err, `pods "`) {
		return &statusError{code: http.StatusNotFound}
	}
	return err
}
