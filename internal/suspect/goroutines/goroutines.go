// Package goroutines finds suspects in dumps: groups of goroutines that general facts single out.
package goroutines

import (
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
)

// Suspects are those of all dumps, best first.
func Suspects(*rules.Pass) []suspect.Suspect { return nil }
