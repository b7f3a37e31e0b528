package verdict

import "testing"

func TestALostLeaseIsRecognisedInTheWordsOfPrograms(t *testing.T) {
	lost := []string{
		"leaderelection lost", "F0914 main.go:38] Failed to start operator: leader election lost", "stopped leading", "lost master",
		`panic: leader election lost`, "level=fatal msg=\"leaderelection lost for cattle-controllers\"", "Upgrade leader lost: node-1", "problem running manager: leader election lost",
		"Lost leadership, terminating", "fatal: lost the lease kube-system/x", "failed to renew lease kube-system/kube-scheduler: timed out waiting for the condition", "we are no longer the leader, exiting",
		"lease expired, exiting", "leader lease lost", "Leadership lost, shutting down", "lost lock, no longer leader",
		"leader election lock lost", "I'm not the leader anymore, exiting", "lease was lost; process will restart", "unable to renew leadership lease",
		"Leader lease could not be renewed within deadline", "leadership was revoked", "lost leader lease, shutting down server", "failed to renew leader lease: context deadline exceeded",
	}
	others := []string{
		"runtime error: invalid memory address or nil pointer dereference", "connection lost", "etcd leader changed", "failed to open lease file",
		"lost connection to pod", "release lost its owner", "failed to initialize certificate reloader", "index out of range [3] with length 3",
		"leader elected", "waiting for leader election", "raft: leader has 3 followers", "please release the lock",
		"no longer supported flag --leader-elect", "cannot list leases.coordination.k8s.io: forbidden", "token expired", "certificate has expired or is not yet valid",
		"election config invalid: leaseDuration must be greater than renewDeadline", "data lost", "lost+found: permission denied", "unknown flag: --leader-election-namespace",
		"database lease table is missing", "release no longer exists", "packet lost", "failed to renew certificate",
	}
	for _, text := range lost {
		if address, ok := sharedCause(text); !ok || address != "" {
			t.Errorf("%q is a lost lease", text)
		}
	}
	for _, text := range others {
		if _, ok := sharedCause(text); ok {
			t.Errorf("near: %q is none", text)
		}
	}
}
