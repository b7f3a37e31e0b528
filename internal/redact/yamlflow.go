package redact

import "bytes"

// maxFlow bounds the scalars of a line's flow collections that are looked at.
const maxFlow = 4096

// flow redacts src[lo:hi] of a line of YAML. Where a collection in YAML's own brackets begins at at, values are
// replaced whose neighbours identify them: {name: API_TOKEN, value: x} and ["--password", "x"].
func (s *scan) flow(lo, at, hi int) {
	if at < hi && (s.src[at] == '{' || s.src[at] == '[') {
		f := flowReader{b: s.src[:hi], i: at}
		for _, v := range f.secrets() {
			s.text(lo, v[0])
			s.secretValue(keyPassword, v[0], v[1], false)
			lo = v[0]
		}
	}
	s.text(lo, hi)
}

// A flowReader goes over the scalars of flow collections in one line.
type flowReader struct {
	b []byte
	i int
	// Of the mapping under way.
	secret bool   // its name is that of a secret variable
	value  [2]int // where its value is
}

// secrets returns where the secret values are, in order; none where the line holds JSON, which is read as such.
func (f *flowReader) secrets() (found [][2]int) {
	flag := false // the scalar before was --password
	key := ""
	for range maxFlow {
		switch c := f.next(); c {
		case 0:
			return found
		case '{':
			if k := skipSpace(f.b, f.i, len(f.b)); k < len(f.b) && f.b[k] == '"' {
				return nil
			}
			f.secret, f.value, key, flag = false, [2]int{}, "", false
		case '}':
			if f.secret && f.value[1] > 0 {
				found = append(found, f.value)
			}
			f.secret, f.value, key = false, [2]int{}, ""
		case '[', ']', ',':
			key = ""
		default:
			start, end := f.scalar()
			v := f.b[start:end]
			if k := skipSpace(f.b, f.i, len(f.b)); k < len(f.b) && f.b[k] == ':' {
				key, f.i = string(v[:min(len(v), maxKey)]), k+1
				continue
			}
			switch {
			case flag:
				found = append(found, [2]int{start, end})
			case key == "name":
				f.secret = secretVariable(v)
			case key == "value":
				f.value = [2]int{start, end}
			}
			flag = !flag && key == "" && secretFlag(v)
		}
	}
	return found
}

// next skips spaces and returns the bracket or comma it has gone over, 0 at the end, and the first byte of a scalar,
// which it hasn't.
func (f *flowReader) next() byte {
	f.i = skipSpace(f.b, f.i, len(f.b))
	if f.i >= len(f.b) {
		return 0
	}
	c := f.b[f.i]
	if bytes.IndexByte([]byte("{}[],"), c) >= 0 {
		f.i++
	}
	return c
}

// scalar returns where the scalar at hand is without its quotes, and goes behind it.
func (f *flowReader) scalar() (start, end int) {
	start = f.i
	if q := f.b[start]; q == '"' || q == '\'' {
		start++
		end = len(f.b)
		if k := bytes.IndexByte(f.b[start:], q); k >= 0 {
			end = start + k
		}
		f.i = min(end+1, len(f.b))
		return start, end
	}
	for f.i < len(f.b) && bytes.IndexByte([]byte("{}[],"), f.b[f.i]) < 0 {
		if f.b[f.i] == ':' && (f.i+1 == len(f.b) || f.b[f.i+1] == ' ') && f.i > start {
			break
		}
		f.i++
	}
	end = f.i
	for end > start && f.b[end-1] == ' ' {
		end--
	}
	return start, end
}
