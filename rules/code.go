package rules

// How the code of a place matches the build that wrote the input.
const (
	FitsYes     = "yes"
	FitsNo      = "no"
	FitsUnknown = "unknown"
)

// Code is the lines around a place, from a file below a folder that the user named (--source), and whether they are
// those that were built.
type Code struct {
	Dir  string `json:"dir"`  // as the user named it
	File string `json:"file"` // below Dir, with slashes
	// First is the number of the first of Lines, 0 where the file ends before Line, which then is in none of them.
	First int `json:"first_line"`
	// Line is the number of the place's own line.
	Line  int      `json:"line"`
	Lines []string `json:"lines"` // at most two before and two after Line, each cut at 300 bytes
	Fits  string   `json:"fits"`  // FitsYes, FitsNo, FitsUnknown
	// Compared is what Fits rests on, a fragment of a sentence: "line 12 is in (*T).Run".
	Compared string `json:"compared"`
	// Args are the words of the call with the names and types of the file's parameters, where they map with certainty.
	Args []Argument `json:"args,omitempty"`
	// Goroutine is whose words Args are, 0 without.
	Goroutine uint64 `json:"goroutine,omitempty"`
}

// An Argument is one parameter of a call.
type Argument struct {
	Name  string `json:"name"`
	Type  string `json:"type"`  // as the source writes it
	Words string `json:"words"` // as the input prints them: "0x1", "{0xc000012345, 0x16}"; "?": may be out of date
	Value string `json:"value"` // for people, "" where the words say it all: "22 bytes", "nil", "-1"
}
