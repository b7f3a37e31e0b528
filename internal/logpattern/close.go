package logpattern

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Close ends the mining and returns what the lines were mined into. The miner is of no use afterwards.
func (m *Miner) Close() *Log {
	ends := m.endsOf()
	log := m.log
	log.Ends = ends
	log.Yearless = m.clock.noYear && m.year == 0
	if log.Stamped > 0 {
		// Where lines without a year are among others, the year that they get is a guess: the last may come first.
		log.First, log.Last = m.time(m.first), m.time(m.last)
		if log.Last.Before(log.First) {
			log.First, log.Last = log.Last, log.First
		}
	}
	log.Forms = len(m.patterns)
	slices.SortStableFunc(m.patterns, func(a, b *minedPattern) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.firstLine, b.firstLine),
			cmp.Compare(a.stream, b.stream))
	})
	kept, asked, size := 0, 0, 0
	for _, p := range m.patterns {
		plain := p.sign == SignNone || p.sign == SignLiveness
		full := plain && (p.count < keptRepeats || kept >= keptPatterns) || kept >= 2*keptPatterns || size >= keptBytes
		if full && (m.Keep == nil || asked == keptPatterns) {
			continue
		}
		out := p.public(m.time)
		switch out.Asked = m.Keep != nil && m.Keep(out); {
		case !full:
			kept++
			size += out.size()
		case out.Asked:
			asked++
		default:
			continue
		}
		log.Patterns = append(log.Patterns, out)
	}
	return &log
}

// Size is about how many bytes the patterns take.
func (l *Log) Size() int {
	n := 0
	for _, p := range l.Patterns {
		n += p.size()
	}
	return n
}

func (p *Pattern) size() int {
	const pattern, object, rhythmic = 512, 176, 160
	n := pattern + len(p.Template) + len(p.Example) + len(p.Message)
	for _, f := range p.Fields {
		n += 32 + len(f.Key) + len(f.Value)
	}
	for _, o := range p.Objects {
		n += object + len(o.Kind) + len(o.Namespace) + len(o.Name)
		if o.rhythm != nil {
			n += rhythmic
		}
	}
	return n
}

// signWeight is how many ordinary lines one with a sign is worth: a lost lease is one line.
const signWeight = 1024

// weight is how much of a log is lost with the pattern: its lines, each of which counts signWeight times where its
// wording has a meaning, or a rule asks for it.
func (p *Pattern) weight() int64 {
	if !p.Asked && (p.Sign == SignNone || p.Sign == SignLiveness) {
		return p.Count
	}
	return p.Count * signWeight
}

// Trim drops the patterns that weigh less than least.
func (l *Log) Trim(least int64) {
	heavy := slices.DeleteFunc(slices.Clone(l.Patterns), func(p *Pattern) bool { return p.weight() < least })
	l.Cut.Light += len(l.Patterns) - len(heavy)
	l.Patterns = heavy
}

func (p *minedPattern) public(at func(int64) time.Time) *Pattern {
	out := &Pattern{
		Template: p.template(), Example: strings.ToValidUTF8(string(p.sample[:min(len(p.sample), maxExample)]), "�"),
		Message: p.message(), Level: p.shape.level, Source: p.shape.source, Logger: p.shape.logger,
		Fields: p.fields(), Stream: p.stream, Sign: p.sign, Repeats: p.repeats.public(at),
		ObjectsSeen: len(p.objects), Took: p.took,
	}
	slices.SortStableFunc(p.objects, func(a, b *minedObject) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.firstLine, b.firstLine),
			strings.Compare(a.name, b.name))
	})
	most := keptObjects
	if out.weight() < keptPeers {
		most = keptNames
	}
	kept := make([]Object, min(len(p.objects), most))
	out.Objects = make([]*Object, len(kept))
	for i, o := range p.objects[:len(kept)] {
		kept[i] = Object{
			Kind: o.kind, Namespace: o.namespace, Name: o.name, Repeats: o.repeats.public(at), News: o.news,
			Versions: o.versions, Over: o.over,
		}
		out.Objects[i] = &kept[i]
	}
	return out
}

// template is the message with <*> where it varies.
func (p *minedPattern) template() string {
	if len(p.tokens) == 0 {
		return "<stack frame>"
	}
	msg := p.msg()
	var sb strings.Builder
	at := msg.start
	for i, t := range p.tokens {
		if int(t.start) < at || int(t.end) > msg.end || !p.varies[i] {
			continue
		}
		sb.Write(p.sample[at:t.start])
		sb.WriteString("<*>")
		at = int(t.end)
	}
	sb.Write(p.sample[at:msg.end])
	if msg.end == len(p.sample) && len(p.sample) == 2*maxExample {
		sb.WriteString("…")
	}
	return strings.ToValidUTF8(strings.TrimSpace(sb.String()), "�")
}

func (p *minedPattern) msg() span {
	msg := p.shape.msg
	msg.end = min(msg.end, len(p.sample))
	if msg.start >= msg.end {
		return span{0, len(p.sample)}
	}
	return msg
}

// message is the sample's message, cut at maxExample bytes.
func (p *minedPattern) message() string {
	msg := p.msg()
	return strings.ToValidUTF8(string(p.sample[msg.start:min(msg.end, msg.start+maxExample)]), "�")
}

// maxFieldValue is how many bytes of a field's value are kept.
const maxFieldValue = 128

func (p *minedPattern) fields() []Field {
	var out []Field
	for _, f := range p.shape.fields {
		if f.value.start >= p.shape.msg.start && f.value.end <= p.shape.msg.end && p.shape.msg.start > 0 &&
			p.shape.source != "" {
			continue // a word with = in a plain message
		}
		v := ""
		if f.value.end <= len(p.sample) && !p.anyVaries(f.value) {
			v = strings.ToValidUTF8(string(p.sample[f.value.start:min(f.value.end, f.value.start+maxFieldValue)]), "�")
		}
		out = append(out, Field{Key: f.key, Value: v})
	}
	return out
}

func (p *minedPattern) anyVaries(s span) bool {
	for i, t := range p.tokens {
		if p.varies[i] && s.holds(t) {
			return true
		}
	}
	return false
}
