package main

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/bundles/archive"
	"example.com/bundles/logs"
)

// kit is the layout of support-bundle-kit (Harvester, Longhorn): a zip with the nodes' zips inside.
func kit(c *cluster) []archive.File {
	id := logs.NewRand(c.seed + "bundle").UUID()
	top := "supportbundle_" + id + "_" + bundleStamp(c.taken) + "/"
	files := []archive.File{
		c.textFile(top+"metadata.yaml", fmt.Sprintf("bundlename: bundle-%s\nbundleversion: 0.1.0\nkubernetesversion: v1.31.4\nprojectnamespaceuuid: %s\nbundlecreatedat: %q\nissueurl: \"\"\nissuedescription: \"\"\n", logs.NewRand(c.seed).Suffix(5), id, stamp(c.taken))),
		c.textFile(top+"bundleGenerationError.log", strings.Join(append([]string{"Failed to get /apis/authorization.k8s.io/v1/subjectaccessreviews: the server does not allow this method on the requested resource"}, c.missing...), "\n")+"\n"),
	}
	for _, p := range c.pods {
		for _, k := range p.containers {
			name := top + "logs/" + p.namespace + "/" + p.name + "/" + k.name + ".log"
			files = append(files, c.file(name, stamped(k.current().newest())))
			if i, ok := k.previous(); ok {
				files = append(files, c.file(name+".1", stamped(i.newest())))
			}
		}
	}
	for _, g := range c.groups() {
		dir := "yamls/cluster/"
		if g.namespace != "" {
			dir = "yamls/namespaced/" + g.namespace + "/"
		}
		files = append(files, c.file(top+dir+g.api+"/"+g.resource+".yaml", yamlOf(listOf(g.items))))
	}
	for n, node := range c.nodes {
		inner := []archive.File{
			c.textFile(node+"/configs/etc/hostname", node+"\n"),
			c.textFile(node+"/configs/etc/os-release", "NAME=\"SL-Micro\"\nVERSION=\"6.0\"\nID=\"sl-micro\"\n"),
		}
		for _, u := range c.units {
			data := bare(c.unitLog(u, node))
			if u.Name == "kernel" && len(data) > 400 { // cut with tail -c: the first line is a part of one
				data = data[37:]
			}
			inner = append(inner, c.file(node+"/logs/"+u.Name+".log", data))
		}
		if n < len(c.audit) {
			inner = append(inner, c.file(node+"/logs/audit/audit.log", c.auditText(n)))
		}
		files = append(files, c.file(top+"nodes/"+node+".zip", zipOf(inner)))
	}
	return files
}

// collector is the layout of the RKE2 logs collector on a node: CRI logs of an agent, kubectl's of a server.
func collector(c *cluster) []archive.File {
	node := c.nodes[0]
	top := node + "-" + c.taken.UTC().Format("2006-01-02_15_04_05") + "/"
	files := []archive.File{
		c.textFile(top+"summary.txt", "collector: 2.1\nnode: "+node+"\n"),
		c.textFile(top+"collector-output.log", strings.Join(append([]string{"INFO: collecting system info"}, c.missing...), "\n")+"\n"),
		c.textFile(top+"systeminfo/uname", "Linux "+node+" 6.4.0-21-default #1 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux\n"),
		c.textFile(top+"networking/ss4-apn", "Netid State  Recv-Q Send-Q Local Address:Port Peer Address:Port\ntcp   LISTEN 0      4096   0.0.0.0:10250     0.0.0.0:*\n"),
	}
	for _, u := range c.units {
		files = append(files, c.file(top+"journald/"+u.Name, bare(c.unitLog(u, node))))
	}
	var pods bytes.Buffer
	fmt.Fprintf(&pods, "%-20s %-52s READY   STATUS    RESTARTS   AGE\n", "NAMESPACE", "NAME")
	for i, p := range c.pods {
		fmt.Fprintf(&pods, "%-20s %-52s 1/1     Running   0          41d\n", p.namespace, p.name)
		if p.node == node {
			files = append(files, c.kubeletFiles(top+"rke2/podlogs/", p)...)
		}
		if i < 12 { // a server asks the API too
			for _, k := range p.containers {
				files = append(files, c.file(top+"rke2/podlogs/"+p.namespace+"-"+p.name, bare(k.current().newest())))
			}
		}
	}
	files = append(files, c.file(top+"rke2/kubectl/pods", pods.Bytes()))
	return files
}

