package export

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/jsonspan"
)

// SampleSize is how much of an export Learn looks at, LateSample how much where a dump is only there, LinesSample how
// much of what is likely a program's own JSON lines: they are many, and must not wait for it.
const (
	SampleSize  = 1 << 20
	LateSample  = 4 << 20
	LinesSample = 256 << 10
)

// A Shape is how an export is built: where the text of its records is, and their time.
type Shape struct {
	// Table reports CSV, everything else is JSON.
	Table bool
	comma byte
	// oneLine and lists are those of a walk.
	oneLine, lists bool
	tree           *tree
	record         *node
	texts          []*node // the first that a record has is its text
	time           *node   // nil for none
	labels         []labelled
	// Falling reports that the newest records of the sample come first.
	Falling bool
}

// MayBe reports whether an input that begins with head may be an export, so that a sample of it is worth its time.
func MayBe(head []byte) bool {
	text := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(text) == 0 {
		return false
	}
	if text[0] == '[' {
		first := bytes.TrimLeft(text[1:], " \t\r\n")
		return len(first) > 0 && (first[0] == '{' || first[0] == '[')
	}
	return text[0] == '{' || commaOf(text) != 0
}

// Learn returns the shape of the export that begins with sample, nil where it is none: where no member has the lines of
// a traceback, and none both a log's text and a time beside it. lines reports JSON values of one line each, whether
// they are an export or not.
func Learn(sample []byte) (s *Shape, lines bool) {
	if comma := commaOf(sample); comma != 0 {
		return learnTable(sample, comma), false
	}
	text := bytes.TrimLeft(sample, " \t\r\n\ufeff")
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return nil, false
	}
	return learnJSON(text)
}

func learnJSON(text []byte) (learnt *Shape, lines bool) {
	s := &Shape{tree: newTree(), lists: text[0] == '[', oneLine: areLines(text)}
	c := newSampler(s.tree)
	w := &jsonWalk{
		in: newInput(bytes.NewReader(text)), tree: s.tree, to: c, maxText: sampleText, lists: s.lists,
		oneLine: s.oneLine,
	}
	w.run()
	if c.strays > c.roots+1 {
		return nil, s.oneLine // a log with some JSON in it
	}
	return s.choose(c), s.oneLine
}

// areLines reports whether one of the first lines is a JSON value.
func areLines(text []byte) bool {
	const looked = 4
	for range looked {
		line, rest, ok := bytes.Cut(text, newline)
		if !ok {
			return false
		}
		if line = bytes.TrimSpace(line); len(line) > 2 && line[0] == '{' || len(line) > 2 && line[0] == '[' {
			if jsonspan.SkipValue(line, 0) == len(line) {
				return true
			}
		}
		text = rest
	}
	return false
}

// choose picks the members, and returns nil where there is no export.
func (s *Shape) choose(c *sampler) *Shape {
	text, dumps := c.text()
	if text == nil {
		return nil
	}
	s.time = c.time(text)
	s.record = text.container()
	if s.time != nil {
		for !s.time.within(s.record) {
			s.record = s.record.parent.nearest()
		}
	}
	if !c.isExport(s, text, dumps) {
		return nil
	}
	s.texts = c.alternatives(text, s.record)
	s.labels = chooseLabels(c, s.record)
	if s.time != nil {
		t := c.of(s.time)
		s.Falling = t.falls > 4*t.rises
	}
	asked := append([]*node{s.record}, s.texts...)
	if s.time != nil {
		asked = append(asked, s.time)
	}
	for _, l := range s.labels {
		asked = append(asked, l.node)
	}
	s.tree.freeze(asked)
	return s
}

// nearest is n, or the nearest element around it.
func (n *node) nearest() *node {
	for !n.element {
		n = n.parent
	}
	return n
}

// text is the member that carries the log's text, and whether it has tracebacks.
func (c *sampler) text() (best *node, dumps bool) {
	most := 0.0
	for _, n := range c.tree.nodes[:min(len(c.tree.nodes), len(c.counts))] {
		k := c.of(n)
		if k.strings == 0 || k.times*2 > k.seen {
			continue
		}
		score := textName(n) + textForm(k)
		if k.headers > 0 && k.headers+k.places > 1 {
			// What repeats the text, or quotes some of it, has at most as many.
			score = 100*float64(k.headers+k.places) + score
		} else if k.strings*2 < c.of(n.container()).begun {
			continue
		}
		if score > most {
			best, most, dumps = n, score, k.headers > 0 && k.headers+k.places > 1
		}
	}
	return best, dumps
}

// textNames are what stores and shippers call the member of a log's text, the surest first.
var textNames = []string{
	"message", "_msg", "msg", "log", "line", "_raw", "textpayload", "logmessage", "@message", "body", "text", "raw",
	"logentry", "content", "log_message", "entry", "logline", "event", "data", "payload",
}

