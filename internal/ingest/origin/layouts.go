package origin

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Layouts are how collectors name their files: names and slashes as in a path, holes in braces (fields below), ** for
// any number of folders. One that begins a path somewhere else than at its first folder counts too. Files are meant
// without the ending of a compression.

// podLayouts show a container, the surest first.
var podLayouts = []string{
	// /var/log/pods (kubelet, pkg/kubelet/kuberuntime, BuildContainerLogsDirectory), /var/log/containers (logSymlink)
	"{namespace}_{pod}_{uid}/{container}/{*}",
	"{pod}_{namespace}_{container}-{containerID}.log",
	// oc adm inspect and must-gather, with profiles that were added to one; the Insights operator; crust-gather
	"namespaces/{namespace}/pods/{pod}/{container}/{container}/logs/**",
	"namespaces/{namespace}/pods/{pod}/containers/{container}/logs/**",
	"namespaces/{namespace}/pods/{pod}/{container}/pprof/{*}",
	"namespaces/{namespace}/{*}/pod/{pod}/{container}/{*}",
	"config/pod/{namespace}/logs/{pod}/{container}_current.log",
	"config/pod/{namespace}/logs/{pod}/{container}_previous.log",
	"config/pod/{namespace}/logs/{pod}/{*}",
	// troubleshoot, Rancher's support-bundle-kit
	"pods/logs/{namespace}/{pod}/{container}-previous.log",
	"logs/{namespace}/{pod}/{container}.log",
	beforeByNumber,
	// kubectl cluster-info dump: the containers follow each other
	"{namespace}/{pod}/logs.txt",
	// Rancher's log and profile collectors
	"podlogs/{rancherNamespace}-{pod}-previous",
	"podlogs/{rancherNamespace}-{pod}",
	"{pod}-goroutine-{date}",
	"{pod}-heap-{date}",
	"{pod}-profile-{date}",
}

// beforeByNumber is the log of the instance before, of Rancher's support-bundle-kit.
const beforeByNumber = "logs/{namespace}/{pod}/{container}.log.1"

// nodeLayouts show a node, and the systemd unit of a journal.
var nodeLayouts = []string{
	// Rancher's support-bundle-kit, packed and unpacked
	"nodes/{node}.zip/**/logs/{journal}", "nodes/{node}.zip/**",
	"nodes/{node}/logs/{journal}", "nodes/{node}/{node}/logs/{journal}", "nodes/{node}/logs/**",
	"nodes/{node}/configs/**", "nodes/{node}/hostinfos/**", "nodes/{node}/scc/**", "nodes/{node}/{node}/**",
	// OpenShift's must-gather (the journals of all masters are in one file), oc adm node-logs, copies made by hand
	"host_service_logs/{*}/{journal}",
	"audit_logs/{*}/{node}-audit{*}", "audit_logs/{node}/audit{*}", "audit/{node}/audit{*}",
	"static-pods/{*}/{node}-startup{*}", "static-pods/{*}/{node}-termination{*}",
	"pprof/{unit}/{node}_{*}.out",
	// the Insights operator
	"config/node/logs/{node}.log",
	// Rancher's log collector, with one file a unit
	"{node}-{collected}/**/journald/{unit}", "{node}-{collected}/**",
	// eks-log-collector.sh
	"eks_{instance}_{*}/**/{service}.log", "eks_{instance}_{*}/**",
	// members of a cockroach debug zip and of nomad operator debug
	"nodes/{member}/**", "server/{peer}/{*}", "client/{peer}/{*}",
	"journald/{unit}", "journal/{unit}",
}

// take puts the value of a hole where it belongs, and reports whether it may be one.
func (o *Origin) take(hole, value string) bool {
	switch hole {
	case "namespace":
		return into(&o.Namespace, value, IsDNSLabel(value))
	case "rancherNamespace":
		return into(&o.Namespace, value, slices.Contains(rancherNamespaces, value))
	case "pod":
		return into(&o.Pod, value, IsDNSName(value))
	case "uid":
		return into(&o.PodUID, value, IsUID(value))
	case "container":
		return into(&o.Container, value, IsDNSLabel(value))
	case "node":
		return into(&o.Node, value, IsDNSName(value))
	case "instance":
		id, ok := strings.CutPrefix(value, "i-")
		return into(&o.Node, value, ok && len(id) >= 8 && len(id) <= 17 && IsHex(id))
	case "member":
		return into(&o.Node, value, len(value) <= 4 && allDigits(value))
	case "peer":
		return into(&o.Node, value, IsUID(value) || strings.Contains(value, "."))
	case "unit":
		return into(&o.Unit, strings.TrimSuffix(strings.TrimSuffix(value, ".log"), ".service"), true)
	case "service":
		return into(&o.Unit, value, value == "kubelet" || value == "containerd")
	case "journal":
		return into(&o.Unit, unitOf(value), true)
	case "containerID":
		return len(value) == 64 && IsHex(value)
	case "date":
		return len(value) >= len("2006-01-02") && allDigits(value[:4])
	case "collected":
		return len(value) >= len(collected) && allDigits(value[:4]) && strings.Map(digitAsZero,
			strings.TrimSuffix(strings.TrimSuffix(value, ".tar.gz"), ".tgz")) == collected
	}
	return true // {*}
}

// collected is when Rancher's log collector ran, with zeros for digits.
const collected = "0000-00-00_00_00_00"

func digitAsZero(r rune) rune {
	if r >= '0' && r <= '9' {
		return '0'
	}
	return r
}

