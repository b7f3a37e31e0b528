// Command cgo spins, crashes or aborts inside C.
package main

/*
#include <stdlib.h>
#include <unistd.h>
static volatile int done;
static void wait_done(void) { while (!done) {} }
static void abort_now(void) { abort(); }
static int read_nil(int *p) { return *p; }
*/
import "C"

import (
	"fmt"
	"os"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: cgo KIND")
		os.Exit(2)
	}
	time.AfterFunc(30*time.Second, func() { os.Exit(3) })
	switch os.Args[1] {
	case "spin": // a loop in C
		go waitInC()
	case "abort": // C gives up
		giveUp()
	case "nil": // C reads a null pointer
		readNil()
	default:
		fmt.Fprintln(os.Stderr, "cgo: no kind", os.Args[1])
		os.Exit(2)
	}
	time.Sleep(300 * time.Millisecond)
	pipe := os.NewFile(3, "ready")
	pipe.WriteString("ready\n")
	pipe.Close()
	time.Sleep(time.Hour)
}

func waitInC() { C.wait_done() }

func giveUp() { C.abort_now() }

func readNil() { fmt.Println(C.read_nil(nil)) }
