package dumps

import "strings"

// A way is a kind of the program stuck: what it waits for ever with, and who may be blamed for it.
type way struct {
	kind     string
	culprits string // functions below stuckPackages, separated by spaces, the likeliest first; a name with "main." stands for itself
	rule     string // rules that may find it, separated by "|"
	category string
	dumps    string // what is made beside the signal's dump of Go 1.26: "d" for debug=2, "v" for other versions of Go
}

const stuckPackages = "example.com/fixtures/stuck/internal/"

// stuckElsewhere are the Go releases beside the first that get a dump of some kinds: the form before 1.19, and the newest.
var stuckElsewhere = []int{18, 27}

// stucks are the ways to get stuck: locks, channels, counters and conditions that wait for each other, or for nobody.
func stucks() []fixture {
	var list []fixture
	for _, ways := range [][]way{lockWays, readerWays, channelWays, counterWays, leakWays, convoyWays} {
		for _, w := range ways {
			f := fixture{
				name: "stuck2-" + w.kind, module: "stuck", pkg: ".", kind: w.kind, minors: []int{26}, how: abort,
				format: "signal", culprit: w.below(stuckPackages), category: w.category, rule: w.rule,
			}
			if strings.Contains(w.dumps, "v") {
				other := f
				other.minors, other.how = stuckElsewhere, quit
				list = append(list, other)
			}
			if strings.Contains(w.dumps, "d") {
				f.also = []side{{f.name + "-debug2.txt", "debug2"}}
			}
			list = append(list, f)
		}
	}
	return list
}

// below writes the culprits out.
func (w way) below(packages string) string {
	var list []string
	for _, c := range strings.Fields(w.culprits) {
		if !strings.HasPrefix(c, "main.") {
			c = packages + c
		}
		list = append(list, c)
	}
	return strings.Join(list, "|")
}

// lockWays are double locks and cycles of locks: who takes a lock, and who waits for it below.
var lockWays = []way{
	{"double-method", "cache.(*Store).Flush cache.(*Store).Len", "double-lock", "deadlock", "dv"},
	{"double-continue", "podworker.(*Workers).syncLoop", "double-lock", "deadlock", "d"},
	{"double-error-path", "session.(*Manager).Open session.(*Manager).Close", "double-lock|lock-convoy", "deadlock", ""},
	{"double-callback", "hooks.(*List).Fire hooks.(*List).Remove hooks.Start.func1", "double-lock", "deadlock", "d"},
	{"double-upgrade", "catalog.(*Index).Touch catalog.(*Index).insert", "double-lock|rwmutex-recursion", "deadlock", "dv"},
	{"double-downgrade", "config.(*Source).Reload config.(*Source).Current", "double-lock", "deadlock", ""},
	{"double-embedded", "volumes.(*Table).Attach volumes.(*Table).Attached", "double-lock", "deadlock", "d"},
	{"double-once", "loader.(*Loader).Plugin loader.(*Loader).resolve loader.(*Loader).load", "double-lock", "deadlock", "v"},
	{"double-fatal", "logsink.(*Sink).Print logsink.(*Sink).Sync logsink.(*Sink).exit logsink.Start.func1", "double-lock", "deadlock", "d"},
	{"double-generic", "cache.(*LRU[...]).Put cache.(*LRU[...]).Len cache.StartLRU.func1", "double-lock", "deadlock", ""},
	{"double-defer", "supervisor.(*Supervisor).Stop supervisor.(*Supervisor).Stop.func1", "double-lock", "deadlock", ""},
	{"cycle-two-types", "node.(*Node).Drain node.(*Pod).Evict node.(*Pod).terminate node.(*Node).release", "lock-cycle", "deadlock", "dv"},
	{"cycle-two-instances", "gossip.(*Peer).Merge", "lock-cycle", "deadlock", "d"},
	{
		"cycle-three", "raft.(*Log).Compact raft.(*Snapshots).Send raft.(*Transport).replicate raft.(*Snapshots).Last raft.(*Transport).push raft.(*Log).Len",
		"lock-cycle", "deadlock", "v",
	},
	{
		"cycle-mutex-rwmutex", "broker.(*Topic).Publish broker.(*Subscription).Cancel broker.(*Subscription).push broker.(*Topic).drop",
		"lock-cycle", "deadlock", "d",
	},
	{"cycle-keyed", "mount.(*Manager).Mount mount.(*Manager).Unmount mount.(*Manager).record", "lock-cycle", "deadlock", ""},
	{
		"cycle-once-mutex", "loader.(*Registry).Register loader.(*Registry).Defaults loader.(*Registry).build",
		"lock-cycle", "deadlock", "d",
	},
	{"cycle-generic", "shard.(*Shard[...]).MoveTo shard.(*Shard[...]).put", "lock-cycle", "deadlock", ""},
}

// readerWays are readers who read again behind a writer, or wait for one who does.
var readerWays = []way{
	{"reader-helper", "authz.(*Policy).Allowed authz.(*Policy).roleOf", "rwmutex-recursion", "deadlock", "dv"},
	{"reader-twice", "schema.(*Tables).Describe", "rwmutex-recursion", "deadlock", "d"},
	{"reader-channel", "zone.(*Zone).Export zone.(*Zone).lookup", "rwmutex-recursion|lock-channel-cycle", "deadlock", ""},
	{"reader-closure", "fleet.(*Fleet).Each fleet.(*Fleet).Total fleet.score fleet.score.func1", "rwmutex-recursion", "deadlock", "d"},
	{"reader-waitgroup", "ring.(*Ring).Probe ring.(*Ring).owns ring.(*Ring).Probe.func1", "rwmutex-recursion|waitgroup-stuck|lock-channel-cycle", "deadlock", ""},
}