// textName is how much a place's name speaks for it: 0 to 3.
func textName(n *node) float64 {
	if n.inTuple() {
		return 1.5 // [time, text]
	}
	name := strings.ToLower(n.name())
	if i := slices.Index(textNames, name); i >= 0 {
		return 3 - float64(i)*0.1
	}
	for _, part := range [...]string{"message", "msg", "log", "line", "text"} {
		if strings.HasSuffix(name, part) {
			return 1
		}
	}
	for _, part := range [...]string{"original", "keyword", "highlight", "template", "pattern"} {
		if strings.Contains(name, part) {
			return -1
		}
	}
	return 0
}

// textForm is how much the values speak for a log's text: 0 to 5.
func textForm(k *valueCount) float64 {
	n := float64(k.strings)
	distinct := float64(len(k.distinct)) / min(n, maxDistinct)
	return 2*float64(k.loglike)/n + float64(k.spaced)/n + distinct + min(float64(k.bytes)/n, 100)/100
}

// timeNames are what stores call the time of a record, otherTimes the beginnings of names of other times.
var (
	timeNames = []string{
		"@timestamp", "timestamp", "_time", "time", "ts", "timeunixnano", "timegenerated", "datetime", "date",
		"timegenerated [utc]", "_timestamp", "eventtime", "event_time", "logtime", "log_time", "t",
	}
	otherTimes = []string{
		"ingest", "receiv", "observed", "created", "start", "end", "expir", "updat", "index", "process", "deadline",
		"first", "last", "deploy", "build", "modif",
	}
)

// time is the member that carries the time of the records of text, nil where there is none.
func (c *sampler) time(text *node) (best *node) {
	most := 0.0
	for _, n := range c.tree.nodes[:min(len(c.tree.nodes), len(c.counts))] {
		k := c.of(n)
		if n == text || k.times*10 < 8*c.of(text).seen || k.times*10 < 9*k.seen || k.times > 2*c.of(text).seen+8 {
			continue
		}
		score := timeName(n)
		changes := float64(k.rises + k.falls)
		steady := 1.0
		if changes > 0 {
			steady = float64(max(k.rises, k.falls)) / changes
		}
		score += 4*steady + changes/float64(max(k.times-1, 1)) - 0.05*float64(n.depth)
		if score > most {
			best, most = n, score
		}
	}
	return best
}

func timeName(n *node) float64 {
	if n.inTuple() {
		return 2.1
	}
	name := strings.ToLower(n.name())
	if i := slices.Index(timeNames, name); i >= 0 {
		return 3 - float64(i)*0.05
	}
	for _, o := range otherTimes {
		if strings.HasPrefix(name, o) {
			return 0
		}
	}
	if strings.Contains(name, "time") || strings.HasSuffix(name, "ts") {
		return 2
	}
	return 1
}

const (
	// minRecords is how many records without a traceback make an export, and minLogLike the share of texts that must
	// look like a log's lines where the member has another name.
	minRecords = 3
	minLogLike = 0.3
)

// isExport decides whether the records are those of a store: a program's own JSON lines are read as they are, since
// what is beside their message matters too.
func (c *sampler) isExport(s *Shape, text *node, dumps bool) bool {
	k := c.of(text)
	loglike := float64(k.loglike) >= minLogLike*float64(k.strings)
	own := !s.Table && text.parent == s.tree.root() && (c.isLogger(text) || textName(text) < 2)
	if dumps {
		return k.apart > 1 || !own
	}
	if k.seen < minRecords || own && !loglike {
		return false
	}
	if s.time == nil { // the lines have a time of their own
		return textName(text) >= 2 && 10*k.loglike > 9*k.strings
	}
	// Conditions and events of Kubernetes have a message and a time too, of other names.
	return loglike || textName(text) >= 1 && timeName(s.time) > 2
}

// loggerKeys are those of a program's own records.
var loggerKeys = []string{
	"level", "lvl", "severity", "logger", "caller", "error", "err", "stacktrace", "stack", "L", "M", "levelname",
}

// isLogger reports whether the records in which text is look like those of a program's logger.
func (c *sampler) isLogger(text *node) bool {
	return slices.ContainsFunc(loggerKeys, func(key string) bool {
		n := text.parent.children[key]
		return n != nil && n != text && c.of(n).seen > 0
	})
}

// alternatives are text and the members in which records that lack it have theirs: textPayload and
// jsonPayload.message.
func (c *sampler) alternatives(text, record *node) []*node {
	all := []*node{text}
	if c.of(text).seen*10 > 9*c.of(record).begun {
		return all
	}
	for _, n := range c.tree.nodes[:min(len(c.tree.nodes), len(c.counts))] {
		k := c.of(n)
		if n != text && n.within(record) && k.strings > 0 && k.times == 0 && textName(n) >= 2 &&
			k.seen+c.of(text).seen <= c.of(record).begun {
			all = append(all, n)
		}
	}
	return all
}
