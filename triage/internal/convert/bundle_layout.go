package convert

import (
	"path"
	"strings"
)

// A bundleLayout is recognised by paths that only it has: for each of its marks a path must hold elements that match
// it, one after the other (path.Match). The first layout of the list that fits is it.
type bundleLayout struct {
	name  string
	marks []string
}

// bundleLayouts are those of the tools that collect, as of 2026: rancher/support-bundle-kit 0.1 (Harvester,
// Longhorn), openshift/must-gather and oc adm inspect, replicatedhq/troubleshoot 0.133, openshift/insights-operator,
// kubectl cluster-info dump 1.34, rancherlabs/support-tools, crust-gather, eks-log-collector, the debug commands of
// CockroachDB, Consul, Vault and Nomad, and the kubelet's /var/log/pods.
func bundleLayouts() []bundleLayout {
	return []bundleLayout{
		{"Harvester support bundle", []string{"yamls/*", "logs/harvester-system/*/*"}},
		{"Longhorn support bundle", []string{"yamls/*", "logs/longhorn-system/*/*"}},
		{"support-bundle-kit bundle", []string{"yamls/*", "metadata.yaml"}},
		{"troubleshoot support bundle", []string{"cluster-resources/*"}},
		{"OpenShift Insights archive", []string{"config/*", "insights-operator/*"}},
		{"OpenShift Insights archive", []string{"config/pod/*", "config/node/*"}},
		{"OpenShift must-gather", []string{"cluster-scoped-resources/*", "namespaces/*/core"}},
		{"OpenShift must-gather", []string{"audit_logs/*", "namespaces/*/core"}},
		{"OpenShift must-gather", []string{"namespaces/*/pods/*/*/*/logs"}},
		{"kubectl cluster-info dump", []string{"nodes.*", "*/*/logs.txt"}},
		{"crust-gather snapshot", []string{"cluster/v1/*", "namespaces/*/v1/*"}},
		{"Rancher logs collection", []string{"systeminfo/*", "networking/*"}},
		{"Rancher profiles collection", []string{"*-goroutine-*", "top-pods.txt"}},
		{"EKS logs collection", []string{"var_log/*", "kubelet/*"}},
		{"CockroachDB debug zip", []string{"debug/nodes/*/*"}},
		{"Consul debug archive", []string{"consul.log"}},
		{"Vault debug archive", []string{"*/goroutines.txt", "vault.log"}},
		{"Nomad debug archive", []string{"server/*/monitor.log"}},
		{"Nomad debug archive", []string{"client/*/monitor.log"}},
		{"Kubernetes pod logs", []string{"*_*_*-*-*-*-*/*/*.log*"}},
	}
}

// layoutOf names the layout of a bundle's paths, which are slash-separated; "" where no layout fits.
func layoutOf(paths []string) string {
	split := make([][]string, 0, len(paths))
	for _, p := range paths {
		split = append(split, strings.Split(p, "/"))
	}
	for _, l := range bundleLayouts() {
		found := true
		for _, mark := range l.marks {
			found = found && anyHolds(split, strings.Split(mark, "/"))
		}
		if found {
			return l.name
		}
	}
	return ""
}

func anyHolds(paths [][]string, mark []string) bool {
	for _, elements := range paths {
		for i := 0; i+len(mark) <= len(elements); i++ {
			if holdsAt(elements[i:], mark) {
				return true
			}
		}
	}
	return false
}

func holdsAt(elements, mark []string) bool {
	for i, m := range mark {
		if ok, err := path.Match(m, elements[i]); err != nil || !ok {
			return false
		}
	}
	return true
}
