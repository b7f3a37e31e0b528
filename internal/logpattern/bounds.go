package logpattern

import "time"

// What is kept of a log. Real logs stay below all of them but maxForms: of 571,468 lines of four must-gathers a
// container's log has 20 to 400 patterns.
const (
	// maxText is how many bytes of a line are looked at. Longer ones are dumps of whole objects; what distinguishes
	// them comes first. Loki's drain takes lines of up to 3,000 bytes, and most structured lines of a must-gather end
	// by 2 KiB.
	maxText = 4 << 10
	// maxTokens is how many words of a line are looked at.
	maxTokens = 96
	// maxExample is how many bytes of a line are kept to be shown.
	maxExample = 512
	// maxPause ends a Run: a loop that rests for longer begins anew. Longer than the longest period of a loop that
	// counts as hot (5 s) by a factor that leaves room for a slow round.
	maxPause = 30 * time.Second
	// roundGap is the least gap between two rounds of work; the lines of one round come closer together. Loops in
	// bundles come one to three times a second.
	roundGap = 100 * time.Millisecond

	maxForms    = 8192 // distinct masked lines that are remembered
	maxPatterns = 2048
	maxObjects  = 128     // of one pattern that are counted one by one (space-saving)
	maxAllObj   = 16384   // of all patterns
	maxNames    = 4 << 20 // bytes of patterns, forms and objects' names, about
	maxName     = 253     // bytes of an object's name: Kubernetes' limit
	keepStats   = 3       // lines before gaps are counted
	// What Close keeps.
	keptPatterns = 256
	keptObjects  = 16        // a pattern
	keptNames    = 6         // a pattern that weighs less than keptPeers: as many as a report lists, and one more
	keptBytes    = 256 << 10 // about: half of a node's logs are below 10 KiB, an API server's takes 80
	// keptRepeats is the least count that Close keeps of a pattern without a Sign: what a report lists.
	keptRepeats = 10
	// keptPeers is the least weight at which the rarer objects of a pattern are kept, with which one that repeats is
	// compared: a loop has 150 lines (rules/logs).
	keptPeers = 100
)
