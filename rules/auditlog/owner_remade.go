package auditlog

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// ownerRemades is how often the owner of a storm's pods must have been deleted and created again before it is what
// makes the storm: by hand it is so once or twice. Chosen.
const ownerRemades = 5

// A remaker is who deletes a storm's owner and creates it again.
type remaker struct {
	actor, object    int32
	deletes, creates int
	first, last      int32 // deletions: index in Trail.Writes
	firstMade        int32 // creation
}

// remakerOf is the one that deleted the owner of a storm's pods so often that its pods' deletions follow from it; nil
// where none did. The control plane's controllers carry out what others want.
func remakerOf(t *audit.Trail, c *audit.Creation, owner rules.Object) *remaker {
	var found *remaker
	for i := range t.Objects {
		o := &t.Objects[i]
		if o.Name != owner.Name || o.Namespace != owner.Namespace || o.Resource != strings.ToLower(owner.Kind)+"s" {
			continue
		}
		by := map[int32]*remaker{}
		for _, j := range t.ByObject[i] {
			w := &t.Writes[j]
			if !w.OK() || w.Sub != 0 || controlPlane(&t.Actors[w.Actor]) || w.Time > c.Last {
				continue
			}
			r := by[w.Actor]
			if r == nil {
				r = &remaker{actor: w.Actor, object: int32(i), first: -1, firstMade: -1}
				by[w.Actor] = r
			}
			r.count(w.Verb, j)
			if r.deletes >= ownerRemades && r.creates >= ownerRemades && r.deletes*c.Standing*2 >= c.Count {
				found = r
			}
		}
	}
	return found
}

func (r *remaker) count(verb audit.Verb, write int32) {
	switch verb {
	case audit.VerbDelete:
		if r.deletes++; r.first < 0 {
			r.first = write
		}
		r.last = write
	case audit.VerbCreate:
		if r.creates++; r.firstMade < 0 {
			r.firstMade = write
		}
	}
}

// explain makes a finding about pods that are made again and again one about who remakes their owner.
func (r *remaker) explain(t *audit.Trail, c *audit.Creation, o rules.Object, f *rules.Finding) {
	user, name := t.Actors[r.actor].Name(), o.Kind+" "+o.Name
	first, last := t.Writes[r.first].Time, t.Writes[r.last].Time
	f.Actors = []string{user}
	f.Title = rules.FirstTitle(title("%s deletes and creates %s %d times", short(user), name, r.deletes),
		fmt.Sprintf("%s deletes and creates %s %d times in %s", short(user), name, r.deletes, span(first, last)))
	f.Why = fmt.Sprintf("%s deleted %s %d times in %s and created it %d times. %s were made for it and went with it.",
		short(user), objectText(o), r.deletes, span(first, last), r.creates, phrase.Plural(c.Count, "pod"))
	f.Fix = fmt.Sprintf("Find which field makes %s replace %s instead of updating it.", short(user), name)
	f.Evidence = []rules.Evidence{
		wrote(t, r.first, r.deletes, short(user), fmt.Sprintf(", the first of %d", r.deletes)),
		wrote(t, r.firstMade, r.creates, short(user), fmt.Sprintf(", the first of %d", r.creates)),
		wrote(t, r.last, 1, short(user), ": the last"), firstOf(t, c, short(t.Actors[c.Actor].Name()), c.Count),
	}
	f.Notes = nil
	f.Next = nextOf(t, &t.Objects[r.object])
	account, ok := strings.CutPrefix(user, "system:serviceaccount:")
	if namespace, name, two := strings.Cut(account, ":"); ok && two {
		f.Next = append(f.Next, rules.Command("kubectl "+inNamespace(namespace)+
			"get pods --field-selector spec.serviceAccountName="+rules.Quote(name)).Note("whose pods run as it"))
	}
}
