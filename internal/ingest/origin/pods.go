package origin

import (
	"strconv"
	"strings"
)

// podLayouts read a container off a path, the surest first: each knows how one collector names its files.
var podLayouts = []func(parts, *Origin) bool{
	kubeletLog, containersLink, namespacesLog, insightsLog, kitLog, clusterInfoDump, podlogsFile, profileOfPod,
}

// kubeletLog takes NS_POD_UID/CONTAINER/N.log below /var/log/pods (kubelet, pkg/kubelet/kuberuntime,
// BuildContainerLogsDirectory).
func kubeletLog(p parts, o *Origin) bool {
	of := strings.Split(p.up(2), "_") // no part may hold an underscore, so three parts are unambiguous
	if len(of) != 3 || !IsDNSLabel(of[0]) || !IsDNSName(of[1]) || !IsUID(of[2]) {
		return false
	}
	o.Namespace, o.Pod, o.PodUID, o.Container = of[0], of[1], of[2], p.up(1)
	o.Restart = RestartOf(p.file)
	return true
}

// containersLink takes POD_NS_CONTAINER-ID.log of /var/log/containers (kubelet, logSymlink); ID is 64 hex digits.
func containersLink(p parts, o *Origin) bool {
	const idLen = 64
	name, found := strings.CutSuffix(p.file, ".log")
	of := strings.Split(name, "_")
	if !found || len(of) != 3 {
		return false
	}
	last := of[2]
	cut := len(last) - idLen - 1
	if cut < 1 || last[cut] != '-' || !IsHex(last[cut+1:]) || !IsDNSName(of[0]) || !IsDNSLabel(of[1]) {
		return false
	}
	o.Namespace, o.Pod, o.Container = of[1], of[0], last[:cut]
	return true
}

// namespacesLog takes namespaces/NS/pods/POD/CONTAINER/CONTAINER/logs/{current,previous,previous.insecure}.log and
// logs/rotated/N.log.* of oc adm inspect and must-gather; namespaces/NS/pods/POD/containers/CONTAINER/logs/ of the
// Insights operator; namespaces/NS/VERSION/pod/POD/CONTAINER/{current,previous}.log of crust-gather. Profiles and dumps
// that are added to a must-gather lie in namespaces/NS/pods/POD/CONTAINER/pprof/.
func namespacesLog(p parts, o *Origin) bool {
	in := p.below("namespaces")
	switch {
	case len(in) >= 6 && in[1] == "pods" && in[5] == "logs" && (in[3] == in[4] || in[3] == "containers"):
		o.Namespace, o.Pod, o.Container = in[0], in[2], in[4]
		if len(in) > 6 && in[6] == "rotated" {
			o.Restart = RestartOf(p.file)
		}
	case len(in) == 5 && in[1] == "pods" && in[4] == "pprof":
		o.Namespace, o.Pod, o.Container = in[0], in[2], in[3]
	case len(in) >= 5 && in[len(in)-3] == "pod":
		o.Namespace, o.Pod, o.Container = in[0], in[len(in)-2], in[len(in)-1]
	default:
		return false
	}
	o.Previous = strings.HasPrefix(p.file, "previous")
	return true
}

// insightsLog takes config/pod/NS/logs/POD/ of the Insights operator: CONTAINER_current.log, CONTAINER_previous.log,
// and those of all containers together.
func insightsLog(p parts, o *Origin) bool {
	if p.up(5) != "config" || p.up(4) != "pod" || p.up(2) != "logs" {
		return false
	}
	o.Namespace, o.Pod = p.up(3), p.up(1)
	if c, ok := strings.CutSuffix(p.file, "_current.log"); ok {
		o.Container = c
	}
	if c, ok := strings.CutSuffix(p.file, "_previous.log"); ok {
		o.Container, o.Previous = c, true
	}
	return true
}

// kitLog takes logs/NS/POD/CONTAINER.log and CONTAINER.log.1, which is the instance before, of Rancher's
// support-bundle-kit; and pods/logs/NS/POD/CONTAINER.log and CONTAINER-previous.log of troubleshoot.
func kitLog(p parts, o *Origin) bool {
	if p.up(3) != "logs" || !IsDNSLabel(p.up(2)) || !IsDNSName(p.up(1)) {
		return false
	}
	name, previous := strings.CutSuffix(p.file, ".log.1")
	if !previous {
		var ok bool
		if name, ok = strings.CutSuffix(p.file, ".log"); !ok {
			return false
		}
	}
	if p.up(4) == "pods" {
		if before, ok := strings.CutSuffix(name, "-previous"); ok {
			name, previous = before, true
		}
	}
	if !IsDNSLabel(name) {
		return false
	}
	o.Namespace, o.Pod, o.Container, o.Previous = p.up(2), p.up(1), name, previous
	return true
}

// IsPreviousByNumber reports whether the number behind a log's name is no rotation but marks the instance before.
func IsPreviousByNumber(shown string) bool {
	var o Origin
	return strings.HasSuffix(shown, ".log.1") && kitLog(splitPath(shown), &o)
}

// clusterInfoDump takes NS/POD/logs.txt of kubectl cluster-info dump; the containers follow each other in it.
func clusterInfoDump(p parts, o *Origin) bool {
	if p.file != "logs.txt" || !IsDNSLabel(p.up(2)) || !IsDNSName(p.up(1)) {
		return false
	}
	o.Namespace, o.Pod = p.up(2), p.up(1)
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

// podlogsFile takes podlogs/NS-POD and NS-POD-previous of Rancher's log collector for RKE2 and K3s.
func podlogsFile(p parts, o *Origin) bool {
	if p.up(1) != "podlogs" {
		return false
	}
	name, previous := strings.CutSuffix(p.file, "-previous")
	for _, ns := range rancherNamespaces {
		if pod, ok := strings.CutPrefix(name, ns+"-"); ok && IsDNSName(pod) {
			o.Namespace, o.Pod, o.Previous = ns, pod, previous
			return true
		}
	}
	o.Previous = previous
	return false
}

// profileOfPod takes POD-goroutine-TIME, POD-heap-TIME and POD-profile-TIME of Rancher's profile collector.
func profileOfPod(p parts, o *Origin) bool {
	for _, kind := range []string{"-goroutine-", "-heap-", "-profile-"} {
		i := strings.LastIndex(p.file, kind)
		if i <= 0 || !IsDNSName(p.file[:i]) {
			continue
		}
		if when := p.file[i+len(kind):]; len(when) >= len("2006-01-02") && allDigits(when[:4]) {
			o.Pod = p.file[:i]
			return true
		}
	}
	return false
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
