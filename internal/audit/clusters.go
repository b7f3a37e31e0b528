package audit

import (
	"math"
	"strings"
)

// Logs of several clusters that lie in one folder have users and objects of the same names. What distinguishes clusters
// at every level is the UID of a service account, which an API server logs with the user: the accounts of kube-system's
// controllers are made once for a cluster.

// kubeSystem begins the users of these accounts.
const kubeSystem = "system:serviceaccount:kube-system:"

// minOthers is how many accounts of one name must have other UIDs, none having the same, for two logs to be of two
// clusters: one account may have been made anew.
const minOthers = 2

// account notes the UID of a service account of kube-system.
func (a *Actor) account(uid []byte) {
	if a.uid == 0 && len(uid) > 0 && strings.HasPrefix(a.User, kubeSystem) {
		a.uid = hashID(uid, nil)
	}
}

// clusters numbers the clusters that the logs are of, from 0 in their order. A log that shares no account with those
// before it counts as one of the first cluster.
func (m *merger) clusters() {
	m.cluster = make([]uint8, len(m.logs))
	var known []map[string]uint64 // the accounts of each cluster
	for at, l := range m.logs {
		own := map[string]uint64{}
		for i := range l.t.actors.list {
			if a := &l.t.actors.list[i]; a.uid != 0 {
				own[a.User] = a.uid
			}
		}
		c := clusterOf(own, known)
		if c == len(known) {
			known = append(known, map[string]uint64{})
		}
		m.cluster[at] = uint8(c)
		for user, uid := range own {
			known[c][user] = uid
		}
	}
	m.trail.Clusters = len(known)
}

// clusterOf is the first cluster that accounts may be of, a new one where they contradict all.
func clusterOf(own map[string]uint64, known []map[string]uint64) int {
	maybe := len(known)
	for c, accounts := range known {
		same, others := 0, 0
		for user, uid := range own {
			switch is := accounts[user]; is {
			case 0:
			case uid:
				same++
			default:
				others++
			}
		}
		if same > 0 {
			return c
		}
		if others < minOthers {
			maybe = min(maybe, c)
		}
	}
	if len(known) == math.MaxUint8 {
		return min(maybe, 0)
	}
	return maybe
}
