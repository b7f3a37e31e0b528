package stackparse

// A count that comes of independent arrivals and departures goes up by chance as often as down. Of C goroutines that
// came or went, the difference between comings and goings has the standard deviation sqrt(C) (Skellam's distribution:
// the difference of two Poisson counts). Where dumps contain ids, C is counted, so that a pool of 1,000 that nobody
// leaves shows 12 more; where they don't, all may have come and gone, and C is the sum of both counts.
const (
	// noiseTwo: three standard deviations, one bucket in 740 by chance.
	noiseTwo = 3
	// noiseMany: two, where three or more dumps never show less than the one before and twice or more show more: one
	// in 44, and of three counts in random order one in six goes up all the way.
	noiseMany = 2
)

// trend returns how a row's count changes from the first to the last dump.
func (c *Comparison) trend(r *Row) Trend {
	n := len(c.Dumps)
	if c.Cut {
		return TrendUnknown
	}
	counts := r.Counts(n)
	first, last := counts[0], counts[n-1]
	switch {
	case first == 0 && last > 0:
		return TrendNew
	case first > 0 && last == 0:
		return TrendGone
	case last > first && c.beyondNoise(r, counts, last-first, 1):
		return TrendGrew
	case last < first && c.beyondNoise(r, counts, first-last, -1):
		return TrendShrank
	}
	return TrendSteady
}

// beyondNoise reports whether a change by net, upwards (sign 1) or downwards (-1), is more than coming and going
// explains.
func (c *Comparison) beyondNoise(r *Row, counts []int, net, sign int) bool {
	bound := noiseTwo
	if monotone(counts, sign) {
		bound = noiseMany
	}
	return net*net > bound*bound*c.turnover(r, counts)
}

// turnover is how many goroutines came to the row or left it, all steps together; of goroutines without ids as many
// as can have.
func (c *Comparison) turnover(r *Row, counts []int) int {
	if !c.Identified {
		return counts[0] + counts[len(counts)-1]
	}
	n := 0
	for i, stayed := range r.Stays(len(counts)) {
		n += counts[i] + counts[i+1] - 2*stayed
	}
	return n
}

// monotone reports whether counts never go against sign, and go with it at least twice.
func monotone(counts []int, sign int) bool {
	steps := 0
	for i := 1; i < len(counts); i++ {
		switch d := (counts[i] - counts[i-1]) * sign; {
		case d < 0:
			return false
		case d > 0:
			steps++
		}
	}
	return steps >= 2
}

// Grows reports whether a row's count never falls from dump to dump and rises in two steps or more: what chance
// seldom does.
func (r *Row) Grows(dumps int) bool { return monotone(r.Counts(dumps), 1) }
