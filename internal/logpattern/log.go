// Package logpattern mines log lines into patterns: what a program logs again and again, how often, since when, how
// steadily and about which objects. It knows the fields of klog, logrus, zap, slog, JSON and plain lines; what a
// pattern means is for the rules.
//
// A Miner reads the lines of one source, framing taken off, and Close gives its Log:
//
//	m := logpattern.NewMiner()
//	m.Line(text, num, stream, stamp) // for every line, in order
//	log := m.Close()
//
// A line costs one scan: its words are hashed, a word with a digit in it only marks its place, and the hash finds the
// form that the line has. Only a form that was not seen before is taken apart (fields, level, place, object) and
// merged with those that differ from it in a few words, as Drain does. What is kept is bounded (bounds.go), and the
// Log lists what was cut. Begin reading at Miner.Line.
package logpattern

import (
	"slices"
	"time"
)

// A Log is what the lines of one source were mined into.
type Log struct {
	Lines   int64 // that were handed over
	Stamped int64 // of Lines, those with a known time
	// First and Last are the earliest and the latest time; zero where no line has one.
	First, Last time.Time
	// Yearless: no line has the year (klog, journald). Times are then of the year 2000, until SetYear. See Format.
	Yearless bool
	// Patterns are ordered by count, then by first line; of those without a Sign only what repeats.
	Patterns []*Pattern
	// Forms is how many patterns there were before any was left out.
	Forms int
	// Ends are what the processes may have said last, those of a stream in order.
	Ends []*End
	// Spoke is the number of each stream's last line.
	Spoke []int64
	Cut   Cut
}

// Asked reports whether Miner.Keep holds for a pattern.
func (l *Log) Asked() bool {
	return slices.ContainsFunc(l.Patterns, func(p *Pattern) bool { return p.Asked })
}

// Empty reports whether no line was handed over.
func (l *Log) Empty() bool { return l == nil || l.Lines == 0 }

// A Cut is what the bounds left out.
type Cut struct {
	LongLines int64 // with text beyond maxText or maxTokens, which was not looked at
	Unmined   int64 // lines that got no pattern because the table was full
	Evicted   int   // rare patterns that were forgotten to make room, with EvictedLines lines
	// EvictedLines is how many lines the forgotten patterns had.
	EvictedLines int64
	// Light is how many patterns were dropped by Trim.
	Light int
}

// A Pattern is lines that differ in names and numbers only.
type Pattern struct {
	// Template is the message with <*> for what changes from line to line; a value that never changed is kept.
	Template string
	// Example is the first line, cut at maxExample bytes, and Message the message in it.
	Example, Message string
	Level            Level
	// Source is the line of code that logs it ("controller.go:114"), Logger the component; "" where unknown.
	Source, Logger string
	// Fields are the keys beside the message, in order, with the value where it is always the same.
	Fields []Field
	// Stream is the writer, as handed to Line.
	Stream int32
	Sign   Sign
	Repeats
	// Objects are those that lines are about, most frequent first; one without a name where lines name none.
	Objects []*Object
	// ObjectsSeen is how many objects there were at least.
	ObjectsSeen int
	// Asked: Miner.Keep holds for it.
	Asked bool
	// Took sums the first duration of each line, for signs that come with one: SignThrottled, SignEtcdSlow.
	Took Took
}

// A Field is a key of a structured line.
type Field struct {
	Key   string
	Value string // "" where it varies
}

// An Object is what lines of a pattern are about, as the lines name it.
type Object struct {
	Kind      string // as written ("bundle", "Deployment", "release"), "" where unknown
	Namespace string
	Name      string // "" where the lines name none
	Repeats
	// News counts lines with changing parts that (without times, durations, ids of requests and resourceVersion)
	// differ from the last few lines of the object: a state that moves. The first line counts.
	News int64
	// Versions: a resourceVersion changes from line to line. Each round writes, or another writer does.
	Versions bool
	// Over is how many of Count may belong to rarer objects that had the place before (space-saving).
	Over int64
}

// Repeats is how often and when something was logged.
type Repeats struct {
	Count               int64
	FirstLine, LastLine int64 // numbers of the stream, as handed to Line
	First, Last         time.Time
	rhythm              *rhythm // nil for fewer than keepStats lines with a time: most objects of a bundle have one
}

// A rhythm is what the times of lines show.
type rhythm struct {
	gaps Gaps
	run  Run
}

// Gaps are the times between the lines, all zero for fewer than three lines with a time.
func (r *Repeats) Gaps() Gaps {
	if r.rhythm == nil {
		return Gaps{}
	}
	return r.rhythm.gaps
}

// Run is the longest run of the lines, the zero Run for fewer than three lines with a time.
func (r *Repeats) Run() Run {
	if r.rhythm == nil {
		return Run{}
	}
	return r.rhythm.run
}

// Gaps are the times between one line and the next, over lines with a known time.
type Gaps struct {
	Count int64
	// VariationPercent is the standard deviation over the mean of the gaps between Run.Rounds.
	VariationPercent int
	// Growing: the last gaps are at least four times the first ones, as with a backoff.
	Growing bool
}

// A Run is the longest time over which something repeats without a pause of more than maxPause, by count.
type Run struct {
	Count       int64
	First, Last time.Time
	FirstLine   int64
	Round       time.Duration // the mean of the gaps of roundGap and more, between rounds of work
}

// Period is the mean time from one line of the run to the next, 0 for fewer than two.
func (r Run) Period() time.Duration {
	if r.Count < 2 {
		return 0
	}
	return r.Last.Sub(r.First) / time.Duration(r.Count-1)
}

// Span is how long the run goes on.
func (r Run) Span() time.Duration { return r.Last.Sub(r.First) }

// Took sums durations that lines contain.
type Took struct {
	Count        int64
	Sum, Longest time.Duration
}

// A Level is a line's severity as the logger writes it.
type Level uint8

// The levels.
const (
	LevelUnknown Level = iota
	LevelDebug
	LevelInfo
	LevelWarn
	LevelError
	LevelFatal
)

// String is the level's name, "" for LevelUnknown.
func (l Level) String() string {
	return [...]string{"", "debug", "info", "warning", "error", "fatal"}[min(l, LevelFatal)]
}

// Format writes a time of the log: RFC 3339 in UTC, without the year where the log has none ("03-18 00:16:43.707Z").
func (l *Log) Format(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case l.Yearless:
		return t.UTC().Format("01-02 15:04:05.999Z07:00")
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// A Sign is what a line's wording means where client-go, etcd, Kubernetes or the kernel always word it so.
type Sign uint8

// The signs. Several may fit a line: the first in this order counts.
const (
	SignNone         Sign = iota
	SignConflict          // a write lost against another: "the object has been modified"
	SignThrottled         // client-go's own rate limiter made a request wait
	SignEtcdSlow          // etcd: "apply request took too long", slow fdatasync, heartbeat overdue
	SignEtcdTimeout       // "etcdserver: request timed out", "etcdserver: leader changed"
	SignEtcdLeader        // a raft election: "became leader at term", "lost leader"
	SignLeaderLost        // a controller lost its lease
	SignLeaderGained      // a controller acquired its lease
	SignWatchEnded        // a watch ended before its time, or its version was too old: the reflector lists anew
	SignRequeued          // a work queue takes a key again
	SignOOMKilled         // the kernel killed a process for memory
	SignStarted           // a program's first line
	SignLimited           // client-go's own rate limiter gave a request up: its context ended before its turn
	SignRenewal           // a leader could not read or write its lease
	SignLiveness          // a probe, heartbeat, lease, metrics scrape or access log: repeats by design
)
