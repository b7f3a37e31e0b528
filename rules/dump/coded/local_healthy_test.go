package coded

import "testing"

// Programs that call themselves or hand something over, in which all but one wait: it is at work, for long. Each has a
// dump of the same program in which that one is gone: then the others wait for ever.

const mergeSort = `
import "sort"
func main() { sorted(nil) } // @main
func sorted(a []int) []int {
	if len(a) < 9 {
		sort.Ints(a) // @leaf
		return a
	}
	left, right := make(chan []int), make(chan []int)
	go func() {
		if part := sorted(a[:len(a)/2]); part != nil { // @lower
			left <- part // @give
		}
	}()
	go func() { right <- sorted(a[len(a)/2:]) }() // @upper
	l := <-left // @left
	r := <-right // @right
	return append(l, r...)
}
`

const treeWalk = `
import ("sync"; "os")
func main() {
	var wg sync.WaitGroup
	room := make(chan bool, 4)
	wg.Add(1)
	go walk("/", room, &wg)
	wg.Wait() // @main
}
func walk(dir string, room chan bool, wg *sync.WaitGroup) {
	defer wg.Done()
	room <- true // @enter
	all, _ := os.ReadDir(dir) // @read
	for _, e := range all {
		wg.Add(1)
		go walk(e.Name(), room, wg)
	}
	<-room // @leave
}
`

const heldWalk = `
import ("sync"; "os")
func main() {
	room := make(chan bool, 4)
	walk("/", room) // @main
}
func walk(dir string, room chan bool) {
	room <- true // @enter
	defer func() { <-room }()
	var wg sync.WaitGroup
	all, _ := os.ReadDir(dir) // @read
	for _, e := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			walk(e.Name(), room) // @deeper
		}()
	}
	wg.Wait() // @children
}
`

const builds = `
import ("errors"; "os/exec")
type part struct { of []*part }
func main() { build(&part{}) } // @main
func build(p *part) error {
	built := make(chan error)
	for _, of := range p.of {
		go func() {
			err := build(of) // @deeper
			if errors.Is(err, exec.ErrNotFound) {
				return
			}
			built <- err // @done
		}()
	}
	for range p.of {
		if err := <-built; err != nil { // @wait
			return err
		}
	}
	return exec.Command("cc").Run() // @run
}
`

const fans = `
import ("sync"; "net/http")
func main() {
	for range region(3) { // @main
	}
}
func region(n int) <-chan int {
	out := make(chan int)
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range shops(n) { // @take
				out <- v // @pass
			}
		}()
	}
	go func() {
		wg.Wait() // @all
		close(out)
	}()
	return out
}
func shops(n int) <-chan int {
	out := make(chan int)
	go func() {
		for range n {
			_, err := http.Get("http://shop") // @get
			if err != nil {
				return
			}
			out <- 1 // @send
		}
		close(out)
	}()
	return out
}
`

const futures = `
import "time"
func main() {
	first := async(func() int { time.Sleep(time.Hour); return 1 }) // @slow
	second := async(func() int { return <-first + 1 }) // @after
	third := async(func() int { return <-second + 1 }) // @last
	println(<-third) // @main
}
func async(work func() int) <-chan int {
	ch := make(chan int)
	go func() {
		n := work() // @work
		if n == 0 {
			return
		}
		ch <- n // @ready
	}()
	return ch
}
`

const stages = `
import "time"
func main() {
	read, double, sum := make(chan int), make(chan int), make(chan int)
	go source(read)
	go stage(read, double, func(n int) int { return 2 * n })
	go stage(double, sum, func(n int) int { return n + 1 })
	for n := range sum { // @main
		println(n)
	}
}
func source(out chan<- int) {
	for i := range 9 {
		time.Sleep(time.Hour) // @sleep
		out <- i // @source
	}
}
func stage(in <-chan int, out chan<- int, do func(int) int) {
	for n := range in { // @take
		out <- do(n) // @pass
	}
	close(out)
}
`

const retries = `
import ("time"; "sync")
func main() {
	var wg sync.WaitGroup
	jobs := make(chan int, 2)
	for range 3 {
		wg.Add(1)
		go work(jobs, &wg)
	}
	for i := range 9 {
		jobs <- i // @main
	}
	wg.Wait() // @wait
}
func work(jobs chan int, wg *sync.WaitGroup) {
	defer wg.Done()
	for j := range jobs { // @take
		if !try(j) {
			time.Sleep(time.Hour) // @backoff
			jobs <- j // @again
		}
	}
}
func try(j int) bool { return j > 4 }
`

const ring = `
import "time"
func main() {
	a, b, c := make(chan int), make(chan int), make(chan int)
	go pass(a, b)
	go pass(b, c)
	a <- 1
	for {
		a <- <-c // @main
	}
}
func pass(in, out chan int) {
	for {
		n := <-in // @take
		if n > 99 {
			return
		}
		time.Sleep(time.Hour) // @hold
		out <- n // @give
	}
}
`

const inGroup = "[sync.WaitGroup.Wait] sync.runtime_SemacquireWaitGroup sync.(*WaitGroup).Wait "

