package schema

// A Meter is what one input shows of a process, a container or a node in numbers.
type Meter struct {
	Input     string `json:"input"`
	Kind      string `json:"kind"` // metrics, cgroup, kubectl-text
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Node      string `json:"node"`
	// Name is the control group's name, else "".
	Name string `json:"name"`
	// Facts are in order of what they mean; at most 40.
	Facts []Fact `json:"facts"`
}

// A Fact is one number of a Meter: "go_goroutines 12,431".
type Fact struct {
	Name  string  `json:"name"` // as the input calls it, with the label that distinguishes it in braces
	Value float64 `json:"value"`
	Text  string  `json:"text"` // for people: "1,020 of 1,024 file descriptors are open"
	Line  int64   `json:"line"`
}
