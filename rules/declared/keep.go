package declared

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/rules"
)

// Keeps reports whether a rule of f holds for something that the inputs' readers leave out for rules of triage: a
// *logpattern.Pattern that is rare, or a *metrics.Sample with a name of the program's own. The input is the first file
// of its source, t the process that it is of.
func (f *File) Keeps(seen any, input string, t rules.Target) bool {
	var env any
	field := ""
	switch v := seen.(type) {
	case *logpattern.Pattern:
		env, field = logEnv(v, input, t), "logs"
	case *metrics.Sample:
		env, field = metricEnv(v, input, t), "metrics"
	}
	return slices.ContainsFunc(f.asks, func(c *declared) bool { return c.field == field && c.when.holds(env) })
}

// Asks reports whether the condition of a rule of f on evidence of these kinds has one of these words, or any condition
// where none is given.
func (f *File) Asks(needs rules.Needs, words ...string) bool {
	return slices.ContainsFunc(f.asks, func(c *declared) bool {
		return c.needs&needs != 0 && (len(words) == 0 || slices.ContainsFunc(words, func(w string) bool {
			return strings.Contains(c.ask.When, w)
		}))
	})
}
