// Command services is the service that its argument names, or a program of reported: NAME, or NAME-fixed.
package main

import (
	"fmt"
	"os"
	"strings"

	"example.com/services/guilty/admin"
	"example.com/services/guilty/archive"
	"example.com/services/guilty/auction"
	"example.com/services/guilty/backup"
	"example.com/services/guilty/basket"
	"example.com/services/guilty/broker"
	"example.com/services/guilty/buffers"
	"example.com/services/guilty/builder"
	"example.com/services/guilty/catalogue"
	"example.com/services/guilty/chatroom"
	"example.com/services/guilty/consensus"
	"example.com/services/guilty/consumer"
	"example.com/services/guilty/coupons"
	"example.com/services/guilty/courier"
	"example.com/services/guilty/crawler"
	"example.com/services/guilty/dispatch"
	"example.com/services/guilty/exporter"
	"example.com/services/guilty/feeds"
	"example.com/services/guilty/flagsd"
	"example.com/services/guilty/geocode"
	"example.com/services/guilty/gossip"
	"example.com/services/guilty/hedge"
	"example.com/services/guilty/indexer"
	"example.com/services/guilty/invoices"
	"example.com/services/guilty/jobq"
	"example.com/services/guilty/kitchen"
	"example.com/services/guilty/leasekeeper"
	"example.com/services/guilty/locale"
	"example.com/services/guilty/lounge"
	"example.com/services/guilty/mailgate"
	"example.com/services/guilty/members"
	"example.com/services/guilty/merger"
	"example.com/services/guilty/meterd"
	"example.com/services/guilty/notices"
	"example.com/services/guilty/operatord"
	"example.com/services/guilty/payments"
	"example.com/services/guilty/podcache"
	"example.com/services/guilty/previews"
	"example.com/services/guilty/quota"
	"example.com/services/guilty/quotes"
	"example.com/services/guilty/refinery"
	"example.com/services/guilty/reminders"
	"example.com/services/guilty/reports"
	"example.com/services/guilty/resolver"
	"example.com/services/guilty/search"
	"example.com/services/guilty/selfcall"
	"example.com/services/guilty/shipper"
	"example.com/services/guilty/snapshot"
	"example.com/services/guilty/spooler"
	"example.com/services/guilty/streamer"
	"example.com/services/guilty/swapper"
	"example.com/services/guilty/thumbs"
	"example.com/services/guilty/transcode"
	"example.com/services/guilty/treasury"
	"example.com/services/guilty/uploads"
	"example.com/services/guilty/weather"
	"example.com/services/reported"
	"example.com/services/well/alerts"
	"example.com/services/well/bills"
	"example.com/services/well/desks"
	"example.com/services/well/dockyard"
	"example.com/services/well/exchange"
	"example.com/services/well/films"
	"example.com/services/well/gateway"
	"example.com/services/well/imports"
	"example.com/services/well/labels"
	"example.com/services/well/leader"
	"example.com/services/well/metering"
	"example.com/services/well/mirrors"
	"example.com/services/well/nightly"
	"example.com/services/well/parcels"
	"example.com/services/well/playrooms"
	"example.com/services/well/prices"
	"example.com/services/well/railyard"
	"example.com/services/well/readers"
	"example.com/services/well/redeploy"
	"example.com/services/well/rounds"
	"example.com/services/well/routes"
	"example.com/services/well/sensors"
	"example.com/services/well/sessions"
	"example.com/services/well/shards"
	"example.com/services/well/shipyard"
	"example.com/services/well/sidecar"
	"example.com/services/well/stockroom"
	"example.com/services/well/switches"
	"example.com/services/well/tarball"
	"example.com/services/well/tollgate"
	"example.com/services/well/tunnel"
	"example.com/services/well/watchers"
)

// services are all services by name.
var services = map[string]func(){
	"admin":       admin.Main,
	"archive":     archive.Main,
	"auction":     auction.Main,
	"backup":      backup.Main,
	"basket":      basket.Main,
	"broker":      broker.Main,
	"buffers":     buffers.Main,
	"builder":     builder.Main,
	"catalogue":   catalogue.Main,
	"chatroom":    chatroom.Main,
	"consensus":   consensus.Main,
	"consumer":    consumer.Main,
	"coupons":     coupons.Main,
	"courier":     courier.Main,
	"crawler":     crawler.Main,
	"dispatch":    dispatch.Main,
	"exporter":    exporter.Main,
	"feeds":       feeds.Main,
	"flagsd":      flagsd.Main,
	"geocode":     geocode.Main,
	"gossip":      gossip.Main,
	"hedge":       hedge.Main,
	"indexer":     indexer.Main,
	"invoices":    invoices.Main,
	"jobq":        jobq.Main,
	"kitchen":     kitchen.Main,
	"leasekeeper": leasekeeper.Main,
	"locale":      locale.Main,
	"lounge":      lounge.Main,
	"mailgate":    mailgate.Main,
	"members":     members.Main,
	"merger":      merger.Main,
	"meterd":      meterd.Main,
	"notices":     notices.Main,
	"operatord":   operatord.Main,
	"payments":    payments.Main,
	"podcache":    podcache.Main,
	"previews":    previews.Main,
	"quota":       quota.Main,
	"quotes":      quotes.Main,
	"refinery":    refinery.Main,
	"reminders":   reminders.Main,
	"reports":     reports.Main,
	"resolver":    resolver.Main,
	"search":      search.Main,
	"selfcall":    selfcall.Main,
	"shipper":     shipper.Main,
	"snapshot":    snapshot.Main,
	"spooler":     spooler.Main,
	"streamer":    streamer.Main,
	"swapper":     swapper.Main,
	"thumbs":      thumbs.Main,
	"transcode":   transcode.Main,
	"treasury":    treasury.Main,
	"uploads":     uploads.Main,
	"weather":     weather.Main,
	"alerts":      alerts.Main,
	"bills":       bills.Main,
	"desks":       desks.Main,
	"dockyard":    dockyard.Main,
	"exchange":    exchange.Main,
	"films":       films.Main,
	"gateway":     gateway.Main,
	"imports":     imports.Main,
	"labels":      labels.Main,
	"leader":      leader.Main,
	"metering":    metering.Main,
	"mirrors":     mirrors.Main,
	"nightly":     nightly.Main,
	"parcels":     parcels.Main,
	"playrooms":   playrooms.Main,
	"prices":      prices.Main,
	"railyard":    railyard.Main,
	"readers":     readers.Main,
	"redeploy":    redeploy.Main,
	"rounds":      rounds.Main,
	"routes":      routes.Main,
	"sensors":     sensors.Main,
	"sessions":    sessions.Main,
	"shards":      shards.Main,
	"shipyard":    shipyard.Main,
	"sidecar":     sidecar.Main,
	"stockroom":   stockroom.Main,
	"switches":    switches.Main,
	"tarball":     tarball.Main,
	"tollgate":    tollgate.Main,
	"tunnel":      tunnel.Main,
	"watchers":    watchers.Main,
}

func main() {
	if len(os.Args) == 2 {
		if run := services[os.Args[1]]; run != nil {
			run()
			return
		}
		name, fixed := strings.CutSuffix(os.Args[1], "-fixed")
		if run := reported.Programs[name]; run != nil {
			run(fixed)
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: services NAME")
	os.Exit(2)
}
