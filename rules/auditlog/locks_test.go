package auditlog

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// leaseWrites are writes of a Lease in turns, each at one of the offsets given from the begin of its turn; body is what
// is asked for, by turn and write. Another Lease is renewed all the time.
func leaseWrites(turns int, every time.Duration, offsets []time.Duration, ip func(turn int) string,
	body func(turn, write int) string,
) []auditEvent {
	var events []auditEvent
	for turn := range turns {
		for i, offset := range offsets {
			events = append(events, auditEvent{after: time.Duration(turn)*every + offset, user: "worker", agent: "w/v1",
				verb: "update", resource: "leases", group: "coordination.k8s.io", namespace: "etl", name: "merge",
				ip: ip(turn), request: body(turn, i)})
		}
	}
	for at := time.Duration(0); at < time.Duration(turns)*every; at += 2 * time.Second {
		events = append(events, auditEvent{after: at, user: "other", agent: "o/v1", verb: "update", resource: "leases",
			group: "coordination.k8s.io", namespace: "ops", name: "other", ip: "10.0.0.9"})
	}
	slices.SortStableFunc(events, func(a, b auditEvent) int { return int(a.after - b.after) })
	return events
}

func TestALeaseThatMayBeALockIsDoubted(t *testing.T) {
	two := func(turn int) string { return fmt.Sprintf("10.0.0.%d", 1+turn%2) }
	one := func(int) string { return "10.0.0.1" }
	none := func(int, int) string { return "" }
	renewed := []time.Duration{0, 2 * time.Second, 4 * time.Second, 6 * time.Second, 8 * time.Second}
	holder := func(released bool, name func(turn int) string) func(turn, write int) string {
		return func(turn, write int) string {
			held := name(turn)
			if released && write == len(renewed)-1 {
				held = ""
			}
			return fmt.Sprintf(`{"metadata":{"uid":"u"},"spec":{"holderIdentity":%q}}`, held)
		}
	}
	pair := func(turn int) string { return fmt.Sprintf("merge-%d_1", turn%2) }
	fresh := func(turn int) string { return fmt.Sprintf("run-%d", turn) }
	again := func(turn int) string { return fmt.Sprintf("merge-%d_%d", turn%2, turn) }
	for name, tt := range map[string]struct {
		events []auditEvent
		want   []string
	}{
		"two leaders that lose it": {leaseWrites(9, 20*time.Second, renewed, two, holder(false, pair)),
			[]string{"TR774 medium/high merge"}},
		"two leaders whose processes end with it": {leaseWrites(9, 20*time.Second, renewed, two, holder(false, again)),
			[]string{"TR774 medium/high merge"}},
		"given up each time": {leaseWrites(9, 20*time.Second, renewed, two, holder(true, pair)),
			[]string{"TR774 medium/low merge"}},
		"two leaders, without bodies": {leaseWrites(9, 20*time.Second, renewed, two, none),
			[]string{"TR774 medium/high merge"}},
		"handed on without a pause": {leaseWrites(9, 11*time.Second, renewed, two, none), nil},
		"taken and given up after a while": {leaseWrites(12, 12*time.Second, []time.Duration{0, 3 * time.Second}, one, none),
			nil},
		"one process that is held back": {leaseWrites(9, 20*time.Second, renewed, one, none),
			[]string{"TR774 medium/medium merge"}},
		"another run each time": {leaseWrites(9, 20*time.Second, renewed, one, holder(false, fresh)), nil},
	} {
		t.Run(name, func(t *testing.T) { wantAudit(t, auditFindings(t, tt.events), tt.want...) })
	}
}

// TestAFastLoopThatShowsWhatItMovesIsALoop: bodies may not hide what the rate alone shows.
func TestAFastLoopThatShowsWhatItMovesIsALoop(t *testing.T) {
	table := auditEvent{user: "tabler", agent: "tabler/v1", verb: "update", resource: "configmaps", namespace: "routes",
		name: "table"}
	counter := func(key func(i int) string) func(i int, e *auditEvent) {
		return func(i int, e *auditEvent) {
			e.version = fmt.Sprint(100 + i)
			e.respond = fmt.Sprintf(`{"metadata":{"uid":"u","resourceVersion":"%d"},"data":{%q:"%d"}}`, 101+i, key(i), i)
		}
	}
	same := func(int) string { return "revision" }
	other := func(i int) string { return fmt.Sprint("k", i) }
	wantAudit(t, auditFindings(t, auditRepeat(700, 110*time.Millisecond, table, counter(same))), "TR760 medium/medium table")
	wantAudit(t, auditFindings(t, auditRepeat(700, 110*time.Millisecond, table, counter(other))))
}
