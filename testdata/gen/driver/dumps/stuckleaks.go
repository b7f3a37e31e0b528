package dumps

// channelWays wait for a channel, a counter or a condition, under a lock that the other side needs.
var channelWays = []way{
	{"mixed-send", "status.(*Board).Set status.(*Board).State", "lock-channel-cycle", "deadlock", "dv"},
	{"mixed-receive", "replies.(*Client).Call replies.(*Client).settle replies.(*Client).readLoop", "lock-channel-cycle", "deadlock", "d"},
	{"mixed-select", "outbox.(*Outbox).Emit outbox.(*Outbox).Close outbox.(*Outbox).deliver", "lock-channel-cycle", "deadlock", ""},
	{"mixed-result", "dispatch.(*Dispatcher[...]).Run dispatch.(*Dispatcher[...]).finish dispatch.(*Dispatcher[...]).Run.func1", "lock-channel-cycle", "deadlock", "d"},
	{"mixed-semaphore", "limiter.(*Gate).Reset limiter.(*Gate).request limiter.(*Gate).account", "lock-channel-cycle", "deadlock", ""},
	{"mixed-waitgroup", "pool.(*Pool).Close pool.(*Pool).add pool.(*Pool).work", "lock-channel-cycle|waitgroup-stuck", "deadlock", "dv"},
	{
		"mixed-cond", "pipeline.(*Transfer).writeNext pipeline.(*buffer).take pipeline.(*Transfer).readNext",
		"lock-channel-cycle|cond-missed-signal", "deadlock", "d",
	},
	{"mixed-watch", "watchhub.(*Hub).Broadcast watchhub.(*Watcher).Stop watchhub.(*Watcher).run", "lock-channel-cycle", "deadlock", ""},
	{"mixed-apply", "apply.(*Node).Propose apply.(*Node).advance apply.(*Node).applyAll", "lock-channel-cycle", "deadlock", "d"},
}

// counterWays wait for a WaitGroup or a condition that nobody will bring about.
var counterWays = []way{
	{"waitgroup-add-failed", "images.(*Puller).PullAll", "waitgroup-stuck", "leak", "d"},
	{"waitgroup-in-loop", "shards.FlushAll", "waitgroup-stuck", "leak", ""},
	{"waitgroup-early-return", "backup.(*Job).Run", "waitgroup-stuck", "leak", "v"},
	{"cond-early-signal", "latch.(*Latch).await", "cond-missed-signal", "leak", "d"},
	{"cond-one-signal", "turnstile.(*Turnstile).Enter turnstile.(*Turnstile).pass", "cond-missed-signal", "leak", ""},
	{"cond-no-signal", "drain.(*Counter).Drain", "cond-missed-signal", "leak", "d"},
}

// leakWays are goroutines that wait for a channel on which nobody will ever do anything: the one who waits, and who started it.
var leakWays = []way{
	{"send-timeout", "fetch.(*Client).Get.func1 fetch.(*Client).Get", "channel-send-leak", "leak", "dv"},
	{"send-two-errors", "probe.dial probe.Service", "channel-send-leak", "leak", "d"},
	{"send-consumer-left", "walk.scan.func1 walk.scan", "channel-send-leak", "leak", ""},
	// The closure's name is what the runtime of 1.26 prints: a receiver cut in two.
	{"send-iterator", "stream.(*Iter[...]).produce stream.Pull[...]).produce.1 stream.rows stream.Pull[...]", "channel-send-leak", "leak", "d"},
	{"send-twice", "upload.(*Upload).send upload.Start", "channel-send-leak", "leak", ""},
	{"send-queue-full", "events.(*Recorder).Event events.reconcile", "channel-send-leak", "leak", "d"},
	{"receive-range", "connlog.(*conn).writeLog connlog.handle", "channel-receive-leak", "leak", "v"},
	{"receive-reply", "coordinator.(*Coordinator).Commit coordinator.commit", "channel-receive-leak", "leak", "d"},
	{"receive-owner-left", "tenant.(*Tenant).work tenant.Serve", "channel-receive-leak", "leak", ""},
	{"receive-done", "heartbeat.(*Lease).cleanUp heartbeat.Start", "channel-receive-leak", "leak", "d"},
	{"receive-one-more", "gather.Majority", "channel-receive-leak", "leak", ""},
	{"nil-receive", "feature.(*Flags).follow feature.Start", "nil-channel|channel-receive-leak", "leak", "d"},
	{"nil-send", "feature.(*Flags).Set feature.StartAudit", "nil-channel|channel-send-leak", "leak", "v"},
	{"select-context", "election.(*Session).observe election.Campaign", "select-leak", "leak", "dv"},
	{"select-other-stop", "mirror.(*helper).run mirror.Start", "select-leak", "leak", ""},
	{"select-dead", "bridge.(*link).forward bridge.Start bridge.Start.func1", "select-leak", "leak", "d"},
}

// convoyWays are goroutines behind a lock whose holder waits for something outside the process.
var convoyWays = []way{
	{"convoy-network", "dbconn.(*Conn).Query dbconn.(*Conn).readAnswer", "lock-convoy", "contention", "dv"},
	{"convoy-sleep", "backoff.(*Publisher).Publish", "lock-convoy", "contention", "d"},
	{"convoy-file", "device.(*Device).Read", "lock-convoy", "contention", "v"},
	{"convoy-reader", "inventory.(*Inventory).Verify", "lock-convoy", "contention", "d"},
}
