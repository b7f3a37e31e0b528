package auditlog

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
)

// did says how many writes changed only timestamps, most of them which, and how many changed nothing; "" for none.
func (l *loop) did(t *audit.Trail) string {
	var parts []string
	if l.timeOnly > 0 {
		which := ""
		if mostlyTime(t, l) != "" {
			which = " (" + strings.Join(t.Changes[l.change].Paths, ", ") + ")"
		}
		n := fmt.Sprint(l.timeOnly)
		if l.timeOnly == l.compared {
			n = "all"
		}
		parts = append(parts, n+" changed only timestamps"+which)
	}
	if l.nothing > 0 {
		parts = append(parts, fmt.Sprintf("%d changed nothing at all", l.nothing))
	}
	return strings.Join(parts, " and ")
}

// proof says how the writes follow from each other.
func (l *loop) proof() string {
	n := len(l.writes)
	switch {
	case l.shown >= loopMin:
		return fmt.Sprintf("%d of its %d writes carry the resourceVersion that its own previous write returned",
			l.shown, n)
	case l.led > l.alone:
		return fmt.Sprintf("%d of its %d writes follow one of its own; in between, others wrote only the status",
			l.led, n)
	}
	return fmt.Sprintf("%d of its %d writes follow its own previous write, with no other client's in between", l.alone,
		n)
}

// loopTitle says as much of what the writes do as there is room for: the field's whole path, what follows its first
// member, its last one, or nothing.
func loopTitle(subject, rate, act string) string {
	if act == "" {
		return title("%s %s", subject, rate)
	}
	end, last := act, act
	if p, ok := strings.CutPrefix(act, "changing only "); ok {
		end = "changing only " + p[strings.IndexByte(p, '.')+1:]
		if last = end; !strings.HasSuffix(p, "]") { // a name in brackets has dots of its own
			last = "changing only " + p[strings.LastIndexByte(p, '.')+1:]
		}
	}
	return rules.FirstTitle(title("%s %s", subject, rate), subject+" "+rate+", "+act, subject+" "+rate+", "+end,
		subject+", "+end, subject+" "+rate+", "+last)
}
