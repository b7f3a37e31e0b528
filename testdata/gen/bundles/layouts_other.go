package main

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/bundles/archive"
)

// clusterInfo is kubectl cluster-info dump --output-directory.
func clusterInfo(c *cluster) []archive.File {
	files := []archive.File{}
	wanted := map[string]string{"events": "events", "deployments": "deployments", "replicasets": "replicasets", "daemonsets": "daemonsets", "pods": "pods"}
	for _, g := range c.groups() {
		l := listOf(g.items)
		if g.resource == "nodes" {
			l["kind"] = "NodeList"
			files = append(files, c.file("nodes.json", jsonOf(l)))
			continue
		}
		if name := wanted[g.resource]; name != "" && g.namespace != "" {
			l["kind"], l["apiVersion"] = g.items[0]["kind"].(string)+"List", g.api
			files = append(files, c.file(g.namespace+"/"+name+".json", jsonOf(l)))
		}
	}
	for _, p := range c.pods {
		var b bytes.Buffer
		for _, k := range p.containers {
			fmt.Fprintf(&b, "==== START logs for container %s of pod %s/%s ====\n", k.name, p.namespace, p.name)
			b.Write(bare(k.current().newest()))
			fmt.Fprintf(&b, "==== END logs for container %s of pod %s/%s ====\n", k.name, p.namespace, p.name)
		}
		if b.Len() > 0 {
			files = append(files, c.file(p.namespace+"/"+p.name+"/logs.txt", b.Bytes()))
		}
	}
	return files
}

// crustGather is crust-gather's: one file an object, timestamps on, the kubelet of each node.
func crustGather(c *cluster) []archive.File {
	files := []archive.File{c.textFile("event-filter.html", "<!doctype html><html><head><title>Events</title></head><body></body></html>\n")}
	for _, g := range c.groups() {
		for _, o := range g.items {
			kind, name := strings.ToLower(o["kind"].(string)), o["metadata"].(obj)["name"].(string)
			dir := "cluster/" + strings.ReplaceAll(g.api, "/", "-") + "/" + kind + "/"
			if g.namespace != "" {
				dir = "namespaces/" + g.namespace + "/" + strings.ReplaceAll(g.api, "/", "-") + "/" + kind + "/"
			}
			files = append(files, c.file(dir+strings.Map(portable, name)+".yaml", yamlOf(o)))
		}
	}
	for _, p := range c.pods {
		for _, k := range p.containers {
			base := "namespaces/" + p.namespace + "/v1/pod/" + p.name + "/" + k.name + "/"
			files = append(files, c.file(base+"current.log", stamped(k.current().newest())))
			if i, ok := k.previous(); ok {
				files = append(files, c.file(base+"previous.log", stamped(i.newest())))
			}
		}
	}
	for _, u := range c.units {
		for _, n := range c.nodes {
			files = append(files, c.file("cluster/v1/node/"+n+"/"+u.Name+".log", bare(c.unitLog(u, n))))
		}
	}
	return files
}

func portable(r rune) rune {
	if strings.ContainsRune(":*?|", r) {
		return '-'
	}
	return r
}

// insights is the Insights operator's archive: some pods, and logs as far as rules asked for them.
func insights(c *cluster) []archive.File {
	files := []archive.File{c.textFile("version", "4.17.0\n"), c.file("config/version.json", jsonOf(obj{"apiVersion": "config.example.net/v1", "kind": "ClusterVersion", "metadata": obj{"name": "version"}}))}
	for _, g := range c.groups() {
		for _, o := range g.items {
			name := o["metadata"].(obj)["name"].(string)
			switch g.resource {
			case "pods":
				files = append(files, c.file("config/pod/"+g.namespace+"/"+name+".json", jsonOf(o)))
			case "nodes":
				files = append(files, c.file("config/node/"+name+".json", jsonOf(o)))
			}
		}
		if g.resource == "events" {
			files = append(files, c.file("events/"+g.namespace+".json", jsonOf(obj{"items": listOf(g.items)["items"]})))
		}
	}
	for i, p := range c.pods {
		for _, k := range p.containers {
			base := "config/pod/" + p.namespace + "/logs/" + p.name + "/"
			lines := k.current().newest()
			if i%3 == 0 {
				base = "conditional/namespaces/" + p.namespace + "/pods/" + p.name + "/containers/" + k.name + "/logs/"
				lines = lines[max(0, len(lines)-100):]
				files = append(files, c.file(base+"last-100-lines.log", stamped(lines)))
				continue
			}
			files = append(files, c.file(base+"messages.log", stamped(lines)))
			if prev, ok := k.previous(); ok {
				files = append(files, c.file(base+k.name+"_previous.log", stamped(prev.newest())))
			}
		}
	}
	for _, n := range c.nodes {
		files = append(files, c.file("config/node/logs/"+n+".log", bare(c.unitLog(c.units[0], n))))
	}
	return files
}

// eks is the EKS log collector's archive of one node.
func eks(c *cluster) []archive.File {
	node := c.nodes[0]
	files := []archive.File{
		c.textFile("system/instance-id.txt", "i-0abc123def4567890\n"),
		c.textFile("kernel/uname.txt", "Linux 6.1.119-129.201.amzn2023.x86_64 #1 SMP PREEMPT_DYNAMIC x86_64\n"),
		c.textFile("networking/iptables.txt", "-P INPUT ACCEPT\n-P FORWARD ACCEPT\n-P OUTPUT ACCEPT\n"),
	}
	for _, u := range c.units {
		dir := map[string]string{"kubelet": "kubelet/kubelet.log", "containerd": "containerd/containerd-log.txt", "kernel": "kernel/dmesg.current"}[u.Name]
		files = append(files, c.file(dir, bare(c.unitLog(u, node))))
	}
	for _, p := range c.pods {
		if p.node == node {
			files = append(files, c.kubeletFiles("var_log/", p)...)
		}
	}
	return files
}

// kubeletTree is /var/log of a node, with the links of containers/ that point outside.
func kubeletTree(c *cluster) []archive.File {
	var files []archive.File
	for _, p := range c.pods {
		if p.node != c.nodes[0] {
			continue
		}
		pod := c.kubeletFiles("var/log/pods/", p)
		files = append(files, pod...)
		for _, k := range p.containers {
			files = append(files, archive.File{Name: "var/log/containers/" + p.name + "_" + p.namespace + "_" + k.name + "-" + strings.Repeat("4e", 32) + ".log", Link: "/" + pod[len(pod)-1].Name, Time: c.taken})
		}
	}
	for _, u := range c.units {
		files = append(files, c.file("var/log/"+u.Name+".log", bare(c.unitLog(u, c.nodes[0]))))
	}
	return files
}
