// Command healthy does work of the kind that its argument names, as fast as it can. Nothing is wrong with it: a dump
// taken under load shows runnable goroutines, full queues and held locks, and none of them is a fault.
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: healthy KIND")
		os.Exit(2)
	}
	time.AfterFunc(20*time.Second, func() { os.Exit(3) })
	if err := start(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "healthy:", err)
		os.Exit(1)
	}
	// An odd while, so that several runs are not caught at one beat.
	time.Sleep(400*time.Millisecond + time.Duration(os.Getpid()%97)*time.Millisecond)
	pipe := os.NewFile(3, "ready")
	pipe.WriteString("ready\n")
	pipe.Close()
	time.Sleep(time.Hour)
}

func start(kind string) error {
	switch kind {
	case "http": // a server and its clients, one connection each, no pause
		return serveUnderLoad(12)
	case "keepalive": // a server whose clients are idle most of the time
		return serveIdle(20)
	case "json": // an API that decodes and encodes
		return serveJSON(8)
	case "ratelimit": // clients that wait for a token before each request
		return callWithLimit(10)
	case "workers": // a pool that hashes
		hashInPool(6)
	case "tickers": // loops that do a little each few milliseconds
		tick(12)
	case "pipeline": // stages that hand values on over channels
		runPipeline(4)
	case "fanout": // rounds of short goroutines, each round awaited
		fanOut(16)
	case "condqueue": // producers and consumers over a condition variable
		runQueue(4, 12)
	case "cache": // many readers and few writers of one map behind a read-write lock
		readCache(16)
	default:
		return fmt.Errorf("no kind %s", kind)
	}
	return nil
}
