package timeline

import (
	"testing"

	"github.com/gotriage/triage/triage/schema"
)

func TestOnlyVersionsShowWhatAWriteChangedBesideOtherServers(t *testing.T) {
	changes := func() []schema.Change { return []schema.Change{{Path: "spec.replicas", Old: "3", New: "8"}} }
	blind := schema.Row{Out: 12, Compared: true, Changes: changes()}
	distrust(&blind)
	if blind.Compared || blind.Changes[0] != (schema.Change{Path: "spec.replicas", New: "8"}) {
		t.Errorf("a write without its version: %+v", blind)
	}
	sure := schema.Row{In: 11, Out: 12, Compared: true, Changes: changes()}
	distrust(&sure)
	if !sure.Compared || sure.Changes[0].Old != "3" {
		t.Errorf("a write with its version: %+v", sure)
	}
}
