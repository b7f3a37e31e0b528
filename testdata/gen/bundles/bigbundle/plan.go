package main

import (
	"bytes"
	"fmt"
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/auditlog"
	"example.com/bundles/logs"
)

// What the bundle covers: a working day, until it was taken. At 2 GiB the components then write about as fast as they do in life.
var (
	taken = time.Date(2026, 3, 7, 10, 0, 0, 0, time.UTC)
	begin = taken.Add(-9 * time.Hour)
)

const (
	top  = "supportbundle_5c1d7a52-7f0e-4a4f-9f14-2f1f6f0b7c11_2026-03-07T10-00-00Z/"
	pods = 300
	// The share of all bytes that each part has.
	inLogs    = 0.50 // logs/, as the API gives them
	inRotated = 0.33 // the kubelet's files on the nodes
	inUnits   = 0.02 // a node's units, of which it has three
	inAudit   = 0.15 // of the API servers
	rotations = 5    // files of a log that the kubelet keeps (containerLogMaxFiles)
)

var nodes = [...]string{"node-a1", "node-a2", "node-a3"}

// A bundle is the list of files, and how to make each.
type bundle struct {
	size  int64
	dump  [][]byte
	all   []*logs.Component
	units []*logs.Component
	files []maker
}

type maker func() (archive.File, error)

func (b *bundle) file(i int) (archive.File, error) { return b.files[i]() }

// A pod is one of the bundle's.
type pod struct {
	component *logs.Component
	namespace string
	name, uid string
	node      string
	seed      string
	share     float64 // of what all pods write
}

func plan(size int64, dump [][]byte) *bundle {
	b := &bundle{size: size, dump: dump}
	for _, c := range append(append(logs.ControlPlane(), logs.Addons()...), logs.Workloads()...) {
		c.Starts = nil // they started long before
		if c.Owner == "Unit" {
			b.units = append(b.units, c)
		} else {
			b.all = append(b.all, c)
		}
	}
	b.add(top+"metadata.yaml", func() []byte {
		return []byte("bundlename: bundle-" + logs.NewRand("bundle").Suffix(5) + "\nbundleversion: 0.1.0\nkubernetesversion: v1.31.4\nprojectnamespaceuuid: 5c1d7a52-7f0e-4a4f-9f14-2f1f6f0b7c11\nbundlecreatedat: \"2026-03-07T10:00:00Z\"\nissueurl: \"\"\nissuedescription: the cluster is slow\n")
	})
	b.add(top+"bundleGenerationError.log", func() []byte {
		return []byte("Failed to get /api/v1/namespaces/default/bindings: the server does not allow this method on the requested resource\n")
	})
	list := b.pods()
	b.add(top+"yamls/namespaced/v1/pods.yaml", func() []byte { return podList(list) })
	weigh(list)
	for i, p := range list {
		each := int64(inLogs * float64(size) * p.share)
		b.add(top+"logs/"+p.namespace+"/"+p.name+"/"+p.component.Name+".log", func() []byte { return podLog(p, i, each) })
	}
	for n := range nodes {
		b.files = append(b.files, func() (archive.File, error) { return b.node(n, list) })
	}
	return b
}

func (b *bundle) add(name string, data func() []byte) {
	b.files = append(b.files, func() (archive.File, error) {
		return archive.File{Name: name, Data: data(), Time: taken}, nil
	})
}

// pods are the components' replicas, repeated under other namespaces until there are enough. The first is the agent.
func (b *bundle) pods() []pod {
	r := logs.NewRand("pods")
	list := []pod{{component: agent, namespace: agent.Namespace, name: "release-agent-6f7c9d5b84-" + r.Suffix(5), uid: r.UUID(), node: nodes[0], seed: "agent"}}
	for i := 0; len(list) < pods; i++ {
		c := b.all[i%len(b.all)]
		p := pod{component: c, namespace: c.Namespace, uid: r.UUID(), node: nodes[i%len(nodes)], seed: fmt.Sprint("pod ", i)}
		if round := i / len(b.all); round > 0 {
			p.namespace = fmt.Sprintf("%s-%d", c.Namespace, round)
		}
		switch c.Owner {
		case "Node":
			p.name = c.Name + "-" + p.node
		case "StatefulSet":
			p.name = fmt.Sprintf("%s-%d", c.Name, i/len(b.all))
		case "DaemonSet":
			p.name = c.Name + "-" + r.Suffix(5)
		default:
			p.name = c.Name + "-" + r.Hex(9) + "-" + r.Suffix(5)
		}
		list = append(list, p)
	}
	return list
}

