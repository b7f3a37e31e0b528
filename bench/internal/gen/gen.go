// Package gen writes inputs of any size as streams, the same bytes for the same arguments: goroutine dumps, logs,
// profiles, bundles and audit logs of programs that are not real but have the shape of those that are.
package gen

import (
	"bufio"
	"fmt"
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/auditlog"
)

// An Input writes itself. Its error may be that of an earlier write, as bufio.Writer keeps it.
type Input func(w *bufio.Writer) error

// start is when the first line of a log is written.
var start = time.Date(2026, 3, 7, 1, 0, 0, 0, time.UTC)

// mix is SplitMix64's finalizer: numbers without a pattern, the same in each run.
func mix(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// auditNodes is how many nodes the cluster of an audit log has.
const auditNodes = 60

// Audit is the audit log of a healthy cluster of 60 nodes with that many events of about 800 bytes, at level Metadata.
func Audit(events int) Input {
	return func(w *bufio.Writer) error {
		var nodes []string
		for i := range auditNodes {
			nodes = append(nodes, fmt.Sprintf("node-%03d", i))
		}
		back := auditlog.NewBackground("growth", start, nodes, auditlog.NewStore(655_000_000), 1)
		var text []byte
		for range events {
			e := back.Next()
			text = e.Append(text[:0])
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
		return nil
	}
}

// Bundle is a support bundle of that many files in the layout of oc adm must-gather, a zip: pods' logs of 2 to 14 kB,
// the YAML of an object for each sixth of them, and a goroutine dump in one log of each thousand, at least one.
func Bundle(files int) Input {
	texts, dump := lineTexts(), text(Dump(100, 50))
	return func(w *bufio.Writer) error {
		return archive.Zip(w, files, func(i int) (archive.File, error) {
			return bundleFile(texts, dump, uint64(i)), nil
		})
	}
}

const layout = "must-gather.local.1/registry-example-net-sha256-5b79/namespaces/team-%d/"

func bundleFile(texts [][]byte, dump []byte, i uint64) archive.File {
	v := mix(i)
	namespace, pod := v%40, fmt.Sprintf("agent-%06x-%d", v>>40, i)
	if i%6 == 5 {
		return archive.File{
			Name: fmt.Sprintf(layout+"core/configmaps/%s.yaml", namespace, pod), Time: start,
			Data: fmt.Appendf(nil, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n  namespace: team-%d\n"+
				"  resourceVersion: \"%d\"\ndata:\n  level: info\n  workers: \"%d\"\n", pod, namespace,
				655_000_000+i, v%9),
		}
	}
	next := podLines(texts, v)
	var data []byte
	for size := 2_000 + int(v>>20%12_000); len(data) < size; {
		data = append(data, next()...)
	}
	if i%1000 == 0 {
		data = append(data, dump...)
	}
	return archive.File{
		Name: fmt.Sprintf(layout+"pods/%[2]s/agent/agent/logs/current.log", namespace, pod), Time: start, Data: data,
	}
}
