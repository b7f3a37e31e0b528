package refusal

import "testing"

// FuzzRefusal reads the API server's messages.
func FuzzRefusal(f *testing.F) {
	f.Add(`Internal error occurred: failed calling webhook "a.b": failed to call webhook: Post "https://svc.ns.svc:443/x?timeout=10s": refused`, "")
	f.Add(`pods "x" is forbidden: exceeded quota: q, requested: pods=1`, "")
	f.Add("Cannot evict pod", "The disruption budget b needs 3 healthy pods and has 3 currently")
	f.Add(`failed calling webhook "`, `://.`)
	f.Fuzz(func(t *testing.T, message, cause string) {
		kind, by := Of([]byte(message), []byte(cause))
		service := Service([]byte(message))
		if kind == 0 && len(by) > 0 || len(by) > len(message)+len(cause) || len(service) > len(message) {
			t.Errorf("%d %q %q", kind, by, service)
		}
	})
}
