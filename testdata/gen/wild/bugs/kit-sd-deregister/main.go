// Command kit-sd-deregister follows where a service runs, by the records of its name.
//
// https://github.com/go-kit/kit/issues/626
package main

import (
	"log"
	"net"
	"sync/atomic"
	"time"

	kitlog "github.com/go-kit/kit/log"
	"github.com/go-kit/kit/sd/dnssrv"

	"wild/kit"
)

var looked atomic.Uint32

func main() {
	kit.Serve()
	instancer := dnssrv.NewInstancerDetailed("orders.example", time.NewTicker(100*time.Millisecond), lookup,
		kitlog.NewNopLogger())
	for range time.Tick(300 * time.Millisecond) {
		log.Print(connect(instancer))
	}
}

// lookup finds one or two instances.
func lookup(string, string, string) (string, []*net.SRV, error) {
	addresses := []*net.SRV{{Target: "10.0.0.1", Port: 80}, {Target: "10.0.0.2", Port: 80}}
	return "", addresses[:1+looked.Add(1)%2], nil
}
