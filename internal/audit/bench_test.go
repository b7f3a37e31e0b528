package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// generated makes events the way an API server writes them, share of them at level RequestResponse with bodies of some
// KiB; seven of ten are reads and leases, as in a quiet cluster.
func generated(events int, bodies bool) []byte {
	var b bytes.Buffer
	managed := strings.Repeat(`{"manager":"controller","operation":"Update","apiVersion":"apps/v1","time":"2026-03-04T04:47:31Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:deployment.kubernetes.io/revision":{}}},"f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{}}}}}}}},`, 3)
	spec := strings.Repeat(`{"name":"web","image":"registry.example/web:1.2","env":[{"name":"A","value":"x \"quoted\" {brace}"}],"resources":{"limits":{"cpu":"1"}}},`, 8)
	for i := range events {
		micro := i * 700
		at := fmt.Sprintf("2026-03-04T%02d:%02d:%02d.%06dZ", 4+micro/3_600_000_000, micro/60_000_000%60, micro/1_000_000%60, micro%1_000_000)
		verb, sub, resource, group, name, ns := "get", "", "pods", "", fmt.Sprintf("web-%d", i%300), "prod"
		switch i % 10 {
		case 0, 1:
			verb, resource, group, name, ns = "update", "leases", "coordination.k8s.io", fmt.Sprintf("node-%d", i%50), "kube-node-lease"
		case 2:
			verb, sub, resource, group, name = "update", "status", "deployments", "apps", fmt.Sprintf("web-%d", i/10%40)
		case 3:
			verb, sub, name = "patch", "status", fmt.Sprintf("web-%d", i/10%300)
		case 4:
			verb, name = "list", ""
		}
		level := "Metadata"
		if bodies {
			level = "RequestResponse"
		}
		fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"%s","auditID":"%08x-f783-4706-957f-b1efe95c45a4","stage":"ResponseComplete","requestURI":"/apis/%s/v1/namespaces/%s/%s/%s?timeout=10s\u0026fieldManager=x","verb":"%s","user":{"username":"system:serviceaccount:kube-system:controller-%d","uid":"5c3ef707-c4dc-4677-b69d-56f71599239d","groups":["system:serviceaccounts","system:serviceaccounts:kube-system","system:authenticated"],"extra":{"authentication.kubernetes.io/credential-id":["JTI=16cd68d7-c642-4a56-8644-06fbf8bb3da9"]}},"sourceIPs":["10.0.0.7"],"userAgent":"controller/v1.34.1 (linux/amd64) kubernetes/93248f9","objectRef":{"resource":"%s","namespace":"%s","name":"%s","apiGroup":"%s","apiVersion":"v1","resourceVersion":"%d","subresource":"%s"},"responseStatus":{"metadata":{},"code":200}`,
			level, i, group, ns, resource, name, verb, i%17, resource, ns, name, group, i, sub)
		if bodies {
			body := fmt.Sprintf(`{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"%s","namespace":"prod","uid":"5c3ef707-c4dc-4677-b69d-56f71599239d","resourceVersion":"%d","generation":2,"managedFields":[%s]},"spec":{"containers":[%s]},"status":{"observedGeneration":2,"replicas":%d}}`,
				name, i+1, strings.TrimSuffix(managed, ","), strings.TrimSuffix(spec, ","), i%5)
			if verb == "update" || verb == "patch" {
				fmt.Fprintf(&b, `,"requestObject":%s`, body)
			}
			fmt.Fprintf(&b, `,"responseObject":%s`, body)
		}
		fmt.Fprintf(&b, `,"requestReceivedTimestamp":"%s","stageTimestamp":"%s","annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":"RBAC: allowed by ClusterRoleBinding \"system:controller\" of ClusterRole \"system:controller\" to ServiceAccount \"controller/kube-system\""}}`+"\n", at, at)
	}
	return b.Bytes()
}

func benchmarkRead(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(Options{})
		if err := r.Read("audit.log", bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

func BenchmarkReadMetadata(b *testing.B) { benchmarkRead(b, generated(30_000, false)) }

func BenchmarkReadRequestResponse(b *testing.B) { benchmarkRead(b, generated(8_000, true)) }

func BenchmarkReadAndMerge(b *testing.B) {
	data := generated(30_000, false)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r := NewReader(Options{})
		if err := r.Read("audit.log", bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
		Merge([]*Log{r.Close()})
	}
}

// BenchmarkEncodingJSON decodes what a reader needs of the same events with the standard library.
func BenchmarkEncodingJSON(b *testing.B) {
	for _, bodies := range []bool{false, true} {
		data := generated(8_000, bodies)
		b.Run(fmt.Sprintf("bodies=%v", bodies), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				for line := range bytes.Lines(data) {
					var e plainEvent
					if err := json.Unmarshal(line, &e); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// A plainEvent is an event as encoding/json reads it.
type plainEvent struct {
	Level, AuditID, Stage, RequestURI, Verb, UserAgent string
	User, ImpersonatedUser                             struct{ Username string }
	ObjectRef                                          struct {
		Resource, Subresource, Namespace, Name, UID, APIGroup, APIVersion, ResourceVersion string
	}
	ResponseStatus struct {
		Code            int
		Reason, Message string
	}
	RequestReceivedTimestamp, StageTimestamp string
	ResponseObject                           struct {
		Metadata struct{ ResourceVersion, UID string }
	}
}

// BenchmarkJQ lets jq, where it is installed, print three fields of each of the same events.
func BenchmarkJQ(b *testing.B) {
	jq, err := exec.LookPath("jq")
	if err != nil {
		b.Skip("jq is not installed")
	}
	for _, bodies := range []bool{false, true} {
		data := generated(8_000, bodies)
		b.Run(fmt.Sprintf("bodies=%v", bodies), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				cmd := exec.Command(jq, "-c", "[.requestReceivedTimestamp,.verb,.user.username]")
				cmd.Stdin, cmd.Stdout = bytes.NewReader(data), io.Discard
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
