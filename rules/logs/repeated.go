package logs

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/rules/phrase"
)

func gapText(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return phrase.Seconds(d.Seconds())
}
