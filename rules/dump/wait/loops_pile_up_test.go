package wait

import (
	"testing"

	"github.com/gotriage/triage/stackparse"
)

func TestAStartIsNamedByTheFunctionThatHasAName(t *testing.T) {
	for _, c := range []struct{ fn, want string }{
		{"example.org/meter.NewClient", "meter.NewClient"},
		{"example.org/meter.(*Client).start.func1", "meter.(*Client).start"},
		{"example.org/meter.NewClient.func2.1", "meter.NewClient"},
		{"", "their constructor"},
	} {
		if got := startName(c.fn); got != c.want {
			t.Errorf("%q is named %q, want %q", c.fn, got, c.want)
		}
	}
}

func TestOnlyLooseIdsSayThatOthersWereStartedBetween(t *testing.T) {
	piled := func(count int, last uint64) *loops {
		return &loops{crowd: &crowd{count: count, buckets: []*stackparse.Bucket{{}}}, total: count,
			came: arrival{known: true, came: true, first: 11, last: last, newest: 2020}}
	}
	for _, c := range []struct {
		l    *loops
		want string
	}{
		{piled(500, 2010), " Others were started between them: goroutines 11 to 2010, of 2020 that the process started."},
		{piled(2000, 2010), " They are goroutines 11 to 2010, of 2020 that the process started."},
		{&loops{}, ""},
	} {
		if got := c.l.cameText(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
