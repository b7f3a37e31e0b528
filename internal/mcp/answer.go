package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/gotriage/triage/report"
)

// maxAnswer bounds an answer in bytes. Hosts refuse answers over 25,000 tokens; a token of the densest text measured
// (random letters and signs) is 2.2 bytes.
const maxAnswer = 48_000

// cutNote ends an answer that was too long.
const cutNote = "\n(cut: ask for less, or for the next part by its cursor)\n"

// bounded cuts an answer between lines.
func bounded(text string) string {
	if len(text) <= maxAnswer {
		return text
	}
	text = text[:maxAnswer-len(cutNote)]
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	return strings.ToValidUTF8(text, "") + cutNote
}

// untrusted marks lines of the inputs. The marks name the hash of what is between them, so that it can't contain them.
func untrusted(lines []string) string {
	for i, l := range lines {
		lines[i] = clean(l)
	}
	body := strings.Join(lines, "\n")
	sum := sha256.Sum256([]byte(body))
	mark := hex.EncodeToString(sum[:4])
	return "<<<untrusted " + mark + "\n" + body + "\nuntrusted " + mark + ">>>\n"
}

// clean makes a text of the inputs one line without characters that act on a reader.
func clean(s string) string {
	return strings.NewReplacer("<<<", "< < <", ">>>", "> > >").Replace(report.Escape(s))
}
