package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// A colorFlag is the value of --color.
type colorFlag string

// The values of --color.
const (
	colorAuto   colorFlag = "auto"
	colorAlways colorFlag = "always"
	colorNever  colorFlag = "never"
)

func colorNames() []string {
	return []string{string(colorAuto), string(colorAlways), string(colorNever)}
}

func (c *colorFlag) String() string { return string(*c) }
func (c *colorFlag) Type() string   { return "when" }

func (c *colorFlag) Set(s string) error {
	switch v := colorFlag(s); v {
	case colorAuto, colorAlways, colorNever:
		*c = v
		return nil
	}
	return fmt.Errorf("it is one of %s", strings.Join(colorNames(), ", "))
}

// paints decides whether what goes to w is coloured: the flag beats the environment, NO_COLOR (no-color.org) and
// TERM=dumb beat CLICOLOR_FORCE (bixense.com/clicolors), and without any of them a terminal gets colours.
func (c colorFlag) paints(w io.Writer, getenv func(string) string) bool {
	switch {
	case c == colorAlways:
		return true
	case c == colorNever, getenv("NO_COLOR") != "", getenv("TERM") == "dumb":
		return false
	case getenv("CLICOLOR_FORCE") != "" && getenv("CLICOLOR_FORCE") != "0":
		return true
	}
	return isTerminal(w)
}

// plainLocale reports a locale that names a charset without the report's marks. An unset locale decides nothing: the
// terminals of containers rarely have one, and show UTF-8.
func plainLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}

// isTerminal reports whether v is a file that is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf is the width of the terminal that w is, 0 where it is none or unknown.
func widthOf(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
