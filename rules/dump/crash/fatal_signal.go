package crash

import (
	"cmp"
	"fmt"
	"strings"
)

// explainSignal is fatal-signal (TR202).
func explainSignal(g *crashGroup) account {
	name := signalName(g.cause)
	address := faultAddress(g)
	a := account{next: g.logNext("ulimit -c unlimited; GOTRACEBACK=crash BINARY; dlv core BINARY core")}
	switch {
	case name == "SIGBUS" || address != "" && g.mapsFiles():
		a.act = "reads mapped memory that is gone (SIGBUS)"
		a.why = fmt.Sprintf("%s%s touched %s, which has no page behind it: a mapped file was truncated or its disk "+
			"failed or filled up.", g.who(), g.at(), cmp.Or(address, "an address"))
		a.fix = "Keep the file from being truncated or replaced in place while it is mapped (write a new one and " +
			"rename it), or read it instead of mapping it. Check the disk or volume for errors and space."
		if name != "SIGBUS" {
			a.act = "reads mapped memory that is gone"
		}
	case name == "SIGILL":
		a.act = "runs an instruction that the processor does not have (SIGILL)"
		a.why = g.fill("The processor refused the instruction in {who}{at}.")
		a.fix = "Build for the processors it runs on (GOAMD64=v1, GOARM), check what assembly or generated code " +
			"assumes of the CPU, and the hypervisor's CPU model."
		a.next = g.logNext("grep -m1 flags /proc/cpuinfo", "go version -m BINARY | grep GOAMD64")
	case name == "SIGFPE":
		a.act = "raises an arithmetic fault (SIGFPE)"
		a.why = g.fill("The processor refused an operation in {who}{at} outside what Go turns into a panic.")
		a.fix = "Look for a division in assembly or C that this line reaches."
	case name == "SIGSYS":
		a.act = "makes a system call that is forbidden (SIGSYS)"
		a.why = g.fill("The kernel killed it for a system call made below {who}{at}: a seccomp profile does not allow " +
			"that call.")
		a.fix = "Allow the call in the pod's seccompProfile, or don't make it."
		a.next = g.logNext("dmesg | grep -i seccomp")
	default:
		a.act = "accesses memory that is not its own"
		a.why = fmt.Sprintf("%s%s read or wrote %s, which is neither nil nor memory of the program: memory that "+
			"unsafe, assembly or C handed out wrongly, or that was overwritten.", g.who(), g.at(),
			cmp.Or(address, "an address"))
		a.fix = "Check every unsafe.Pointer, reflect.SliceHeader, mmap and assembly function that this line uses; " +
			"run its tests with -race and with checkptr, which find most of them."
		a.next = g.logNext("go test -race -gcflags=all=-d=checkptr ./...")
	}
	return a
}

// faultAddress is where the fault was, as far as the runtime shows; "" otherwise.
func faultAddress(g *crashGroup) string {
	for _, s := range causeLines(g.cause) {
		if v, ok := fieldAfter(s, "unexpected fault address "); ok {
			return v
		}
	}
	addr, _ := fieldAfter(g.cause.Detail, "addr=")
	return addr
}

// mapsFiles reports whether the stack's own part goes through code that is known to map files, by what such
// packages and functions are called.
func (c *crash) mapsFiles() bool {
	for _, p := range c.blame.Path {
		fn := strings.ToLower(p.Function)
		if strings.Contains(fn, "mmap") || strings.Contains(fn, "bbolt") || strings.Contains(fn, "boltdb") {
			return true
		}
	}
	return false
}
