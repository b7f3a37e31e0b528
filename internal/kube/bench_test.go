package kube

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// benchPods is a list of pods as the API server lists them, managed fields and all, in JSON or as sigs.k8s.io/yaml
// writes it.
func benchPods(n int, yaml bool) []byte {
	var b strings.Builder
	if yaml {
		b.WriteString("apiVersion: v1\nitems:\n")
	} else {
		b.WriteString("{\n \"kind\": \"PodList\",\n \"apiVersion\": \"v1\",\n \"items\": [\n")
	}
	for i := range n {
		if yaml {
			fmt.Fprintf(&b, `- apiVersion: v1
  kind: Pod
  metadata:
    annotations:
      kubernetes.io/config.hash: 7d9f8b6c4d
    creationTimestamp: "2026-03-04T04:%02d:00Z"
    labels:
      app: web
    managedFields:
    - apiVersion: v1
      fieldsType: FieldsV1
      fieldsV1:
%s      manager: kube-controller-manager
      operation: Update
      time: "2026-03-04T04:%02d:00Z"
    name: web-%d
    namespace: shop
    resourceVersion: "%d"
    uid: 11110000-aaaa-4bbb-8ccc-%012d
  spec:
    containers:
    - image: registry.example/web:1
      imagePullPolicy: Always
      name: web
      resources:
        limits:
          cpu: 20m
          memory: 32Mi
        requests:
          cpu: 20m
          memory: 32Mi
      terminationMessagePath: /dev/termination-log
      terminationMessagePolicy: File
    dnsPolicy: ClusterFirst
    nodeName: node-1
    restartPolicy: Always
    tolerations:
    - effect: NoExecute
      key: node.kubernetes.io/not-ready
      operator: Exists
      tolerationSeconds: 300
  status:
    message: 'Pod was rejected: Node didn''t have enough resource: cpu'
    phase: Failed
    reason: OutOfcpu
    startTime: "2026-03-04T04:%02d:00Z"
`, i%60, strings.Repeat("        f:metadata:\n          f:labels:\n            .: {}\n            f:app: {}\n", 6), i%60, i, i, i, i%60)
			continue
		}
		fmt.Fprintf(&b, `  {
   "metadata": {
    "name": "web-%d",
    "namespace": "shop",
    "uid": "11110000-aaaa-4bbb-8ccc-%012d",
    "resourceVersion": "%d",
    "creationTimestamp": "2026-03-04T04:%02d:00Z",
    "managedFields": [
     {
      "manager": "kube-controller-manager",
      "operation": "Update",
      "time": "2026-03-04T04:%02d:00Z",
      "fieldsV1": {
%s       "f:x": {}
      }
     }
    ]
   },
   "spec": {
    "containers": [
     {
      "name": "web",
      "image": "registry.example/web:1",
      "resources": {
       "limits": {
        "cpu": "20m",
        "memory": "32Mi"
       }
      },
      "terminationMessagePath": "/dev/termination-log"
     }
    ],
    "nodeName": "node-1",
    "restartPolicy": "Always"
   },
   "status": {
    "phase": "Failed",
    "message": "Pod was rejected: Node didn't have enough resource: cpu",
    "reason": "OutOfcpu"
   }
  },
`, i, i, i, i%60, i%60, strings.Repeat("       \"f:metadata\": {\n        \"f:labels\": {\n         \".\": {},\n         \"f:app\": {}\n        }\n       },\n", 6))
	}
	if yaml {
		b.WriteString("kind: List\n")
	} else {
		b.WriteString("  {}\n ]\n}\n")
	}
	return []byte(b.String())
}

// benchMaps is a list of ConfigMaps: nobody looks into them.
func benchMaps(n int) []byte {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nitems:\n")
	for i := range n {
		fmt.Fprintf(&b, "- apiVersion: v1\n  data:\n    dashboard.json: |-\n%s  kind: ConfigMap\n  metadata:\n    name: d-%d\n    namespace: shop\n",
			strings.Repeat("      {\"datasource\": \"prometheus\", \"expr\": \"sum(rate(container_cpu_usage_seconds_total[5m]))\"},\n", 400), i)
	}
	b.WriteString("kind: List\n")
	return []byte(b.String())
}

func benchRead(b *testing.B, name string, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(NewStore(0))
		if err := r.Read(name, bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
		if o := r.Close(); len(o.objects) == 0 {
			b.Fatal("no objects")
		}
	}
}

func BenchmarkPodsJSON(b *testing.B)       { benchRead(b, "pods.json", benchPods(2000, false)) }
func BenchmarkPodsYAML(b *testing.B)       { benchRead(b, "pods.yaml", benchPods(2000, true)) }
func BenchmarkConfigMapsYAML(b *testing.B) { benchRead(b, "configmaps.yaml", benchMaps(100)) }
