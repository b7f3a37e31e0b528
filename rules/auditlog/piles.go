package auditlog

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of objects-pile-up and creation-rate, for objects that are no pods.
const (
	// pileSeen is how many within ten minutes are reported at all: a Helm release has some tens of one resource.
	pileSeen = 200
	// pileMinute is how many within one minute are a fault, where they are alike: a program that sets up tenants, a
	// restore or a large release makes up to 150 of one resource at once, and then no more. Chosen.
	pileMinute = 200
	// pileMany is the same within ten minutes, at pileSteady a minute at least: the first sync of a GitOps tool makes
	// 600 at 67 a minute, a fleet's pipelines 57. Chosen.
	pileMany   = 500
	pileSteady = 100
	// pileGoesOn is the same where they still come when the log ends: a sync is done with what it has.
	pileGoesOn = 70
	// pileSlow is how many make a pile that grows evenly over ten minutes and more and still does when the log ends,
	// where the server or a random word chose the names: what a person or a sync makes has names, and comes at once.
	// Chosen as the objects' own rule has it.
	pileSlow = 200
	// pileAlike is the share of names that must begin alike.
	pileAlike = 0.8
)

// pile judges what is created by what becomes of it.
func pile(t *audit.Trail, c *audit.Creation, kept bool) *rules.Finding {
	gone := 2*(c.Deleted+c.Meant) >= c.Count
	if c.Resource == "pods" && (kept || c.Owner.Kind != "") || c.Window < pileSeen || gone == kept || c.Followed ||
		controlPlane(&t.Actors[c.Actor]) || steadyResource(c.Resource) {
		return nil
	}
	if kept {
		return pileFinding(t, c)
	}
	return rateFinding(t, c)
}

// objectsPileUp is objects-pile-up (TR775).
func objectsPileUp(t *audit.Trail, c *audit.Creation) *rules.Finding { return pile(t, c, true) }

// creationRate is creation-rate (TR776).
func creationRate(t *audit.Trail, c *audit.Creation) *rules.Finding { return pile(t, c, false) }

// runsOnce reports resources of which each object is one run of something: a pipeline's cluster creates them by the
// hundred.
func runsOnce(resource string) bool {
	return resource == "jobs" || resource == "workflows" || strings.HasSuffix(resource, "runs")
}

// builtIn reports the resources of Kubernetes itself. Custom ones are made by the hundred by design: reports, requests,
// endpoints.
func builtIn(c *audit.Creation) bool {
	return kindOfResource(c.Resource) != c.Resource
}

// pileObject is what is made: an owner's, or alike by name.
func pileObject(c *audit.Creation) rules.Object {
	if c.Owner.Kind != "" {
		return stormObject(c)
	}
	return rules.Object{Kind: kindOfResource(c.Resource), Namespace: c.Namespace, Name: cmp.Or(c.Prefix, c.Stem)}
}

func pileFinding(t *audit.Trail, c *audit.Creation) *rules.Finding {
	f := madeFinding(t, c, "TR775")
	goesOn := t.Last-c.Last < time.Minute.Microseconds()
	many := c.Peak >= pileMinute || c.Window >= pileMany && (c.Peak >= pileSteady || c.Peak >= pileGoesOn && goesOn)
	// Names that nobody chose need less: what is set up by hand or by a sync has names.
	chosen := chosenNames(t, c) && goesOn && (c.Long >= pileSlow && c.Even || c.Window >= pileSeen &&
		c.Peak >= pileSteady)
	// Custom resources are made by the hundred by design, and then have owners or names.
	counts := builtIn(c) || chosen && c.Told == c.Count
	if (many || chosen) && 4*c.Deleted < c.Count && c.Owner.Kind == "" && counts && !runsOnce(c.Resource) &&
		partOf(c.Alike, c.Count) >= pileAlike {
		f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	}
	user := t.Actors[c.Actor].Name()
	f.Category = rules.Leak
	f.Title = title("%s makes %d %s in %s, and deletes none", short(user), c.Count, alike(c), span(c.First, c.Last))
	if c.Deleted > 0 {
		f.Title = title("%s makes %d %s in %s, and deletes %d", short(user), c.Count, alike(c), span(c.First, c.Last),
			c.Deleted)
	}
	if c.Deleted > 0 {
		f.Why += fmt.Sprintf(" %d of them were deleted again.", c.Deleted)
	}
	if c.Owner.Kind == "" && c.Told == c.Count {
		f.Why += " They have no owner, so that nothing deletes them when what they are for is gone."
	}
	f.Why += " That many of one resource come from a controller that doesn't find what it created before."
	return f
}

// chosenNames reports objects whose names nobody gave: the level leaves such names out, or shows what they begin with,
// or they end in a hash or a random word.
func chosenNames(t *audit.Trail, c *audit.Creation) bool {
	return c.Prefix != "" || partOf(c.Chosen, c.Count) >= pileAlike || t.Objects[t.Writes[c.LastOne].Object].Name == ""
}

func rateFinding(t *audit.Trail, c *audit.Creation) *rules.Finding {
	f := madeFinding(t, c, "TR776")
	if c.Peak >= pileMinute && builtIn(c) {
		f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	}
	f.Category = rules.HotLoop
	f.Title = title("%s makes %d %s in %s and deletes them again", short(t.Actors[c.Actor].Name()), c.Count, alike(c),
		span(c.First, c.Last))
	f.Why += fmt.Sprintf(" %d of them were deleted again", c.Deleted+c.Meant)
	if c.Lifetime > 0 {
		f.Why += fmt.Sprintf(" (median age %s)", phrase.Seconds(c.Lifetime.Seconds()))
	}
	f.Why += "."
	return f
}

// alike names what is made: "secrets pull-token-*".
func alike(c *audit.Creation) string {
	if stem := cmp.Or(c.Prefix, c.Stem); stem != "" && c.Owner.Kind == "" {
		return c.Resource + " " + stem + "*"
	}
	return c.Resource
}

// madeFinding begins a finding about objects that one client makes by the hundred.
func madeFinding(t *audit.Trail, c *audit.Creation, rule string) *rules.Finding {
	user, o := t.Actors[c.Actor].Name(), pileObject(c)
	f := again(t, c, o, c.Count)
	f.Severity, f.Confidence = rules.Low, rules.ConfLow
	if o.Name == "" {
		who := client(&t.Actors[c.Actor])
		f.Object, f.Objects = &who, []rules.Object{{Kind: o.Kind, Namespace: o.Namespace}}
	}
	f.Fingerprint = rules.FingerprintObject(rule, rules.Object{Kind: c.Resource, Namespace: c.Namespace,
		Name: user + "/" + o.Name})
	f.Why = fmt.Sprintf("%s created %d %s in namespace %s in %s%s.", user, c.Count, alike(c), c.Namespace,
		span(c.First, c.Last), peakText(c))
	whence(t, &f, c.Actor)
	f.Next = append(rules.Commands(command(t, &audit.Object{Resource: c.Resource, Namespace: c.Namespace})),
		rules.Command("kubectl "+inNamespace(c.Namespace)+"get "+rules.Quote(c.Resource)+
			" --sort-by=.metadata.creationTimestamp"))
	return &f
}
