package report

import "strings"

// Widths in columns.
const (
	defaultWidth = 100 // without a terminal
	minWidth     = 40  // below that lines overflow rather than fall apart
	maxProse     = 112 // longer lines of prose are hard to read, however wide the terminal
	labelWidth   = 4   // "next"
)

// collapse turns every run of white space into one space.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// wrap breaks text between words into lines of at most w columns; a longer word is broken where the line ends.
func wrap(text string, w int) []string {
	w = max(w, 8)
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		n := width(word)
		if used > 0 && used+1+n > w {
			lines = append(lines, line)
			line, used = "", 0
		}
		for n > w {
			part := head(word, w)
			lines = append(lines, part)
			word = word[len(part):]
			n -= width(part)
		}
		if used > 0 {
			line += " "
			used++
		}
		line += word
		used += n
	}
	if used > 0 {
		lines = append(lines, line)
	}
	return lines
}

// head is the longest prefix of s in w columns.
func head(s string, w int) string {
	n := 0
	for i, r := range s {
		n += runeWidth(r)
		if n > w {
			return s[:i]
		}
	}
	return s
}

// tail is the longest suffix of s in w columns.
func tail(s string, w int) string {
	n := width(s)
	for i, r := range s {
		if n <= w {
			return s[i:]
		}
		n -= runeWidth(r)
	}
	return ""
}

// cut shortens s at its end to w columns.
func cut(s string, w int, ellipsis string) string {
	if width(s) <= w {
		return s
	}
	return strings.TrimRight(head(s, max(w-width(ellipsis), 0)), " ") + ellipsis
}

// cutLeft shortens s at its beginning to w columns, for paths.
func cutLeft(s string, w int, ellipsis string) string {
	if width(s) <= w {
		return s
	}
	return ellipsis + tail(s, max(w-width(ellipsis), 0))
}

// pad fills s with spaces up to w columns.
func pad(s string, w int) string {
	return s + strings.Repeat(" ", max(w-width(s), 0))
}

// padLeft fills s with spaces in front up to w columns.
func padLeft(s string, w int) string {
	return strings.Repeat(" ", max(w-width(s), 0)) + s
}

// wrapCommand breaks a shell command into lines of at most w columns where the shell allows it: at white space outside
// of quotes, each line but the last ending in " \". The comment follows behind "  # "; where it doesn't fit, it is on a
// line of its own before the command. A long word stays whole and may be wider.
func wrapCommand(cmd, comment string, w int) []string {
	if comment != "" {
		comment = "# " + comment
	}
	words, lines, line := shellWords(cmd), []string(nil), ""
	if width(cmd) <= w {
		words = []string{cmd}
	}
	for i, word := range words {
		switch {
		case i == 0:
			line = word
		case width(line)+1+width(word)+len(` \`) > w:
			lines = append(lines, line+` \`)
			line = "  " + word
		default:
			line += " " + word
		}
	}
	lines = append(lines, line)
	switch {
	case comment == "":
	case width(line)+2+width(comment) <= w:
		lines[len(lines)-1] += "  " + comment
	default:
		lines = append([]string{comment}, lines...)
	}
	return lines
}

// shellWords splits a command at the white space that the shell splits at; quotes and escapes stay.
func shellWords(cmd string) (words []string) {
	start, quote := -1, byte(0)
	for i := 0; i < len(cmd); i++ {
		c := cmd[i]
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == ' ' || c == '\t':
			if start >= 0 {
				words = append(words, cmd[start:i])
			}
			start = -1
		default:
			if start < 0 {
				start = i
			}
			if c == '\'' || c == '"' {
				quote = c
			} else if c == '\\' {
				i++
			}
		}
	}
	if start >= 0 {
		words = append(words, cmd[start:])
	}
	return words
}
