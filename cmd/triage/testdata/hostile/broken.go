package hostile

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// forTerminals is what a terminal acts on or a reader is misled by: escape sequences, C1, bidirectional overrides,
// characters without width, tags, a bell, a backspace.
const forTerminals = "\x1b[2J\x1b]0;owned\x07\x1b]8;;http://evil\x1b\\x\x9b31m\u009b32m\u202egnp.exe\u202c\u2066a\u2069\u200b\u200f\ufeff\u2028" +
	"\U000e0041\x08\x08\x7f\r"

// A sample is a valid file of a format.
type sample struct{ name, ext, content string }

// samples has one of each format that triage reads.
func samples() []sample {
	m := newProfile("cpu", "nanoseconds")
	for i := range 5 {
		m.sample(packed(1), numbers(1, 5, 2, 6), numbers(1, 5, 3, uint64(i)))
	}
	var gz bytes.Buffer
	z := gzip.NewWriter(&gz)
	z.Write(m.buf)
	z.Close()
	all := []sample{
		{"signal", ".txt", signalHead + oneStack + registers}, {"debug2", ".txt", oneStack + oneStack}, {"debug1", ".txt", counted},
		{"race", ".txt", race}, {"profile", ".pb", string(m.buf)}, {"profilegz", ".pb.gz", gz.String()},
		{"pod", ".yaml", podHead + podTail}, {"podjson", ".json", podJSON}, {"describe", ".txt", describe}, {"table", ".txt", table},
		{"metrics", ".txt", "# TYPE go_goroutines gauge\ngo_goroutines 5\nprocess_start_time_seconds 1.7e9\n"}, {"cpustat", ".stat", cpuStat},
		{"page", ".html", page}, {"csv", ".csv", "_time,pod,namespace,_raw\n2026-03-04T04:47:00Z,p,b,\"line\"\n"},
		{"zip", ".zip", string(bytesOf(zipOf("", "", zipFiles(2, numbered("%d.txt"), oneStack))))},
		{"tar", ".tar", string(bytesOf(tarOf("", "", tarFiles(1, numbered("%d.txt"), constant(oneStack)))))},
	}
	for _, c := range compressions {
		var b bytes.Buffer
		if err := c.write(&b, []byte(oneStack), 1); err != nil {
			panic(fmt.Sprintf("a sample can't be compressed to memory: %v", err))
		}
		all = append(all, sample{"stream" + c.ext[1:], ".log" + c.ext, b.String()})
	}
	for _, f := range framedLogs {
		all = append(all, sample{f.name, f.ext, fmt.Sprintf(f.line, 1) + fmt.Sprintf(f.line, 2)})
	}
	return all
}

// shown are samples in which texts for the terminal are put wherever a word ends.
func shown() []Input {
	var all []Input
	for _, s := range samples() {
		if strings.ContainsAny(s.content, "\x00\x1f\xfd\x28\xb5") {
			continue // no text
		}
		for _, word := range []string{"main", "line", "Running", "goroutine", "a"} {
			if strings.Contains(s.content, word) {
				all = append(all, text("terminal-"+s.name+s.ext, "texts for the terminal in "+s.name,
					strings.ReplaceAll(s.content, word, word+forTerminals)))
				break
			}
		}
	}
	return all
}

// maxCuts bounds the ends that cutOff gives a sample.
const maxCuts = 400

// cutOff are tars of each sample, cut off behind every byte, or behind maxCuts of them.
func cutOff() []Input {
	var all []Input
	for _, s := range samples() {
		n := min(len(s.content), maxCuts)
		all = append(all, tarOf("cut-"+s.name+".tar", s.name+" cut off behind each byte",
			tarFiles(n, numbered("%d"+s.ext), func(i int) string { return s.content[:i*len(s.content)/n] })))
	}
	return all
}

// mutated are tars of each sample with some bytes changed, doubled or removed by chance.
func mutated(r *rand.Rand) []Input {
	var all []Input
	for _, s := range samples() {
		seeds := [2]uint64{r.Uint64(), r.Uint64()}
		all = append(all, Input{Name: "mutated-" + s.name + ".tar", Why: s.name + " with bytes changed by chance", Write: func(w io.Writer) error {
			r := rand.New(rand.NewPCG(seeds[0], seeds[1])) // the same however often it is written
			t := tar.NewWriter(w)
			if err := tarFiles(100, numbered("%d"+s.ext), func(int) string { return mutate(r, s.content) })(t); err != nil {
				return err
			}
			return t.Close()
		}})
	}
	return all
}

// odd are bytes that formats give a meaning.
const odd = "\x00\xff\n{}[]\":0-9"

func mutate(r *rand.Rand, content string) string {
	b := []byte(content)
	for range 1 + r.IntN(8) {
		at, n := r.IntN(len(b)), 1+r.IntN(16)
		end := min(len(b), at+n)
		switch r.IntN(5) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = odd[r.IntN(len(odd))]
		case 2:
			b = append(b[:end:end], b[at:]...)
		case 3:
			b = append(b[:at:at], b[end:]...)
		case 4:
			b = append(b[:at:at], append(bytes.Repeat(b[at:end], 1+r.IntN(50)), b[end:]...)...)
		}
		if len(b) == 0 {
			return ""
		}
	}
	return string(b)
}