// mustGather is OpenShift's, in one image's folder; inspect is the same without it.
func mustGather(c *cluster) []archive.File {
	top := "must-gather.local." + fmt.Sprint(logs.NewRand(c.seed).Uint64()) + "/"
	image := top + "registry-example-net-tools-must-gather-sha256-" + logs.NewRand(c.seed+"image").Hex(64) + "/"
	files := []archive.File{
		c.textFile(top+"timestamp", c.taken.Add(-3e11).Format("2006-01-02 15:04:05.000000000 -0700 MST")+"\n"+c.taken.Format("2006-01-02 15:04:05.000000000 -0700 MST")+"\n"),
		c.textFile(image+"version", "tools/must-gather\n4.17.0\n"),
	}
	for i := range c.audit {
		master := c.nodes[i%len(c.nodes)]
		base := image + "audit_logs/kube-apiserver/"
		files = append(files, c.file(base+master+"-audit-"+c.taken.Add(-6e11).UTC().Format("2006-01-02T15-04-05.000")+".log.gz", gz(c.auditText(i))))
	}
	if len(c.audit) > 0 {
		files = append(files, c.textFile(image+"audit_logs/kube-apiserver.audit_logs_listing", strings.Join(c.nodes, " audit.log\n")+" audit.log\n"))
	}
	for _, u := range c.units {
		var all []byte
		for _, n := range c.nodes { // one file of all masters, one after the other
			lines := c.unitLog(u, n)
			if len(lines) > 0 {
				all = append(all, "-- Logs begin at "+lines[0].at.UTC().Format("Mon 2006-01-02 15:04:05 MST")+", end at "+c.taken.UTC().Format("Mon 2006-01-02 15:04:05 MST")+". --\n"...)
			}
			all = append(all, bare(lines)...)
		}
		files = append(files, c.file(image+"host_service_logs/masters/"+u.Name+"_service.log", all))
	}
	return append(files, inspectInto(c, image)...)
}

func inspect(c *cluster) []archive.File {
	return inspectInto(c, "inspect.local."+fmt.Sprint(logs.NewRand(c.seed).Uint64())+"/")
}

func inspectInto(c *cluster, top string) []archive.File {
	var files []archive.File
	for _, g := range c.groups() {
		dir := top + "namespaces/" + g.namespace + "/" + groupDir(g.api) + "/" + g.resource + ".yaml"
		if g.namespace != "" {
			files = append(files, c.file(dir, yamlOf(listOf(g.items))))
			continue
		}
		for _, o := range g.items {
			name := o["metadata"].(obj)["name"].(string)
			files = append(files, c.file(top+"cluster-scoped-resources/"+groupDir(g.api)+"/"+g.resource+"/"+name+".yaml", append([]byte("---\n"), yamlOf(o)...)))
		}
	}
	for _, p := range c.pods {
		if len(p.containers) == 0 { // never ran: no folder of its own
			continue
		}
		dir := top + "namespaces/" + p.namespace + "/pods/" + p.name + "/"
		files = append(files, c.file(dir+p.name+".yaml", append([]byte("---\n"), yamlOf(p.object(c))...)))
		for _, k := range p.containers {
			base := dir + k.name + "/" + k.name + "/logs/"
			files = append(files, c.file(base+"current.log", stamped(k.current().newest())))
			previous := []byte{}
			if i, ok := k.previous(); ok {
				previous = stamped(i.newest())
			}
			files = append(files, c.file(base+"previous.log", previous), c.file(base+"previous.insecure.log", nil))
		}
	}
	return files
}

// troubleshoot is replicated's, with links from a collector's folder into the cluster's resources.
func troubleshoot(c *cluster) []archive.File {
	top := "support-bundle-" + c.taken.UTC().Format("2006-01-02T15_04_05") + "/"
	files := []archive.File{
		c.textFile(top+"version.yaml", "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec:\n  versionNumber: v0.113.0\n"),
		c.textFile(top+"analysis.json", `[{"name":"node.resources","labels":{"iconKey":""},"insight":{"name":"node.resources","labels":{},"primary":"Node Resources","detail":"This cluster has enough nodes.","severity":"debug"},"severity":"debug","analyzerSpec":""}]`+"\n"),
		c.file(top+"cluster-info/cluster_version.json", jsonOf(obj{"info": obj{"gitVersion": "v1.31.4", "goVersion": "go1.22.9", "platform": "linux/amd64"}, "string": "v1.31.4"})),
		c.textFile(top+"execution-data/summary.txt", "============ Collectors summary =============\nSucceeded (S), eXcluded (X), Failed (F)\nall-logs (S) : 2,418ms\n"),
	}
	for _, g := range c.groups() {
		var data []byte
		switch {
		case g.namespace != "":
			l := listOf(g.items)
			l["kind"], l["apiVersion"], l["metadata"] = g.items[0]["kind"].(string)+"List", g.api, obj{"resourceVersion": ""}
			data = jsonOf(l)
			files = append(files, c.file(top+"cluster-resources/"+g.resource+"/"+g.namespace+".json", data))
		default:
			files = append(files, c.file(top+"cluster-resources/"+g.resource+".json", jsonOf(listOf(g.items))))
		}
	}
	for _, p := range c.pods {
		for _, k := range p.containers {
			name := "cluster-resources/pods/logs/" + p.namespace + "/" + p.name + "/" + k.name
			files = append(files, c.file(top+name+".log", bare(k.current().newest())))
			if i, ok := k.previous(); ok {
				files = append(files, c.file(top+name+"-previous.log", bare(i.newest())))
			}
			files = append(files, archive.File{Name: top + "all-logs/" + p.name + "/" + k.name + ".log", Link: "../../" + name + ".log", Time: c.taken})
		}
	}
	return files
}

func zipOf(files []archive.File) []byte {
	var b bytes.Buffer
	if err := archive.Zip(&b, len(files), func(i int) (archive.File, error) { return files[i], nil }); err != nil {
		panic(err) // writing to memory
	}
	return b.Bytes()
}
