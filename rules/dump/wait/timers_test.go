package wait

import (
	"fmt"
	"strings"
	"testing"
)

// servedScenes are of healthy programs whose waits end by a timer's function, which is on no stack, by a timer of their
// own, or when another goroutine comes by at its next tick. All of them were running programs. The second of each pair
// is the same with minutes, or what no timer explains: then a reader is missing.
var servedScenes = []struct {
	name, healthy, guilty string
	counted               bool
}{
	{"importers hand rows to a batch that a timer writes",
		idleMain + "5 [chan send]: lib.(*Batch).Add{0xc000010000} shop.rows\n" +
			"6 [chan send]: lib.(*Batch).Add{0xc000010000} shop.rows\n",
		idleMain + "5 [chan send, 4 minutes]: lib.(*Batch).Add{0xc000010000} shop.rows\n" +
			"6 [chan send, 4 minutes]: lib.(*Batch).Add{0xc000010000} shop.rows\n", false},
	{"a window of calls, whose slots a timer empties",
		idleMain + "5 [chan send, 4 minutes]: shop.(*Window).Acquire{0xc000010000} main.crawl\n" +
			"6 [chan send, 4 minutes]: shop.(*Window).Acquire{0xc000010000} main.crawl\n",
		idleMain + "5 [chan send, 16 minutes]: shop.(*Window).Acquire{0xc000010000} main.crawl\n" +
			"6 [chan send, 16 minutes]: shop.(*Window).Acquire{0xc000010000} main.crawl\n", false},
	{"two pauses of one loop",
		idleMain + "5 [select, 3 minutes]: shop.sleep shop.poll\n6 [select, 3 minutes]: shop.sleep shop.failed shop.poll\n" +
			"7 [select, 3 minutes]: shop.sleep shop.failed shop.poll\n",
		idleMain + "5 [select, 3 minutes]: shop.(*Pool).get shop.poll\n6 [select, 3 minutes]: shop.(*Pool).get shop.failed shop.poll\n" +
			"7 [select, 3 minutes]: shop.(*Pool).get shop.failed shop.poll\n", false},
	{"two calls of one function wait for a rate",
		idleMain + "5 [select]: lib.(*Limiter).wait{0xc000010000} lib.(*Limiter).Wait{0xc000010000} shop.fetch\n" +
			"6 [select]: lib.(*Limiter).wait{0xc000010000} lib.(*Limiter).Wait{0xc000010000} shop.again shop.fetch\n",
		idleMain + "5 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} shop.fetch\n" +
			"6 [select]: lib.(*Pool).wait{0xc000010000} lib.(*Pool).Get{0xc000010000} shop.again shop.fetch\n", false},
	{"a writer's batches are taken at each tick",
		idleMain + "5 [chan send]: lib.(*Writer).loop{0xc000010000}\n6 [select]: shop.tick\n" +
			"7 [chan send]: lib.(*Writer).Write{0xc000010000} main.sample\n",
		idleMain + "5 [chan send]: lib.(*Writer).loop{0xc000010000}\n" +
			"7 [chan send]: lib.(*Writer).Write{0xc000010000} main.sample\n", false},
	{"tasks of a pool wait for a commit, and who feeds the pool for them",
		idleMain + "5 [chan send]: lib.(*Pool).Submit{0xc000010000} shop.(*Store).Feed{0xc000020000}\n" +
			"6 [select]: lib.(*Rows).Submit{0xc000030000} shop.(*Store).save{0xc000020000} lib.(*Pool).worker{0xc000010000}\n" +
			"7 [select]: lib.(*Rows).Submit{0xc000030000} shop.(*Store).save{0xc000020000} lib.(*Pool).worker{0xc000010000}\n",
		idleMain + "5 [chan send]: lib.(*Pool).Submit{0xc000010000} shop.(*Store).Feed{0xc000020000}\n" +
			"6 [chan send]: shop.(*Store).save{0xc000020000} lib.(*Pool).worker{0xc000010000}\n" +
			"7 [chan send]: shop.(*Store).save{0xc000020000} lib.(*Pool).worker{0xc000010000}\n", false},
	{"producers of a queue wait in a row for a consumer that sleeps between two",
		idleMain + "4 [sleep]: time.Sleep main.bill\n5 [chan send, 3 minutes]: lib.(*Queue).Put{0xc000010000} main.order\n" +
			"6 [chan send, 3 minutes]: lib.(*Queue).Put{0xc000010000} main.order\n",
		idleMain + "5 [chan send, 3 minutes]: lib.(*Queue).Put{0xc000010000} main.order\n" +
			"6 [chan send, 3 minutes]: lib.(*Queue).Put{0xc000010000} main.order\n", false},
	{"keys that rest after each use, in minutes",
		idleMain + rowOf(5, 12, "select, 3 minutes", "lib.(*KeyPool).Acquire{0xc000010000} shop.geocode"),
		idleMain + rowOf(5, 12, "select, 3 minutes", "lib.(*ConnPool).Acquire{0xc000010000} shop.geocode"), false},
	{"a few wait for accounts that rest after each use",
		idleMain + rowOf(5, 4, "select, 3 minutes", "lib.(*Accounts).Acquire{0xc000010000} shop.post"),
		idleMain + rowOf(5, 4, "select, 3 minutes", "lib.(*Sessions).Acquire{0xc000010000} shop.post"), false},
	{"two calls of one function take keys",
		idleMain + "5 [chan receive]: shop.(*KeyPool).Get{0xc000010000} shop.fetch\n" +
			rowOf(6, 2, "chan receive", "shop.(*KeyPool).Get{0xc000010000} shop.again shop.fetch"),
		idleMain + "5 [chan receive]: shop.(*ConnPool).Get{0xc000010000} shop.fetch\n" +
			rowOf(6, 2, "chan receive", "shop.(*ConnPool).Get{0xc000010000} shop.again shop.fetch"), false},
	{"tasks of a pool wait for the library's limit, whose slots a timer gives back",
		idleMain + rowOf(5, 3, "chan send", "lib.(*Limiter).Run{0xc000020000} shop.mail lib.(*Pool).worker{0xc000010000}"),
		idleMain + rowOf(5, 3, "chan send", "lib.(*Pool).Run{0xc000010000} shop.mail lib.(*Pool).worker{0xc000010000}"), false},
	{"results of hosts are tallied at each tick",
		idleCount + "1 [sync.WaitGroup.Wait]: shop.Run\n9 [chan send]: shop.Run.func1\n1 [select]: main.tally\n",
		idleCount + "1 [sync.WaitGroup.Wait]: shop.Run\n9 [chan send]: shop.Run.func1\n", true},
	{"results are shown by main at each tick",
		"1 [chan receive]: main.main\n1 [sync.WaitGroup.Wait]: shop.Run\n9 [chan send]: shop.Run.func1\n",
		idleCount + "1 [sync.WaitGroup.Wait]: shop.Run\n9 [chan send]: shop.Run.func1\n", true},
	{"two calls of one function take slots that a timer gives back",
		idleMain + "5 [select]: lib.(*Sem).Acquire{0xc000010000} shop.fetch\n" +
			"6 [select]: lib.(*Sem).Acquire{0xc000010000} shop.again shop.fetch\n",
		idleMain + "5 [select, 3 minutes]: lib.(*Sem).Acquire{0xc000010000} shop.fetch\n" +
			"6 [select, 3 minutes]: lib.(*Sem).Acquire{0xc000010000} shop.again shop.fetch\n", false},
	{"an upload reads one pipe at each tick",
		"1 [select]: main.upload\n160 [select]: io.(*pipe).write io.(*PipeWriter).Write shop.(*Files).pack\n",
		"160 [select]: io.(*pipe).write io.(*PipeWriter).Write shop.(*Files).pack\n", true},
	{"a relay keeps uploads until a request asks for them",
		idleCount + "160 [select]: io.(*pipe).write io.(*PipeWriter).Write shop.(*Relay).take net/http.(*conn).serve\n",
		idleCount + "160 [select]: io.(*pipe).write io.(*PipeWriter).Write shop.(*Files).pack\n", true},
	{"sorted runs are merged into a file",
		"1 [IO wait]: main.write main.merge\n300 [chan send]: shop.Open.func1\n",
		"300 [chan send]: shop.Open.func1\n", true},
	{"tokens of a limit that a timer gives back",
		idleCount + "30 [select]: lib.(*Limit).Acquire shop.crawl\n",
		idleCount + "30 [select]: lib.(*Pool).Acquire shop.crawl\n", true},
}

// rowOf are notes of n goroutines in one place.
func rowOf(first, n int, state, calls string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d [%s]: %s\n", first+i, state, calls)
	}
	return b.String()
}

const idleCount = "1 [chan receive]: main.main\n1 [chan receive]: os/signal.loop\n"

func TestWhatATimerMayServeIsNoAlarm(t *testing.T) {
	for _, c := range servedScenes {
		healthy, guilty := fewScene{"", c.counted, c.healthy}, fewScene{"", c.counted, c.guilty}
		if got := healthy.alarm(t); got != "" {
			t.Errorf("%s: %s", c.name, got)
		}
		if guilty.alarm(t) == "" {
			t.Errorf("%s, but for what nobody serves: nothing", c.name)
		}
	}
}
