package profile

import "time"

// Bounds on what is read; parts.go bounds what google/pprof may take. The largest of 400 real profiles has 3.2 MB,
// 74,000 samples and 13,000 locations.
const (
	// maxProfile is how many bytes a profile may have after decompression.
	maxProfile = 64 << 20
	// maxLayers is how many times a profile may have been gzipped.
	maxLayers = 3
	// maxStacks bounds distinct stacks.
	maxStacks = 1 << 20
	// maxFrames bounds the frames of all distinct stacks together: inlined calls make more of them than an input has
	// bytes.
	maxFrames = 1 << 24
	// maxLabelSets bounds distinct label sets; samples past it are counted without labels. Labels that hold a request's
	// id make one set a sample.
	maxLabelSets = 1 << 16
)

// maxDuration is above any profile's: converters write the time of day where the duration belongs.
const maxDuration = 366 * 24 * time.Hour

// clampLine keeps a line number within what a source can have.
func clampLine(n int64) int32 { return int32(max(0, min(n, 1<<31-1))) }
