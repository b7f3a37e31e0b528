package audit

import (
	"fmt"
	"strings"
	"testing"
)

// accountsLog is an audit log in which controllers of kube-system and one person write a ConfigMap; the accounts have
// the UIDs of a cluster.
func accountsLog(cluster string, from int) string {
	var b strings.Builder
	for i := range 12 {
		user := fmt.Sprintf(`{"username":"system:serviceaccount:kube-system:controller-%d","uid":"%s-%d"}`, i%3, cluster, i%3)
		if i%4 == 3 {
			user = `{"username":"alice"}`
		}
		fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%s-%d","stage":`+
			`"ResponseComplete","requestURI":"/api/v1/namespaces/a/configmaps/b","verb":"patch","user":%s,"objectRef":`+
			`{"resource":"configmaps","namespace":"a","name":"b","apiVersion":"v1"},"responseStatus":{"code":200},`+
			`"requestReceivedTimestamp":"2026-03-04T04:47:%02d.000000Z","stageTimestamp":"2026-03-04T04:47:%02d.001000Z"}`+"\n",
			cluster, from+i, user, from+i, from+i)
	}
	return b.String()
}

// TestLogsOfTwoClustersStayApart: what is called alike in both is two objects, unless the accounts are the same.
func TestLogsOfTwoClustersStayApart(t *testing.T) {
	for name, c := range map[string]struct {
		second            string
		clusters, objects int
	}{
		"another cluster": {accountsLog("bbbb", 20), 2, 2},
		"another server":  {accountsLog("aaaa", 20), 1, 1},
	} {
		var logs []*Log
		for i, text := range []string{accountsLog("aaaa", 0), c.second} {
			r := NewReader(Options{})
			if err := r.Read(fmt.Sprintf("audit-%d.log", i), strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			logs = append(logs, r.Close())
		}
		trail := Merge(logs)
		n := 0
		for i := range trail.Objects {
			if trail.Objects[i].Name == "b" {
				n++
			}
		}
		if trail.Clusters != c.clusters || n != c.objects {
			t.Errorf("%s: %d clusters, %d objects b, want %d and %d", name, trail.Clusters, n, c.clusters, c.objects)
		}
	}
}
