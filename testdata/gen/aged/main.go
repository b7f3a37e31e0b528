// Command aged is the program that its argument names.
package main

import (
	"fmt"
	"os"

	"aged/guilty/afterfunc"
	"aged/guilty/finalizer"
	"aged/guilty/flush"
	"aged/guilty/mainsend"
	"aged/guilty/sem"
	"aged/guilty/shutdown"
	"aged/guilty/stdout"
	"aged/guilty/wgpanic"
	"aged/healthy/batch"
	"aged/healthy/buckets"
	"aged/healthy/elect"
	"aged/healthy/gate"
	"aged/healthy/ids"
	"aged/healthy/imports"
	"aged/healthy/lexer"
	"aged/healthy/outbox"
	"aged/healthy/pool"
	"aged/healthy/prefetch"
	"aged/healthy/proxy"
	"aged/healthy/queue"
	"aged/healthy/sock"
	"aged/healthy/sse"
	"aged/healthy/trail"
	"aged/kit"
)

var programs = map[string]func(){
	"afterfunc": afterfunc.Main,
	"batch":     batch.Main,
	"buckets":   buckets.Main,
	"elect":     elect.Main,
	"finalizer": finalizer.Main,
	"flush":     flush.Main,
	"gate":      gate.Main,
	"ids":       ids.Main,
	"imports":   imports.Main,
	"lexer":     lexer.Main,
	"mainsend":  mainsend.Main,
	"outbox":    outbox.Main,
	"pool":      pool.Main,
	"prefetch":  prefetch.Main,
	"proxy":     proxy.Main,
	"queue":     queue.Main,
	"sem":       sem.Main,
	"shutdown":  shutdown.Main,
	"sock":      sock.Main,
	"sse":       sse.Main,
	"stdout":    stdout.Main,
	"trail":     trail.Main,
	"wgpanic":   wgpanic.Main,
}

func main() {
	if len(os.Args) != 2 || programs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: aged NAME")
		os.Exit(2)
	}
	kit.Start()
	programs[os.Args[1]]()
}
