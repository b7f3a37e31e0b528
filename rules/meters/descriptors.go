package meters

import (
	"fmt"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of file-descriptors-used-up. A process at its limit can open no file and accept no connection: the call
// fails with EMFILE. Some are kept for what is under way, so a process hovers just below.
const (
	descriptorsGone = 0.99
	descriptorsMost = 0.9
)

// runDescriptors is file-descriptors-used-up (TR711).
func runDescriptors(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Metrics {
		s := parsed.Scrape(in)
		open, most := s.Value("process_open_fds"), s.Value("process_max_fds")
		if open == nil || most == nil || !(most.Value > 0) || !(open.Value >= descriptorsMost*most.Value) {
			continue
		}
		of := phrase.Number(int64(open.Value)) + " of " + phrase.Number(int64(most.Value))
		f := begin("TR711", in, rules.High, "has "+of+" file descriptors open", "")
		f.Confidence = rules.ConfHigh
		f.Why = "A process at its limit can't open files or accept connections."
		f.Fix = "Find out which kind of descriptor is most common and which goroutines hold those, and close them."
		if open.Value < descriptorsGone*most.Value {
			f.Doubt(phrase.Number(int64(most.Value-open.Value)) + " are still free: a busy process may need this many.")
		}
		f.Evidence = []rules.Evidence{{Input: in.Input, Line: open.Line, Count: int(min(open.Value, 1<<30)),
			Text: fmt.Sprintf("process_open_fds %s, process_max_fds %s", phrase.Number(int64(open.Value)),
				phrase.Number(int64(most.Value)))}}
		if g := s.Value("go_goroutines"); g != nil {
			f.Evidence = append(f.Evidence, rules.Evidence{Input: in.Input, Line: g.Line, Count: 1,
				Text: "go_goroutines " + phrase.Number(int64(g.Value))})
		}
		f.Next = []rules.Step{in.Target.Inside("ls -l /proc/PID/fd",
			"| awk '{print $NF}' | cut -d: -f1 | sort | uniq -c | sort -n"), in.Target.Dump()}
		found = append(found, f)
	}
	return found
}
