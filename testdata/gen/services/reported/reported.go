// Package reported lists programs with bugs of kinds that are in the trackers of real modules, each written anew. Each
// runs with its bug or without, and does nearly the same work.
package reported

import (
	"example.com/services/reported/backend"
	"example.com/services/reported/backups"
	"example.com/services/reported/bgpwatch"
	"example.com/services/reported/callcenter"
	"example.com/services/reported/camerabus"
	"example.com/services/reported/chainsel"
	"example.com/services/reported/cronjobs"
	"example.com/services/reported/ctxwrap"
	"example.com/services/reported/devices"
	"example.com/services/reported/exechelper"
	"example.com/services/reported/fanout"
	"example.com/services/reported/fediblock"
	"example.com/services/reported/groupget"
	"example.com/services/reported/guests"
	"example.com/services/reported/handles"
	"example.com/services/reported/headers"
	"example.com/services/reported/hostset"
	"example.com/services/reported/importer"
	"example.com/services/reported/ledgerdb"
	"example.com/services/reported/mempool"
	"example.com/services/reported/metadata"
	"example.com/services/reported/modules"
	"example.com/services/reported/netmap"
	"example.com/services/reported/nodes"
	"example.com/services/reported/outbox"
	"example.com/services/reported/overview"
	"example.com/services/reported/pings"
	"example.com/services/reported/procsup"
	"example.com/services/reported/proofs"
	"example.com/services/reported/reloader"
	"example.com/services/reported/searchfront"
	"example.com/services/reported/shardmap"
	"example.com/services/reported/signer"
	"example.com/services/reported/tallies"
	"example.com/services/reported/telemetry"
	"example.com/services/reported/tenders"
	"example.com/services/reported/throttle"
	"example.com/services/reported/tiles"
	"example.com/services/reported/treewalk"
	"example.com/services/reported/wsession"
)

// Programs are all programs by name. Their argument asks for the one without the bug.
var Programs = map[string]func(fixed bool){
	"backend":     backend.Main,
	"backups":     backups.Main,
	"bgpwatch":    bgpwatch.Main,
	"callcenter":  callcenter.Main,
	"camerabus":   camerabus.Main,
	"chainsel":    chainsel.Main,
	"cronjobs":    cronjobs.Main,
	"ctxwrap":     ctxwrap.Main,
	"devices":     devices.Main,
	"exechelper":  exechelper.Main,
	"fanout":      fanout.Main,
	"fediblock":   fediblock.Main,
	"groupget":    groupget.Main,
	"guests":      guests.Main,
	"handles":     handles.Main,
	"headers":     headers.Main,
	"hostset":     hostset.Main,
	"importer":    importer.Main,
	"ledgerdb":    ledgerdb.Main,
	"mempool":     mempool.Main,
	"metadata":    metadata.Main,
	"modules":     modules.Main,
	"netmap":      netmap.Main,
	"nodes":       nodes.Main,
	"outbox":      outbox.Main,
	"overview":    overview.Main,
	"pings":       pings.Main,
	"procsup":     procsup.Main,
	"reloader":    reloader.Main,
	"proofs":      proofs.Main,
	"searchfront": searchfront.Main,
	"shardmap":    shardmap.Main,
	"signer":      signer.Main,
	"tallies":     tallies.Main,
	"telemetry":   telemetry.Main,
	"tenders":     tenders.Main,
	"throttle":    throttle.Main,
	"tiles":       tiles.Main,
	"treewalk":    treewalk.Main,
	"wsession":    wsession.Main,
}
