package main

import (
	"coded/kit"
	"errors"
)

type lim struct{ slots chan struct{} }

func (l *lim) acquire() { l.slots <- struct{}{} }
func (l *lim) release() { <-l.slots }
func (l *lim) do(i int) error {
	l.acquire()
	if i%2 == 0 {
		return errors.New("bad")
	}
	l.release()
	return nil
}
func main() {
	kit.Serve()
	l := &lim{make(chan struct{}, 2)}
	for i := 0; i < 9; i++ {
		l.do(i)
	}
	kit.Wait()
}
