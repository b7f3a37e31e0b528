package framing

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// A prefixMode is how lines begin where only many of them show that it is a writer's name: `POD CONTAINER text` (stern)
// and `name-1  | text` (docker compose) could be anybody's words, so a sample decides.
type prefixMode struct {
	mode framing // plain, stern, compose, actions or learned
	// namespaced reports that stern printed the namespace first (--all-namespaces).
	namespaced bool
	// bare holds the "pod container " prefixes of the sample whose pod has no hyphen, which alone wouldn't be believed.
	bare map[string]int
	// learned is the prefix that a dump was found behind.
	learned []byte
}

const (
	prefixSample  = 64 // lines looked at in each buffer
	minStern      = 3
	minCompose    = 2
	maxNamePrefix = 128
)

// unframePrefix takes `[pod/NAME/CONTAINER] text` off (kubectl logs --prefix), and what --timestamps put behind it.
func (u *unframer) unframePrefix(line []byte, unframed *unframedLine) bool {
	rest, ok := bytes.CutPrefix(line, []byte("[pod/"))
	if !ok {
		return false
	}
	end := bytes.IndexByte(rest[:min(len(rest), 400)], ']')
	if end < 0 {
		return false
	}
	text, ok := afterSpace(rest[end+1:])
	if !ok {
		return false
	}
	writer := rest[:end]
	id, ok := u.streams.get(writer)
	if !ok {
		pod, container, found := bytes.Cut(writer, []byte("/"))
		if !found || !origin.IsDNSName(pod) || !origin.IsDNSLabel(container) {
			return false
		}
		id = u.podStream(writer, nil, pod, container)
	}
	unframed.text, unframed.stream, unframed.kind = text, id, kubectlPrefix
	stampBehind(unframed)
	return true
}

// stampBehind takes a timestamp behind another prefix off.
func stampBehind(unframed *unframedLine) {
	if n := stampLen(unframed.text); n > 0 && (n == len(unframed.text) || unframed.text[n] == ' ') {
		unframed.stamp, unframed.text = unframed.text[:n], unframed.text[min(n+1, len(unframed.text)):]
	}
}

// podStream adds the stream of a container; namespace may be nil.
func (u *unframer) podStream(key, namespace, pod, container []byte) int32 {
	o := u.streams.base
	o.Pod, o.Container = string(pod), string(container)
	if namespace != nil {
		o.Namespace = string(namespace)
	}
	return u.streams.add(key, []byte(string(pod)+"/"+string(container)), o)
}

// unframeStern takes `POD CONTAINER text`.
func (u *unframer) unframeStern(line []byte, unframed *unframedLine) bool {
	if u.prefix.mode != stern {
		return false
	}
	n, pod, container := sternPrefix(line, u.prefix.namespaced)
	if n == 0 {
		return false
	}
	writer := line[:n]
	if bytes.IndexByte(pod, '-') < 0 && u.prefix.bare[string(pod)] == 0 {
		return false
	}
	id, ok := u.streams.get(writer)
	if !ok {
		var ns []byte
		if u.prefix.namespaced {
			ns = line[:bytes.IndexByte(line, ' ')]
		}
		id = u.podStream(writer, ns, pod, container)
	}
	unframed.text, unframed.stream, unframed.kind = line[min(n+1, len(line)):], id, stern
	stampBehind(unframed)
	return true
}

// sternPrefix returns the length of "pod container" (or "namespace pod container") at the start of line, 0 for none.
func sternPrefix(line []byte, namespaced bool) (n int, pod, container []byte) {
	rest := line
	if namespaced {
		ns := token(rest)
		if !origin.IsDNSLabel(ns) || len(rest) <= len(ns) {
			return 0, nil, nil
		}
		n = len(ns) + 1
		rest = rest[n:]
	}
	pod = token(rest)
	if !origin.IsDNSName(pod) || len(rest) <= len(pod) {
		return 0, nil, nil
	}
	n += len(pod) + 1
	container = token(rest[len(pod)+1:])
	if !origin.IsDNSLabel(container) {
		return 0, nil, nil
	}
	return n + len(container), pod, container
}

// token returns the text before the first space; it is empty where that is too long for a name.
func token(b []byte) []byte {
	if b, _, _ = bytes.Cut(b, []byte(" ")); len(b) > 253 {
		return nil
	}
	return b
}

