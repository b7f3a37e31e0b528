package wait

import (
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// A fewScene is a dump with a label older than the rules that judge it.
type fewScene struct {
	name    string
	counted bool
	notes   string
}

// alarm is what a rule about waits accuses in a view; "" for nobody.
func (c *fewScene) alarm(t *testing.T) string {
	t.Helper()
	make := listed
	if c.counted {
		make = counted
	}
	for _, f := range rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: []*rules.DumpInput{make(t, c.notes)}}) {
		if f.Alarm() || sureness(&f) == likely {
			return f.Title
		}
	}
	return ""
}

const (
	idleMain = "1 [chan receive]: main.main\n"
	noCases  = "1 [select (no cases)]: main.main\n"
	accepts  = "2 [IO wait]: internal/poll.(*FD).Accept net.(*TCPListener).Accept main.serve\n"
	clients  = "3 [IO wait]: net.(*conn).Read bufio.(*Reader).ReadString main.serve.func1\n"
)

// guiltyScenes are of programs in which a few goroutines wait for each other, or for nobody. The second seven were
// looked at when the rules were done: six of them were found.
var guiltyScenes = []fewScene{
	{"tasks of a pool ask the pool for a worker", false, idleMain + "5 [select]: lib.(*Pool).dispatch{0xc000010000}\n" +
		"7 [select]: lib.(*Pool).acquire{0xc000010000} lib.(*Pool).Go{0xc000010000} main.task lib.(*worker).run.func1\n" +
		"8 [select]: lib.(*Pool).acquire{0xc000010000} lib.(*Pool).Go{0xc000010000} main.task lib.(*worker).run.func1\n" +
		"9 [select]: lib.(*Pool).acquire{0xc000010000} lib.(*Pool).Go{0xc000010000} main.task lib.(*worker).run.func1\n"},
	{"tasks of a pool schedule more, counted", true, idleMain + "1 [chan receive]: lib.(*Pool).tidy\n" +
		"4 [sync.Cond.Wait]: lib.(*Pool).next lib.(*Pool).Schedule main.page main.book lib.(*runner).loop\n"},
	{"a function that has a connection takes a second one", false, noCases + accepts + clients +
		"7 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} main.second main.first main.work\n" +
		"8 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} main.second main.first main.work\n" +
		"9 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} main.first main.work\n"},
	{"a pool has no workers left, only its janitor", false, idleMain +
		"5 [select]: lib.(*Pool).janitor{0xc000010000}\n" +
		"7 [chan send]: lib.(*Pool).dispatch{0xc000010000} lib.(*Pool).Submit{0xc000010000} main.feed\n"},
	{"two executors' tasks execute more", false, idleMain +
		"7 [sync.Cond.Wait]: lib.(*queue).push{0xc000050000} lib.(*Executor).Execute{0xc000010000} main.index.func1 lib.(*Executor).loop{0xc000010000}\n" +
		"8 [sync.Cond.Wait]: lib.(*queue).push{0xc000050000} lib.(*Executor).Execute{0xc000010000} main.index.func1 lib.(*Executor).loop{0xc000010000}\n"},
	{"all tasks enqueue, counted", true, idleMain + accepts +
		"12 [select]: lib.(*Queue).reserve lib.(*Queue).Enqueue main.walk main.visit lib.(*Queue).worker\n" +
		"1 [chan receive]: lib.(*Queue).report\n"},
	{"a function that has a connection takes a second one, counted", true, idleMain + accepts + clients +
		"6 [sync.Cond.Wait]: lib.(*Pool).take lib.(*Pool).Acquire lib.Borrow main.audit main.pay main.work\n" +
		"6 [sync.Cond.Wait]: lib.(*Pool).take lib.(*Pool).Acquire lib.Borrow main.pay main.work\n"},
	{"a logger without its loop, counted", true, idleMain + "1 [chan receive]: lib.(*Logger).monitor\n" +
		"1 [chan send]: lib.(*Logger).enqueue lib.(*Logger).Write main.audit main.work\n"},
}

