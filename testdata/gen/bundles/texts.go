package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/logs"
)

const nano = "2006-01-02T15:04:05.000000000Z"

// newest is what the API gives of an instance: its newest file.
func (i instance) newest() []line {
	if len(i.cuts) == 0 {
		return i.lines
	}
	return i.lines[i.cuts[len(i.cuts)-1]:]
}

// current and previous are the instances that kubectl logs, and kubectl logs --previous, show.
func (k *container) current() instance { return k.instances[len(k.instances)-1] }

func (k *container) previous() (instance, bool) {
	if len(k.instances) < 2 {
		return instance{}, false
	}
	return k.instances[len(k.instances)-2], true
}

// stamped is a log as kubectl logs --timestamps prints it.
func stamped(lines []line) []byte {
	var b []byte
	for _, l := range lines {
		b = l.at.UTC().AppendFormat(b, nano)
		b = append(b, ' ')
		b = append(b, l.text...)
		b = append(b, '\n')
	}
	return b
}

// bare is a log as kubectl logs prints it.
func bare(lines []line) []byte {
	var b []byte
	for _, l := range lines {
		b = append(b, l.text...)
		b = append(b, '\n')
	}
	return b
}

// cri is a log as the container runtime keeps it.
func cri(lines []line) []byte {
	var b []byte
	for _, l := range lines {
		b = l.at.UTC().AppendFormat(b, nano)
		if l.stdout {
			b = append(b, " stdout F "...)
		} else {
			b = append(b, " stderr F "...)
		}
		b = append(b, l.text...)
		b = append(b, '\n')
	}
	return b
}

// kubeletFiles are the files of /var/log/pods: of the last two instances, all but the newest rotated file compressed.
func (c *cluster) kubeletFiles(base string, p *pod) []archive.File {
	var files []archive.File
	for _, k := range p.containers {
		kept := k.instances[max(0, len(k.instances)-2):]
		for _, i := range kept {
			name := fmt.Sprintf("%s%s_%s_%s/%s/%d.log", base, p.namespace, p.name, p.uid, k.name, i.restart)
			at := 0
			for n, cut := range append(append([]int{}, i.cuts...), len(i.lines)) {
				part := i.lines[at:cut]
				at = cut
				f := archive.File{Name: name, Data: cri(part), Time: c.taken}
				if n < len(i.cuts) {
					f.Name += part[len(part)-1].at.UTC().Format(".20060102-150405")
				}
				if n < len(i.cuts)-1 || len(i.cuts) == 1 && n == 0 {
					f.Name, f.Data = f.Name+".gz", gz(f.Data)
				}
				files = append(files, f)
			}
		}
	}
	return files
}

func gz(data []byte) []byte {
	z, err := archive.Gzip(data)
	if err != nil {
		panic(err) // writing to memory
	}
	return z
}

// unitLog is journalctl -o short-precise of a unit, cut at the front as collectors do.
func (c *cluster) unitLog(u *logs.Component, node string) []line {
	p := &pod{namespace: "units", name: u.Name, node: node}
	return c.logOf(u, p, long)
}

// auditText is a server's log.
func (c *cluster) auditText(server int) []byte {
	var b []byte
	for i := range c.audit[server] {
		b = c.audit[server][i].Append(b)
	}
	return b
}

// listOf is a v1 List, the way the collectors write it.
func listOf(items []obj) obj {
	l := make(list, len(items))
	for i, o := range items {
		l[i] = o
	}
	return obj{"apiVersion": "v1", "kind": "List", "items": l}
}

func jsonOf(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "    ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // maps, lists, strings, numbers
	}
	return b.Bytes()
}

// A group is the objects of one resource in one namespace.
type group struct {
	namespace, api, resource string
	items                    []obj
}

// groups are all objects, pods too, in the order in which they were made.
func (c *cluster) groups() []*group {
	var out []*group
	index := map[string]*group{}
	add := func(o obj) {
		m := o["metadata"].(obj)
		ns, _ := m["namespace"].(string)
		g := group{namespace: ns, api: o["apiVersion"].(string), resource: resourceOf(o["kind"].(string))}
		key := g.namespace + " " + g.api + " " + g.resource
		if index[key] == nil {
			index[key] = &g
			out = append(out, &g)
		}
		index[key].items = append(index[key].items, o)
	}
	for _, o := range c.objects {
		add(o)
	}
	for _, p := range c.pods {
		add(p.object(c))
	}
	return out
}

func resourceOf(kind string) string {
	k := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(k, "s"):
		return k + "es"
	case strings.HasSuffix(k, "y"):
		return k[:len(k)-1] + "ies"
	}
	return k + "s"
}

// groupDir is the folder name of an apiVersion in must-gathers: core for the group without a name.
func groupDir(api string) string {
	g, _, ok := strings.Cut(api, "/")
	if !ok {
		return "core"
	}
	return g
}

func (c *cluster) textFile(name, text string) archive.File {
	return archive.File{Name: name, Data: []byte(text), Time: c.taken}
}

func (c *cluster) file(name string, data []byte) archive.File {
	return archive.File{Name: name, Data: data, Time: c.taken}
}

func bundleStamp(t time.Time) string { return t.UTC().Format("2006-01-02T15-04-05Z") }
