// Package lexer: templates are read as they are needed: each has a lexer that waits for its parser, which waits for a user.
package lexer

import (
	"strconv"

	"aged/kit"
)

type lexer struct{ items chan string }

func (l *lexer) run() {
	for i := range 5 {
		l.emit(strconv.Itoa(i))
	}
	close(l.items)
}

func (l *lexer) emit(s string) { l.items <- s }

type Session struct {
	l     *lexer
	input chan bool
}

func (s *Session) serve() {
	s.l = &lexer{make(chan string)}
	go s.l.run()
	for range s.input {
		<-s.l.items
	}
}

// Main runs it.
func Main() {
	for range 15 {
		s := &Session{input: make(chan bool)}
		go s.serve()
		all = append(all, s)
	}
	kit.Wait()
}

var all []*Session
