package objects

import (
	"time"

	"github.com/gotriage/triage/internal/kube"
)

// lately is how long what has ended is news: within a day (chosen).
const lately = 24 * time.Hour

// since is how long before the cluster was looked at something was; 0 where either is unknown.
func since(c *kube.Cluster, t time.Time) time.Duration {
	if t.IsZero() || c.Time.IsZero() {
		return 0
	}
	return c.Time.Sub(t)
}

// deletedAt is when the DELETE came.
func deletedAt(m *kube.Meta) time.Time {
	if m.Deleted.IsZero() {
		return m.Deleted
	}
	return m.Deleted.Add(-time.Duration(m.Grace) * time.Second)
}

func atTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " at " + kubeTime(t)
}
