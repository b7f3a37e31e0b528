package report

import (
	"testing"
	"time"
)

func TestADelayIsRoundedAsTheSentencesOfRulesAre(t *testing.T) {
	for _, tt := range []struct {
		d    time.Duration
		want string
	}{
		{23_400 * time.Microsecond, "23 ms"}, {23_565 * time.Microsecond, "24 ms"}, {3_077 * time.Millisecond, "3.077 s"},
		{0, "0 ms"},
	} {
		if got := later(tt.d); got != tt.want {
			t.Errorf("%v is %q, want %q", tt.d, got, tt.want)
		}
	}
}
