package identity

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
)

// NameProfiles settles which profiles are of one process, and of which dumps', where no pod names it: those in one
// folder of one program (its module and, where both have one, its build). fetch writes one folder a process; people
// who collect by hand mostly do too. Replicas in one folder are distinguished where they are of the same kind: see
// SameHeap.
func NameProfiles(pass *rules.Pass) {
	type group struct{ folder, module, build string }
	names := map[group]string{}
	for _, p := range pass.Profiles {
		if p.Process != "" {
			continue
		}
		g := group{filepath.Dir(p.Input), p.Program.Module, p.BuildID}
		name, ok := names[g]
		if !ok {
			name = dumpProcess(pass.Dumps, g.folder, p.Program.Module)
			if name == "" {
				name = "program " + cmp.Or(frame.ShortFile(p.Binary), p.Program.Module, "of "+p.Input)
				if len(names) > 0 {
					name += fmt.Sprintf(" (%d)", len(names)+1)
				}
			}
			names[g] = name
		}
		p.Process = name
	}
}

// dumpProcess is the process of the dumps in a folder, "" where there is none, where there are several, and where a
// dump is of another program than module; "" for that is unknown and may be any. A dump that is alone gets a name.
func dumpProcess(dumps []*rules.DumpInput, folder, module string) string {
	var name string
	var nameless []*rules.DumpInput
	for _, d := range dumps {
		if filepath.Dir(d.Input) != folder {
			continue
		}
		if m := d.Program.Module; m != module && m != "" && module != "" {
			return ""
		}
		switch {
		case d.Process == "":
			nameless = append(nameless, d)
		case name == "":
			name = d.Process
		case name != d.Process:
			return ""
		}
	}
	if name == "" && len(nameless) == 1 {
		name = "program " + cmp.Or(module, "of "+nameless[0].Input)
		nameless[0].Process = name
	}
	return name
}
