package profile

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/frame"
)

// A Quality is how far a profile can be trusted, with the reasons for caution.
type Quality struct {
	Samples  int64
	Duration time.Duration
	Cores    float64
	// Idle reports that a CPU profile shows a process that hardly ran: it can't explain a hang.
	Idle bool
	// Cumulative reports that the profile counts since the process began, so that it has no rate.
	Cumulative bool
	Doubts     []Doubt
}

// A Doubt is one reason for caution. Name is stable, for tests and machines; Text is for people; Hint is a command or
// an advice, "" where there is none.
type Doubt struct {
	Name, Text, Hint string
}

// The names of doubts.
const (
	doubtEmpty        = "empty"
	doubtFewSamples   = "few-samples"
	doubtShort        = "short"
	doubtIdle         = "idle"
	doubtCumulative   = "cumulative"
	doubtTruncated    = "truncated"
	DoubtUnsymbolized = "unsymbolized"
	doubtOtherRuntime = "other-runtime"
	doubtUnparsed     = "unparsed"
)

// Thresholds of doubts.
const (
	// fewSamples: with 100 samples a share of 10 % may be anything from 5.5 to 17 % (Wilson).
	fewSamples = 100
	// shortProfile: a second of one busy core is 100 samples; rare work does not show in less than five.
	shortProfile = 5 * time.Second
	// idleCores: 1.5 s of CPU in the 30 s that net/http/pprof takes. 32 of 110 real CPU profiles are below.
	idleCores = 0.05
	// truncatedShare is where JDK Mission Control's rule on truncated stacks begins to speak.
	truncatedShare = 0.01
	// unsymbolizedShare: a tenth without names hides a culprit that matters.
	unsymbolizedShare = 0.1
)

// Quality judges a profile; path is how its file is named in commands, quoted for a shell where it needs to be, "" for
// PROFILE.
func (p *Profile) Quality(path string) Quality {
	if path == "" {
		path = "PROFILE"
	}
	q := Quality{Samples: p.Samples(), Duration: p.Duration, Cores: p.Cores()}
	q.Idle = p.Kind == KindCPU && p.Duration > 0 && q.Cores < idleCores
	switch p.Kind {
	case KindAllocs, KindMutex, KindBlock:
		q.Cumulative = p.Duration == 0
	}
	q.judge(p, path)
	return q
}

func (q *Quality) doubt(name, hint, format string, args ...any) {
	q.Doubts = append(q.Doubts, Doubt{Name: name, Text: fmt.Sprintf(format, args...), Hint: hint})
}

func (q *Quality) judge(p *Profile, path string) {
	if p.Kind == KindOther && p.Runtime != "" && p.Runtime != RuntimeGo {
		q.doubt(doubtOtherRuntime, "", "it is a profile of a %s program: no rule knows its functions", p.Runtime)
	}
	if p.Total() == 0 {
		q.empty(p)
		return
	}
	switch p.Kind {
	case KindCPU, KindWall:
		if q.Samples < fewSamples {
			low, high := wilsonInterval(float64(q.Samples)/10, float64(q.Samples))
			q.doubt(doubtFewSamples, "take a longer one, while the load is there: …/debug/pprof/profile?seconds=60",
				"%d samples: a share of 10 %% may be anything from %.0f to %.0f %%", q.Samples, 100*low, 100*high)
		}
		if 0 < p.Duration && p.Duration < shortProfile {
			q.doubt(doubtShort, "", "it took only %s: what is rare doesn't show", p.Duration.Round(10*time.Millisecond))
		}
	}
	if q.Idle {
		q.doubt(doubtIdle, "take a goroutine dump: …/debug/pprof/goroutine?debug=2",
			"the process was mostly idle (%s cores): a CPU profile can't explain a hang",
			strconv.FormatFloat(q.Cores, 'g', 2, 64))
	}
	if q.Cumulative {
		q.doubt(doubtCumulative, "add ?seconds=30 to the address for a profile of that time alone",
			"it counts since the process began: old events are in it, and nothing tells how often they happen")
	}
	if p.Truncated >= truncatedShare {
		q.doubt(doubtTruncated, "",
			"%.0f %% of it is in stacks that the runtime cut: who called them isn't there", 100*p.Truncated)
	}
	if p.Unsymbolized >= unsymbolizedShare {
		binary := "BINARY"
		if name := frame.ShortFile(p.Binary); plainFile(name) {
			binary = name
		}
		build := ""
		if p.BuildID != "" {
			build = ", the build " + p.BuildID
		}
		q.doubt(DoubtUnsymbolized, "go tool pprof -symbolize=local -proto -output named.pb.gz "+binary+" "+path,
			"%.0f %% of it is in stacks without functions' names: name them with the program's own file%s",
			100*p.Unsymbolized, build)
	}
	if p.Unparsed > 0 {
		q.doubt(doubtUnparsed, "",
			"%d lines are none that the runtime prints: the text was changed on its way", p.Unparsed)
	}
}

// plainFile reports whether a file name from a profile can be part of a command as it is: it means nothing to a shell
// and is no option.
func plainFile(name string) bool {
	return name != "" && name[0] != '-' && len(name) < 256 && strings.IndexFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-+", r)
	}) < 0
}

// empty adds the likely reason for an empty profile.
func (q *Quality) empty(p *Profile) {
	switch p.Kind {
	case KindMutex:
		q.doubt(doubtEmpty, "runtime.SetMutexProfileFraction(100)",
			"it is empty: nothing waited for a lock, or mutex profiling is off")
	case KindBlock:
		q.doubt(doubtEmpty, "runtime.SetBlockProfileRate(100_000_000) or runtime.SetMutexProfileFraction(100)",
			"it is empty: nothing waited, or profiling is off "+
				"(an empty profile doesn't tell whether it is of blocking or of mutexes)")
	case KindGoroutineLeak:
		q.doubt(doubtEmpty, "", "it is empty: the collector found no goroutine that can never go on")
	case KindCPU:
		q.doubt(doubtEmpty, "take a goroutine dump: …/debug/pprof/goroutine?debug=2",
			"it is empty: the process used no CPU while it was taken")
	default:
		q.doubt(doubtEmpty, "", "it is empty")
	}
}
