package origin

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// nodeLayouts read a node off a path, and the systemd unit of a journal.
var nodeLayouts = []func(parts, *Origin) bool{
	nodeArchive, hostServiceLog, auditLog, nodeNamed, rancherCollector, eksCollector, memberFolder, journalFile,
}

// nodeArchive takes nodes/NODE.zip of Rancher's support-bundle-kit, everything in it, and what it becomes unpacked:
// nodes/NODE/{logs,configs,hostinfos}.
func nodeArchive(p parts, o *Origin) bool {
	i := slices.Index(p.dirs, "nodes")
	if i < 0 || i+1 >= len(p.dirs) {
		return false
	}
	name, zip := strings.CutSuffix(p.dirs[i+1], ".zip")
	folders := []string{"logs", "configs", "hostinfos", "scc", name}
	if !zip && (i+2 >= len(p.dirs) || !slices.Contains(folders, p.dirs[i+2])) {
		return false
	}
	if !IsDNSName(name) {
		return false
	}
	o.Node = name
	if p.up(1) == "logs" {
		o.Unit = unitOf(p.file)
	}
	return true
}

// notUnits are other logs among the journals of units.
var notUnits = []string{"kernel", "console", "dmesg", "syslog", "messages", "containerd-images", "boot", "audit"}

// unitOf is the unit whose journal a file is called after: kubelet.log, rke2-server.log, crio_service.log.
func unitOf(file string) string {
	name, _, _ := strings.Cut(file, ".log")
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_service"), ".service"), "-service")
	if name == "" || name == file || slices.Contains(notUnits, name) || strings.ContainsAny(name, " /") {
		return ""
	}
	return name
}

// hostServiceLog takes host_service_logs/masters/UNIT_service.log of an OpenShift must-gather: the journals of all
// masters.
func hostServiceLog(p parts, o *Origin) bool {
	if p.up(2) != "host_service_logs" {
		return false
	}
	o.Unit = unitOf(p.file)
	return true
}

// auditLog takes the audit logs of nodes: audit_logs/SERVER/NODE-audit-TIME.log of a must-gather, NODE-audit.log of oc
// adm node-logs, audit/NODE/audit.log as copied by hand.
func auditLog(p parts, o *Origin) bool {
	if node, _, ok := strings.Cut(p.file, "-audit"); ok && p.up(2) == "audit_logs" && IsDNSName(node) {
		o.Node = node
		return true
	}
	if strings.HasPrefix(p.file, "audit") && (p.up(2) == "audit" || p.up(2) == "audit_logs") && IsDNSName(p.up(1)) {
		o.Node = p.up(1)
		return true
	}
	return false
}

// nodeNamed takes files that are called after a node: config/node/logs/NODE.log of the Insights operator,
// static-pods/kube-apiserver/NODE-startup.log and pprof/kubelet/NODE_heap.out of a must-gather.
func nodeNamed(p parts, o *Origin) bool {
	switch {
	case p.up(1) == "logs" && p.up(2) == "node" && p.up(3) == "config":
		o.Node = strings.TrimSuffix(p.file, ".log")
	case p.up(2) == "static-pods":
		node, _, ok := strings.Cut(p.file, "-startup")
		if !ok {
			node, _, ok = strings.Cut(p.file, "-termination")
		}
		if !ok {
			return false
		}
		o.Node = node
	case p.up(2) == "pprof" && strings.HasSuffix(p.file, ".out"):
		i := strings.LastIndexByte(p.file, '_')
		if i <= 0 {
			return false
		}
		o.Node, o.Unit = p.file[:i], p.up(1)
	default:
		return false
	}
	if !IsDNSName(o.Node) {
		o.Node, o.Unit = "", ""
		return false
	}
	return true
}

var (
	// Rancher's log collector: HOSTNAME-2026-03-04_05_06_07.tar.gz, with a folder of that name in it.
	rancherTop = lazy(`^(.+)-\d{4}-\d{2}-\d{2}_\d{2}_\d{2}_\d{2}(\.tar\.gz|\.tgz)?$`)
	// eks-log-collector.sh: eks_i-0123456789abcdef0_2026-03-04_0506-UTC_0.7.8.tar.gz.
	eksTop = lazy(`^eks_(i-[0-9a-f]{8,17})_`)
)

// lazy compiles an expression when it is used first: most paths need none.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// rancherCollector takes the node that Rancher's log collector ran on. Its journald folder has one file a unit.
func rancherCollector(p parts, o *Origin) bool {
	dated := func(dir string) bool { return strings.Count(dir, "_") >= 3 }
	if o.Node = p.match(rancherTop, dated); !IsDNSName(o.Node) {
		o.Node = ""
		return false
	}
	if p.up(1) == "journald" {
		o.Unit = strings.TrimSuffix(p.file, ".log")
	}
	return true
}

// eksCollector takes the instance that EKS' log collector ran on.
func eksCollector(p parts, o *Origin) bool {
	instance := func(dir string) bool { return strings.HasPrefix(dir, "eks_i-") }
	if o.Node = p.match(eksTop, instance); o.Node == "" {
		return false
	}
	if p.file == "kubelet.log" || p.file == "containerd.log" {
		o.Unit = unitOf(p.file)
	}
	return true
}

// match returns the first group of expr in the first folder that it matches, "" for none. May reports cheaply whether
// it can match at all: each path of a bundle is asked.
func (p parts) match(expr func() *regexp.Regexp, may func(dir string) bool) string {
	for _, d := range p.dirs {
		if !may(d) {
			continue
		}
		if m := expr().FindStringSubmatch(d); m != nil {
			return m[1]
		}
	}
	return ""
}

// memberFolder takes what clustered products call their members: nodes/ID/ of a cockroach debug zip, server/ID/ and
// client/ID/ of nomad operator debug.
func memberFolder(p parts, o *Origin) bool {
	if in := p.below("nodes"); len(in) > 0 && len(in[0]) <= 4 && allDigits(in[0]) && in[0] != "" {
		o.Node = in[0]
		return true
	}
	if (p.up(2) == "server" || p.up(2) == "client") && (IsUID(p.up(1)) || strings.Contains(p.up(1), ".")) {
		o.Node = p.up(1)
		return true
	}
	return false
}

// journalFile takes journald/UNIT and journal/UNIT.log wherever they lie.
func journalFile(p parts, o *Origin) bool {
	if p.up(1) != "journald" && p.up(1) != "journal" {
		return false
	}
	o.Unit = strings.TrimSuffix(strings.TrimSuffix(p.file, ".log"), ".service")
	return true
}
