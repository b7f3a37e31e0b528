package logs

import "time"

// A Component is a program of the cluster and what it says while all is well.
type Component struct {
	Name, Namespace string
	// Owner is the kind of its controller: Deployment, DaemonSet, StatefulSet or Node for a static pod.
	Owner    string
	Replicas int // of a Deployment or StatefulSet; the others run on each node
	Format   Format
	// Starts are said once, in this order, when the process starts.
	Starts []Saying
	Says   []Saying
}

// A Saying is one line that a component writes again and again.
type Saying struct {
	Every  time.Duration // mean time between two
	Steady bool          // a ticker, not chance
	Burst  int           // lines at a time, 1 where 0
	Level  byte          // I, W or E
	Where  string        // file:line or logger
	m      message
}

func info(where, text string) Saying { return Saying{Level: 'I', Where: where, m: parse(text)} }
func warn(where, text string) Saying { return Saying{Level: 'W', Where: where, m: parse(text)} }
func fail(where, text string) Saying { return Saying{Level: 'E', Where: where, m: parse(text)} }

func (s Saying) every(d time.Duration) Saying  { s.Every = d; return s }
func (s Saying) steady(d time.Duration) Saying { s.Every, s.Steady = d, true; return s }
func (s Saying) burst(n int) Saying            { s.Burst = n; return s }

// Every is a line of any component's that a story adds: it comes each d, by a ticker where steady.
func Every(d time.Duration, steady bool, level byte, where, text string) Saying {
	return Saying{Every: d, Steady: steady, Level: level, Where: where, m: parse(text)}
}

// Line appends one line of the saying.
func (f Format) Line(b []byte, r *Rand, at time.Time, s Saying) []byte {
	return f.append(b, r, at, s.Level, s.Where, s.m)
}

// Run writes what the component says between start and end, in order of time. Rates are multiplied by pace. The text is valid
// until emit returns; emit says whether it wants more.
func (c *Component) Run(r *Rand, start, end time.Time, pace float64, emit func(at time.Time, text []byte) bool) {
	buf := make([]byte, 0, 1024)
	at := start
	for _, s := range c.Starts {
		buf = c.Format.Line(buf[:0], r, at, s)
		if !emit(at, buf) {
			return
		}
		at = at.Add(r.Jitter(30*time.Millisecond, 0.8))
	}
	next := make([]time.Time, len(c.Says))
	for i, s := range c.Says {
		next[i] = at.Add(time.Duration(r.Float64() * float64(s.Every) / pace))
	}
	for {
		i := soonest(next)
		if i < 0 || !next[i].Before(end) {
			return
		}
		s := c.Says[i]
		at := next[i]
		for range max(1, s.Burst) {
			buf = c.Format.Line(buf[:0], r, at, s)
			if !emit(at, buf) {
				return
			}
			at = at.Add(time.Duration(r.Between(20, 2_000)) * time.Microsecond)
		}
		gap := time.Duration(float64(s.Every) / pace)
		if s.Steady {
			next[i] = next[i].Add(r.Jitter(gap, 0.02))
		} else {
			next[i] = next[i].Add(r.Gap(gap))
		}
		if next[i].Before(at) {
			next[i] = at
		}
	}
}

func soonest(next []time.Time) int {
	best := -1
	for i, t := range next {
		if best < 0 || t.Before(next[best]) {
			best = i
		}
	}
	return best
}

// Rate is how many bytes a second the component writes at pace 1, by a sample, without framing.
func (c *Component) Rate() float64 {
	r := NewRand("rate of " + c.Name)
	at := time.Date(2026, 3, 6, 0, 0, 0, 0, time.UTC)
	var rate float64
	for _, s := range c.Says {
		const draws = 20
		n := 0
		for range draws {
			n += len(c.Format.Line(nil, r, at, s)) + 1
		}
		rate += float64(n) / draws * float64(max(1, s.Burst)) / s.Every.Seconds()
	}
	return rate
}
