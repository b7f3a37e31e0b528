package rules

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules/phrase"
)

// PlaceText writes a stack's line for sentences: "pkg.F (file.go:12)".
func PlaceText(p Place) string {
	if p.Function == "" {
		return "unknown code"
	}
	if p.File == "" {
		return symbol.ShortFunc(p.Function)
	}
	return fmt.Sprintf("%s (%s:%d)", symbol.ShortFunc(p.Function), symbol.ShortFile(p.File), p.Line)
}

// PlaceName names a culprit: "pkg.F", "the process" where it is not known.
func PlaceName(p Place) string {
	if p.Function == "" {
		return "the process"
	}
	return symbol.ShortFunc(p.Function)
}

// PlaceLine is "file.go:12", "" where the file is not known.
func PlaceLine(p Place) string {
	if p.File == "" {
		return ""
	}
	if p.Line == 0 {
		return symbol.ShortFile(p.File)
	}
	return symbol.ShortFile(p.File) + ":" + strconv.Itoa(p.Line)
}

// TitleParts are a culprit's name, the name without its package, and its line: " (file.go:12)", "" without a file.
func TitleParts(p Place) (name, bare, at string) {
	name = symbol.ShortFunc(p.Function)
	bare = name
	if pkg, rest := symbol.SplitPackage(symbol.Written(p.Function)); pkg != "" && rest != "" {
		bare = rest // a package's own name may have a dot
	}
	if p.File != "" {
		at = fmt.Sprintf(" (%s:%d)", symbol.ShortFile(p.File), p.Line)
	}
	return name, bare, at
}

// FirstTitle is the first title that fits into phrase.MaxTitle, otherwise where none does.
func FirstTitle(otherwise string, titles ...string) string {
	for _, title := range titles {
		if utf8.RuneCountInString(title) <= phrase.MaxTitle {
			return title
		}
	}
	return otherwise
}
