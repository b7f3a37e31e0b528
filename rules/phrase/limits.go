package phrase

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// The limits of what a tired reader takes in at a time.
const (
	maxSentences = 2
	maxWords     = 25
)

var (
	quotation   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`“[^”]*”`) })
	sentenceEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[.!?](?:\s+|$)`) })
)

// Faults is what is too long in the texts of a finding: a title, why in two sentences at most, one sentence of a fix.
func Faults(title, why, fix string) []string {
	var faults []string
	if n := utf8.RuneCountInString(title); n > MaxTitle {
		faults = append(faults, fmt.Sprintf("the title has %d characters, more than %d: %s", n, MaxTitle, title))
	}
	return slices.Concat(faults, SentenceFaults("why", why, maxSentences), SentenceFaults("fix", fix, 1))
}

// SentenceFaults is what is wrong with a text of so many sentences at most: how many it has, how long they are, and
// that the last has no end. A quotation counts as a word.
func SentenceFaults(name, text string, most int) []string {
	var faults []string
	sentences := sentenceEnd().Split(strings.TrimSpace(quotation().ReplaceAllString(text, "quoted")), -1)
	if last := len(sentences) - 1; sentences[last] == "" {
		sentences = sentences[:last]
	} else {
		faults = append(faults, fmt.Sprintf("%s does not end in a full stop: %q", name, text))
	}
	if len(sentences) > most {
		faults = append(faults, fmt.Sprintf("%s has %d sentences, more than %d: %q", name, len(sentences), most, text))
	}
	for _, s := range sentences {
		if n := len(strings.Fields(s)); n > maxWords {
			fault := fmt.Sprintf("a sentence of %s has %d words, more than %d: %q", name, n, maxWords, s)
			faults = append(faults, fault)
		}
	}
	return faults
}
