package auditlog

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of remade-by-its-maker. Helm's hooks and pipelines delete an object before they make it anew, once a run:
// ten runs a minute apart are an ordinary morning. Where another one deletes it, or the log does not show who does,
// what is replaced on purpose is so by a pipeline every few minutes, or by a controller once. Chosen.
const (
	ownMin    = 12
	ownGap    = 30 * time.Second
	remadeMin = 60
	remadeGap = 10 * time.Second
)

// A remade is an object that one client creates again and again under its name.
type remade struct {
	object, actor int32
	creates       []int32
	own           []int32 // deletions by the same client
	gap           time.Duration
}

// remadeByMaker is remade-by-its-maker (TR790).
// What one client remakes of one resource is one finding, about the object that it remakes most.
func remadeByMaker(t *audit.Trail) (found []rules.Finding) {
	var all []*remade
	turns := foughtOver(t)
	for object := range t.ByObject {
		if r := remadeOf(t, int32(object)); r != nil && !turns[[2]int32{r.object, r.actor}] {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b *remade) int { return len(b.creates) - len(a.creates) })
	type key struct {
		actor    int32
		resource string
	}
	keyOf := func(r *remade) key { return key{r.actor, t.Objects[r.object].Resource} }
	groups := map[key][]*remade{}
	for _, r := range all {
		groups[keyOf(r)] = append(groups[keyOf(r)], r)
	}
	for _, r := range all {
		if same := groups[keyOf(r)]; same[0] == r {
			found = append(found, remadeFinding(t, same))
		}
	}
	return found
}

// remadeOf is the one client that creates an object again and again, and deletes it before; nil for none. Pods are
// their controllers' and are judged as storms.
func remadeOf(t *audit.Trail, object int32) *remade {
	o := &t.Objects[object]
	if len(t.ByObject[object]) < 2*ownMin || o.Name == "" || o.Resource == "pods" || steadyResource(o.Resource) {
		return nil
	}
	r := &remade{object: object}
	var gaps []int64
	for _, i := range t.ByObject[object] {
		switch w := &t.Writes[i]; {
		case deletes(w):
			r.own = append(r.own, i)
		case creates(w):
			if n := len(r.creates); n > 0 {
				gaps = append(gaps, w.Time-t.Writes[r.creates[n-1]].Time)
				if w.Actor != r.actor {
					return nil
				}
			}
			r.actor, r.creates = w.Actor, append(r.creates, i)
		}
	}
	r.own = slices.DeleteFunc(r.own, func(i int32) bool { return t.Writes[i].Actor != r.actor })
	r.gap = audit.Median(gaps)
	if len(r.creates) < ownMin || controlPlane(&t.Actors[r.actor]) || !(len(r.own) >= ownMin && r.gap <= ownGap ||
		len(r.creates) >= remadeMin && r.gap <= remadeGap) {
		return nil
	}
	return r
}

// ownerRemade reports pods that come and go because one client remakes their owner: that is a finding of its own.
func ownerRemade(t *audit.Trail, owner rules.Object) bool {
	for i := range t.Objects {
		if o := &t.Objects[i]; o.Name == owner.Name && o.Namespace == owner.Namespace && o.MayBe(owner.Kind) {
			if remadeOf(t, int32(i)) != nil {
				return true
			}
		}
	}
	return false
}

func remadeFinding(t *audit.Trail, all []*remade) rules.Finding {
	r := all[0]
	raw, user, n := &t.Objects[r.object], t.Actors[r.actor].Name(), len(r.creates)
	o := objectOf(raw)
	first, last := r.creates[0], r.creates[n-1]
	took := span(t.Writes[first].Time, t.Writes[last].Time)
	f := finding(o, n, t.Writes[first].Time, t.Writes[last].Time, user)
	f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	own := len(r.own) >= ownMin
	f.Title = title("%s creates %s %s again and again: %d times in %s", short(user), o.Kind, o.Name, n, took)
	f.Why = fmt.Sprintf("%s created %s %s in %s, once every %s. It was deleted each time in between.", short(user),
		o.Text(), phrase.CountTimes(n), took, phrase.Seconds(r.gap.Seconds()))
	if own {
		f.Title = title("%s deletes and recreates %s %s, %d times in %s", short(user), o.Kind, o.Name, n, took)
		f.Why = fmt.Sprintf("%s deleted %s %s in %s and recreated it each time, once every %s.", short(user),
			o.Text(), phrase.CountTimes(len(r.own)), took, phrase.Seconds(r.gap.Seconds()))
		f.Evidence = append(f.Evidence, wrote(t, r.own[0], len(r.own), agentOf(&t.Actors[r.actor]),
			fmt.Sprintf(", the first of %d", len(r.own))))
	}
	if len(all) > 1 {
		f.Notes = append(f.Notes, short(user)+" does the same to "+phrase.Count(len(all)-1, "other object")+
			" of the same kind.")
	}
	f.Fix = fmt.Sprintf("Find out which field makes %s replace %s instead of updating it.", short(user), o.Text())
	f.Evidence = append(f.Evidence, wrote(t, first, n, short(user), fmt.Sprintf(", the first of %d", n)),
		wrote(t, last, 1, short(user), ": the last"))
	for _, other := range all[1:] {
		if len(f.Evidence) == maxEvidence {
			break
		}
		f.Objects = append(f.Objects, objectOf(&t.Objects[other.object]))
		f.Evidence = append(f.Evidence, wrote(t, other.creates[0], len(other.creates), short(user),
			fmt.Sprintf(", the first of %d", len(other.creates))))
	}
	whence(t, &f, r.actor)
	f.Next = nextOf(t, raw)
	return f
}
