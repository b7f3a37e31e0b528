package pods

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
)

// maxRepeated is how many pods a command is repeated for: a line that people read before they run it.
const maxRepeated = 10

// repeat runs the first of the steps that names a pod, and only looks, for the other pods of that namespace and
// container, in a loop where there are several; ok is false where there is none. A signal is never repeated: it would
// end all replicas at once.
func repeat(next []rules.Step, pods []rules.PodCount) (again rules.Step, ok bool) {
	if len(pods) < 2 {
		return again, false
	}
	for _, step := range next {
		words := strings.Fields(step.Command)
		if len(words) == 0 || words[0] != "kubectl" || step.Changes || !onlyLooks(words) {
			continue
		}
		i := slices.IndexFunc(pods, func(p rules.PodCount) bool {
			return p.Pod != "" && slices.Contains(words, rules.Quote(p.Pod))
		})
		if i < 0 {
			continue
		}
		named := pods[i]
		var others []string
		for _, p := range pods {
			if p.Pod != "" && p.Pod != named.Pod && p.Namespace == named.Namespace && p.Container == named.Container {
				others = append(others, rules.Quote(p.Pod))
			}
		}
		if len(others) == 0 {
			return again, false
		}
		one, why := `"$p"`, "the same for the other pods"
		if len(others) == 1 {
			one, why = others[0], "the same for the other pod"
		}
		for j, word := range words {
			if word == rules.Quote(named.Pod) && words[j-1] != "-n" && words[j-1] != "-c" { // words[0] is kubectl
				words[j] = one
			}
		}
		again = rules.Command(strings.Join(words, " "))
		if len(others) == 1 {
			return again.Note(why), true
		}
		if len(others) > maxRepeated {
			why = fmt.Sprintf("the same for %d of the other %d pods", maxRepeated, len(others))
		}
		others = others[:min(len(others), maxRepeated)]
		loop := fmt.Sprintf("for p in %s; do %s; done", strings.Join(others, " "), again.Command)
		return rules.Command(loop).Note(why), true
	}
	return again, false
}

// onlyLooks reports whether a kubectl command changes nothing and ends by itself.
func onlyLooks(words []string) bool {
	among := func(list string) bool {
		return slices.ContainsFunc(strings.Fields(list), func(w string) bool { return slices.Contains(words, w) })
	}
	return among("logs top describe get") && !among("exec debug delete -f kill")
}
