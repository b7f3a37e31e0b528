package coded

import (
	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// maxHands bounds the functions of each kind that a note names.
const maxHands = 3

// hands is the note about the lock that goroutines of a finding wait for: which functions of its package return with
// it, and which release it for others; "" where none returns with it. No stack shows who has a lock in that way.
func (s *lockScene) hands(f *rules.Finding) string {
	for _, st := range s.stacks {
		if st.at < 0 || !shownBy(st, f) {
			continue
		}
		site := st.calls[st.at].Site
		kept, freed := site.Hands(st.lock.Last())
		if len(kept) == 0 {
			return ""
		}
		text := "In the code, " + nameHands(site, kept, "returns", "return") + " with " + st.lock.String()
		if len(freed) > 0 {
			text += ", and " + nameHands(site, freed, "releases", "release") +
				" it: each call of the former needs one of the latter"
		}
		return text + "."
	}
	return ""
}

// nameHands names functions and their places, with a verb.
func nameHands(site *gocode.Site, hands []gocode.Hand, one, many string) string {
	var names []string
	for i := range hands {
		file, line := site.Place(hands[i].At)
		name := gocode.Name(hands[i].Decl, hands[i].Decl)
		names = append(names, rules.PlaceText(rules.Place{Function: name, File: file, Line: line}))
	}
	verb := one
	if len(names) > 1 {
		verb = many
	}
	if len(names) > maxHands {
		return phrase.Some(names, maxHands) + " " + verb
	}
	return phrase.List(names) + " " + verb
}
