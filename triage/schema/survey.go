package schema

import "github.com/gotriage/triage/rules"

// SurveySchema is the contract of Survey, which docs/fleet.schema.json describes.
const SurveySchema = "triage-fleet/v1"

// A Survey is which processes of a fleet to look at, by the metrics that Prometheus has of them: what triage fleet
// writes. Fields are only ever added.
type Survey struct {
	Schema string `json:"schema"`
	Tool   Tool   `json:"tool"`
	Server string `json:"server"` // host and port
	Time   string `json:"time"`   // of now, in RFC 3339
	Window int    `json:"window_seconds"`
	// Namespace and Query are the selection, "" for all.
	Namespace string `json:"namespace"`
	Query     string `json:"query"`
	// Processes counts the Go processes that have metrics now, in so many Workloads. Alone of them are the only one of
	// their workload and can be compared with their own past only.
	Processes int `json:"processes"`
	Workloads int `json:"workloads"`
	Alone     int `json:"alone"`
	// Odd are where to look, best first; the first ones of OddTotal. OddLikely of these have confidence medium.
	Odd       []OddProcess `json:"odd"`
	OddTotal  int          `json:"odd_total"`
	OddLikely int          `json:"odd_likely"`
	// Steady counts processes that do more than the others of their workload, as a leader does: with more goroutines
	// and CPU for the whole window, and no growth.
	Steady int `json:"steady"`
	// Down are the workloads with targets that can't be scraped; the first ones of DownTotal. DownOther counts such
	// targets of workloads that have no Go process.
	Down      []DownWorkload `json:"down"`
	DownTotal int            `json:"down_total"`
	DownOther int            `json:"down_other"`
	Notes     []string       `json:"notes"` // what is missing, and why
	Cost      SurveyCost     `json:"cost"`
}

// A SurveyCost is what the answers took.
type SurveyCost struct {
	Queries int   `json:"queries"`
	Series  int   `json:"series"`
	Bytes   int64 `json:"bytes"`
	// Samples are those that the server read, in so many Seconds; 0 where it doesn't say.
	Samples int64   `json:"samples"`
	Seconds float64 `json:"seconds"`
}

// A SurveyName is which process or workload something is about. Pod is "" where the metrics name none; Instance is the
// target's address then.
type SurveyName struct {
	Cluster   string `json:"cluster"`
	Namespace string `json:"namespace"`
	Workload  string `json:"workload"`
	Revision  string `json:"revision"` // the pod template's hash, "" for none
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Job       string `json:"job"`
	Instance  string `json:"instance"`
}

// An OddProcess is a process that differs from the others of its workload, or from itself before.
type OddProcess struct {
	SurveyName
	// Whole means that the workload as a whole is odd, and the process is the one that shows it most.
	Whole      bool             `json:"whole"`
	Severity   rules.Severity   `json:"severity"`
	Confidence rules.Confidence `json:"confidence"`
	// Against is what speaks for another reason, "" for nothing; the confidence is low then.
	Against string       `json:"against"`
	Reasons []OddReason  `json:"reasons"`
	Next    []rules.Step `json:"next"`
}

// An OddReason is one metric in which a process is odd.
type OddReason struct {
	Metric string  `json:"metric"` // goroutines, cores, memory (bytes), restarts
	Value  float64 `json:"value"`
	Before float64 `json:"before"` // at the beginning of the window; -1 where unknown
	// Others are the processes that it was held against, with values from Low to High.
	Others int     `json:"others"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Why    string  `json:"why"` // one sentence
}

// A DownWorkload is a workload with targets that can't be scraped.
type DownWorkload struct {
	SurveyName        // of the first such target
	Targets    int    `json:"targets"` // that are down
	Of         int    `json:"of"`
	Error      string `json:"error"` // of the first that has one
	// Next is what to do about the first one.
	Next []rules.Step `json:"next"`
}
