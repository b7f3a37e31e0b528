package logpattern

import "time"

// clockSkew is how far two machines' clocks and zones may be apart: lines without a year have no zone either.
const clockSkew = 24 * time.Hour

// YearBefore is the year of a yearless log's last line, which is within a while before a time that is known: when the
// log was collected, or its file written last. 0 where it is not, or where the log has its year.
func (l *Log) YearBefore(known time.Time, within time.Duration) int {
	if !l.Yearless || l.Last.IsZero() || known.IsZero() || l.Last.Year() >= firstYear {
		return 0
	}
	for year := known.Year() + 1; year >= known.Year()-1; year-- {
		last := l.Last.AddDate(year-l.Last.Year(), 0, 0)
		if ago := known.Sub(last); ago >= -clockSkew {
			if ago <= within {
				return year
			}
			return 0
		}
	}
	return 0
}

// SetYear gives the times of a yearless log their year: that of its last line. A log that goes over a New Year has
// the year before in its first lines.
func (l *Log) SetYear(year int) {
	if !l.Yearless || l.Last.IsZero() {
		return
	}
	l.Yearless = false
	by := year - l.Last.Year()
	move := func(at *time.Time) {
		if !at.IsZero() && at.Year() < firstYear {
			*at = at.AddDate(by, 0, 0)
		}
	}
	repeats := func(r *Repeats) {
		move(&r.First)
		move(&r.Last)
		if r.rhythm != nil {
			move(&r.rhythm.run.First)
			move(&r.rhythm.run.Last)
		}
	}
	move(&l.First)
	move(&l.Last)
	for _, p := range l.Patterns {
		repeats(&p.Repeats)
		for _, o := range p.Objects {
			repeats(&o.Repeats)
		}
	}
}
