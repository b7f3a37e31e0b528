package audit

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestEventsOfOtherTimesAreLeftOut(t *testing.T) {
	var log strings.Builder
	for second := range 10 {
		fmt.Fprintf(&log, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%d","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/a/pods/b","verb":"patch","user":{"username":"u"},"objectRef":{"resource":"pods","namespace":"a","name":"b","apiVersion":"v1"},"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-03-04T04:47:%02d.000000Z","stageTimestamp":"2026-03-04T04:47:%02d.001000Z"}`+"\n", second, second, second)
	}
	at := func(second int) int64 { return time.Date(2026, 3, 4, 4, 47, second, 0, time.UTC).UnixMicro() }
	for _, c := range []struct {
		o    Options
		want int64
	}{{Options{}, 10}, {Options{Since: at(4)}, 6}, {Options{Until: at(4)}, 5}, {Options{Since: at(4), Until: at(4)}, 1}, {Options{Since: at(11)}, 0}} {
		r := NewReader(c.o)
		if err := r.Read("audit.log", strings.NewReader(log.String())); err != nil {
			t.Fatal(err)
		}
		got := int64(0)
		if trail := Merge([]*Log{r.Close()}); trail != nil { // nil where there is no event
			got = trail.Events
		}
		if got != c.want {
			t.Errorf("%d to %d: %d events, want %d", c.o.Since, c.o.Until, got, c.want)
		}
	}
}
