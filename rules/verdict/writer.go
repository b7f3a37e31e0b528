package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse/frame"
)

// NameWriters adds what other views know about who writes an object in a loop: the actors that the audit log has, where
// the objects alone do not show them, and the function of the actor that does it, where the same inputs hold a profile
// or dump of its process.
func NameWriters(set []*rules.Rule, found []rules.Finding, pass *rules.Pass) {
	var j joiner
	var all []reconciler
	for i := range found {
		f := &found[i]
		if !aboutObjects(f) || f.Category != rules.HotLoop && f.Category != rules.RaceCat ||
			f.Culprit.Function != "" || !f.Alarm() {
			continue
		}
		if j.views == nil {
			j = newJoiner(set, pass)
		}
		if j.viewOf(f) == viewObject {
			nameActors(f, trailIn(pass))
		}
		if all == nil {
			all = reconcilers(pass)
		}
		j.nameFunction(f, all)
	}
}

const (
	// maxActors is how many actors of one object are named.
	maxActors = 3
	// minActorWrites is how many writes make an actor one of an object's writers. Chosen: a rollout or a person writes
	// once or twice.
	minActorWrites = 3
)

// nameActors adds those who wrote the object of a finding, by the audit log.
func nameActors(f *rules.Finding, t *audit.Trail) {
	object := slices.IndexFunc(t.Objects, func(o audit.Object) bool {
		return o.Name == f.Object.Name && o.Namespace == f.Object.Namespace && o.Name != "" && o.MayBe(f.Object.Kind)
	})
	if object < 0 || object >= len(t.ByObject) {
		return
	}
	writes, last := map[int32]int{}, map[int32]int32{}
	for _, i := range t.ByObject[object] {
		if w := &t.Writes[i]; w.OK() {
			writes[w.Actor]++
			last[w.Actor] = i
		}
	}
	maps.DeleteFunc(writes, func(_ int32, n int) bool { return n < minActorWrites })
	actors := slices.SortedFunc(maps.Keys(writes), func(a, b int32) int {
		return cmp.Or(cmp.Compare(writes[b], writes[a]), cmp.Compare(a, b))
	})
	for _, a := range actors[:min(len(actors), maxActors)] {
		w, name := &t.Writes[last[a]], t.Actors[a].Name()
		at := t.Place(w)
		f.Actors = union(f.Actors, []string{name})
		f.Evidence = append(f.Evidence, rules.Evidence{
			Input: at.Path, Line: at.Line, Time: audit.Time(w.Time).Format("2006-01-02T15:04:05.999999Z07:00"),
			Count: writes[a],
			Text:  fmt.Sprintf("%s wrote it %d times; this is the last one", name, writes[a]),
		})
		f.Sources = union(f.Sources, []string{at.Path})
	}
	if len(actors) > 0 {
		f.Why = strings.TrimSuffix(f.Why, " The inputs do not show the writer.")
		f.Why += fmt.Sprintf(" The audit log names the writers: %s.", strings.Join(f.Actors, ", "))
	}
	if len(actors) > 1 && strings.HasPrefix(f.Fix, "Find out who writes") {
		f.Fix = fmt.Sprintf("Let only one of %s own it, and remove it from the writes of the others.",
			strings.Join(f.Actors, ", "))
	}
}

// A reconciler is a function of a program that does its work for an object, as one profile or dump shows it.
type reconciler struct {
	at     rules.Place
	target rules.Target
	input  string
	line   int64
	weight int64 // samples, or goroutines
	dump   bool
}

// reconcilers are those that the profiles and dumps of the inputs show, each with the line at which most of its work
// goes on.
func reconcilers(pass *rules.Pass) []reconciler {
	all := []reconciler{}
	for _, p := range pass.Profiles {
		if p.View != nil && p.Profile != nil && p.Kind == profile.KindCPU {
			all = append(all, profileReconcilers(p)...)
		}
	}
	for _, d := range pass.Dumps {
		for _, b := range d.Buckets {
			k := reconcileFrame(len(b.Frames), func(i int) (string, bool) {
				return b.Frames[i].Func, d.Program.Class(b.Frames[i].Frame) == frame.ClassOwn
			})
			if k < 0 {
				continue
			}
			input, line := d.Input, d.Line
			if len(b.Goroutines) > 0 {
				line = int64(b.Goroutines[0].Line)
			}
			if d.Locate != nil {
				input, line = d.Locate(line)
			}
			at := rules.PlaceOf(b.Frames[k].Frame)
			all = addReconciler(all, reconciler{at, d.Target, input, line, int64(b.Count), true})
		}
	}
	return all
}

