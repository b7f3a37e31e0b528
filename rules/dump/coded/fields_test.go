package coded

import (
	"strings"
	"testing"
)

// withFields is a program whose loop serves a field, with other code behind the constructor.
func withFields(start, more string) string {
	return `
import ("sync"; "time"; "lib")
type hub struct { mu sync.Mutex; posts chan int; done chan struct{}; wg sync.WaitGroup; cond *sync.Cond }
type poster interface { serve() }
func newHub() *hub {
	h := &hub{posts: make(chan int), done: make(chan struct{})}
	` + start + ` // @go
	return h
}
func (h *hub) loop() { // @entry
	for n := range h.posts { // @take
		h.handle(n) // @handle
		if n < 0 {
			return // @end
		}
	}
}
func (h *hub) handle(n int) {
	time.Sleep(1) // @sleep
	h.post(n) // @again
}
func (h *hub) post(n int) {
	h.posts <- n // @send
}
` + more + `
func main() { newHub().post(1) } // @main
`
}

func TestAFieldThatNobodyIsLeftToServeIsFound(t *testing.T) {
	const sent = "3 [chan send] (*hub).post@send main@main\n1 [sleep] time.Sleep main@main"
	const want = "TR461 sure (*hub).post"
	src := func(start, more string) string { return withFields(start, more) }
	begun := src("go h.loop()", "")
	check(t, []situation{
		{"its loop has returned", begun, sent, want},
		{"a literal was the loop", src("go func() { for range h.posts {} }(); go h.loop()", ""), sent, want},
		{"a function of the package got the channel", src("go drain(h.posts)", "func drain(ch chan int) { for range ch {} }"),
			sent, ""}, // of which object isn't known
		{"the loop had it by another name", src("go h.named()", "func (h *hub) named() { ch := h.posts; for range ch {} }"),
			sent, ""},
		{"its loop woke one before it ended", begun,
			"3 [chan send] (*hub).post@send\n1 [runnable] (*hub).post@send main@main", want},
		// Near misses.
		{"its loop waits for more", begun, sent + "\n1 [chan receive] (*hub).loop@take newHub@go", ""},
		{"its loop is at work", begun, sent + "\n1 [sleep] time.Sleep (*hub).handle@sleep (*hub).loop@handle", ""},
		{"its loop has not begun", begun, sent + "\n1 [runnable] (*hub).loop@entry", ""},
		{"another hub's loop is left", begun, sent + "\n1 [IO wait] net.read (*hub).loop@handle", ""},
		{"a hub is being made", begun, sent + "\n1 [runnable] newHub@go", ""},
		{"anybody may start it", src("", "func (h *hub) Start() { go h.loop() }"), sent, ""},
		{"a timer starts it", src("time.AfterFunc(9, h.loop)", ""), sent, ""},
		{"another package has what starts it", src("lib.Later(func() { h.loop() })", ""), sent, ""},
		{"an interface may start it", src("", "func (h *hub) serve() { h.loop() }"), sent, ""},
		{"an unknown type may start it", src("", "func (h *hub) again() { h.loop() }\nfunc f() { lib.Hub().again() }"), sent, ""},
		{"a variable may start it", src("go h.loop()", "var restart = (*hub).loop"), sent, ""},
		{"the channel is returned", src("go h.loop()", "func (h *hub) all() chan int { return h.posts }"), sent, ""},
		{"the channel is returned to be received from", src("go h.loop()", "func (h *hub) all() <-chan int { return h.posts }"),
			sent, ""},
		{"the channel is stored elsewhere", src("go h.loop()", "var spare chan int\nfunc (h *hub) keep() { spare = h.posts }"),
			sent, ""},
		{"the channel comes from elsewhere", src("go h.loop()", "func with(ch chan int) *hub { return &hub{posts: ch} }"),
			sent, ""},
		{"the channel is set by order", src("go h.loop()",
			"type pair struct { hub *hub; ch chan int }\nfunc (h *hub) p() pair { return pair{h, h.posts} }"), sent, ""},
		{"a select with a default receives", src("go h.loop()", "func (h *hub) Try() { select { case <-h.posts: default: } }"),
			sent, ""},
	}, listed)
}

