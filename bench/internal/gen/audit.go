package gen

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"time"

	"example.com/bundles/auditlog"
)

// What a block of audit events covers, and the cluster it is from.
const (
	auditBlock = 5 * time.Minute
	auditNodes = 60
)

// Audit is the audit log of a healthy cluster of 60 nodes with that many events of about 800 bytes, at level Metadata.
// Five minutes are made event by event; the rest is those minutes again with fresh times, ids and resource versions.
func Audit(events int) Input {
	block, err := newAuditBlock() // here, not while a reader waits for the first event
	return func(w io.Writer) error {
		if err != nil {
			return err
		}
		b := newBuffer(w)
		for i := range events {
			from := len(b.b)
			e := &block.events[i%len(block.events)]
			b.b = e.append(b.b, uint64(i/len(block.events)), block.revisions)
			if !b.done(from) {
				break
			}
		}
		return b.flush()
	}
}

type auditEvents struct {
	events    []auditEvent
	revisions uint64 // from one block to the next
}

// An auditEvent is an event's text and the places in it that differ between blocks.
type auditEvent struct {
	text     []byte
	id       int // of eight digits of the event's id
	revision int // -1 where there is none
	rv       uint64
	stamps   [2]int
	times    [2]time.Time
}

// firstRevision has as many digits as all that follow.
const firstRevision = 655_000_000

func newAuditBlock() (*auditEvents, error) {
	var nodes []string
	for i := range auditNodes {
		nodes = append(nodes, fmt.Sprintf("node-%03d", i))
	}
	store := auditlog.NewStore(firstRevision)
	back := auditlog.NewBackground("growth", start, nodes, store, 1)
	var all auditEvents
	for back.Peek().Before(start.Add(auditBlock)) {
		e := back.Next()
		a, err := newAuditEvent(e)
		if err != nil {
			return nil, err
		}
		all.events = append(all.events, a)
	}
	last, err := strconv.ParseUint(store.Now(), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the store's revision: %w", err)
	}
	all.revisions = last - firstRevision
	return &all, nil
}

func newAuditEvent(e auditlog.Event) (auditEvent, error) {
	a := auditEvent{text: e.Append(nil), times: [2]time.Time{e.At, e.At.Add(e.Took)}}
	behind := func(key string) int {
		if i := bytes.Index(a.text, []byte(`"`+key+`":"`)); i >= 0 {
			return i + len(key) + 4
		}
		return -1
	}
	a.id, a.revision = behind("auditID"), behind("resourceVersion")
	a.stamps = [2]int{behind("requestReceivedTimestamp"), behind("stageTimestamp")}
	if a.id < 0 || a.stamps[0] < 0 || a.stamps[1] < 0 {
		return a, fmt.Errorf("an audit event without id or times: %s", a.text)
	}
	if a.revision >= 0 {
		var err error
		if a.rv, err = strconv.ParseUint(e.Object.RV, 10, 64); err != nil {
			return a, fmt.Errorf("the revision of an audit event: %w", err)
		}
	}
	return a, nil
}

// append writes the event as it is in the block of that number.
func (a *auditEvent) append(out []byte, block, revisions uint64) []byte {
	at := len(out)
	out = append(out, a.text...)
	text := out[at:]
	if block == 0 {
		return out
	}
	digits(text[a.id:a.id+8], mix(block)%1e8)
	if a.revision >= 0 {
		digits(text[a.revision:a.revision+9], a.rv+block*revisions)
	}
	var scratch [32]byte // AppendFormat writes nine digits of a fraction before it cuts them
	for i, stamp := range a.stamps {
		t := a.times[i].Add(time.Duration(block) * auditBlock)
		copy(text[stamp:], t.AppendFormat(scratch[:0], stampForm))
	}
	return out
}
