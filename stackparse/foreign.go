package stackparse

import (
	"bytes"
	"slices"
)

// foreignStacks reads stacks in the form in which other tools print them. Their lines become those of the runtime's
// form.
type foreignStacks struct {
	form foreignForm
	file []byte // "file:line" of a caller whose function may follow
	buf  []byte
}

type foreignForm uint8

const (
	runtimeForm foreignForm = iota
	// delveForm is that of delve's "goroutines -t":
	//
	//	  Goroutine 34 - User: /src/main.go:40 main.main (0x8e11a5) [chan receive]
	//		0  0x000000000043f725 in runtime.gopark
	//		    at /usr/local/go/src/runtime/proc.go:398
	delveForm
	// callersForm is that of handlers that log runtime.Callers of a recovered panic, with or without address and
	// function (k8s.io/apimachinery up to 1.14; gin, macaron):
	//
	//	/src/shop/cart.go:41 (0x6f1a2d)
	//		Total: sum += line.Price.Cents
	callersForm
	// locksForm is that of github.com/sasha-s/go-deadlock, behind "POTENTIAL DEADLOCK:":
	//
	//	goroutine 61 lock 0xc0003c1d28
	//	/src/index/shelf.go:106 index.(*Shelf).lookup { s.mu.Lock() } <<<<<
	locksForm
)

var lockReport = []byte("POTENTIAL DEADLOCK:")

// foreignLine takes a line of another tool's stacks, and reports whether it was one.
func (p *Parser) foreignLine(text, stamp []byte) bool {
	line, indented := trimmed(text)
	if len(line) == 0 {
		p.endCaller()
		return false
	}
	switch p.foreign.form {
	case runtimeForm:
		return p.foreignStart(line, stamp)
	case delveForm:
		if p.foreignHeader(line, stamp) {
			return true
		}
		return p.position == inGoroutine && p.delveFrame(line)
	case locksForm:
		return p.lockLine(line, stamp)
	}
	return p.callerLine(line, indented)
}

// foreignStart begins another tool's stacks where a line outside dumps opens them.
func (p *Parser) foreignStart(line, stamp []byte) bool {
	switch line[0] {
	case 'G', '*', '[':
		return p.foreignHeader(line, stamp)
	case 'P':
		if !bytes.HasPrefix(line, lockReport) {
			return false
		}
		p.cause.start(p.num)
		p.cause.kindOf, p.cause.cur.Text = CauseFatal, string(lockReport[:len(lockReport)-1])
		p.foreign.form = locksForm
		return true
	}
	if p.position != outside || !isCaller(line) {
		return false
	}
	if c, _ := p.cause.recent.introduction(p.num); c == nil && p.cause.recent.raisedBefore(p.num).Text == "" {
		return false
	}
	p.foreign.form = callersForm
	p.openGoroutine(header{state: []byte("running"), nameless: true}, 0, stamp)
	if !bytes.Contains(line, []byte("/runtime/")) {
		p.addForeignFrame([]byte("panic"), []byte("??:0"))
	}
	return p.callerLine(line, false)
}

// addForeignFrame gives the goroutine under way a frame in the runtime's form.
func (p *Parser) addForeignFrame(fn, file []byte) {
	f := &p.foreign
	f.buf = append(append(f.buf[:0], fn...), "()"...)
	p.stack.startFunc(f.buf, len(fn), p.num)
	if loc, ok := fileLine(file); ok {
		p.stack.commitFile(loc.text, loc, p.num)
	}
}

// foreignHeader begins a goroutine at a header of delve or of go.uber.org/goleak, whose frames are the runtime's:
//
//	[Goroutine 25 in state chan receive, with main.drip on top of the stack:
func (p *Parser) foreignHeader(line, stamp []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(line, "*[ "), []byte("Goroutine "))
	if !ok {
		return false
	}
	id, rest, ok := leadingUint(rest)
	if !ok || id == 0 {
		return false
	}
	h := header{id: id, state: []byte("waiting")}
	if state, leaked := bytes.CutPrefix(rest, []byte(" in state ")); leaked {
		at := bytes.Index(state, []byte(", with "))
		if at <= 0 || !bytes.HasSuffix(state, []byte("on top of the stack:")) {
			return false
		}
		h.state, h.flags, p.foreign.form = state[:at], FlagLeaked, runtimeForm
	} else if bytes.HasPrefix(rest, []byte(" - User: ")) {
		at, end := bytes.LastIndexByte(rest, '['), len(rest)-1
		if at > 0 && rest[end] == ']' && !h.bracketPart(rest[at+1:end]) {
			return false
		}
		p.foreign.form = delveForm
	} else {
		return false
	}
	p.finishGoroutine()
	p.openGoroutine(h, 1, stamp)
	return true
}

