package framing

// A framing is one way in which a log's lines are wrapped.
type framing uint8

const (
	plain framing = iota
	cri
	dockerJSON
	kubectlTimestamps
	kubectlPrefix
	stern
	compose
	journald
	syslog
	klog
	quote
	fuchsia
	dmesg
	jenkins
	goTestJSON
	loki
	journaldJSON
	cloudJSON
	learned
	escaped
	framings
)

// framingNames are a part of the JSON contract.
var framingNames = [framings]string{
	plain:             "plain",
	cri:               "cri",
	dockerJSON:        "docker-json",
	kubectlTimestamps: "kubectl-timestamps",
	kubectlPrefix:     "kubectl-prefix",
	stern:             "stern",
	compose:           "compose",
	journald:          "journald",
	syslog:            "syslog",
	klog:              "klog",
	quote:             "quote",
	fuchsia:           "fuchsia",
	dmesg:             "dmesg",
	jenkins:           "jenkins",
	goTestJSON:        "go-test-json",
	loki:              "loki-json",
	journaldJSON:      "journald-json",
	cloudJSON:         "cloud-logging-json",
	learned:           "other-prefix",
	escaped:           "escaped",
}

// noStream marks a line whose framing names no writer.
const noStream = -1

// A framed line is what unframe made of a raw one.
type framed struct {
	text, stamp []byte
	stream      int32
	kind        framing
	partial     bool // the rest of its line comes with the stream's next record
	drop        bool // a record without text of its own
	decoded     bool // escapes were resolved: text may hold control characters that the raw line doesn't
}
