package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
)

// pointers are those of a frame in a signal dump: where its caller's frame and its own begin.
var pointers = regexp.MustCompile(` fp=0x([0-9a-f]+) sp=0x([0-9a-f]+) pc=`)

// relative writes the pointers of each frame as its size: "fp=0x20 sp=0x0". What is lost is where in memory a stack lies,
// which triage does not read. They are a third of what signal dumps weigh: no two stacks have equal ones.
func relative(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		m := pointers.FindSubmatchIndex(line)
		if m == nil {
			out.Write(line)
			continue
		}
		fp, errFP := strconv.ParseUint(string(line[m[2]:m[3]]), 16, 64)
		sp, errSP := strconv.ParseUint(string(line[m[4]:m[5]]), 16, 64)
		if errFP == nil && errSP == nil && sp != 0 && fp >= sp {
			fmt.Fprintf(&out, "%s fp=0x%x sp=0x0 pc=%s", line[:m[0]], fp-sp, line[m[1]:])
		} else {
			out.Write(line)
		}
	}
	return out.Bytes()
}
