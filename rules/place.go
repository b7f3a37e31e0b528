package rules

import (
	"fmt"
	"strconv"

	"github.com/gotriage/triage/internal/frame"
)

// PlaceText writes a stack's line for sentences: "pkg.F (file.go:12)".
func PlaceText(p Place) string {
	if p.Function == "" {
		return "unknown code"
	}
	if p.File == "" {
		return frame.ShortFunc(p.Function)
	}
	return fmt.Sprintf("%s (%s:%d)", frame.ShortFunc(p.Function), frame.ShortFile(p.File), p.Line)
}

// PlaceName names a culprit: "pkg.F", "the process" where it is not known.
func PlaceName(p Place) string {
	if p.Function == "" {
		return "the process"
	}
	return frame.ShortFunc(p.Function)
}

// PlaceLine is "file.go:12", "" where the file is not known.
func PlaceLine(p Place) string {
	if p.File == "" {
		return ""
	}
	if p.Line == 0 {
		return frame.ShortFile(p.File)
	}
	return frame.ShortFile(p.File) + ":" + strconv.Itoa(p.Line)
}
