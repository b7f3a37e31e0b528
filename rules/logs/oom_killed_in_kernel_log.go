package logs

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// killed reads `Killed process 1234 (name)`, as mm/oom_kill.c has written since Linux 2.6.
var killed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`Kill(?:ed)? process \d+ \(([^)]{1,64})\)`)
})

func runKernelOOM(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Logs {
		for _, pat := range signed(in, logpattern.SignOOMKilled) {
			m := killed().FindStringSubmatch(pat.Example)
			if m == nil {
				continue // a line beside the one that names the process
			}
			f := rules.Finding{Severity: rules.Medium, Confidence: rules.ConfHigh, Count: int(pat.Count)}
			who, of := "A process", ""
			if name := pat.Template; strings.Contains(name, "("+m[1]+")") {
				who, of = phrase.Cut(m[1], 40), m[1]
			}
			act := "is killed by the kernel: the node is out of memory"
			if strings.Contains(strings.ToLower(pat.Example), "cgroup") {
				act = "is killed by the kernel: its container is out of memory"
			}
			if pat.Count > 1 {
				act += fmt.Sprintf(", %s", phrase.CountTimes(int(pat.Count)))
			}
			f.Title = logTitle(who, act)
			f.Why = fmt.Sprintf("The kernel's log of %s says so %s.", writerOf(in, pat), phrase.CountTimes(int(pat.Count)))
			f = signFinding(f, "TR709", in, []*logpattern.Pattern{pat}, sumUp([]*logpattern.Pattern{pat}))
			f.Object, f.Fingerprint = nil, logFingerprint("TR709", in, of)
			if node := targetOf(in, pat).Node; node != "" {
				f.Object = &rules.Object{API: "v1", Kind: "Node", Name: node}
				f.Next = rules.Commands("kubectl describe node "+rules.Quote(node),
					"kubectl top pod -A --containers --sort-by=memory")
			}
			found = append(found, f)
		}
	}
	return found
}
