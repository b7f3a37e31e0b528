package objects

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// heldLong is how long finalizers may take: cloud resources (load balancers, disks) take minutes.
const heldLong = 15 * time.Minute

func runStuckFinalizer(p *rules.Pass) []rules.Finding {
	return heldObjects(p.Cluster)
}

// heldObjects groups what is held by kind and finalizer: a controller that is gone holds all of them.
func heldObjects(c *kube.Cluster) []rules.Finding {
	type key struct{ api, kind, finalizer string }
	var groups grouping[key, *kube.Meta]
	add := func(m *kube.Meta) {
		if m.Gone || m.Deleted.IsZero() || len(m.Finalizers) == 0 || since(c, deletedAt(m)) < heldLong {
			return
		}
		groups.add(key{m.API, m.Kind, m.Finalizers[0]}, m)
	}
	for _, o := range c.Others {
		add(&o.Meta)
	}
	for _, o := range c.Workloads {
		add(&o.Meta)
	}
	for _, o := range c.Volumes {
		if claim := c.Claim(o.ClaimNamespace, o.ClaimName); claim == nil || claim.Gone { // else it waits for its claim
			add(&o.Meta)
		}
	}
	used := claimsInUse(c)
	for _, o := range c.Claims {
		if !used[[2]string{o.Namespace, o.Name}] {
			add(&o.Meta)
		}
	}
	for _, o := range c.Nodes {
		add(&o.Meta)
	}
	var found []rules.Finding
	for _, k := range groups.keys {
		found = append(found, heldBy(c, k.finalizer, groups.values[k]))
	}
	return found
}

// claimsInUse are the claims that pods still use: these have to stay.
func claimsInUse(c *kube.Cluster) map[[2]string]bool {
	used := map[[2]string]bool{}
	for _, p := range c.Pods {
		for _, name := range p.Claims {
			used[[2]string{p.Namespace, name}] = used[[2]string{p.Namespace, name}] || !p.Gone
		}
	}
	return used
}

func heldBy(c *kube.Cluster, finalizer string, ms []*kube.Meta) rules.Finding {
	slices.SortStableFunc(ms, func(a, b *kube.Meta) int { return a.Deleted.Compare(b.Deleted) })
	m := ms[0]
	others := ""
	if len(ms) > 1 {
		others = fmt.Sprintf(", and %s of its kind", phrase.Counted(len(ms)-1, "other"))
	}
	f := rules.Finding{
		Category: rules.Deadlock, Severity: rules.Medium, Confidence: rules.ConfMedium, Object: objectOf(m.Ref), Count: len(ms),
		FirstSeen: kubeTime(deletedAt(m)), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(m.Ref, "can't be deleted: held by "+finalizer),
		Why: fmt.Sprintf("%s%s was deleted %s ago, and finalizer %s holds it.", kindName(m.Ref), others,
			phrase.Spell(since(c, deletedAt(m))), finalizer),
		Fix: fmt.Sprintf("Find the controller that has to remove finalizer %s, and why it does not: its log names "+
			"the object. Remove it by hand only when what it guards is surely gone.", finalizer),
		Next: rules.Commands(kubectlOn(m.Ref, "get", "-o yaml", "--show-managed-fields")),
	}
	if finalizer == "foregroundDeletion" {
		f.Fix = "Find what the object owns that is not gone yet (ownerReferences with blockOwnerDeletion): that has " +
			"to go first."
	}
	for _, o := range ms[:min(len(ms), maxObjectEvidence)] {
		f.Evidence = append(f.Evidence, kubeEvidence(o.At, deletedAt(o), 1, "%s: deleted, finalizers: %s",
			kindName(o.Ref), someNames(o.Finalizers)))
	}
	return f
}
