// Package guests lists the guests of a hypervisor.
package guests

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/services/kit"
	"example.net/lib/virt"
)

type api struct {
	conn  *virt.Conn
	calls atomic.Int64
}

func (a *api) guests(w http.ResponseWriter, _ *http.Request) {
	n := int(a.calls.Add(1))
	text, err := a.conn.Call(n, n == 20)
	fmt.Fprintln(w, text, err)
}

func Main(fixed bool) {
	kit.Start()
	room := 0
	if fixed {
		room = 1
	}
	a := &api{conn: virt.Dial(room)}
	kit.Ask(9000, 400*time.Millisecond, kit.API(http.HandlerFunc(a.guests)))
}
