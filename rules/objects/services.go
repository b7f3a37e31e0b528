package objects

import (
	"github.com/gotriage/triage/internal/kube"
)

// endpointsOf counts the endpoints in a Service's EndpointSlices. The cluster itself finds them: that needs no list of
// all pods. known is false where the inputs have no EndpointSlice of the Service.
func endpointsOf(c *kube.Cluster, s *kube.Service) (n int, known bool) {
	for _, e := range c.Slices {
		if !e.Gone && e.Namespace == s.Namespace && e.Service == s.Name {
			n, known = n+e.Endpoints, true
		}
	}
	return n, known
}
