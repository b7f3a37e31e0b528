package wait

import (
	"strconv"

	"github.com/gotriage/triage/rules/dump/account"
)

// Thresholds on requests of which a server has read the head, and waits for more of a body whose length it knows. The
// healthy dumps of testdata and of the corpus have none of sureMinutes: what comes slowly moves with each packet, and a
// peer that is gone is dropped before (net.Listen asks for keep-alives each 15 s, 9 of them). Any client can say
// nothing, so that a few are doubtful, and a hundred, which is chosen, are not.
const (
	someSilent = pileUp
	manySilent = 100
)

// bodiesAwaited is request-body-awaited (TR449).
func bodiesAwaited(w *waiters) verdict {
	n := w.since(sureMinutes)
	return verdict{guilty: n >= someSilent}.but(n < manySilent, silentFew).
		with(account.Values{"silent": strconv.Itoa(n)})
}