func profileReconcilers(p *rules.ProfileInput) []reconciler {
	var all []reconciler
	for i := range p.Stacks {
		s := &p.Stacks[i]
		k := reconcileFrame(len(s.Frames), func(i int) (string, bool) {
			return p.FuncAt(s.Frames[i]), p.ClassAt(s.Frames[i]) == frame.ClassOwn
		})
		if k < 0 {
			continue
		}
		at := rules.PlaceOf(p.At(s.Frames[k]))
		all = addReconciler(all, reconciler{at, p.Target, p.Input, 0, max(s.Samples, 1), false})
	}
	return all
}

// addReconciler adds r to the same line of the same function in the same input.
func addReconciler(all []reconciler, r reconciler) []reconciler {
	for i := range all {
		if o := &all[i]; o.input == r.input && o.at == r.at {
			o.weight += r.weight
			return all
		}
	}
	return append(all, r)
}

// reconcileFrame is the frame, of n of a stack that is leaf first, in which a program works on one object: the deepest
// of its own functions that is called Reconcile…, or sync… as those of Kubernetes' own controllers; where there is
// none, the one that the worker of its queue calls. -1 for none.
func reconcileFrame(n int, at func(i int) (function string, own bool)) int {
	sync, worker := -1, -1
	for i := range n {
		function, own := at(i)
		if !own {
			continue
		}
		_, method := nameOf(function)
		switch method = strings.ToLower(method); {
		case strings.HasPrefix(method, "reconcile"):
			return i
		case sync < 0 && strings.HasPrefix(method, "sync"):
			sync = i
		}
		if worker < 0 && i+1 < n {
			caller, _ := at(i + 1)
			_, method := nameOf(caller)
			switch strings.ToLower(method) {
			case "processnextworkitem", "processnextitem", "processnext":
				worker = i
			}
		}
	}
	if sync >= 0 {
		return sync
	}
	return worker
}

// nameOf is the name of a function without its package, receiver and closures, and what precedes it: what separates the
// controllers of a program.
func nameOf(function string) (receiver, method string) {
	name := baseOf(function)
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)], name[i+1:]
}

// nameFunction names the function of a finding's only actor that writes its object; of several actors the functions are
// remarks.
func (j joiner) nameFunction(f *rules.Finding, all []reconciler) {
	for _, actor := range f.Actors {
		r, sure := j.writerOf(f, actor, all)
		if !sure {
			continue
		}
		where := fmt.Sprintf("%s (%s:%d)", symbol.ShortFunc(r.at.Function), path.Base(r.at.File), r.at.Line)
		text := "the CPU profile of the writer's process shows " + where
		if r.dump {
			text = "the dump of the writer's process shows " + where
		}
		f.Evidence = append(f.Evidence, rules.Evidence{Input: r.input, Line: r.line, Text: text, Count: int(r.weight)})
		f.Sources = union(f.Sources, []string{r.input})
		f.Notes = append(f.Notes, fmt.Sprintf("%s works in %s.", actor, where))
		if len(f.Actors) == 1 {
			f.Culprit = r.at
		}
	}
}

// writerOf finds the function with which an actor writes the finding's object: in a process that is the actor's, the
// one that is called after the object's kind, or the only one. A process that nothing names must be called after the
// kind.
func (j joiner) writerOf(f *rules.Finding, actor string, all []reconciler) (best reconciler, sure bool) {
	about := rules.Finding{Actors: []string{actor}}
	var mine, named []reconciler
	for _, r := range all {
		called := afterKind(r.at.Function, f.Object.Kind)
		if writes(&about, r.target) || r.target.Pod == "" && called {
			mine = append(mine, r)
			if called {
				named = append(named, r)
			}
		}
	}
	if len(named) > 0 {
		mine = named
	}
	if len(mine) == 0 {
		return best, false
	}
	slices.SortStableFunc(mine, func(a, b reconciler) int { return cmp.Compare(b.weight, a.weight) })
	best = mine[0]
	// Where several controllers do, nothing shows which of them it is.
	receiver, _ := nameOf(best.at.Function)
	return best, !slices.ContainsFunc(mine, func(r reconciler) bool {
		other, _ := nameOf(r.at.Function)
		return other != receiver
	})
}

// afterKind reports whether a function is called after a kind, or after the resource where no kind is known: by its
// package, its receiver or itself.
func afterKind(function, kind string) bool {
	const shortest = 3
	kind = strings.TrimSuffix(strings.ToLower(kind), "s")
	return len(kind) >= shortest &&
		strings.Contains(strings.ToLower(function[strings.LastIndexByte(function, '/')+1:]), kind)
}