// healthyScenes are of programs that go on: nothing may accuse them. The
// fourteen behind the first eleven were looked at when the rules were done, the last ten after that: four of those were
// accused then.
var healthyScenes = []fewScene{
	{"tasks of one pool ask another, whose tasks work", false, idleMain +
		"7 [select]: lib.(*Pool).acquire{0xc000020000} lib.(*Pool).Go{0xc000020000} main.task lib.(*worker).run.func1\n" +
		"8 [select]: lib.(*Pool).acquire{0xc000020000} lib.(*Pool).Go{0xc000020000} main.task lib.(*worker).run.func1\n" +
		"9 [IO wait]: net.(*conn).Read main.fetch lib.(*worker).run.func1\n"},
	{"tasks wait for a time in the library", false, idleMain + "5 [select]: lib.(*Pool).dispatch{0xc000010000}\n" +
		"7 [select]: lib.(*Clock).Sleep{0xc000020000} main.poll lib.(*worker).run.func1\n" +
		"8 [select]: lib.(*Clock).Sleep{0xc000020000} main.poll lib.(*worker).run.func1\n"},
	{"a proxy's handler asks the other side, which reads", false, accepts +
		"5 [IO wait]: net.(*conn).Read lib.(*Conn).readLoop{0xc000030000}\n" +
		"7 [select]: lib.Waiter.Wait lib.(*Conn).Call{0xc000030000} main.forward lib.(*Conn).readLoop{0xc000020000}\n"},
	{"a proxy's handler asks the other side, counted", true, accepts +
		"1 [IO wait]: net.(*conn).Read lib.(*Conn).readLoop\n" +
		"1 [select]: lib.Waiter.Wait lib.(*Conn).Call main.forward lib.(*Conn).readLoop\n"},
	{"users of a pool past the call work", false, noCases + accepts + clients +
		"6 [sleep]: time.Sleep main.first main.work\n" +
		"7 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} main.second main.first main.work\n" +
		"9 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} main.first main.work\n"},
	{"a batcher between two ticks", false, idleMain + "5 [select]: lib.(*Batcher).run{0xc000010000}\n" +
		"7 [chan send]: lib.(*Batcher).Add{0xc000010000} main.ingest\n"},
	{"a pool's workers are busy", false, idleMain + "5 [select]: lib.(*Pool).purge{0xc000010000}\n" +
		"6 [sleep]: time.Sleep main.task lib.(*Pool).worker{0xc000010000}\n" +
		"7 [chan send]: lib.(*Pool).submit{0xc000010000} lib.(*Pool).Submit{0xc000010000} main.feed\n"},
	{"an agent that stays registered", false, idleMain + "5 [select, 30 minutes]: lib.(*Agent).run{0xc000010000}\n" +
		"7 [chan receive, 30 minutes]: lib.(*Agent).Register{0xc000010000} main.agent\n"},
	{"a queue that is emptied at a limited rate", false, idleMain + "5 [select]: lib.(*Queue).run{0xc000010000}\n" +
		"7 [select, 4 minutes]: lib.(*Queue).Put{0xc000010000} main.feed\n8 [select, 4 minutes]: lib.(*Queue).Put{0xc000010000} main.feed\n" +
		"9 [select, 3 minutes]: lib.(*Queue).Put{0xc000010000} main.feed\n10 [select]: lib.(*Queue).Put{0xc000010000} main.feed\n"},
	{"a writer waits for another one's transaction", false, idleMain + "5 [select, 5 minutes]: lib.(*DB).compact{0xc000010000}\n" +
		"6 [IO wait]: net.(*conn).Read main.ask main.session main.serve\n" +
		"7 [select, 4 minutes]: lib.(*DB).write{0xc000010000} lib.(*DB).Put{0xc000010000} main.note main.work\n"},
	{"a synchroniser that main runs", false, "1 [select, 60 minutes]: lib.(*Syncer).Sync{0xc000010000} main.main\n" +
		"5 [select, 60 minutes]: lib.(*Syncer).watch{0xc000010000}\n"},
	{"one of the pool's tasks sleeps", false, idleMain +
		"7 [sync.Cond.Wait]: lib.(*Pool).next{0xc000010000} lib.(*Pool).Submit{0xc000010000} main.task lib.(*worker).run\n" +
		"8 [sync.Cond.Wait]: lib.(*Pool).next{0xc000010000} lib.(*Pool).Submit{0xc000010000} main.task lib.(*worker).run\n" +
		"9 [sleep]: time.Sleep main.cook lib.(*worker).run\n"},
	{"one of the pool's tasks waits for a command, counted", true, idleMain +
		"3 [sync.Cond.Wait]: lib.(*Pool).next lib.(*Pool).Submit main.task lib.(*worker).run\n" +
		"1 [chan receive]: os/exec.(*Cmd).Wait main.convert lib.(*worker).run\n"},
	{"one worker has nothing to do", false, idleMain +
		"7 [select]: lib.(*Pool).acquire{0xc000020000} lib.(*Pool).Go{0xc000020000} main.task lib.(*worker).run\n" +
		"8 [select]: lib.(*Pool).acquire{0xc000020000} lib.(*Pool).Go{0xc000020000} main.task lib.(*worker).run\n" +
		"9 [chan receive]: lib.(*worker).run\n"},
	{"consumers publish, and the broker is slow", false, idleMain + "5 [IO wait]: net.(*conn).Read lib.(*broker).read{0xc000050000}\n" +
		"7 [select]: lib.(*ack).wait{...} lib.(*Producer).Publish{0xc000030000} main.handle lib.(*Consumer).run{0xc000010000}\n" +
		"8 [select]: lib.(*ack).wait{...} lib.(*Producer).Publish{0xc000030000} main.handle lib.(*Consumer).run{0xc000020000}\n"},
	{"sessions that a library serves, each in Receive", false, accepts +
		"7 [select]: lib.(*Conn).Receive{0xc000020000} main.session lib.(*Server).serveConn{0xc000010000}\n" +
		"8 [select]: lib.(*Conn).Receive{0xc000030000} main.session lib.(*Server).serveConn{0xc000010000}\n"},
	{"two ends in one process, one with handlers of its own, counted", true, idleMain +
		"1 [select]: net.(*pipe).read net.(*pipe).Read lib.(*Conn).readLoop\n" +
		"1 [select]: lib.Waiter.Wait lib.(*Conn).Call main.forward lib.(*Conn).readLoop\n" +
		"1 [select]: main.answer lib.(*Conn).handle.func1\n"},
	{"a pool used up by an export", false, noCases + accepts + clients +
		"6 [select]: net/http.(*persistConn).roundTrip net/http.(*Client).Do main.export main.job\n" +
		"7 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} main.second main.first main.work\n" +
		"9 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} main.first main.work\n"},
	{"a sender paced by a ticker", false, idleMain + "5 [chan receive]: lib.(*Sender).pace{0xc000010000}\n" +
		"7 [chan send]: lib.(*Sender).enqueue{0xc000010000} lib.(*Sender).Send{0xc000010000} main.mail main.work\n"},
	{"a pool with a goroutine for each task, counted", true, idleMain + "1 [select]: lib.(*Pool).purge\n" +
		"4 [IO wait]: net.(*conn).Read main.task lib.(*Pool).Submit.func1\n" +
		"1 [chan send]: lib.(*Pool).submit lib.(*Pool).Submit main.feed\n"},
	{"a backup copies a snapshot", false, idleMain + "5 [select, 5 minutes]: lib.(*DB).compact{0xc000010000}\n" +
		"6 [IO wait]: net.(*conn).Write main.copy main.backup\n" +
		"7 [select, 4 minutes]: lib.(*DB).write{0xc000010000} lib.(*DB).Put{0xc000010000} main.note main.work\n"},
	{"jobs wait for workers that connect", false, idleMain + accepts + "5 [select]: lib.(*JobQueue).expire{0xc000010000}\n" +
		"7 [select, 10 minutes]: lib.(*JobQueue).Push{0xc000010000} main.plan\n"},
	{"a statement that a server works on", false, idleMain + "5 [IO wait, 5 minutes]: net.(*conn).Read lib.(*Client).readLoop{0xc000010000}\n" +
		"7 [select, 5 minutes]: lib.(*Client).Exec{0xc000010000} main.report main.work\n"},
	{"a pusher that pushes for ever", false, idleMain + "5 [select, 9 minutes]: lib.(*Pusher).retry{0xc000010000}\n" +
		"7 [select, 9 minutes]: lib.(*Pusher).Push{0xc000010000} main.pusher\n"},
	{"a semaphore whose holders compute", false, idleMain + "5 [select]: lib.(*Sem).janitor{0xc000010000}\n" +
		"6 [runnable]: main.crunch main.compute\n" +
		"7 [chan send]: lib.(*Sem).Acquire{0xc000010000} main.limit main.work\n"},
	{"a reporter that collects at each tick", false, idleMain + "5 [chan receive]: lib.(*Meter).report{0xc000010000}\n" +
		"7 [chan send]: lib.(*Meter).add{0xc000010000} lib.(*Meter).Write{0xc000010000} main.count main.work\n"},
	{"a queue that requests take from", false, idleMain + accepts + "5 [select]: lib.(*Queue).expire{0xc000010000}\n" +
		"7 [chan send]: lib.(*Queue).Put{0xc000010000} main.plan main.work\n"},
	{"a ring that the program drains at each tick", false, idleMain + "5 [select]: lib.(*Ring).sweep{0xc000010000}\n" +
		"6 [chan receive]: main.drain\n7 [chan send]: lib.(*Ring).Put{0xc000010000} main.log main.work\n"},
	{"a store that the program empties once an hour", false, idleMain + "5 [select, 9 minutes]: lib.(*Store).sweep{0xc000010000}\n" +
		"6 [chan receive, 9 minutes]: main.hourly\n7 [select, 8 minutes]: lib.(*Store).Add{0xc000010000} main.log main.work\n"},
	{"actors that ask one that thinks", false, idleMain +
		"5 [sleep]: time.Sleep main.think lib.(*Actor).run{0xc000010000}\n" +
		"6 [select]: lib.(*future).wait{...} lib.(*Actor).Ask{0xc000010000} main.ask lib.(*Actor).run{0xc000020000}\n"},
	{"actors that ask one that rests, counted", true, idleMain + "2 [select]: lib.(*Actor).run\n" +
		"1 [select]: lib.(*future).wait lib.(*Actor).Ask main.ask lib.(*Actor).run\n"},
	{"handlers of a server that calls another by a pipe, which works", false, idleMain +
		"5 [select]: lib.(*stream).recv{...} lib.(*Client).Invoke{...} main.front lib.(*Server).handle\n" +
		"6 [sleep]: time.Sleep main.back lib.(*Server).handle\n7 [select]: net.(*pipe).read lib.(*Client).reader\n"},
	{"tasks that write to a store with a writer of its own", false, idleMain +
		"5 [syscall]: os.(*File).Write lib.(*Store).writer{0xc000030000}\n" +
		"7 [chan send]: lib.(*Store).Enqueue{0xc000030000} main.task lib.(*worker).run\n" +
		"8 [chan send]: lib.(*Store).Enqueue{0xc000030000} main.task lib.(*worker).run\n"},
	{"two pools, the second one's users compute", false, idleMain +
		"6 [runnable]: main.encode main.second main.work\n" +
		"7 [select]: lib.(*Pool).wait{0xc000020000} lib.(*Pool).Get{0xc000020000} main.second main.first main.work\n" +
		"9 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} main.first main.work\n"},
	{"two pools, the second one's users are sessions", false, noCases + accepts + clients +
		"7 [select]: lib.(*Pool).wait{0xc000020000} lib.(*Pool).Get{0xc000020000} main.second main.first main.work\n" +
		"9 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} main.first main.work\n"},
}

func TestFewThatWaitForNobodyAreNamed(t *testing.T) { judgeScenes(t, guiltyScenes, true) }

func TestFewThatGoOnAreNotAccused(t *testing.T) { judgeScenes(t, healthyScenes, false) }

func judgeScenes(t *testing.T, views []fewScene, guilty bool) {
	for _, c := range views {
		if got := c.alarm(t); (got != "") != guilty {
			t.Errorf("%s: %q, want an alarm: %v", c.name, got, guilty)
		}
	}
}
