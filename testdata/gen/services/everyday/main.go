// Command everyday is the program that its argument names.
package main

import (
	"fmt"
	"os"

	"example.com/everyday/almanac"
	"example.com/everyday/approvals"
	"example.com/everyday/bookings"
	"example.com/everyday/buildfarm"
	"example.com/everyday/chatrelay"
	"example.com/everyday/cinema"
	"example.com/everyday/clinic"
	"example.com/everyday/configd"
	"example.com/everyday/controllers"
	"example.com/everyday/depots"
	"example.com/everyday/drainage"
	"example.com/everyday/fares"
	"example.com/everyday/ferry"
	"example.com/everyday/fleet"
	"example.com/everyday/floor"
	"example.com/everyday/followers"
	"example.com/everyday/forecast"
	"example.com/everyday/groupcommit"
	"example.com/everyday/handover"
	"example.com/everyday/imgcache"
	"example.com/everyday/intake"
	"example.com/everyday/kiosk"
	"example.com/everyday/ledger"
	"example.com/everyday/lockers"
	"example.com/everyday/mailer"
	"example.com/everyday/mailwait"
	"example.com/everyday/meters"
	"example.com/everyday/mirrorsync"
	"example.com/everyday/mqttfleet"
	"example.com/everyday/neighbours"
	"example.com/everyday/newsletter"
	"example.com/everyday/nightshift"
	"example.com/everyday/outboxes"
	"example.com/everyday/parking"
	"example.com/everyday/peerlist"
	"example.com/everyday/pharmacy"
	"example.com/everyday/podwatch"
	"example.com/everyday/presence"
	"example.com/everyday/pricefeed"
	"example.com/everyday/provisioner"
	"example.com/everyday/quorum"
	"example.com/everyday/rampup"
	"example.com/everyday/registryd"
	"example.com/everyday/rollout"
	"example.com/everyday/rowbox"
	"example.com/everyday/sampler"
	"example.com/everyday/scraper"
	"example.com/everyday/seats"
	"example.com/everyday/slowdisk"
	"example.com/everyday/standby"
	"example.com/everyday/statements"
	"example.com/everyday/statuswatch"
	"example.com/everyday/stockfeed"
	"example.com/everyday/telemetry"
	"example.com/everyday/tenantcaches"
	"example.com/everyday/tickerfeed"
	"example.com/everyday/tickers"
	"example.com/everyday/trams"
	"example.com/everyday/tunnels"
	"example.com/everyday/wordcount"
)

// programs are all programs by name: first those with a bug.
var programs = map[string]func(){
	"bookings":  bookings.Main,
	"chatrelay": chatrelay.Main,
	"ferry":     ferry.Main,
	"imgcache":  imgcache.Main,
	"ledger":    ledger.Main,
	"mailer":    mailer.Main,
	"peerlist":  peerlist.Main,
	"podwatch":  podwatch.Main,
	"pricefeed": pricefeed.Main,
	"registryd": registryd.Main,
	"rowbox":    rowbox.Main,
	"telemetry": telemetry.Main,
	"tickers":   tickers.Main,

	"approvals":    approvals.Main,
	"buildfarm":    buildfarm.Main,
	"cinema":       cinema.Main,
	"clinic":       clinic.Main,
	"configd":      configd.Main,
	"controllers":  controllers.Main,
	"depots":       depots.Main,
	"drainage":     drainage.Main,
	"fares":        fares.Main,
	"fleet":        fleet.Main,
	"floor":        floor.Main,
	"followers":    followers.Main,
	"forecast":     forecast.Main,
	"groupcommit":  groupcommit.Main,
	"handover":     handover.Main,
	"intake":       intake.Main,
	"kiosk":        kiosk.Main,
	"lockers":      lockers.Main,
	"mailwait":     mailwait.Main,
	"meters":       meters.Main,
	"mirrorsync":   mirrorsync.Main,
	"mqttfleet":    mqttfleet.Main,
	"neighbours":   neighbours.Main,
	"newsletter":   newsletter.Main,
	"nightshift":   nightshift.Main,
	"outboxes":     outboxes.Main,
	"parking":      parking.Main,
	"pharmacy":     pharmacy.Main,
	"presence":     presence.Main,
	"provisioner":  provisioner.Main,
	"quorum":       quorum.Main,
	"rampup":       rampup.Main,
	"rollout":      rollout.Main,
	"sampler":      sampler.Main,
	"scraper":      scraper.Main,
	"seats":        seats.Main,
	"slowdisk":     slowdisk.Main,
	"standby":      standby.Main,
	"statements":   statements.Main,
	"statuswatch":  statuswatch.Main,
	"stockfeed":    stockfeed.Main,
	"tenantcaches": tenantcaches.Main,
	"tickerfeed":   tickerfeed.Main,
	"trams":        trams.Main,
	"tunnels":      tunnels.Main,
	"wordcount":    wordcount.Main,
	"almanac":      almanac.Main,
}

func main() {
	if len(os.Args) == 2 {
		if run := programs[os.Args[1]]; run != nil {
			run()
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: everyday NAME")
	os.Exit(2)
}
