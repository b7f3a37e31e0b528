package mailbox

import "testing"

type box struct{ in chan string }

func (b *box) next() string {
	return <-b.in // GUILTY
}

func TestNextAfterClose(t *testing.T) {
	b := &box{in: make(chan string)}
	if got := b.next(); got != "" {
		t.Fatal(got)
	}
}
