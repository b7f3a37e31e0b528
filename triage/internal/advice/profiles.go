package advice

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// adviseProfiles lists what to collect where the profiles alone are not enough: a dump for a process that hardly ran.
func adviseProfiles(r *schema.Report, pass *rules.Pass) []schema.Advice {
	for _, p := range pass.Profiles {
		if p.Idle() && len(pass.Dumps) == 0 {
			why := fmt.Sprintf("the process of %s was mostly idle (%.2g cores): what it waits for stands in a "+
				"goroutine dump, not in a CPU profile.", p.Input, p.Cores())
			return []schema.Advice{{Why: why, Commands: dumpCommands(p.Target)}}
		}
	}
	return nil
}

// dumpCommands collect a dump from a process that was just profiled: it serves pprof.
func dumpCommands(t rules.Target) []rules.Step {
	commands := []rules.Step{rules.Command("curl -s 'http://localhost:6060/debug/pprof/goroutine?debug=2' | triage").Note(
		"the port that the profile came from")}
	if t.Known() {
		commands = append([]rules.Step{t.PortForward()}, commands...)
	}
	return append(commands, t.Abort().Note("where nothing serves pprof, the process prints its goroutines and ends"))
}
