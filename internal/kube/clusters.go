package kube

import "fmt"

// clusters are the first objects by which the clusters that objects are of differ: the namespace kube-system, whose UID
// is a cluster's identity, since it can't be deleted (k8s.io/kubernetes, plugin/pkg/admission/namespace/lifecycle). One
// or none where nothing shows several.
func clusters(objects []mergedObject) []*Meta {
	var all []*Meta
	for _, o := range objects { // ordered by UID behind the name: equal ones follow each other
		m := o.meta
		if m.Kind != "Namespace" || m.Name != "kube-system" || m.UID == "" {
			continue
		}
		if len(all) == 0 || all[len(all)-1].UID != m.UID {
			all = append(all, m)
		}
	}
	return all
}

// remarkClusters reports inputs of several clusters: what they have in common in name is not one object.
func (c *Cluster) remarkClusters(all []*Meta) {
	for _, m := range all {
		c.Remarks = append(c.Remarks, Gap{Input: m.Input, Line: m.Line, Text: fmt.Sprintf("one of %d clusters, by the "+
			"UID of kube-system: counts cover all clusters, and nothing is compared between clusters", len(all))})
	}
}