func TestThoseWhoOnlyReceiveAreNoAlarm(t *testing.T) {
	src := `
import "lib"
type job struct { done chan struct{}; jobs chan int }
func newJob(f func()) *job {
	j := &job{done: make(chan struct{}), jobs: make(chan int)}
	go func() { f(); close(j.done) }()
	go func() { for range j.jobs {} }()
	return j
}
func (j *job) wait() { <-j.done } // @wait
func (j *job) put() { j.jobs <- 1 } // @put
func ask(f func()) int {
	j := &job{jobs: make(chan int)}
	go func() { f(); j.jobs <- 1 }()
	return <-j.jobs // @answer
}
func (j *job) answer(n int) {
	for n := range j.jobs { // @work
		if n > 0 { j.put() } // @more
	}
}
func main() { // @main
	newJob(nil).wait(); newJob(nil).put(); ask(nil); go newJob(nil).answer(1) // @calls
	lib.Run() // @idle
}
`
	const low = "TR461 low (*job).wait"
	check(t, []situation{
		{"one", src, "1 [select] lib.Run main@idle\n1 [chan receive] (*job).wait@wait", low},
		{"main, which may wait for a failure", src, "1 [chan receive] (*job).wait@wait main@calls", low},
		{"five workers", src, "1 [select] lib.Run main@idle\n5 [chan receive] (*job).wait@wait", low},
		{"a loop that would send itself work", src, "1 [select] lib.Run main@idle\n1 [chan receive] (*job).answer@work",
			"TR463 low (*job).answer"},
		// Who sends has what nobody takes, and who made the channel expects an answer.
		{"it sends", src, "1 [select] lib.Run main@idle\n1 [chan send] (*job).put@put (*job).answer@more", "TR463 sure (*job).put"},
		{"it expects an answer", src, "1 [select] lib.Run main@idle\n2 [chan receive] ask@answer", "TR461 sure ask"},
	}, listed)
	check(t, []situation{
		{"a hundred that are counted", src, "100 [chan receive] (*job).wait@wait\n1 [select] lib.Run main@idle", low},
		{"five that are counted may have been woken", src, "5 [chan send] (*job).put@put\n1 [select] lib.Run main@idle",
			"TR461 low (*job).put"},
		{"a hundred may not", src, "100 [chan send] (*job).put@put\n1 [select] lib.Run main@idle", "TR461 sure (*job).put"},
	}, countedOf)
}

func TestAGeneratorThatNobodyAsksIsNoAlarm(t *testing.T) {
	src := func(receive string) string {
		return `
type ids struct { next chan int }
func (g *ids) gen() {
	for {
		g.next <- 1 // @send
	}
}
func (g *ids) id() { ` + receive + ` }
func main() { g := &ids{next: make(chan int)}; go g.gen(); g.id() } // @main
`
	}
	const sent = "1 [select] lib.Run\n1 [chan send] (*ids).gen@send"
	check(t, []situation{
		{"who asks takes one", src("<-g.next"), sent, "TR461 low (*ids).gen"},
		{"who takes them one by one is gone", src("for range g.next {}"), sent, "TR461 sure (*ids).gen"},
	}, listed)
}

func TestWhatIsNotSeenMayServeAField(t *testing.T) {
	src := func(imports, more, call string) string {
		return `
import ("lib"; "time"` + imports + `)
type mill struct { out chan int; n int }
func (m *mill) loop() { for range m.out {} }
func (m *mill) put() { m.out <- m.slow() } // @put
func (m *mill) slow() int { time.Sleep(1); return 1 } // @slow
func start() *mill { m := &mill{out: make(chan int)}; go m.loop(); return m }
func again(m *mill) { time.Sleep(1); restart(m) } // @again
func restart(m *mill) { n := &mill{}; n.n = m.n; go n.loop() }
` + more + `
func main() { m := start(); go again(m); ` + call + `; m.put() } // @main
`
	}
	const sent = "3 [chan send] (*mill).put@put main@main\n1 [sleep] time.Sleep again@again"
	check(t, []situation{
		{"all is seen", src("", "", ""), sent, "TR461 sure (*mill).put"},
		{"a value of unknown type has the field", src("", "func f() { <-lib.Get().out }", ""), sent, ""},
		{"package unsafe has its address", src(`; "unsafe"`, "func f(m *mill) { lib.Poke(unsafe.Pointer(m)) }", ""), sent, ""},
		{"nobody calls it by its name", src("", "func (m *mill) linked() { <-m.out }", ""), sent, ""},
	}, listed)
	received := strings.ReplaceAll(src("", "func (m *mill) take() { <-m.out } // @take", "m.take()"),
		"go m.loop()", "go m.put()")
	check(t, []situation{
		{"the line that calls sends what comes", received, "9 [chan receive] (*mill).take@take\n" +
			"1 [sleep] time.Sleep (*mill).slow@slow (*mill).put@put", ""},
	}, listed)
}

const calledOnce = `
import "sync"
type call struct { wg sync.WaitGroup; n int }
type group struct { mu sync.Mutex; m map[string]*call }
func (g *group) Do(key string, f func() int) int {
	g.mu.Lock()
	if c, ok := g.m[key]; ok {
		g.mu.Unlock()
		c.wg.Wait() // @wait
		return c.n
	}
	c := new(call)
	c.wg.Add(1)
	g.m[key] = c
	g.mu.Unlock()
	c.n = f() // @call
	c.wg.Done() // @done
	return c.n
}
func main() { new(group).Do("", nil) } // @main
`

