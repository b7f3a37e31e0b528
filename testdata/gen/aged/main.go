// Command aged is the program that its argument names.
package main

import (
	"fmt"
	"os"

	"aged/guilty/afterfunc"
	"aged/guilty/balancer"
	"aged/guilty/catalog"
	"aged/guilty/convert"
	"aged/guilty/exports"
	"aged/guilty/finalizer"
	"aged/guilty/flush"
	"aged/guilty/geo"
	"aged/guilty/hosts"
	"aged/guilty/ingest"
	"aged/guilty/lineclient"
	"aged/guilty/mailer"
	"aged/guilty/mainsend"
	"aged/guilty/mount"
	"aged/guilty/rotate"
	"aged/guilty/sem"
	"aged/guilty/settings"
	"aged/guilty/shutdown"
	"aged/guilty/spooler"
	"aged/guilty/stdout"
	"aged/guilty/warmup"
	"aged/guilty/wgpanic"
	"aged/healthy/batch"
	"aged/healthy/board"
	"aged/healthy/buckets"
	"aged/healthy/builds"
	"aged/healthy/curfew"
	"aged/healthy/draining"
	"aged/healthy/elect"
	"aged/healthy/gate"
	"aged/healthy/ids"
	"aged/healthy/imports"
	"aged/healthy/lexer"
	"aged/healthy/longpoll"
	"aged/healthy/outbox"
	"aged/healthy/pool"
	"aged/healthy/prefetch"
	"aged/healthy/proxy"
	"aged/healthy/queue"
	"aged/healthy/sidecar"
	"aged/healthy/sock"
	"aged/healthy/sse"
	"aged/healthy/stock"
	"aged/healthy/supervise"
	"aged/healthy/trail"
	"aged/kit"
)

var programs = map[string]func(){
	"afterfunc":  afterfunc.Main,
	"balancer":   balancer.Main,
	"batch":      batch.Main,
	"board":      board.Main,
	"buckets":    buckets.Main,
	"builds":     builds.Main,
	"catalog":    catalog.Main,
	"convert":    convert.Main,
	"curfew":     curfew.Main,
	"draining":   draining.Main,
	"elect":      elect.Main,
	"exports":    exports.Main,
	"finalizer":  finalizer.Main,
	"flush":      flush.Main,
	"gate":       gate.Main,
	"geo":        geo.Main,
	"hosts":      hosts.Main,
	"ids":        ids.Main,
	"imports":    imports.Main,
	"ingest":     ingest.Main,
	"lexer":      lexer.Main,
	"lineclient": lineclient.Main,
	"longpoll":   longpoll.Main,
	"mailer":     mailer.Main,
	"mainsend":   mainsend.Main,
	"mount":      mount.Main,
	"outbox":     outbox.Main,
	"pool":       pool.Main,
	"prefetch":   prefetch.Main,
	"proxy":      proxy.Main,
	"queue":      queue.Main,
	"rotate":     rotate.Main,
	"sem":        sem.Main,
	"settings":   settings.Main,
	"shutdown":   shutdown.Main,
	"sidecar":    sidecar.Main,
	"sock":       sock.Main,
	"spooler":    spooler.Main,
	"sse":        sse.Main,
	"stdout":     stdout.Main,
	"stock":      stock.Main,
	"supervise":  supervise.Main,
	"trail":      trail.Main,
	"warmup":     warmup.Main,
	"wgpanic":    wgpanic.Main,
}

func main() {
	if len(os.Args) != 2 || programs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: aged NAME")
		os.Exit(2)
	}
	kit.Start()
	programs[os.Args[1]]()
}