// weigh gives each pod its share of the bytes: what it writes in life, at most 300 bytes a second, as logs are rotated.
func weigh(list []pod) {
	sum := 0.0
	for i := range list {
		list[i].share = min(300, list[i].component.Rate()+31*list[i].lines())
		sum += list[i].share
	}
	for i := range list {
		list[i].share /= sum
	}
}

// lines is how many lines a second the pod writes in life.
func (p pod) lines() float64 {
	n := 0.0
	for _, s := range p.component.Says {
		n += float64(max(1, s.Burst)) / s.Every.Seconds()
	}
	return n
}

func podList(list []pod) []byte {
	var b bytes.Buffer
	b.WriteString("apiVersion: v1\nitems:\n")
	for _, p := range list {
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: Pod\n  metadata:\n    creationTimestamp: %q\n    name: %s\n    namespace: %s\n    resourceVersion: \"655000000\"\n    uid: %s\n  spec:\n    containers:\n    - image: registry.example.net/%s:1.4.2\n      name: %s\n    nodeName: %s\n  status:\n    containerStatuses:\n    - name: %s\n      ready: true\n      restartCount: 0\n      started: true\n    phase: Running\n",
			begin.Add(-time.Hour).Format(time.RFC3339), p.name, p.namespace, p.uid, p.component.Name, p.component.Name, p.node, p.component.Name)
	}
	b.WriteString("kind: List\n")
	return b.Bytes()
}

// node is one node's archive: its units' logs, the kubelet's files of its pods, and an API server's audit log.
func (b *bundle) node(n int, list []pod) (archive.File, error) {
	name := nodes[n]
	var files []archive.File
	for _, c := range b.units {
		each := int64(inUnits * float64(b.size) / float64(len(nodes)*len(b.units)))
		files = append(files, archive.File{Name: name + "/logs/" + c.Name + ".log", Data: unitLog(c, name, each), Time: taken})
	}
	for i, p := range list {
		if p.node == name {
			rotated, err := b.rotated(p, i, int64(inRotated*float64(b.size)*p.share))
			if err != nil {
				return archive.File{}, err
			}
			for _, f := range rotated {
				f.Name = name + "/" + f.Name
				files = append(files, f)
			}
		}
	}
	audit, err := auditLogs(n, int64(inAudit*float64(b.size)/float64(len(nodes))))
	if err != nil {
		return archive.File{}, err
	}
	for _, f := range audit {
		f.Name = name + "/" + f.Name
		files = append(files, f)
	}
	var z bytes.Buffer
	err = archive.Zip(&z, len(files), func(i int) (archive.File, error) { return files[i], nil })
	// The collector's zip tries to deflate the node's again for all but the last, so that both forms occur.
	return archive.File{Name: top + "nodes/" + name + ".zip", Data: z.Bytes(), Time: taken, Stored: n == len(nodes)-1}, err
}

// hidden is the pod, and the file of its log counted from the oldest, that holds the dump.
const (
	hiddenPod  = 151
	hiddenFile = 2
)

func auditLogs(server int, size int64) ([]archive.File, error) {
	l := newAuditLog(server)
	var files []archive.File
	for i := range 3 {
		data, last := l.write(size / 3)
		f := archive.File{Name: "logs/audit/audit.log", Data: data, Time: taken}
		if i < 2 { // rotated by size, the older one compressed
			f.Name = "logs/audit/audit-" + last.Format("2006-01-02T15-04-05.000") + ".log"
		}
		if i == 0 {
			z, err := archive.Gzip(data)
			if err != nil {
				return nil, err
			}
			f.Name, f.Data, f.Stored = f.Name+".gz", z, true
		}
		files = append(files, f)
	}
	return files, nil
}

// An auditLog is what one of three API servers writes: a third of the cluster's requests, and the agent's, which talks to the first.
type auditLog struct {
	back *auditlog.Background
	loop *auditlog.Loop
}
