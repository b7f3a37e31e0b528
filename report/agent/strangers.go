package agent

import (
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// Strangers are the names in a report that have three words or more. Honest names have fewer, except for type
// parameters and folders, and an instruction needs at least three. A key is a word with the end of the word before it
// and the beginning of the word after it, since a sentence may have cut those. Nil means that a stranger wrote all
// texts.
type strangers map[string]bool

// maxStrangers bounds them. All texts of a report with more are a stranger's.
const maxStrangers = 1 << 16

// ownWords are the fields of a report whose texts are triage's, or quoted from the inputs between “ and ”.
var ownWords = []string{
	"Against", "BlockedBy", "Command", "Comment", "Doc", "Fix", "For", "Hint", "Layout", "Limits", "Needs", "Notes",
	"Reason", "Refs", "State", "Template", "Text", "Title", "Verdict", "Wait", "Why",
}

// namesOf are the names in a report. One that was read from a file is a stranger's.
func namesOf(r *schema.Report) strangers {
	if r.Read {
		return nil
	}
	s := strangers{}
	s.add(reflect.ValueOf(r))
	if len(s) > maxStrangers {
		return nil
	}
	return s
}

// add adds the names in a value of the report.
func (s strangers) add(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		for _, k := range keys(oneLine(v.String())) {
			if len(s) <= maxStrangers {
				s[k] = true
			}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			s.add(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			s.add(v.Index(i))
		}
	case reflect.Map:
		for at := v.MapRange(); at.Next(); {
			s.add(at.Key())
			s.add(at.Value())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !slices.Contains(ownWords, v.Type().Field(i).Name) {
				s.add(v.Field(i))
			}
		}
	}
}

// keys returns the key of each word that has a word before it and one after it.
func keys(text string) (all []string) {
	if strings.Count(text, " ") < 2 {
		return nil
	}
	words := strings.Split(text, " ")
	for i, w := range words[1 : len(words)-1] {
		end, _ := utf8.DecodeLastRuneInString(words[i])
		begin, _ := utf8.DecodeRuneInString(words[i+2])
		all = append(all, string(end)+" "+w+" "+string(begin))
	}
	return all
}

// wrote reports whether a text holds words of a stranger's name.
func (s strangers) wrote(text string) bool {
	if s == nil {
		return strings.Count(text, " ") >= 2
	}
	return len(s) > 0 && slices.ContainsFunc(keys(text), func(k string) bool { return s[k] })
}

// name is a name outside of the marks.
func (b *builder) name(s string) string {
	if s = text(s); b.strangers.wrote(s) {
		return hidden
	}
	return s
}

// outside is a sentence of a finding outside of the marks, or one that quotes nothing where f is nil.
func (b *builder) outside(f *rules.Finding, s string) string {
	if f != nil {
		s, _ = Outside(f, s)
	}
	return b.name(s)
}

// hide is outside, but keeps what it hides for the evidence, under a label.
func (b *builder) hide(f *rules.Finding, label, s string) string {
	shown := b.outside(f, s)
	if shown != text(s) {
		b.quoted = append(b.quoted, text(label+": "+s))
	}
	return shown
}

// oneLine is s without what a terminal or a reader of marks would act on.
func oneLine(s string) string { return Clean(report.Escape(strings.Join(strings.Fields(s), " "))) }
