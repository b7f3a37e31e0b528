package report

import (
	"cmp"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// headline is a finding in one sentence: who, where the report is about several processes, what, and the place.
func (v *view) headline(f *rules.Finding) string {
	who := v.who(f)
	return textIf(who != "", who+": ") + v.accusation(f)
}

// accusation is a finding's title with its place.
func (v *view) accusation(f *rules.Finding) string {
	title := v.escape(collapse(strings.TrimSuffix(Title(f), ".")))
	if title == "" {
		title = v.escape(f.Name)
	}
	at := v.place(f.Culprit.File, f.Culprit.Line)
	title = cut(strings.TrimSuffix(title, " ("+at+")"), maxTitle, v.glyphs.ellipsis)
	if at == "" {
		at = cut(v.escape(collapse(unsaid(f, title))), maxTitle, v.glyphs.ellipsis)
	}
	return title + textIf(!strings.Contains(title, at), phrase.InBrackets(at))
}

// Title is a finding's title with the name of its object in full behind its namespace, "Deployment shop/web", as far as
// that leaves room for the rest. It is not escaped.
func Title(f *rules.Finding) string {
	if f.Object == nil || f.Object.Name == "" {
		return f.Title
	}
	title := f.Title
	for _, name := range []string{f.Object.Namespace + "/" + f.Object.Name, f.Object.Name} {
		if full := phrase.Restore(title, name); full != title {
			title = full
			break
		}
	}
	before, after, found := strings.Cut(title, f.Object.Kind+" "+f.Object.Name)
	if found && (after == "" || strings.IndexAny(after, " :,;.'") == 0) {
		title = before + f.Object.Text() + after
	}
	if width(title) > maxTitle {
		return f.Title
	}
	return title
}

// unsaid is what a title leaves out of whom a finding about an object accuses: the object, or else its only actor.
func unsaid(f *rules.Finding, title string) string {
	switch {
	case f.Object != nil && f.Object.Name != "" && !names(title, f.Object.Name):
		return f.Object.Text()
	case f.Object != nil && len(f.Actors) == 1:
		actor, own := strings.CutPrefix(f.Actors[0], "system:serviceaccount:")
		// NAMESPACE:NAME, of which titles have the name; the controllers of Kubernetes itself act for others
		short := actor[strings.LastIndexByte(actor, ':')+1:]
		if !names(title, short) && !(own && strings.HasPrefix(actor, "kube-system:")) {
			return "by " + cmp.Or(textIf(own, strings.ReplaceAll(actor, ":", "/")), actor)
		}
	}
	return ""
}

// names reports whether a title contains a name, in full or without its middle.
func names(title, name string) bool {
	return strings.Contains(title, name) || phrase.Restore(title, name) != title
}

// who names the process that a finding is about, where the report is about several and the title leaves it out:
// "shop/web-0 (app)", "shop/web-0 (app) and 2 more pods"; without pods the input.
func (v *view) who(f *rules.Finding) string {
	if m := v.report.Merged; m != nil && f.Spread != nil {
		return phrase.Number(f.Spread.Instances) + " of " + phrase.Count(m.Instances, "instance")
	}
	named := f.Object != nil && (f.Culprit.Function == "" || strings.Contains(f.Title, f.Object.Name))
	if !v.ofSeveralProcesses || named || ofNoCode(f) && f.PodsTotal > 1 {
		return ""
	}
	if len(f.Pods) > 0 && f.Pods[0].Pod != "" {
		p := &f.Pods[0]
		if strings.Contains(f.Title, p.Pod) {
			return ""
		}
		more := max(f.PodsTotal, len(f.Pods)) - 1
		return v.podOf(p.Namespace, p.Pod, p.Container) + textIf(more > 0, " and "+phrase.Count(more, "more pod"))
	}
	for _, e := range f.Evidence {
		for in := range pointers(v.report.Inputs) {
			switch {
			case in.Path != e.Input || in.Pod == "" && !v.beginsDump[in.Path]:
			case in.Pod == "":
				return v.at(in.Path, 0)
			case strings.Contains(f.Title, in.Pod):
				return ""
			default:
				return v.podOf(in.Namespace, in.Pod, in.Container)
			}
		}
	}
	return ""
}

// podOf is "shop/web-0 (app)"; the namespace or the container may be missing.
func (v *view) podOf(namespace, pod, container string) string {
	return v.escape(textIf(namespace != "", namespace+"/") + pod + phrase.InBrackets(container))
}

// ofSeveral reports whether a report is about more than one process: containers of pods, and inputs with dumps where
// no pod is known.
func ofSeveral(r *schema.Report) bool {
	type process struct{ namespace, pod, container, other string }
	all, ofPod := map[process]bool{}, map[string]bool{}
	for in := range pointers(r.Inputs) {
		if in.Pod != "" {
			all[process{in.Namespace, in.Pod, in.Container, ""}] = true
			ofPod[in.Path] = true
		}
	}
	for d := range pointers(r.Dumps) {
		switch {
		case d.Pod != "":
			all[process{d.Namespace, d.Pod, d.Container, ""}] = true
		case !ofPod[d.Input]:
			all[process{other: cmp.Or(d.Process, d.Input)}] = true
		}
	}
	return len(all) > 1
}

// profilesRead counts the profiles, and of a single one the samples; what blocked is counted in events.
func (v *view) profilesRead() string {
	n := len(v.report.Profiles)
	if n != 1 || v.ofCluster() {
		return countOf(n, "profile")
	}
	p := &v.report.Profiles[0]
	if p.Samples == 0 || p.Kind == "mutex" || p.Kind == "block" {
		return "a " + v.escape(wordsOf(p.Kind).name)
	}
	return phrase.Count(p.Samples, "sample") + " of a " + v.escape(wordsOf(p.Kind).name)
}
