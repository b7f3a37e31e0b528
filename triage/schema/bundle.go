package schema

import (
	"path/filepath"
	"strings"
)

// A Pattern is what a log repeats.
type Pattern struct {
	Input     string  `json:"input"`
	Line      int64   `json:"line"` // of its first line
	Namespace string  `json:"namespace"`
	Pod       string  `json:"pod"`
	Container string  `json:"container"`
	Template  string  `json:"template"` // variable parts are <*>
	Level     string  `json:"level"`    // "" where lines have none
	Source    string  `json:"source"`   // file:line or the logger's name, as in the lines
	Count     int64   `json:"count"`
	First     string  `json:"first"` // RFC 3339, "" where lines have no time
	Last      string  `json:"last"`
	PerSecond float64 `json:"per_second"` // 0 for lines within one second
	Steady    bool    `json:"steady"`     // equal gaps, not bursts
	// Objects are the names that it is about, most frequent first.
	Objects []PatternObject `json:"objects"`
	Text    string          `json:"text"` // the first line
}

// A PatternObject is a name in a pattern's variable part, with how often it occurs.
type PatternObject struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// An Audit sums up all audit logs.
type Audit struct {
	Events  int64    `json:"events"`
	Writes  int64    `json:"writes"`
	Servers int      `json:"servers"`
	First   string   `json:"first"`
	Last    string   `json:"last"`
	Levels  []Tally  `json:"levels"` // of the policy: Metadata, Request, RequestResponse
	Writers []Writer `json:"writers"`
	Talkers []Tally  `json:"talkers"` // requests by user agent
	// Limits are what these logs can't show, and why.
	Limits []string `json:"limits"`
}

// A Tally counts something by name.
type Tally struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// A Writer is one actor that writes one object.
type Writer struct {
	Actor     string   `json:"actor"`
	Resource  string   `json:"resource"`
	Namespace string   `json:"namespace"`
	Name      string   `json:"name"`
	Writes    int64    `json:"writes"`
	NoOps     int64    `json:"no_ops"` // writes that left the version as it was
	Conflicts int64    `json:"conflicts"`
	First     string   `json:"first"`
	Last      string   `json:"last"`
	Fields    []string `json:"fields"` // what the writes changed, where bodies are logged
}

// A Cluster sums up the Kubernetes objects of all inputs.
type Cluster struct {
	Version string  `json:"version"` // of Kubernetes, "" where unknown
	Time    string  `json:"time"`    // when the bundle was made
	Objects int     `json:"objects"`
	Kinds   []Tally `json:"kinds"` // most frequent first
	Nodes   int     `json:"nodes"`
	Pods    []Tally `json:"pods"` // by phase
	// Gaps are what the bundle reports as not collected.
	Gaps []Gap `json:"gaps"`
	// Remarks are how exact the inputs are: what tables of kubectl do not show.
	Remarks []Gap `json:"remarks,omitempty"`
}

// A Gap is something that a bundle lacks by its own words, or a remark on one of its files.
type Gap struct {
	Input string `json:"input"`
	Line  int64  `json:"line"`
	Text  string `json:"text"`
}

// A Bundle sums up an argument that held several files: an archive or a folder.
type Bundle struct {
	Path string `json:"path"` // as the user named it
	// Layout is the tool that laid the files out, by their paths; "" where unknown.
	Layout  string  `json:"layout"`
	Files   int     `json:"files"`   // that were read
	Bytes   int64   `json:"bytes"`   // of them, unpacked
	Kinds   []Tally `json:"kinds"`   // files by Input.Kind, most first
	Skipped int     `json:"skipped"` // what was not read, in whole or in part; copies of other inputs apart
	// Nodes and Pods are how many paths and framings of the files name.
	Nodes int `json:"nodes"`
	Pods  int `json:"pods"`
	// First and Last are the earliest and the latest time of the logs' lines, RFC 3339 in UTC; "" where unknown.
	First string `json:"first"`
	Last  string `json:"last"`
}

// insideArchive is between the path of an archive and that of a file in it.
const insideArchive = "!/"

// Holds reports whether a path of the report's inputs lies in the bundle. Where bundles hold each other, the one with
// the longest path counts.
func (b *Bundle) Holds(path string) bool {
	if b.Path == "." {
		return !filepath.IsAbs(path) && path != "-"
	}
	path, dir := filepath.ToSlash(path), strings.TrimSuffix(b.Path, "/")
	return strings.HasPrefix(path, dir+"/") || strings.HasPrefix(path, dir+insideArchive)
}
