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
	actions
	goTestJSON
	loki
	journaldJSON
	cloudJSON
	learned
	escaped
	jsonExport
	csvExport
	framings
)

// kinds are the framings. Kinds that share a beginning share a function.
var kinds = [framings]struct {
	name string // a part of the JSON contract
	// take takes a line as this kind; it leaves unframed alone where the line isn't that. nil where no line is by
	// itself.
	take func(u *unframer, line []byte, c *unframedLine) bool
}{
	plain:             {name: "plain"},
	cri:               {"cri", (*unframer).unframeCRI},
	dockerJSON:        {"docker-json", (*unframer).unframeRecord},
	kubectlTimestamps: {"kubectl-timestamps", (*unframer).unframeStamped},
	kubectlPrefix:     {"kubectl-prefix", (*unframer).unframePrefix},
	stern:             {"stern", (*unframer).unframeStern},
	compose:           {"compose", (*unframer).unframeCompose},
	journald:          {"journald", (*unframer).unframeJournal},
	syslog:            {"syslog", (*unframer).unframeSyslog},
	klog:              {name: "klog"},
	quote:             {name: "quote"},
	fuchsia:           {"fuchsia", (*unframer).unframeFuchsia},
	dmesg:             {"dmesg", (*unframer).unframeDmesg},
	jenkins:           {"jenkins", (*unframer).unframeJenkins},
	actions:           {"github-actions", (*unframer).unframeActions},
	goTestJSON:        {"go-test-json", (*unframer).unframeRecord},
	loki:              {"loki-json", (*unframer).unframeRecord},
	journaldJSON:      {"journald-json", (*unframer).unframeRecord},
	cloudJSON:         {"cloud-logging-json", (*unframer).unframeRecord},
	learned:           {"other-prefix", (*unframer).unframeLearned},
	escaped:           {name: "escaped"},
	jsonExport:        {name: "json-records"},
	csvExport:         {name: "csv-records"},
}

// noStream marks a line whose framing names no writer.
const noStream = -1

// unframedLine is what unframe made of a raw line.
type unframedLine struct {
	text, stamp []byte
	stream      int32
	kind        framing
	partial     bool // the rest of its line comes with the stream's next record
	drop        bool // a record without text of its own
	decoded     bool // escapes were resolved: text may hold control characters that the raw line doesn't
}