func (p *Parser) delveFrame(line []byte) bool {
	if at, ok := bytes.CutPrefix(line, []byte("at ")); ok {
		return p.frameLine(at, true)
	}
	_, rest, ok := leadingUint(line)
	if !ok {
		return false
	}
	pc, fn, ok := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" in "))
	if !ok || !bytes.HasPrefix(pc, []byte("0x")) {
		return false
	}
	p.foreign.buf = append(append(p.foreign.buf[:0], fn...), "()"...)
	return p.frameLine(p.foreign.buf, false)
}

// isCaller reports whether a line is "/path/file.go:41" with nothing or an address behind it.
func isCaller(line []byte) bool {
	if line[0] != '/' && (len(line) < 3 || line[1] != ':') {
		return false
	}
	if i := bytes.LastIndex(line, []byte(" (0x")); i > 0 {
		line = line[:i]
	}
	loc, ok := fileLine(line)
	return ok && len(loc.text) == len(line)
}

// callerLine takes a caller or the function of the one before; anything else ends the stack.
func (p *Parser) callerLine(line []byte, indented bool) bool {
	f := &p.foreign
	if !indented && isCaller(line) {
		p.endCaller()
		file, _, _ := bytes.Cut(line, []byte(" (0x"))
		f.file = append(f.file[:0], file...)
		return true
	}
	if fn, _, ok := bytes.Cut(line, []byte(": ")); ok && indented && len(f.file) > 0 {
		p.addCaller(fn)
		return true
	}
	p.endCaller()
	p.finishGoroutine()
	f.form = runtimeForm
	return false
}

// endCaller gives the caller that waits for its function to the goroutine: nothing shows how it is called.
func (p *Parser) endCaller() {
	if len(p.foreign.file) > 0 {
		p.addCaller([]byte{'?'})
	}
}

func (p *Parser) addCaller(fn []byte) {
	f := &p.foreign
	pkg := packageIn(f.file)
	name := append(append(slices.Clone(pkg), '.'), fn...)
	if string(pkg) == "runtime" && bytes.Contains(f.file, []byte("/panic.go:")) {
		name = []byte("panic")
	}
	p.addForeignFrame(name, f.file)
	f.file = f.file[:0]
}

// packageIn is the import path that a file's folder shows: what follows the folder of a toolchain, a GOPATH, a module
// cache or vendored code; the last two folders elsewhere.
func packageIn(file []byte) []byte {
	dir := file[:max(0, bytes.LastIndexByte(file, '/'))]
	for _, root := range [...]string{"/vendor/", "/pkg/mod/", "/src/"} {
		if i := bytes.LastIndex(dir, []byte(root)); i >= 0 {
			dir = dir[i+len(root):]
			if at := bytes.Index(dir, []byte("@v")); at > 0 {
				_, rest, _ := bytes.Cut(dir[at:], []byte("/"))
				dir = append(append(slices.Clone(dir[:at]), '/'), rest...)
			}
			return bytes.Trim(dir, "/")
		}
	}
	elems := bytes.Split(bytes.Trim(dir, "/"), []byte("/"))
	return bytes.Join(elems[max(0, len(elems)-2):], []byte("/"))
}

// lockLine takes a line of a report about locks. Text between its stacks begins the next one.
func (p *Parser) lockLine(line, stamp []byte) bool {
	if call, ok := lockFrame(line); ok {
		if p.position != inGoroutine {
			p.openGoroutine(header{state: []byte("lock"), nameless: true}, 0, stamp)
		}
		p.foreign.file = append(p.foreign.file[:0], line[:len(line)-len(call)-1]...)
		fn, _, _ := bytes.Cut(call, []byte(" { "))
		p.addCaller(fn[bytes.IndexByte(fn, '.')+1:])
		return true
	}
	if rest, ok := bytes.CutPrefix(line, headerPrefix); ok {
		id, rest, ok := leadingUint(rest)
		if !ok || !bytes.HasPrefix(rest, []byte(" lock 0x")) {
			p.foreign.form = runtimeForm
			return false
		}
		p.finishGoroutine()
		p.openGoroutine(header{id: id, state: []byte("lock")}, 0, stamp)
		return true
	}
	p.finishGoroutine()
	return false
}

// lockFrame returns what follows the place in "/src/shelf.go:106 index.(*Shelf).lookup { s.mu.Lock() } <<<<<".
func lockFrame(line []byte) (call []byte, ok bool) {
	end := bytes.Index(line, []byte(" { "))
	if end <= 0 {
		return nil, false
	}
	sp := bytes.LastIndexByte(line[:end], ' ')
	if sp <= 0 || bytes.IndexByte(line[sp:end], '.') < 0 {
		return nil, false
	}
	return line[sp+1:], isCaller(line[:sp])
}

// faultingLine begins the goroutine of an exception on Windows, whose frames the runtime prints without a header,
// straight behind the exception's lines (runtime.winthrow), and reports whether text is the first of them.
func (p *Parser) faultingLine(text, stamp []byte) bool {
	if p.position != outside || !p.cause.excepted() || !isFuncLine(text) {
		return false
	}
	p.openGoroutine(header{state: []byte("running"), nameless: true}, 0, stamp)
	return p.frameLine(text, false)
}
