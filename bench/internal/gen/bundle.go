package gen

import (
	"bytes"
	"fmt"
	"io"

	"example.com/bundles/archive"
)

// Bundle is a support bundle of that many files in the layout of oc adm must-gather, a zip: pods' logs of 2 to 14 kB,
// the YAML of an object for each sixth of them, and a goroutine dump in one log of each thousand, at least one.
func Bundle(files int) Input {
	texts := lineTexts()
	return func(w io.Writer) error {
		return archive.Zip(w, files, func(i int) (archive.File, error) { return bundleFile(texts, uint64(i)), nil })
	}
}

const layout = "must-gather.local.1/registry-example-net-sha256-5b79/namespaces/team-%d/"

func bundleFile(texts [][]byte, i uint64) archive.File {
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
	l := newLines(texts)
	l.i, l.at = v>>16, v>>32%3600*1e6 // each pod begins in its own minute, with its own lines
	var data []byte
	for size := 2_000 + int(v>>20%12_000); len(data) < size; {
		data = l.append(data)
	}
	if i%1000 == 0 {
		var dump bytes.Buffer
		b := newBuffer(&dump)
		Program{Stacks: 50}.dump(b, 100)
		b.flush() // a bytes.Buffer takes everything
		data = append(data, dump.Bytes()...)
	}
	return archive.File{
		Name: fmt.Sprintf(layout+"pods/%[2]s/agent/agent/logs/current.log", namespace, pod), Time: start, Data: data,
	}
}