// into sets a field that may have the value already.
func into(field *string, value string, ok bool) bool {
	if !ok || value == "" || *field != "" && *field != value {
		return false
	}
	*field = value
	return true
}

// rancherNamespaces are those that Rancher's log collector reads pods of (and what else such clusters run). Its files
// are called NS-POD, so only a known namespace can be separated from the pod.
var rancherNamespaces = []string{
	"cattle-fleet-clusters-system", "cattle-fleet-local-system", "cattle-fleet-system", "cattle-impersonation-system",
	"cattle-logging-system", "cattle-monitoring-system", "cattle-provisioning-capi-system", "cattle-system",
	"cattle-ui-plugin-system", "calico-system", "cert-manager", "cis-operator-system", "default", "fleet-default",
	"fleet-local", "harvester-system", "ingress-nginx", "kube-public", "kube-system", "longhorn-system",
	"metallb-system", "system-upgrade", "tigera-operator",
}

// notUnits are other logs among the journals of units.
var notUnits = []string{"kernel", "console", "dmesg", "syslog", "messages", "containerd-images", "boot", "audit"}

// unitOf is the unit whose journal a file is called after: kubelet.log, rke2-server.log, crio_service.log.
func unitOf(file string) string {
	name, _, _ := strings.Cut(file, ".log")
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_service"), ".service"), "-service")
	if name == file || slices.Contains(notUnits, name) || strings.ContainsAny(name, " /") {
		return ""
	}
	return name
}

// A layout is one of those above, taken apart.
type layout struct {
	text  string
	names []word
	exact int // how many names a path has, 0 for any number
}

// A word is one name of a layout: text, and maybe a hole with what follows it.
type word struct {
	text, hole string
	rest       *word // nil for nothing
}

func parse(texts ...string) []layout {
	all := make([]layout, len(texts))
	for i, text := range texts {
		all[i].text = text
		for name := range strings.SplitSeq(text, "/") {
			all[i].names = append(all[i].names, *parseWord(name))
		}
		if !strings.Contains(text, "**") {
			all[i].exact = len(all[i].names)
		}
	}
	return all
}

func parseWord(s string) *word {
	if s == "" {
		return nil
	}
	text, rest, _ := strings.Cut(s, "{")
	hole, rest, _ := strings.Cut(rest, "}")
	return &word{text, hole, parseWord(rest)}
}

var (
	ofPods   = sync.OnceValue(func() []layout { return parse(podLayouts...) })
	ofNodes  = sync.OnceValue(func() []layout { return parse(nodeLayouts...) })
	ofBefore = sync.OnceValue(func() []layout { return parse(beforeByNumber) })
)

// find takes the first of the layouts that the names of a path fit.
func (o *Origin) find(layouts []layout, names []string) bool {
	for i := range layouts {
		l := &layouts[i]
		first, last := 0, len(names)-1
		if l.exact > 0 {
			first = len(names) - l.exact
			last = first
		}
		for at := max(first, 0); at <= last; at++ {
			if !o.fits(l.names, names[at:]) {
				continue
			}
			if strings.Contains(l.text, "{pod}") {
				file := names[len(names)-1]
				o.Restart = RestartOf(file)
				o.Previous = strings.Contains(l.text, "previous") || l.text == beforeByNumber ||
					strings.HasPrefix(file, "previous")
			}
			return true
		}
	}
	return false
}

// fits takes the names of a path where they fit those of a layout.
func (o *Origin) fits(layout []word, names []string) bool {
	for i := range min(len(layout), len(names)) { // most paths fit few words of a layout
		if layout[i].text == "**" {
			break
		}
		if layout[i].hole == "" && layout[i].text != names[i] {
			return false
		}
	}
	saved := *o
	for i := range layout {
		switch folders := layout[i].text == "**"; {
		case folders && i < len(names) && o.behind(layout[i+1:], names[i:]):
			return true
		case folders || i >= len(names) || !o.name(&layout[i], names[i]):
			*o = saved
			return false
		}
	}
	if len(layout) < len(names) {
		*o = saved
		return false
	}
	return true
}

// behind is fits for what follows any number of folders.
func (o *Origin) behind(layout []word, names []string) bool {
	for at := range names {
		if len(layout) == 0 || o.fits(layout, names[at:]) {
			return true
		}
	}
	return false
}

// name takes one name of a path where it fits a layout's. Of several ways to split it between holes the first counts.
func (o *Origin) name(w *word, name string) bool {
	name, ok := strings.CutPrefix(name, w.text)
	switch {
	case !ok || w.hole == "":
		return ok && name == ""
	case w.rest == nil:
		return o.take(w.hole, name)
	}
	for at := 0; ; at++ {
		i := strings.Index(name[at:], w.rest.text)
		if i < 0 {
			return false
		}
		at += i
		saved := *o
		if o.name(w.rest, name[at:]) && o.take(w.hole, name[:at]) {
			return true
		}
		*o = saved
	}
}

// IsPreviousByNumber reports whether the number behind a log's name is no rotation but marks the instance before.
func IsPreviousByNumber(shown string) bool {
	var o Origin
	return strings.HasSuffix(shown, ".log.1") && o.find(ofBefore(), Names(shown))
}

// RestartOf returns N of N.log and of its rotated forms N.log.20221019-153456.gz, -1 for other names.
func RestartOf(file string) int {
	digits, _, found := strings.Cut(file, ".log")
	if !found || digits == "" {
		return -1
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return -1
	}
	return int(n)
}
