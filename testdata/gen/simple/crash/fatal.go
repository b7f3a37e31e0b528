package main

import (
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"
)

// fatal dies of what cannot be recovered.
func fatal(kind string) bool {
	switch kind {
	case "map-writes":
		raceOverMap(record)
	case "map-read-write":
		raceOverMap(func(m map[int]int, n int) { lookUp(m, n) })
	case "map-iterate-write":
		raceOverMap(func(m map[int]int, _ int) { total(m) })
	case "stack-overflow": // three functions that call each other
		debug.SetMaxStack(1 << 20)
		visitHarbor(&node{}, 0)
	case "out-of-memory": // of an address space of 1.5 GB, which holds the heap's reserved areas in every Go version
		startIdle(4)
		limit := syscall.Rlimit{Cur: 1500 << 20, Max: 1500 << 20}
		if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
			panic(err)
		}
		hoard()
	case "threads": // more threads than allowed, all in system calls
		debug.SetMaxThreads(12)
		blockThreads(32)
	case "deadlock": // all goroutines are asleep
		deadlock()
	case "goexit": // main ends itself, the others wait for ever
		go idleWorker(make(chan int))
		runtime.Goexit()
	default:
		return false
	}
	return true
}

// raceOverMap writes to a map in one goroutine and does something else with it in others.
func raceOverMap(other func(m map[int]int, n int)) {
	m := map[int]int{}
	for i := 0; i < 64; i++ {
		m[i] = i
	}
	go writeForever(m)
	for i := 0; i < 3; i++ {
		go func() {
			for n := 0; ; n++ {
				other(m, n)
			}
		}()
	}
	time.Sleep(15 * time.Second)
}

func writeForever(m map[int]int) {
	for n := 0; ; n++ {
		record(m, n)
	}
}

//go:noinline
func record(m map[int]int, n int) { m[n%8] = n }

//go:noinline
func lookUp(m map[int]int, n int) int { return m[n%8] }

//go:noinline
func total(m map[int]int) int {
	sum := 0
	for _, v := range m {
		sum += v
	}
	return sum
}

type node struct{}

//go:noinline
func visitHarbor(n *node, depth int) int { return visitPier(n, depth+1) + 1 }

//go:noinline
func visitPier(n *node, depth int) int { return visitBerth(n, depth+1) + 2 }

//go:noinline
func visitBerth(n *node, depth int) int { return visitHarbor(n, depth+1) + 3 }

var hoarded [][]byte

// hoard keeps what it allocates until there is no more.
func hoard() {
	for {
		hoarded = append(hoarded, grab(64<<20))
	}
}

//go:noinline
func grab(n int) []byte { return make([]byte, n) }

// blockThreads starts n goroutines that each hold a thread in a system call.
func blockThreads(n int) {
	for i := 0; i < n; i++ {
		var p [2]int
		if err := syscall.Pipe(p[:]); err != nil {
			panic(err)
		}
		go waitForByte(p[0])
	}
	time.Sleep(15 * time.Second)
}

func waitForByte(fd int) {
	var b [1]byte
	syscall.Read(fd, b[:])
}

// deadlock takes two locks in both orders and waits for the outcome.
func deadlock() {
	var a, b sync.Mutex
	var both sync.WaitGroup
	both.Add(2)
	go transfer(&a, &b, &both)
	go transfer(&b, &a, &both)
	both.Wait()
}

func transfer(from, to *sync.Mutex, both *sync.WaitGroup) {
	defer both.Done()
	from.Lock()
	defer from.Unlock()
	time.Sleep(50 * time.Millisecond)
	to.Lock()
	defer to.Unlock()
}
