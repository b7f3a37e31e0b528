package objects

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// runOutlivesOwner is outlives-owner (TR758).
func runOutlivesOwner(c *kube.Cluster) []rules.Finding {
	var adopted []*kube.Meta
	byUID := map[string]*kube.Meta{}
	everyMeta(c, func(m *kube.Meta) {
		if m.UID != "" {
			byUID[m.UID] = m
		}
		if m.History != nil && len(m.History.Adopted) > 0 && !m.Gone && m.Kind != "Pod" {
			adopted = append(adopted, m)
		}
	})
	var found []rules.Finding
	for _, m := range adopted {
		var all []kube.Adoption
		for _, a := range m.History.Adopted {
			// The owner of the same name in another cluster is not gone.
			if old := byUID[a.From]; old != nil && old.Gone && byUID[a.To] != nil {
				all = append(all, a)
			}
		}
		if len(all) > 0 {
			found = append(found, outlivesOwner(c, m, all, byUID))
		}
	}
	return found
}

func outlivesOwner(
	c *kube.Cluster, m *kube.Meta, all []kube.Adoption, byUID map[string]*kube.Meta,
) rules.Finding {
	old, owner := byUID[all[0].From], byUID[all[len(all)-1].To]
	f := finding(m.Ref, rules.Medium, rules.ConfHigh, len(all), byUID[all[0].To].Created, owner.Created)
	times := phrase.CountTimes(len(all))
	f.Objects = []rules.Object{*objectOf(owner.Ref)}
	f.Title = title(m.Ref, fmt.Sprintf("outlived its owner %s %s %s", owner.Kind, owner.Name, times),
		"outlived its owner "+times)
	f.Why = fmt.Sprintf("%s was deleted and recreated %s, and %sthe new %s adopted %s.", kindName(owner.Ref),
		times, phrase.OnlyIf(len(all) > 1, "each time "), owner.Kind, kindName(m.Ref))
	f.Evidence = append(f.Evidence, evidence(old.At, old.Created, 1, "%s with UID %s, deleted", kindName(old.Ref),
		old.UID))
	for _, a := range all[:min(len(all), maxObjectEvidence/2)] {
		f.Evidence = append(f.Evidence, evidence(a.At, byUID[a.To].Created, 1, "%s: its owner's UID was %s, now %s",
			kindName(m.Ref), a.From, a.To))
	}
	if pod, claim := robbed(c, m); pod != nil {
		f.Severity = rules.High
		f.Objects = append(f.Objects, *objectOf(pod.Ref), *objectOf(claim.Ref))
		f.Why += fmt.Sprintf(" Meanwhile its claim %s was deleted, and pod %s, created since, waits for "+
			"it.", claim.Name,
			pod.Name)
		f.Evidence = append(f.Evidence, claimEvidence(claim), evidence(pod.At, pod.Created, 1, "%s is Pending",
			kindName(pod.Ref)))
	}
	f.Fix = fmt.Sprintf("Delete %s in the foreground, and recreate it only after %s is gone.",
		kindName(owner.Ref), kindName(m.Ref))
	f.Next = rules.Commands(objectOf(m.Ref).Kubectl("get", "-o yaml --show-managed-fields"),
		objectOf(owner.Ref).Kubectl("get", "-o yaml"))
	f.Notes = []string{"Objects do not show who wrote them: the API server's audit log does (`triage audit`)."}
	return f
}

// robbed is a pod of a workload that waits, and its claim that was deleted before it was made; nil for none.
func robbed(c *kube.Cluster, m *kube.Meta) (*kube.Pod, *kube.Claim) {
	for _, p := range c.Pods {
		if !waitingPod(p) || p.Owner.UID == "" || p.Owner.UID != m.UID {
			continue
		}
		for _, claim := range c.Claims {
			if claim.Namespace == p.Namespace && (claim.Gone || !claim.Deleted.IsZero()) &&
				!claim.Created.After(p.Created) && strings.HasSuffix(claim.Name, "-"+p.Name) {
				return p, claim
			}
		}
	}
	return nil, nil
}
