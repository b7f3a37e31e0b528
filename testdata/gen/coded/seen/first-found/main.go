package main

import (
	"coded/kit"
	"errors"
)

type search struct{ found chan int }

func (s *search) probe(i int) { s.found <- i }
func (s *search) first() (int, error) {
	for i := 0; i < 5; i++ {
		go s.probe(i)
	}
	v := <-s.found
	if v < 0 {
		return 0, errors.New("x")
	}
	return v, nil
}
func main() {
	kit.Serve()
	s := &search{make(chan int)}
	s.first()
	kit.Wait()
}
