package schema

import "github.com/gotriage/triage/rules"

// MaxPodRows is how many pods a report lists: the bound of the contract's other lists.
const MaxPodRows = 100

// A Pod is one container of a pod that has something to report: a finding, a restart, a state that keeps it from
// running. A pod that never got as far as its containers has one row without a container.
type Pod struct {
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Node      string `json:"node"`
	// Workload is what the pod is a replica of, by its name.
	Workload string `json:"workload"`
	Restarts int    `json:"restarts"` // -1 where the inputs do not hold the pod's object
	// State is why it does not run now (CrashLoopBackOff, Evicted, …), else how it ended last (Error, OOMKilled); ""
	// for neither.
	State string `json:"state"`
	// Down reports that State is its state now.
	Down bool `json:"down,omitempty"`
	// Rule, Name, Title, Severity and Confidence are those of the first finding about it; "" where there is none.
	Rule       string           `json:"rule"`
	Name       string           `json:"name"`
	Title      string           `json:"title"`
	Severity   rules.Severity   `json:"severity"`
	Confidence rules.Confidence `json:"confidence,omitempty"`
	Findings   int              `json:"findings"`
}

// Alarm reports whether the first finding about the pod is an alarm.
func (p *Pod) Alarm() bool {
	return (&rules.Finding{Severity: p.Severity, Confidence: p.Confidence}).Alarm()
}