func TestACallThatPanickedLeavesThoseWhoShareIt(t *testing.T) {
	const sleeps = "1 [sleep] time.Sleep main@main\n"
	check(t, []situation{
		{"nobody calls any more", calledOnce, sleeps + "4 [sync.WaitGroup.Wait] (*group).Do@wait net/http.serve",
			"TR461 sure (*group).Do"},
		{"one calls still", calledOnce, sleeps + "4 [sync.WaitGroup.Wait] (*group).Do@wait net/http.serve\n" +
			"1 [IO wait] net.read (*group).Do@call net/http.serve", ""},
		{"one is about to call Done", calledOnce, sleeps + "4 [sync.WaitGroup.Wait] (*group).Do@wait net/http.serve\n" +
			"1 [runnable] (*group).Do@done net/http.serve", ""},
	}, listed)
}

func TestALoopThatWaitsForItselfIsFound(t *testing.T) {
	const self = "1 [chan send] (*hub).post@send (*hub).handle@again (*hub).loop@handle\n1 [sleep] time.Sleep main@main"
	begun := withFields("go h.loop()", "")
	check(t, []situation{
		{"alone", begun, self, "TR463 sure (*hub).post"},
		{"with others behind it", begun, self + "\n9 [chan send] (*hub).post@send", "TR463 sure (*hub).post"},
		{"two loops of one hub", withFields("go h.loop(); go h.loop()", ""),
			"2 [chan send] (*hub).post@send (*hub).handle@again (*hub).loop@handle\n1 [sleep] time.Sleep main@main",
			"TR463 sure (*hub).post"},
		// Near misses.
		{"another loop of it works", begun, self + "\n1 [IO wait] net.read (*hub).loop@handle", ""},
		{"anybody may start another", withFields("", "func (h *hub) Run() { h.loop() }"), self, ""},
		{"a loop waits for work, and closes its channel where it ends", withFields("go h.idle()", `
func (h *hub) idle() {
	defer close(h.done)
	select { // @idle
	case <-h.done:
	case n := <-h.posts:
		h.handle(n)
	}
}`), "1 [select] (*hub).idle@idle\n1 [sleep] time.Sleep main@main", ""},
		{"it has received what was its last", withFields("go h.last(); go h.loop()", `
func (h *hub) last() {
	<-h.posts
	h.post(1) // @late
}`), "1 [chan send] (*hub).post@send (*hub).last@late\n1 [sleep] time.Sleep main@main", "TR461 sure (*hub).post"},
	}, listed)
	check(t, []situation{
		{"a counted one too: nobody else could have woken it", begun,
			"1 [chan send] (*hub).post@send (*hub).handle@again (*hub).loop@handle\n1 [running] main@main",
			"TR463 sure (*hub).post"},
		{"two that are counted may wake each other", begun,
			"2 [chan send] (*hub).post@send (*hub).handle@again (*hub).loop@handle\n1 [running] main@main",
			"TR463 low (*hub).post"},
	}, countedOf)
}

func TestAGoroutineThatWaitsForItsOwnDoneIsFound(t *testing.T) {
	src := func(first, call string) string {
		return withFields("h.wg.Add(1); go h.work(new(hub))", `
func (h *hub) work(other *hub) {
	`+first+`
	`+call+` // @close
}
func (h *hub) Close() { h.wg.Wait() } // @wait`)
	}
	const notes = "1 [sync.WaitGroup.Wait] (*hub).Close@wait (*hub).work@close\n1 [sleep] time.Sleep main@main\n" +
		"1 [IO wait] net.read (*hub).work@close"
	check(t, []situation{
		{"by a deferred Done", src("defer h.wg.Done()", "h.Close()"), notes, "TR463 sure (*hub).work"},
		// Near misses, beside one that has its Done to call still.
		{"another's", src("defer h.wg.Done()", "other.Close()"), notes, ""},
		{"only on some ways", src("if other == nil { defer h.wg.Done() }", "h.Close()"), notes, ""},
		{"it has called Done, and adds again", src("defer h.wg.Done()", "h.wg.Done(); h.Close(); h.wg.Add(1)"), notes, ""},
		{"it has called Done", src("h.wg.Done()", "h.Close(); h.wg.Done()"), notes, ""},
	}, listed)
}

func TestACircleOfFieldsIsFound(t *testing.T) {
	src := withFields("go h.loop(); go h.answer()", `
func (h *hub) answer() {
	for range h.done { // @asked
		h.mu.Lock() // @lock
		h.mu.Unlock()
	}
}
func (h *hub) ask() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done <- struct{}{} // @ask
}
func (h *hub) Ask() { h.ask() }`)
	const held = "1 [chan send] (*hub).ask@ask\n1 [sleep] time.Sleep main@main\n"
	check(t, []situation{
		{"who has the lock waits for a loop that wants it", src,
			held + "1 [sync.Mutex.Lock] sync.(*Mutex).Lock (*hub).answer@lock", "TR465 sure (*hub).ask"},
		{"the loop is about to lock", src, held + "1 [runnable] (*hub).answer@lock", ""},
		{"the loop is in its wait", src, held + "1 [chan receive] (*hub).answer@asked", ""},
	}, listed)
}
