package schema

import "github.com/gotriage/triage/stackparse"

// A Series is what changed from dump to dump of one process.
type Series struct {
	// Process is named by path, framing or the goroutines themselves: "shop/api-0/api/1", "process 1".
	Process string `json:"process"`
	// Dumps are those that were compared, in order of time; DumpsTotal counts all of the process.
	Dumps      []SeriesDump `json:"dumps"`
	DumpsTotal int          `json:"dumps_total"`
	// Steps say what became of the goroutines from each dump to the next one.
	Steps []SeriesStep `json:"steps"`
	// Buckets are the distinct stacks over all dumps, those that grew first; at most 100 of BucketsTotal.
	Buckets      []SeriesBucket `json:"buckets"`
	BucketsTotal int            `json:"buckets_total"`
}

// A SeriesDump names one dump of a Series.
type SeriesDump struct {
	Input      string `json:"input"`
	Line       int64  `json:"line"`
	Time       string `json:"time"`
	Goroutines int    `json:"goroutines"`
}

// A SeriesStep counts goroutines by id: those that are in the same stack in the next dump, those that are in another
// one, those that came and those that ended. All are 0 where a dump has no ids.
type SeriesStep struct {
	Stayed int `json:"stayed"`
	Moved  int `json:"moved"`
	New    int `json:"new"`
	Gone   int `json:"gone"`
}

// A SeriesBucket is one distinct stack over the dumps of a Series.
type SeriesBucket struct {
	// Function, File and Line are the place that is blamed for it, not the leaf.
	Function  string `json:"function"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Wait      string `json:"wait"`
	Role      string `json:"role"` // "" for none
	Idle      bool   `json:"idle"` // its role may wait for ever
	CreatedBy string `json:"created_by"`
	Counts    []int  `json:"counts"` // one a dump
	Stayed    []int  `json:"stayed"` // one a step
	// Stuck counts those that were there in every dump, never ready to run, and waited for one and the same thing.
	Stuck int              `json:"stuck"`
	Trend stackparse.Trend `json:"trend"`
}
