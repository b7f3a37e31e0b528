package ingest

import (
	"path/filepath"
	"strconv"
	"strings"
)

// originOf reads an Origin off a log file's path, as far as kubelet's names tell it:
// NS_POD_UID/CONTAINER/N.log below /var/log/pods, POD_NS_CONTAINER-ID.log in /var/log/containers (kubelet,
// pkg/kubelet/kuberuntime, BuildContainerLogsDirectory and logSymlink), and namespaces/NS/pods/POD/C/C/logs/ of an
// oc adm must-gather. The leading folders don't matter: bundles put them anywhere.
func originOf(path string) Origin {
	o := Origin{Restart: -1}
	segs := strings.Split(filepath.ToSlash(path), "/")
	n := len(segs)
	file := segs[n-1]
	if n >= 3 {
		if ns, pod, uid, ok := podFolder(segs[n-3]); ok {
			o.Namespace, o.Pod, o.PodUID, o.Container = ns, pod, uid, segs[n-2]
			o.Restart = restartOf(file)
			return o
		}
	}
	if pod, ns, container, ok := containerLink(file); ok {
		o.Namespace, o.Pod, o.Container = ns, pod, container
		return o
	}
	if n >= 8 && segs[n-2] == "logs" && segs[n-6] == "pods" && segs[n-8] == "namespaces" {
		o.Namespace, o.Pod, o.Container = segs[n-7], segs[n-5], segs[n-4]
	}
	return o
}

// known reports whether the path told anything.
func (o Origin) known() bool { return o.Pod != "" }

// podFolder takes NS_POD_UID apart; no part may hold an underscore, so three parts are unambiguous.
func podFolder(s string) (ns, pod, uid string, ok bool) {
	parts := strings.Split(s, "_")
	if len(parts) != 3 || !isDNSLabel(parts[0]) || !isDNSName(parts[1]) || !isUID(parts[2]) {
		return "", "", "", false
	}
	return parts[0], parts[1], parts[2], true
}

// restartOf returns N of N.log and of its rotated forms N.log.20221019-153456.gz, -1 for other names.
func restartOf(file string) int {
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

// containerLink takes POD_NS_CONTAINER-ID.log apart; ID is 64 hex digits.
func containerLink(file string) (pod, ns, container string, ok bool) {
	const idLen = 64
	name, found := strings.CutSuffix(file, ".log")
	if !found {
		return "", "", "", false
	}
	parts := strings.Split(name, "_")
	if len(parts) != 3 {
		return "", "", "", false
	}
	last := parts[2]
	cut := len(last) - idLen - 1
	if cut < 1 || last[cut] != '-' || !isHex(last[cut+1:]) || !isDNSName(parts[0]) || !isDNSLabel(parts[1]) {
		return "", "", "", false
	}
	return parts[0], parts[1], last[:cut], true
}

// isUID accepts a UUID and the 32 hex digits that static pods have.
func isUID(s string) bool {
	return len(s) == 36 && strings.Count(s, "-") == 4 && isHex(strings.ReplaceAll(s, "-", "")) ||
		len(s) == 32 && isHex(s)
}

func isHex[T string | []byte](s T) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return len(s) > 0
}

// isDNSLabel accepts an RFC 1123 label: what namespaces and containers are called.
func isDNSLabel[T string | []byte](s T) bool {
	return len(s) <= 63 && isDNSName(s) && !hasDot(s)
}

// isDNSName accepts an RFC 1123 subdomain: what pods are called.
func isDNSName[T string | []byte](s T) bool {
	if len(s) == 0 || len(s) > 253 || !isLowerAlnum(s[0]) || !isLowerAlnum(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLowerAlnum(c) && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

func hasDot[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] == '.' {
			return true
		}
	}
	return false
}

func isLowerAlnum(c byte) bool { return c >= 'a' && c <= 'z' || isDigit(c) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