func TestAGoroutineAtWorkMayEndAllWaitsOfItsKind(t *testing.T) {
	views := []situation{
		{"a merge sort: a leaf sorts", mergeSort, `1 [chan receive] sorted@left main@main
			1 [chan receive] sorted@left sorted.func1@lower
			1 [chan send] sorted.func2@upper
			1 [runnable] sort.Ints sorted@leaf sorted.func1@lower`, ""},
		{"a merge sort: a leaf has just begun", mergeSort, `1 [chan receive] sorted@right main@main
			5 [chan receive] sorted@right sorted.func2@upper
			1 [runnable] sorted.func2@upper`, ""},
		{"a walk of a tree: those who have room read", treeWalk, "1 " + inGroup + `main@main
			40 [chan send] walk@enter
			4 [IO wait] os.ReadDir walk@read`, ""},
		{"a walk of a tree: the last one leaves", treeWalk, "1 " + inGroup + `main@main
			40 [chan send] walk@enter
			1 [runnable] walk@leave`, ""},
		{"a walk of a tree that keeps its room: a leaf reads", heldWalk, "1 " + inGroup + `walk@children main@main
			2 ` + inGroup + `walk@children walk.func2@deeper
			9 [chan send] walk@enter walk.func2@deeper
			1 [IO wait] os.ReadDir walk@read walk.func2@deeper`, ""},
		{"a build: a leaf runs its compiler", builds, `1 [chan receive] build@wait main@main
			6 [chan receive] build@wait build.func1@deeper
			1 [syscall] os/exec.(*Cmd).Run build@run build.func1@deeper`, ""},
		{"a build: others wait to hand in what is built", builds, `1 [chan receive] build@wait main@main
			2 [chan receive] build@wait build.func1@deeper
			1 [chan send] build.func1@done
			1 [syscall] os/exec.(*Cmd).Run build@run build.func1@deeper`, ""},
		{"fans of fans: one leaf asks its shop", fans, `1 [chan receive] main@main
			3 [chan receive] region.func1@take
			1 ` + inGroup + `region.func2@all
			1 [IO wait] net/http.Get shops.func1@get`, ""},
		{"futures: the first one is at work", futures, `1 [chan receive] main@main
			1 [chan receive] main.func3@last async.func1@work
			1 [chan receive] main.func2@after async.func1@work
			1 [sleep] time.Sleep main.func1@slow async.func1@work`, ""},
		{"stages: the source sleeps", stages, `1 [chan receive] main@main
			2 [chan receive] stage@take
			1 [sleep] time.Sleep source@sleep`, ""},
		{"stages: a full pipe is read slowly", stages, `1 [runnable] main@main
			2 [chan send] stage@pass
			1 [chan send] source@source`, ""},
		{"retries: one waits until it tries again", retries, `1 [chan send] main@main
			2 [chan send] work@again
			1 [sleep] time.Sleep work@backoff`, ""},
		{"a ring: one has the token", ring, `1 [chan receive] main@main
			1 [chan receive] pass@take
			1 [sleep] time.Sleep pass@hold`, ""},
	}
	check(t, views, listed)
	check(t, views, counted)
}

func TestWhoWaitsForItsOwnKindAloneWaitsForEver(t *testing.T) {
	check(t, []situation{
		{"a merge sort: a part was empty and not handed in", mergeSort, `1 [chan receive] sorted@left main@main
			1 [chan receive] sorted@left sorted.func1@lower
			1 [chan send] sorted.func2@upper`, "TR461 sure sorted"},
		{"a walk of a tree: nobody has left the room", treeWalk, "1 " + inGroup + `main@main
			40 [chan send] walk@enter`, "TR461 sure walk"},
		{"a walk of a tree that keeps its room, deeper than that", heldWalk, "1 " + inGroup + `walk@children main@main
			3 ` + inGroup + `walk@children walk.func2@deeper
			9 [chan send] walk@enter walk.func2@deeper`, "TR465 sure walk"},
		{"a build: a compiler was not found", builds, `1 [chan receive] build@wait main@main
			6 [chan receive] build@wait build.func1@deeper`, "TR461 sure build"},
		{"fans of fans: a shop was not there", fans, `1 [chan receive] main@main
			3 [chan receive] region.func1@take
			1 ` + inGroup + "region.func2@all", "TR461 sure region.func1"},
		{"futures: the first one came to nothing", futures, `1 [chan receive] main@main
			1 [chan receive] main.func3@last async.func1@work
			1 [chan receive] main.func2@after async.func1@work`, "TR465 sure main.func3"},
		{"stages: the source has ended and closed nothing", stages, `1 [chan receive] main@main
			2 [chan receive] stage@take`, "TR461 sure stage"},
		{"retries: all put their job back, and no room is left", retries, `1 [chan send] main@main
			3 [chan send] work@again`, "TR461 sure work"},
	}, listed)
}

const watched = `
import ("log"; "lib"; "sync")
func main() { // @main
	run() // @call
}
func run() {
	failed := make(chan error)
	go func() {
		if err := lib.Start(); err != nil { // it goes on in the background
			failed <- err
		}
	}()
	log.Fatal(<-failed) // @watch
}
func others() {
	failed := make(chan error)
	go func() {
		if err := lib.Start(); err != nil {
			failed <- err
		}
	}()
	go func() {
		for err := range failed { // @log
			log.Print(err)
		}
	}()
}
func started() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if err := lib.Start(); err == nil {
			wg.Done()
		}
	}()
	wg.Wait() // @wait
}
`

func TestAGoroutineThatWatchesForAFailureMayBeMeantTo(t *testing.T) {
	check(t, []situation{
		{"main", watched, "1 [chan receive] run@watch main@call", "TR461 low run"},
		{"another", watched, "1 [chan receive] others.func2@log\n1 [IO wait] net.read main@main", "TR460 low others.func2"},
		{"several of them", watched, "3 [chan receive] others.func2@log\n1 [IO wait] net.read main@main",
			"TR460 sure others.func2"},
		{"a Done is due", watched, "1 " + inGroup + "started@wait main@main", "TR461 sure started"},
	}, listed)
}
