package profiles

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// A kind is a line of `burn list`.
type kind struct {
	name, profile, topic, guilty, culprit, category string
	hidden                                          bool
	count                                           int // snapshots
}

// list asks a program what it can do.
func list(bin string) ([]kind, error) {
	text, err := exec.Command(bin, "list").Output()
	if err != nil {
		return nil, fmt.Errorf("%s list: %w", bin, err)
	}
	var kinds []kind
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			return nil, fmt.Errorf("%s list: %q has %d columns", bin, line, len(f))
		}
		k := kind{name: f[0], profile: f[1], topic: f[2], guilty: f[3], culprit: f[4], category: f[5], count: 1}
		for _, flag := range strings.Split(f[6], ",") {
			if n, ok := strings.CutPrefix(flag, "shots="); ok {
				if k.count, err = strconv.Atoi(n); err != nil {
					return nil, err
				}
			}
			k.hidden = k.hidden || flag == "hidden"
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// A shot is one run of a kind: it gives one file, or one for each snapshot.
type shot struct {
	kind
	name    string // of the file, without extensions
	release string
	text    bool // debug=1
}

// texts are the kinds whose text form is kept too.
var texts = map[string]bool{"heap-cache": true, "mutex-holder": true, "block-lock": true, "goroutine-leak": true}

func (k kind) shots(release string) []shot {
	s := shot{kind: k, name: k.name, release: release}
	if release != newest {
		s.name += "-go" + short(release)
		return []shot{s}
	}
	if !texts[k.name] {
		return []shot{s}
	}
	text := s
	text.name, text.text = k.name+"-debug1", true
	return []shot{s, text}
}

// short is 1.26 for 1.26.8.
func short(release string) string {
	parts := strings.SplitN(release, ".", 3)
	return parts[0] + "." + parts[1]
}