// unframeCompose takes `name-1  | text`.
func (u *unframer) unframeCompose(line []byte, unframed *unframedLine) bool {
	if u.prefix.mode != compose {
		return false
	}
	name, text, ok := composePrefix(line)
	if !ok {
		return false
	}
	unframed.text, unframed.stream, unframed.kind = text, u.keyedStream(name), compose
	stampBehind(unframed)
	return true
}

func composePrefix(line []byte) (name, text []byte, ok bool) {
	i := bytes.IndexByte(line[:min(len(line), maxNamePrefix)], '|')
	if i < 2 || line[i-1] != ' ' {
		return nil, nil, false
	}
	name = bytes.TrimRight(line[:i], " ")
	if len(name) == 0 || !isLowerAlnum(name[0]) {
		return nil, nil, false
	}
	text, ok = afterSpace(line[i+1:])
	return name, text, ok && isHost(name)
}

// unframeActions takes `JOB\tSTEP\t2026-11-29T18:48:08.1234567Z text` (gh run view --log, GitHub's command line).
func (u *unframer) unframeActions(line []byte, unframed *unframedLine) bool {
	n := actionsPrefix(line)
	if n == 0 || u.prefix.mode != actions {
		return false
	}
	unframed.text, unframed.stream, unframed.kind = line[n:], u.keyedStream(line[:n-1]), actions
	stampBehind(unframed)
	u.unframeGoTest(unframed.text, unframed)
	return true
}

// sampleSteps reports whether a buffer begins with a line of a job's step, and decides so: few other texts have a time
// behind two tabs.
func (u *unframer) sampleSteps(b []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimLeft(b, "\n"), []byte("\n"))
	if u.prefix.mode == learned || actionsPrefix(first) == 0 {
		return false
	}
	u.prefix = prefixMode{mode: actions}
	return true
}

// actionsPrefix returns where the time begins behind a job and a step, 0 for none.
func actionsPrefix(line []byte) int {
	job := bytes.IndexByte(line[:min(len(line), maxNamePrefix)], '\t')
	step := bytes.IndexByte(line[job+1:min(len(line), job+1+maxNamePrefix)], '\t')
	if n := job + 1 + step + 1; job > 0 && step > 0 && stampLen(line[n:]) > 0 {
		return n
	}
	return 0
}

// samplePrefixes looks at the first lines of a buffer and decides which of the two modes they are in. Too small a
// sample changes nothing.
func (u *unframer) samplePrefixes(b []byte, escapes bool) {
	if u.prefix.mode == learned {
		return
	}
	lines, sterns, triples, composes, padded := 0, 0, 0, 0, 0
	var pairs map[string]int
	for line := range bytes.Lines(bytes.TrimLeft(b, "\n")) {
		if lines == prefixSample {
			break
		}
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
			line = line[:len(line)-1]
		}
		if escapes {
			line = appendPlain(nil, line[:min(len(line), 512)])
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		lines++
		if !isLowerAlnum(line[0]) {
			continue
		}
		if name, _, ok := composePrefix(line); ok {
			if composes++; bytes.HasPrefix(line[len(name):], []byte("   ")) {
				padded++ // to the longest name
			}
		}
		if n, pod, _ := sternPrefix(line, false); n > 0 && string(pod) != "goroutine" {
			sterns++
			if pairs == nil {
				pairs = make(map[string]int)
			}
			pairs[string(pod)]++
			if m, pod, _ := sternPrefix(line, true); m > 0 && bytes.IndexByte(pod, '-') > 0 {
				triples++
			}
		}
	}
	switch {
	case composes >= minCompose && composes*2 >= lines, padded > 0 && padded == lines:
		u.prefix = prefixMode{mode: compose}
	case sterns >= minStern && sterns*10 >= lines*9 && believable(pairs, sterns):
		bare := u.prefix.bare
		u.prefix = prefixMode{mode: stern, namespaced: triples*10 >= sterns*9, bare: make(map[string]int)}
		for pod, n := range pairs {
			if n >= minStern {
				u.prefix.bare[pod] = n
			}
		}
		for pod, n := range bare {
			if len(u.prefix.bare) < MaxStreams {
				u.prefix.bare[pod] = n
			}
		}
	case lines >= prefixSample/2 && max(composes, sterns)*5 < lines:
		u.prefix = prefixMode{}
	}
}

// believable reports whether the first words of a sample are pods: few, and with a hyphen or repeated.
func believable(pairs map[string]int, lines int) bool {
	good := 0
	for pod, n := range pairs {
		if n >= minStern || bytes.IndexByte([]byte(pod), '-') > 0 && n > 1 {
			good += n
		}
	}
	return good*10 >= lines*8
}
